"""Proposition 8: LN-G is at least as nonlinear as LN, in the sense of H."""

from __future__ import annotations

import sympy
from flint import fmpq

from proofs.claim import Claim, Finding, Step, conclude
from proofs.claims.lemma_16 import CLAIM as LEMMA_16
from proofs.identities import identity
from proofs.nonlinearity import nonlinearity_ratio, ratio_table

_LARGEST = 60


def chain(d: sympy.Symbol, g: sympy.Symbol) -> tuple[Step, ...]:
    """Equations 197 and 200 as identities for all d and g."""
    return (
        identity(
            r"(197): by Lemmas 12, 13 and 16, $\sigma^4\,[H(\psi_G)-H(\psi_L)]\ge "
            r"g(3-6g/d)-3(d-2)/d=\frac3d(d-2g-2)(g-1)$.",
            g * (3 - 6 * g / d) - 3 * (d - 2) / d,
            sympy.Rational(3) / d * (d - 2 * g - 2) * (g - 1),
        ),
        identity(
            r"(198): with $d=3g+v$, $v\ge0$: $d-2g-2=(g-2)+v\ge0$ for $g\ge2$, and 0 only for $g=2,\ v=0$, that is "
            "d = 6.",
            (3 * g + d) - 2 * g - 2,
            (g - 2) + d,
        ),
        identity(
            "(200), (201): "
            r"$H(\psi_G)\ge\frac{3g(d-2g)}{d\sigma^4}=\frac{1}{\sigma^4}\left[\frac{3d}8-\frac6d(g-\frac "
            r"d4)^2\right]$, largest at $g=d/4$: $\frac{3d}{8\sigma^4}$.",
            3 * g * (d - 2 * g) / d,
            3 * d / 8 - 6 / d * (g - d / 4) ** 2,
        ),
        identity(
            r"(202): $\frac{3d}8\Big/\left(3-\frac6d\right)=\frac d8\cdot\frac d{d-2}>\frac d8$.",
            (3 * d / 8) / (3 - 6 / d),
            d / 8 * d / (d - 2),
        ),
    )


def _check(groups_at_most: int) -> Finding:
    """The ratio is ≥ 1 for every divisor g ≤ d/groups_at_most."""
    d, g = sympy.symbols("d g", positive=True)
    rows = [row for row in ratio_table(range(3, _LARGEST + 1)) if groups_at_most * row.groups <= row.d]
    below = [row for row in rows if row.smallest < 1]
    equal = {(row.groups, row.d) for row in rows if row.smallest == 1 and row.groups > 1}
    quarter = [row for row in rows if 4 * row.groups == row.d]
    point = (0, 1, 2, 0, 2, 1)
    return conclude(
        *LEMMA_16.check().steps,
        *chain(d, g),
        Step(
            r"The infimum of the ratio, $g(d-2g)/(d-2)$ (all groups alike), is at least 1 for every divisor $g\le "
            rf"d/{groups_at_most}$, $d\le{_LARGEST}$.",
            not below,
            "proved-bounded",
            detail=f"{len(rows)} pairs (d, g)"
            + (f"; below 1 at {[(r.d, r.groups) for r in below[:5]]}" if below else ""),
            role="part" if groups_at_most != 3 else "corroboration",
        ),
        Step(
            "Equality beyond g = 1 is possible only for g = 2, d = 6, and there it needs two groups of equal mean "
            "and variance (the paper's condition d = 2g + 2 is necessary, not sufficient).",
            equal <= {(2, 6)} and nonlinearity_ratio(point, 2) == 1 and nonlinearity_ratio((0, 1, 2, 0, 2, 5), 2) > 1,
            detail=f"x = {point}: ratio {nonlinearity_ratio(point, 2)}; x = (0, 1, 2, 0, 2, 5): "
            f"ratio {nonlinearity_ratio((0, 1, 2, 0, 2, 5), 2)}",
        ),
        Step(
            r"At $g=d/4$ the ratio exceeds $d/8$ for every such d in the table.",
            all(row.smallest > fmpq(row.d, 8) for row in quarter),
            "proved-bounded",
            role="corroboration",
        ),
        counterexample=f"d = {below[0].d}, g = {below[0].groups}: groups of 2 make H(LN-G) = 0" if below else None,
    )


CLAIM = Claim(
    key="proposition-8",
    title="Proposition 8",
    where="Section 5.1 and Appendix E.2, equations 21, 22, 164, 165, 195 to 202",
    statement=(
        r"For a divisor $g\le d/3$ of d, $H(\psi_G(g;\cdot);x)/H(\psi_L;x)\ge1$, with equality beyond $g=1$ only "
        "for $g=2$, $d=6$; for $g=d/4$ the ratio is at least $d/8$ (indeed more)."
    ),
    hypotheses=("g divides d", "every group's variance is positive, so that H(ψ_G) is defined"),
    check=lambda: _check(3),
    false_statement=r"The ratio is at least 1 for every divisor $g\le d/2$.",
    check_false=lambda: _check(2),
)
