"""Equation (133), Appendix C.4: the expansion of SSR for SP in n dimensions."""

from __future__ import annotations

from typing import Any

import mpmath
import sympy

from constructions.taylor_break import taylor_statistics
from proofs.claim import Claim, Finding, Step, amend, conclude
from proofs.claims.equation_122 import CLAIM as EQUATION_122
from proofs.identities import identity
from proofs.moments import expanded_ratio, taylor_terms

Vector = tuple[Any, ...]
#: Unit vectors w and b with w·b ≠ 0, and a read-off v, in three dimensions.
_SPACE: tuple[Vector, Vector, Vector] = (
    (sympy.Rational(2, 3), sympy.Rational(1, 3), sympy.Rational(2, 3)),
    (sympy.Rational(2, 7), sympy.Rational(3, 7), sympy.Rational(6, 7)),
    (1, 3, -2),
)


def _coefficients(w: Vector, b: Vector) -> tuple[sympy.Matrix, sympy.Matrix]:
    """a₁ and a₂ for unit vectors w and b."""
    xi1 = sympy.sympify(sum(p * q for p, q in zip(w, b, strict=True)))
    three, half = sympy.Rational(3, 2), sympy.Rational(1, 2)
    a1 = [p - xi1 * q for p, q in zip(w, b, strict=True)]
    a2 = [(three * xi1**2 - half) * q - xi1 * p for p, q in zip(w, b, strict=True)]
    return sympy.Matrix(a1), sympy.Matrix(a2)


def _printed(w: Vector, b: Vector, v: Vector, factor: int = 4) -> Finding:
    """That (133) has a meaning, θ1 ≠ 0, and the printed value for the paper's own example."""
    a1, a2 = _coefficients(w, b)
    row = sympy.Matrix([v])
    theta1, theta2 = (row * a1)[0] ** 2, (row * a1)[0] * (row * a2)[0]
    meaningful = theta1 != 0
    value = factor * theta2 / theta1 if meaningful else None
    right = meaningful and value == -2
    return conclude(
        Step(
            f"As printed, w = {w}, b = {b}, v = {v}: the coefficient {factor}θ2/θ1 of (T1+T2)/T3 exists"
            + (" and is −2, that of (88)." if meaningful else "."),
            right,
            detail=f"θ1 = {theta1}, θ2 = {theta2}"
            + ("" if meaningful else ": 0/0; SP(twx + b) is b for every x with tx > −1"),
        ),
        counterexample=None if right else f"w = {w}, b = {b}, v = {v}: θ1 = {theta1}, θ2 = {theta2}",
    )


def _corrected() -> Finding:
    alpha1, alpha2, m = sympy.symbols("alpha1 alpha2 m", positive=True)
    value, derivative, one, two = expanded_ratio(alpha1, alpha2, m, m)
    t1, t2, t3 = taylor_terms(one, two)
    v_k, v_l, p_k, p_l, q_l = sympy.symbols("v_k v_l a1_k a1_l a2_l")
    w_k, b_k, xi1 = sympy.symbols("w_k b_k xi1")
    delta = one.mean - two.mean
    amended = EQUATION_122.check()
    half, three = sympy.Rational(1, 2), sympy.Rational(3, 2)
    return conclude(
        Step(
            "The coefficients a₁, a₂ of (124) are right for ‖w‖ = ‖b‖ = 1 (equation-122).",
            amended.verdict == "needs-hypothesis",
            amended.assurance,
        ),
        identity(
            r"(127), (128): $\theta_1=\sum_{kl}v_kv_la_{1k}a_{1l}=(v\cdot a_1)^2$ and "
            r"$\theta_2=\sum_{kl}v_kv_la_{1k}a_{2l}="
            r"(v\cdot a_1)(v\cdot a_2)$ factor term by term, for every n; θ2 is the same with k and l exchanged.",
            sympy.Matrix([v_k * v_l * p_k * p_l, v_k * v_l * p_k * q_l]),
            sympy.Matrix([(v_k * p_k) * (v_l * p_l), (v_k * p_k) * (v_l * q_l)]),
        ),
        identity(
            r"(129)–(132): so $v\cdot\hat x=\text{const}+\alpha_1xt+\alpha_2x^2t^2+\dots$ with $\alpha_i=v\cdot "
            r"a_i$, whatever n is. "
            "At t = 0 the ratio is LSSR,",
            value,
            (one.variance + two.variance) / (one.variance + two.variance + delta**2 / 2),
        ),
        identity(
            r"and its derivative is "
            r"$4\frac{\theta_2}{\theta_1}\frac{T_1+T_2}{T_3}=4\frac{\alpha_2}{\alpha_1}\frac{T_1+T_2}{T_3}$, "
            "for all m and all samples.",
            derivative,
            4 * (alpha1 * alpha2) / alpha1**2 * (t1 + t2) / t3,
        ),
        identity(
            r"Since $a_2=\tfrac12(\xi_1^2-1)b-\xi_1a_1$: $\alpha_2=\tfrac12(\xi_1^2-1)\,v\cdot b-\xi_1\alpha_1$, "
            r"so θ2 ≠ 0 is easy to "
            "arrange unless w = ±b.",
            (three * xi1**2 - half) * b_k - xi1 * w_k,
            half * (xi1**2 - 1) * b_k - xi1 * (w_k - xi1 * b_k),
        ),
        identity(
            "If w = ±b (always so for n = 1) then a₁ = 0 and θ1 = 0: the layer is constant near t = 0.",
            (w_k - xi1 * b_k).subs({w_k: xi1 * b_k}),
            sympy.Integer(0),
        ),
        *(_printed((1, 0), (0, 1), (1, 1)).steps),
        _numeric_step(),
    )


