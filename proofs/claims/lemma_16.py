"""Lemma 16: the groups' inverse fourth powers of σ sum to at least g times LN's."""

from __future__ import annotations

import sympy

from proofs.claim import Claim, Finding, Step, conclude
from proofs.identities import identity


def _check(power: int) -> Finding:
    """Σ 1/σ_i⁴ ≥ g^power/σ⁴."""
    x, a, g, v, total = sympy.symbols("x a g v S", positive=True)
    # all groups alike: x_i = a = v, so Σ 1/σ_i⁴ = g/v²
    alike = sympy.simplify((g / v**2) / (g**power / v**2))
    return conclude(
        identity(
            r"Tangent of $1/x^2$ at the mean a of the $x_i=\sigma_i^2$: "
            r"$\frac1{x^2}=\frac1{a^2}-\frac{2(x-a)}{a^3}+\frac{(x-a)^2(2x+a)}{a^3x^2}$.",
            1 / x**2,
            1 / a**2 - 2 * (x - a) / a**3 + (x - a) ** 2 * (2 * x + a) / (a**3 * x**2),
        ),
        identity(
            r"Summed over i, the linear terms cancel, $\sum_i(x_i-a)=S-ga=0$ for $a=S/g$, and the last ones are not "
            r"negative: $\sum_i1/\sigma_i^4\ge g/a^2$.",
            total - g * (total / g),
            0,
        ),
        identity(
            r"By Lemma 14 $a\le\sigma^2=a+v$, and $\frac1{a^2}-\frac1{(a+v)^2}=\frac{v(2a+v)}{a^2(a+v)^2}\ge0$.",
            1 / a**2 - 1 / (a + v) ** 2,
            v * (2 * a + v) / (a**2 * (a + v) ** 2),
        ),
        Step(
            rf"Hence $\sum_i1/\sigma_i^4\ge {sympy.latex(g**power)}/\sigma^4$, with equality exactly when all "
            rf"groups have the "
            "same variance and the same mean.",
            alike == 1,
            detail=f"groups alike: the ratio of the two sides is {alike}",
        ),
        counterexample="g = 2, groups (0, 1), (0, 1): Σ 1/σ_i⁴ = 32 < 64 = 4/σ⁴",
    )


CLAIM = Claim(
    key="lemma-16",
    title="Lemma 16",
    where="Appendix E.1, equations 191 to 194",
    statement=r"$\sum_{i=1}^g\dfrac1{\sigma_i^4}\ge\dfrac g{\sigma^4}$ (191).",
    hypotheses=("every group's variance is positive", "equally large groups"),
    check=lambda: _check(1),
    false_statement=r"$\sum_i1/\sigma_i^4\ge g^2/\sigma^4$.",
    check_false=lambda: _check(2),
)
