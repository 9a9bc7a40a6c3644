"""Lemma 7 and equations (87)–(88): SSR after one spherical projection, to first order in the scale t."""

from __future__ import annotations

import mpmath
import sympy

from constructions.taylor_break import taylor_statistics
from proofs.claim import Claim, Finding, Step, conclude
from proofs.identities import identity
from proofs.moments import expanded_ratio, taylor_terms

_X1, _X2 = (-1, 0, 0), (1, 3, 3)
_DIGITS = 50


def _check(factor: int) -> Finding:
    """``factor``: the claimed derivative is factor·(T1 + T2)/T3, −2 in the paper."""
    m = sympy.Symbol("m", positive=True)
    value, derivative, one, two = expanded_ratio(sympy.Integer(1), sympy.Rational(-1, 2), m, m)
    t1, t2, t3 = taylor_terms(one, two)
    delta = one.mean - two.mean
    statistics = taylor_statistics(_X1, _X2)
    wanted = factor * (statistics.t1 + statistics.t2) / statistics.t3
    measured = _difference_quotient()
    agrees = abs(measured - mpmath.mpf(int(wanted.p)) / int(wanted.q)) < mpmath.mpf(10) ** -12
    return conclude(
        series_step(),
        identity(
            r"At t = 0: $(m\sigma_1^2+m\sigma_2^2)/(m\sigma_1^2+m\sigma_2^2+\tfrac m2(\bar x_1-\bar x_2)^2)$, the "
            r"SSR of the "
            r"projected samples, which is LSSR for u*.",
            value,
            (one.variance + two.variance) / (one.variance + two.variance + delta**2 / 2),
        ),
        identity(
            f"The coefficient of t is {factor}(T1 + T2)/T3, for every number m of samples and all values: both "
            f"sides as "
            r"rational functions of $\bar x_c,\sigma_c^2,\mu_{3,c}$.",
            derivative,
            factor * (t1 + t2) / t3,
        ),
        Step(
            f"X1 = {_X1}, X2 = {_X2}: difference quotient of the definition with {_DIGITS} digits against the formula.",
            bool(agrees),
            "tested",
            detail=(
                f"{mpmath.nstr(measured, 15)} and {wanted} from T1 = {statistics.t1}, T2 = {statistics.t2}, T3 "
                f"= {statistics.t3}"
            ),
            role="corroboration",
        ),
        counterexample=None
        if agrees
        else f"X1 = {_X1}, X2 = {_X2}: derivative {mpmath.nstr(measured, 12)}, not {wanted}",
    )


def series_step() -> Step:
    """g(z) = (1 + z)/√(1 + z²) = 1 + z − z²/2 − z³/2 + O(z⁴), by squaring."""
    z = sympy.Symbol("z")
    series = 1 + z - z**2 / 2 - z**3 / 2
    error = sympy.Poly(sympy.expand(series**2 * (1 + z**2) - (1 + z) ** 2), z)
    lowest = min((k for (k,), c in error.terms() if c != 0), default=99)
    return Step(
        r"$g(z)=\frac{1+z}{\sqrt{1+z^2}}=1+z-\tfrac12z^2-\tfrac12z^3+O(z^4)$: the truncation p has "
        r"$p^2(1+z^2)-(1+z)^2=O(z^4)$ and p(0) = 1 > 0, and g is analytic near 0, which determines its coefficients.",
        lowest >= 4,
        detail=f"lowest power left: z^{lowest}",
        role="argument",
    )


def _difference_quotient() -> mpmath.mpf:
    with mpmath.workdps(_DIGITS):
        h = mpmath.mpf(10) ** -15
        return (_ratio(h) - _ratio(-h)) / (2 * h)


def _ratio(t: mpmath.mpf) -> mpmath.mpf:
    parts = [[(1 + t * x) / mpmath.sqrt(1 + (t * x) ** 2) for x in part] for part in (_X1, _X2)]

    def ss(values: list[mpmath.mpf]) -> mpmath.mpf:
        mean = sum(values) / len(values)
        return sum((v - mean) ** 2 for v in values)

    return (ss(parts[0]) + ss(parts[1])) / ss(parts[0] + parts[1])


CLAIM = Claim(
    key="lemma-7",
    title="Lemma 7",
    where="Appendix C.2, equations 85 to 88, 109",
    statement=(
        r"$\mathrm{SSR}(v\hat X_1,v\hat X_2)=\mathrm{LSSR}-2\frac{T_1+T_2}{T_3}t+o(t)$ with "
        r"$T_1=\delta^2(\mu_{3,1}+\mu_{3,2})$, $T_2=\delta(\sigma_1^2-\sigma_2^2)[\delta^2-(\sigma_1^2+\sigma_2^2)]$, "
        r"$T_3=[2\sigma_1^2+2\sigma_2^2+\delta^2]^2$, $\delta=\bar x_1-\bar x_2$, all along u*."
    ),
    hypotheses=("both classes have m samples (see footnote-3 for others)", "T3 ≠ 0, that is, u*ᵀNu* ≠ 0: N invertible"),
    check=lambda: _check(-2),
    false_statement="The coefficient of t is +2(T1 + T2)/T3.",
    check_false=lambda: _check(2),
)