def _numeric_step() -> Step:
    """(133) against a difference quotient of the definition, in three dimensions."""
    w, b, v = _SPACE
    first, second = (-1, 0, 0), (1, 3, 3)
    with mpmath.workdps(50):
        step = mpmath.mpf(10) ** -15
        measured = (_ratio(step, first, second) - _ratio(-step, first, second)) / (2 * step)
        statistics = taylor_statistics(first, second)
        terms = (statistics.t1 + statistics.t2) / statistics.t3
        a1, a2 = _coefficients(w, b)
        row = sympy.Matrix([v])
        quotient = 4 * (row * a2)[0] / (row * a1)[0]
        expected = mpmath.mpf(int(quotient.p * terms.p)) / int(quotient.q * terms.q)
        close = abs(measured - expected) < mpmath.mpf(10) ** -12
    return Step(
        f"n = 3, w = {w}, b = {b}, v = {v}, X1 = {first}, X2 = {second}: difference quotient of the definition, "
        f"50 digits.",
        bool(close),
        "tested",
        detail=f"{mpmath.nstr(measured, 15)}, formula {mpmath.nstr(expected, 15)}",
        role="corroboration",
    )


def _ratio(t: mpmath.mpf, first: Vector, second: Vector) -> mpmath.mpf:
    w, b, v = ([mpmath.mpf(int(x.p)) / int(x.q) for x in map(sympy.Rational, part)] for part in _SPACE)

    def image(x: int) -> mpmath.mpf:
        h = [p * x * t + q for p, q in zip(w, b, strict=True)]
        return sum(c * y for c, y in zip(v, h, strict=True)) / mpmath.sqrt(sum(y * y for y in h))

    def ss(values: list[mpmath.mpf]) -> mpmath.mpf:
        mean = sum(values) / len(values)
        return sum((y - mean) ** 2 for y in values)

    parts = [[image(x) for x in part] for part in (first, second)]
    return (ss(parts[0]) + ss(parts[1])) / ss(parts[0] + parts[1])


CLAIM = Claim(
    key="equation-133",
    title="Equations (125)–(133)",
    where="Appendix C.4, equations 125 to 133",
    statement=(
        r"$\mathrm{SSR}(v\hat X_1,v\hat X_2)=\mathrm{LSSR}+4\frac{\theta_2}{\theta_1}\frac{T_1+T_2}{T_3}t+o(t)$ "
        r"for SP in n "
        r"dimensions, $\theta_1=\sum v_kv_la_{1k}a_{1l}$, $\theta_2=\sum v_kv_la_{1k}a_{2l}$, for all w, b, v "
        r"with ‖w‖ = 1, b ≠ 0."
    ),
    hypotheses=("‖b‖ = 1 (missing, see equation-122)", "v·a₁ ≠ 0, so in particular w ≠ ±b and n ≥ 2 (missing)"),
    check=lambda: amend(
        _printed((1, 0), (1, 0), (1, 1)),
        _corrected(),
        "‖b‖ = 1 and v·(w − (w·b)b) ≠ 0, which excludes w = ±b and n = 1.",
        verdict="needs-hypothesis",
    ),
    false_statement="The same with 2θ2/θ1 in place of 4θ2/θ1.",
    check_false=lambda: _printed((1, 0), (0, 1), (1, 1), factor=2),
    expects="needs-hypothesis",
)
