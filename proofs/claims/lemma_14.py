"""Lemma 14: the variance of everything is at least the mean variance of the groups."""

from __future__ import annotations

import sympy

from proofs.claim import Claim, Finding, Step, conclude
from proofs.identities import identity


def _check(sign: int) -> Finding:
    """σ² − (1/g)Σσ_i² = sign · (1/g)Σ(μ_i − μ)²."""
    g = sympy.Symbol("g", positive=True)
    squares, means, means_squared = sympy.symbols("Q M1 M2")
    mu = means / g  # Σ_i μ_i = g μ, since the groups are equally large
    whole = squares / g - mu**2
    groups = (squares - means_squared) / g
    between = (means_squared - 2 * mu * means + g * mu**2) / g
    difference = sympy.together(whole - groups - sign * between)
    example = sympy.Rational(1, 4)  # the groups (0, 0) and (1, 1)
    return conclude(
        identity(
            r"With $Q=\sum_i\frac1c\sum_jz_{ij}^2$, $M_1=\sum_i\mu_i=g\mu$, $M_2=\sum_i\mu_i^2$: "
            r"$\frac1g\sum_i(\mu_i-\mu)^2=M_2/g-\mu^2$.",
            between,
            means_squared / g - mu**2,
        ),
        identity(
            r"$\sigma^2-\frac1g\sum_i\sigma_i^2="
            + ("" if sign > 0 else "-")
            + r"\frac1g\sum_i(\mu_i-\mu)^2$ (190), for all "
            "g, c and all points.",
            whole - groups,
            sign * between,
            detail=f"difference of the two sides: {sympy.factor(difference)}",
        ),
        Step(
            "The right side is a sum of squares with the sign of the claim, zero exactly when all groups have the "
            "same mean.",
            sign > 0,
        ),
        counterexample=f"groups (0, 0), (1, 1): σ² = {example} > 0 = mean of the σ_i²",
    )


CLAIM = Claim(
    key="lemma-14",
    title="Lemma 14",
    where="Appendix E.1, equations 188 to 190",
    statement=(
        r"$\sigma^2\ge\frac1g\sum_{i=1}^g\sigma_i^2$ for equal groups, with equality exactly when the group means "
        "agree."
    ),
    hypotheses=("the groups are equally large",),
    check=lambda: _check(1),
    false_statement=r"$\sigma^2\le\frac1g\sum_i\sigma_i^2$.",
    check_false=lambda: _check(-1),
)
