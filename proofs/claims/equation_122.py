"""Equations (122)–(124): the expansion of SP(twx + b) needs ‖b‖ = 1, which is never said."""

from __future__ import annotations

import sympy

from proofs.claim import Claim, Finding, Step, amend, conclude
from proofs.identities import identity


def _series(xi1: sympy.Expr, xi2: sympy.Expr) -> tuple[sympy.Expr, ...]:
    """Coefficients of (122) in z = xt."""
    half, three, five = sympy.Rational(1, 2), sympy.Rational(3, 2), sympy.Rational(5, 2)
    return sympy.Integer(1), -xi1, three * xi1**2 - half * xi2, three * xi1 * xi2 - five * xi1**3


def _lowest_error(coefficients: tuple[sympy.Expr, ...], norm: sympy.Expr, z: sympy.Symbol) -> int:
    """Lowest power of z in p²·‖wz + b‖² − 1."""
    series = sum(c * z**k for k, c in enumerate(coefficients))
    error = sympy.Poly(sympy.expand(series**2 * norm - 1), z)
    return min((k for (k,), c in error.terms() if c != 0), default=99)


def _printed(w: tuple[int, ...], b: tuple[int, ...]) -> Finding:
    """(122) with ξ1 = w·b and ξ2 = b·b, at given w of length 1 and b ≠ 0."""
    z = sympy.Symbol("z")
    xi1, xi2 = (sympy.Integer(sum(p * q for p, q in zip(a, b, strict=True))) for a in (w, b))
    norm = sum((p * z + q) ** 2 for p, q in zip(w, b, strict=True))
    order = _lowest_error(_series(xi1, xi2), norm, z)
    return conclude(
        Step(
            f"As printed, for w = {w}, b = {b}: the series is $1/\\lVert wxt+b\\rVert$ up to $o(t^3)$.",
            order >= 4,
            detail=f"its square times ‖wz + b‖² differs from 1 at order z^{order}",
        ),
        counterexample=None if order >= 4 else f"w = {w}, b = {b}: at t = 0 the left side is 1/‖b‖, the right side 1.",
    )


def _corrected() -> Finding:
    z, xi1, k = sympy.symbols("z xi1 k", positive=True)
    wk, bk = sympy.symbols("w_k b_k")
    coefficients = _series(xi1, sympy.Integer(1))
    order = _lowest_error(coefficients, 1 + 2 * xi1 * z + z**2, z)
    product = sympy.expand((bk + wk * z) * sum(c * z**j for j, c in enumerate(coefficients)))
    half, three, five = sympy.Rational(1, 2), sympy.Rational(3, 2), sympy.Rational(5, 2)
    a = (
        bk,
        wk - xi1 * bk,
        (three * xi1**2 - half) * bk - xi1 * wk,
        (three * xi1 - five * xi1**3) * bk + (three * xi1**2 - half) * wk,
    )
    return conclude(
        Step(
            r"With $\lVert w\rVert=\lVert b\rVert=1$ (so $\xi_2=w\cdot w=b\cdot b=1$), $\lVert "
            r"wz+b\rVert^2=1+2\xi_1z+z^2$ in any "
            "dimension n, and (122) is right: its square times this is 1 + O(z⁴).",
            order >= 4,
            detail=f"lowest power left: z^{order}",
        ),
        identity(
            "(123), (124): multiplying by b_k + w_k z gives a₀, …, a₃ as printed, for every coordinate k.",
            sympy.Matrix([product.coeff(z, j) for j in range(4)]),
            sympy.Matrix(a),
        ),
        identity(
            r"The hypothesis costs nothing: SP ignores scaling, so $\mathrm{SP}(twx+b)=\mathrm{SP}(t'wx+b/\lVert "
            r"b\rVert)$ with "
            r"$t'=t/\lVert b\rVert$ (here k = ‖b‖).",
            (wk * z + bk) / k,
            (1 / k) * wk * z + bk / k,
        ),
    )


CLAIM = Claim(
    key="equation-122",
    title="Equations (122)–(124)",
    where="Appendix C.4, equations 119 to 124",
    statement=(
        r"For $\lVert w\rVert=1$, $b\ne0$, $\xi_1=w\cdot b$, $\xi_2=b\cdot b$: $\lVert wxt+b\rVert^{-1}=1-\xi_1xt+"
        r"(\tfrac32\xi_1^2-\tfrac12\xi_2)x^2t^2+(\tfrac32\xi_1\xi_2-\tfrac52\xi_1^3)x^3t^3+o(t^3)$, and the "
        r"coefficients a₀, …, a₃ of "
        r"$\hat x^{(k)}$."
    ),
    hypotheses=("‖w‖ = 1 (stated)", "‖b‖ = 1 (missing; the paper only asks b ≠ 0)"),
    check=lambda: amend(
        _printed((1, 0), (0, 2)),
        _corrected(),
        "‖b‖ = 1, which is no loss of generality; then ξ2 = 1, and it is w·w rather than b·b that belongs to x²t².",
        verdict="needs-hypothesis",
    ),
    false_statement="The same with w = (1, 0), b = (3, 4).",
    check_false=lambda: _printed((1, 0), (3, 4)),
    expects="needs-hypothesis",
)
