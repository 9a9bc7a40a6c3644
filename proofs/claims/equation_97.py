"""Equation (97): the double sum for r = s = 1, where a factor m is lost."""

from __future__ import annotations

import sympy

from proofs.claim import Claim, Finding, amend, conclude
from proofs.identities import identity
from proofs.moments import Class

_POWERS = {1: "m", 2: "m²", 3: "m³"}


def _check(power: int) -> Finding:
    """The claim Σ_i Σ_j x_i(x_i − x_j) = m^power σ²."""
    m, x = sympy.symbols("m x", positive=True)
    c = Class.numbered(1)
    double_sum = m * m * (c.average(x * x, x) - c.average(x, x) ** 2)
    samples = (0, 1)
    counted = sum(a * (a - b) for a in samples for b in samples)
    claimed = sympy.Integer(2) ** power * sympy.Rational(1, 4)
    step = identity(
        rf"$\sum_i\sum_jx_i(x_i-x_j)=m^{power}\sigma^2$ for all m and all samples, with "
        rf"$\sigma^2=\frac1m\sum(x_i-\bar x)^2$.",
        double_sum,
        m**power * c.variance,
        detail=f"x = {samples}: the double sum is {counted}, the right side {claimed}",
    )
    return conclude(
        step,
        counterexample=None
        if step.holds
        else f"x = (0, 1), m = 2: the sum is {counted}, {_POWERS[power]}σ² is {claimed}",
    )


CLAIM = Claim(
    key="equation-97",
    title="Equation (97)",
    where="Appendix C.2",
    statement=r"$\sum_i\sum_jx_{ci}(x_{ci}-x_{cj})=m\sigma_c^2$.",
    hypotheses=("σ² has the factor 1/m, as (98) and (100) use it",),
    check=lambda: amend(
        _check(1),
        _check(2),
        r"The sum is $m^2\sigma_c^2$; (100), which divides by m, has it right, so nothing that follows changes.",
    ),
    false_statement=r"The sum is $m^3\sigma_c^2$.",
    check_false=lambda: _check(3),
    expects="repaired",
)
