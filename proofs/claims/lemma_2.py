"""Lemma 2: a bias changes neither SSR nor LSSR."""

from __future__ import annotations

import sympy

from constructions.sum_of_squares import sum_of_squares_ratio
from proofs.claim import Claim, Finding, Step, conclude
from proofs.identities import identity
from proofs.moments import Class


def _check(shared: bool) -> Finding:
    """``shared``: whether both classes get the same bias."""
    x, b1, m1, m2 = sympy.symbols("x b1 m1 m2")
    b2 = b1 if shared else sympy.Symbol("b2")
    one, two = Class.numbered(1), Class.numbered(2)
    steps = []
    for c, b in ((one, b1), (two, b2)):
        centre = c.average(x + b, x)
        steps.append(
            identity(
                "Within a class, a coordinate y = w·x + b minus its average is the same with and without b, for "
                "any number of "
                "samples.",
                (x + b) - centre,
                x - c.average(x, x),
            )
        )

    def total(s1: sympy.Expr, s2: sympy.Expr) -> sympy.Expr:
        mean = (m1 * one.average(x + s1, x) + m2 * two.average(x + s2, x)) / (m1 + m2)
        return m1 * one.average((x + s1 - mean) ** 2, x) + m2 * two.average((x + s2 - mean) ** 2, x)

    steps.append(
        identity(
            "So is the total sum of squares, coordinate by coordinate, for any class sizes.", total(b1, b2), total(0, 0)
        )
    )
    moved = sum_of_squares_ratio([5, 6], [3 + (5 if shared else 7), 4 + (5 if shared else 7)])
    still = sum_of_squares_ratio([0, 1], [3, 4])
    steps.append(Step("X1 = {0, 1}, X2 = {3, 4} before and after.", moved == still, detail=f"{still}, {moved}"))
    counterexample = f"X1 = {{0, 1}}, X2 = {{3, 4}}: SSR {still} becomes {moved}" if moved != still else None
    return conclude(*steps, counterexample=counterexample)


CLAIM = Claim(
    key="lemma-2",
    title="Lemma 2",
    where="Appendix B.1, equations 25 to 29",
    statement=r"$\mathrm{SSR}(WX_1+b,WX_2+b)=\mathrm{SSR}(WX_1,WX_2)$, so the bias matters for neither SSR nor LSSR.",
    hypotheses=("the samples WX do not all coincide",),
    check=lambda: _check(True),
    false_statement="A bias that differs between the classes changes nothing either.",
    check_false=lambda: _check(False),
)
