"""Equations 197 to 201: the chain of inequalities behind Proposition 8."""

from __future__ import annotations

import sympy

from proofs.claim import Claim, Finding, Step, conclude
from proofs.claims.proposition_8 import chain
from proofs.identities import identity


def _check(shift: int) -> Finding:
    """The chain, with d − 2g − shift in equation 197."""
    d, g = sympy.symbols("d g", positive=True)
    difference = g * (3 - 6 * g / d) - 3 * (d - 2) / d
    return conclude(
        *(chain(d, g) if shift == 2 else ()),
        identity(
            rf"(197): the lower bound of $\sigma^4[H(\psi_G)-H(\psi_L)]$ is $\frac3d(d-2g-{shift})(g-1)$.",
            difference,
            3 / d * (d - 2 * g - shift) * (g - 1),
            detail=f"it is {sympy.factor(difference)}",
        ),
        identity(
            r"(198) as printed: $d-2g-2\ge d-\frac{2d}3-2=\frac{d}{3}-2$, which is at least 0 because $g\ge2$ and "
            r"$g\le d/3$ give $d\ge6$.",
            (d - 2 * d / 3 - 2) + 2 * (d / 3 - g),
            d - 2 * g - 2,
        ),
        Step(
            r"The necessary condition for equality: $g=1$, or $d=2g+2$ and $g\mid d$, hence $g\mid2$: $(g,d)=(2,6)$ "
            "only ($g=1$, $d=4$ is the first case again).",
            [(n, 2 * n + 2) for n in range(1, 1000) if (2 * n + 2) % n == 0] == [(1, 4), (2, 6)],
            detail="g divides 2g + 2 exactly when g divides 2",
        ),
        counterexample=f"d = 8, g = 2: the bound is {difference.subs({d: 8, g: 2})}",
    )


CLAIM = Claim(
    key="equations-197-201",
    title="Equations 197 to 201",
    where="Appendix E.2",
    statement=(
        r"$H(\psi_G)-H(\psi_L)\ge\frac3{d\sigma^4}(d-2g-2)(g-1)$ (197), not negative for $g\le d/3$ (198); "
        r"$H(\psi_G)\ge\frac{3}{d\sigma^4}(dg-2g^2)$ (200), equal to $\frac{3d}{8\sigma^4}$ at $g=d/4$ (201)."
    ),
    hypotheses=("g divides d", "positive group variances"),
    check=lambda: _check(2),
    false_statement="(197) with d − 2g − 1 in place of d − 2g − 2.",
    check_false=lambda: _check(1),
)
