"""Algebra behind the audit: what counts as an identity, and averages for every number of samples."""

import pytest
import sympy
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions.sum_of_squares import sum_of_squares_ratio
from constructions.taylor_break import taylor_statistics
from proofs.identities import identity, is_zero
from proofs.moments import Class, expanded_ratio, taylor_quotient, taylor_terms

A, B, R = sympy.symbols("a b r")
SAMPLES = st.lists(st.integers(-9, 9), min_size=1, max_size=7)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ((A + B) ** 2 - A**2 - 2 * A * B - B**2, True),
        (A / B - 1 / (B / A), True),
        ((A + B) ** 2 - A**2 - B**2, False),
        (A - A * (1 + sympy.Rational(1, 10**30)), False),  # no sampling, no tolerance
        (sympy.sqrt(A) ** 2 * sympy.sqrt(B) - A * sympy.sqrt(B), True),  # cancels before anything is decided
        (sympy.sqrt(A**2) - A, None),  # false for a < 0; roots are not for is_zero to judge
        (sympy.sin(A) ** 2 + sympy.cos(A) ** 2 - 1, None),
        (sympy.Matrix([A - A, B - B]), True),
        (sympy.Matrix([A - A, B]), False),
    ],
)
def test_is_zero(expression, expected):
    assert is_zero(expression) is expected


def test_relations():
    root = [R**2 - 2]
    assert is_zero(R**4 - 4, root) is True
    assert is_zero(1 / (R - 1) - (R + 1), root) is True
    assert is_zero(R - 1, root) is None  # not in the ideal; whether it vanishes at a root is not decided
    assert is_zero(R**2 - 3, root) is False  # the remainder is −1


def test_identity_is_a_step():
    step = identity("text", A, B, role="argument", detail="why")
    assert (step.text, step.holds, step.assurance, step.role, step.detail) == (
        "text",
        False,
        "proved",
        "argument",
        "why",
    )


def _moments(samples):
    m = len(samples)
    mean = fmpq(sum(samples), m)
    return mean, *(sum(((x - mean) ** k for x in samples), fmpq(0)) / m for k in (2, 3))


def _substituted(expression, *parts):
    values = {}
    for c, part in enumerate(parts, start=1):
        names = Class.numbered(c)
        for symbol, value in zip((names.mean, names.variance, names.third), _moments(part), strict=True):
            values[symbol] = sympy.Rational(int(value.p), int(value.q))
    return sympy.nsimplify(expression.subs(values))


@given(SAMPLES, st.lists(st.integers(-5, 5), min_size=1, max_size=4))
def test_average_is_the_average(samples, coefficients):
    x = sympy.Symbol("x")
    polynomial = sum(c * x**k for k, c in enumerate(coefficients))
    expected = sympy.Rational(
        sum(int(polynomial.subs(x, v)) if coefficients[1:] else coefficients[0] for v in samples), len(samples)
    )
    assert _substituted(sympy.sympify(Class.numbered(1).average(sympy.sympify(polynomial), x)), samples) == expected


def test_average_refuses_what_it_does_not_know():
    x = sympy.Symbol("x")
    with pytest.raises(ValueError, match="degree at most 3"):
        Class.numbered(1).average(x**4, x)


@given(SAMPLES, SAMPLES)
def test_expanded_ratio_agrees_with_exact_statistics(first, second):
    if len({*first, *second}) == 1:
        return
    m1, m2 = sympy.Integer(len(first)), sympy.Integer(len(second))
    value, derivative, *_ = expanded_ratio(sympy.Integer(1), sympy.Rational(-1, 2), m1, m2)
    for expression, exact in (
        (value, sum_of_squares_ratio(first, second)),
        (derivative, taylor_statistics(first, second).derivative),
    ):
        assert _substituted(expression, first, second) == sympy.Rational(int(exact.p), int(exact.q))


def test_taylor_terms_by_hand():
    # Means 0 and 2, variances 1 and 3, third moments 5 and 7: T1 = 4·12, T2 = −2·(−2)·(4 − 4), T3 = (2 + 6 + 4)².
    found = taylor_terms(Class(0, 1, 5), Class(2, 3, 7))
    assert found == (48, 0, 144)


def test_taylor_quotient_by_hand():
    # (t² + 3t³)/(2t² + t³) = 1/2 + 5/4 t + o(t).
    assert taylor_quotient((sympy.Integer(1), 3), (sympy.Integer(2), 1)) == (sympy.Rational(1, 2), sympy.Rational(5, 4))
