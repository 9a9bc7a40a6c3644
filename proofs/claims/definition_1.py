"""Definition 1: SSR is defined unless all samples coincide, and lies in [0, 1]."""

from __future__ import annotations

import sympy
from flint import fmpq

from constructions.sum_of_squares import sum_of_squares_ratio
from proofs.claim import Claim, Finding, Step, as_arguments, conclude
from proofs.identities import identity
from proofs.moments import Class

_XOR = ([[0, 0], [1, 1]], [[0, 1], [1, 0]])


def _check(largest: fmpq) -> Finding:
    m1, m2 = sympy.symbols("m1 m2", positive=True)
    x = sympy.Symbol("x")
    one, two = Class.numbered(1), Class.numbered(2)
    mean = (m1 * one.mean + m2 * two.mean) / (m1 + m2)
    total = m1 * one.average((x - mean) ** 2, x) + m2 * two.average((x - mean) ** 2, x)
    within = m1 * one.variance + m2 * two.variance
    between = m1 * m2 / (m1 + m2) * (one.mean - two.mean) ** 2
    low, high = sum_of_squares_ratio([[0], [0]], [[1], [1]]), sum_of_squares_ratio(*_XOR)
    return conclude(
        *as_arguments(
            identity(
                r"In every coordinate $SS([X_1,X_2])=SS(X_1)+SS(X_2)+\frac{m_1m_2}{m_1+m_2}(\bar x_1-\bar "
                r"x_2)^2$, for all "
                "class sizes m1, m2 and all samples.",
                total,
                within + between,
            ),
            identity(
                r"So $1-\mathrm{SSR}=\frac{m_1m_2}{m_1+m_2}\lVert\bar x_1-\bar x_2\rVert^2/SS([X_1,X_2])$, a quotient "
                r"of sums of "
                "squares with positive weights; SSR is one too. Both are at least 0, hence both are at most 1.",
                1 - within / (within + between),
                between / (within + between),
            ),
        ),
        Step("0 is reached: X1 = {0, 0}, X2 = {1, 1}.", low == 0, detail=f"SSR = {low}"),
        Step(f"The largest value, reached by XOR, is at most {largest}.", high <= largest, detail=f"SSR(XOR) = {high}"),
        counterexample=f"X1 = {{(0,0), (1,1)}}, X2 = {{(0,1), (1,0)}} has SSR = {high}" if high > largest else None,
    )


CLAIM = Claim(
    key="definition-1",
    title="Definition 1",
    where="Section 3.1, equation 5",
    statement=(
        r"$\mathrm{SSR}(X_1,X_2)=\frac{SS(X_1)+SS(X_2)}{SS([X_1,X_2])}$ is well defined and lies in $[0,1]$ whenever "
        r"$SS([X_1,X_2])\ne0$, that is, unless all samples coincide."
    ),
    hypotheses=("not all samples coincide (stated); the classes may have different sizes",),
    check=lambda: _check(fmpq(1)),
    false_statement=r"SSR lies in $[0,\tfrac12]$.",
    check_false=lambda: _check(fmpq(1, 2)),
)
