"""Equations (98)–(108): the expansion of sums of squares and of their ratio, step by step."""

from __future__ import annotations

import sympy

from proofs.claim import Claim, Finding, conclude
from proofs.claims.lemma_7 import series_step
from proofs.identities import identity
from proofs.moments import Class, taylor_quotient, taylor_terms


def _check(sign: int) -> Finding:
    """``sign``: that of β2(β13 + β23) in the numerator of (103), + in the paper."""
    x, m = sympy.Symbol("x"), sympy.Symbol("m", positive=True)
    one, two = Class.numbered(1), Class.numbered(2)
    double = m**2 * (one.average(x**3, x) - one.average(x**2, x) * one.average(x, x))
    b12, b22, b2, b13, b23, b3 = sympy.symbols("beta12 beta22 beta2 beta13 beta23 beta3")
    within, total = (b12 + b22, b13 + b23), (b12 + b22 + b2, b13 + b23 + b3)
    _, derivative = taylor_quotient(within, total)
    claimed = (sign * b2 * (b13 + b23) - b3 * (b12 + b22)) / (b12 + b22 + b2) ** 2
    delta = one.mean - two.mean
    squares = [c.mean**2 + c.variance for c in (one, two)]
    betas = {
        b12: m * one.variance,
        b22: m * two.variance,
        b2: m / 2 * delta**2,
        b13: -m * (one.third + 2 * one.mean * one.variance),
        b23: -m * (two.third + 2 * two.mean * two.variance),
        b3: -m / 2 * delta * (squares[0] - squares[1]),
    }
    t1, t2, t3 = taylor_terms(one, two)
    ratio = identity(
        r"(103): $\frac{(\beta_{12}+\beta_{22})t^2+(\beta_{13}+\beta_{23})t^3}{(\beta_{12}+\beta_{22}+\beta_2)t^2+"
        r"(\beta_{13}+\beta_{23}+\beta_3)t^3}$ has the derivative "
        r"$\frac{\beta_2(\beta_{13}+\beta_{23})-\beta_3(\beta_{12}+"
        r"\beta_{22})}{(\beta_{12}+\beta_{22}+\beta_2)^2}$ at t = 0.",
        derivative,
        claimed,
    )
    return conclude(
        series_step(),
        identity(
            r"(98), (99): $\sum_{ij}x_i^2(x_i-x_j)=\sum_{ij}x_i(x_i^2-x_j^2)=m^2[\mu_3+2\bar x\sigma^2]$.",
            double,
            m**2 * (one.third + 2 * one.mean * one.variance),
        ),
        identity(
            r"(100): the orders t² and t³ of SS/m for values $1+xt-\tfrac12x^2t^2$: $\sigma^2$ and $-[\mu_3+2\bar "
            r"x\sigma^2]$.",
            sympy.Matrix(
                [
                    one.average(x * x, x) - one.average(x, x) ** 2,
                    2 * sympy.Rational(-1, 2) * (one.average(x**3, x) - one.average(x, x) * one.average(x**2, x)),
                ]
            ),
            sympy.Matrix([one.variance, -(one.third + 2 * one.mean * one.variance)]),
        ),
        identity(
            r"(101): $SS([X_1,X_2])-SS(X_1)-SS(X_2)=\tfrac m2(\bar x_1-\bar x_2)^2$ in each coordinate.",
            m * one.average((x - (one.mean + two.mean) / 2) ** 2, x)
            + m * two.average((x - (one.mean + two.mean) / 2) ** 2, x)
            - m * one.variance
            - m * two.variance,
            m / 2 * delta**2,
        ),
        ratio,
        identity(
            r"(105)–(107): with these β's the numerator is $-\tfrac12m^2(T_1+T_2)$.",
            (b2 * (b13 + b23) - b3 * (b12 + b22)).subs(betas),
            -(m**2) / 2 * (t1 + t2),
        ),
        identity(r"(108): the denominator is $\tfrac14m^2T_3$.", ((b12 + b22 + b2) ** 2).subs(betas), m**2 / 4 * t3),
        counterexample=None
        if ratio.holds
        else "β12 = β2 = β13 = 1, all others 0: the derivative is 1/4, the formula says −1/4",
    )


CLAIM = Claim(
    key="equation-103",
    title="Equations (98)–(108)",
    where="Appendix C.2, equations 89 to 96, 98 to 108",
    statement=(
        r"The coefficients β of the sums of squares, and "
        r"$\mathrm{SSR}=\frac{\beta_{12}+\beta_{22}}{\beta_{12}+\beta_{22}+\beta_2}+"
        r"\frac{\beta_2(\beta_{13}+\beta_{23})-\beta_3(\beta_{12}+\beta_{22})}"
        r"{(\beta_{12}+\beta_{22}+\beta_2)^2}t+o(t)$ (103)."
    ),
    hypotheses=("β12 + β22 + β2 ≠ 0", "equal class sizes"),
    check=lambda: _check(1),
    false_statement="(103) with the other sign of its first term.",
    check_false=lambda: _check(-1),
)
