"""Footnote 3: the results are said to extend to classes of different sizes; the formulas as printed do not."""

from __future__ import annotations

import sympy
from flint import fmpq

from constructions.sum_of_squares import linear_bound, sum_of_squares_ratio
from constructions.taylor_break import taylor_statistics
from proofs.claim import Claim, Finding, Step, amend, conclude
from proofs.identities import identity
from proofs.moments import expanded_ratio

_X1, _X2 = [0, 1], [3, 4, 4, 5, 4, 4]


def _printed(second: list[int]) -> Finding:
    """On the line: Proposition 2's λ* = M/N with N about (x̄1 + x̄2)/2, and Lemma 7's derivative."""
    true = sum_of_squares_ratio(_X1, second)
    means = [fmpq(sum(part), len(part)) for part in (_X1, second)]
    middle = (means[0] + means[1]) / 2
    within = sum(((x - c) ** 2 for part, c in zip((_X1, second), means, strict=True) for x in part), fmpq(0))
    total = sum(((x - middle) ** 2 for x in (*_X1, *second)), fmpq(0))
    bound = linear_bound(_X1, second)
    line = [[x * bound.direction[0] for x in part] for part in (_X1, second)]
    derivative, printed = taylor_statistics(*line).derivative, _equal_size_formula(*line)
    wrong = within / total != true
    return conclude(
        Step(
            r"As printed: $N=\sum(x-\bar x)(x-\bar x)^{\mathsf T}$ with $\bar x=(\bar x_1+\bar x_2)/2$ gives LSSR "
            r"= M/N on the line.",
            not wrong,
            detail=f"X1 = {_X1}, X2 = {second}: M/N = {within / total}, SSR = LSSR = {true}",
        ),
        Step(
            "As printed: T1, T2, T3 of (87) give f′(0).",
            derivative == printed,
            detail=f"−2(T1+T2)/T3 = {printed}, f′(0) = {derivative}",
        ),
        counterexample=f"X1 = {_X1}, X2 = {second}: λ* = {within / total} instead of LSSR = {true}" if wrong else None,
    )


def _equal_size_formula(first: list[fmpq], second: list[fmpq]) -> fmpq:
    moments = []
    for part in (first, second):
        centre = sum(part, fmpq(0)) / len(part)
        moments.append((centre, *(sum(((x - centre) ** k for x in part), fmpq(0)) / len(part) for k in (2, 3))))
    (c1, v1, s1), (c2, v2, s2) = moments
    delta = c1 - c2
    t1, t2 = delta**2 * (s1 + s2), delta * (v1 - v2) * (delta**2 - v1 - v2)
    return -2 * (t1 + t2) / (2 * v1 + 2 * v2 + delta**2) ** 2


def _corrected() -> Finding:
    m1, m2 = sympy.symbols("m1 m2", positive=True)
    value, derivative, one, two = expanded_ratio(sympy.Integer(1), sympy.Rational(-1, 2), m1, m2)
    p1, p2 = 2 * m1 / (m1 + m2), 2 * m2 / (m1 + m2)
    delta, spread = one.mean - two.mean, p1 * one.variance + p2 * two.variance
    t1 = delta**2 * (p1 * one.third + p2 * two.third)
    t2 = delta * (delta**2 * (p1 * one.variance - p2 * two.variance) - (one.variance - two.variance) * spread)
    t3 = (2 * spread + p1 * p2 * delta**2) ** 2 / (p1 * p2)
    within = m1 * one.variance + m2 * two.variance
    return conclude(
        identity(
            r"With the mean of all samples, $\bar x=(m_1\bar x_1+m_2\bar x_2)/(m_1+m_2)$, SSR(0) is the SSR of "
            r"the line for all "
            "class sizes,",
            value,
            within / (within + m1 * m2 / (m1 + m2) * delta**2),
        ),
        identity(
            r"and $f'(0)=-2(T_1+T_2)/T_3$ with weights $p_c=2m_c/(m_1+m_2)$, $P=p_1\sigma_1^2+p_2\sigma_2^2$: "
            r"$T_1=\delta^2(p_1\mu_{3,1}+p_2\mu_{3,2})$, "
            r"$T_2=\delta[\delta^2(p_1\sigma_1^2-p_2\sigma_2^2)-(\sigma_1^2-\sigma_2^2)P]$, "
            r"$T_3=(2P+p_1p_2\delta^2)^2/(p_1p_2)$.",
            derivative,
            -2 * (t1 + t2) / t3,
        ),
    )


CLAIM = Claim(
    key="footnote-3",
    title="Footnote 3",
    where="Section 3.1",
    statement="Definitions and conclusions of Section 3 apply to classes of different sizes as they stand.",
    hypotheses=("m1 ≠ m2",),
    check=lambda: amend(
        _printed(_X2),
        _corrected(),
        r"They do with $\bar x$ the mean of all samples in Proposition 2, and with T1, T2, T3 weighted by the "
        r"class sizes.",
    ),
    false_statement="They do as printed if the second class is {3, 4, 4} (three samples against two).",
    check_false=lambda: _printed([3, 4, 4]),
    expects="repaired",
)
