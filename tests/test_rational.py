"""Exact entry: what is written is what is meant."""

from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pandas as pd
import pytest
import sympy
from flint import fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st

from constructions.errors import InputError, NonFiniteError
from constructions.rational import format_rational, is_dyadic, parse_rational, round_to_bits, scale_binary, to_rational

fractions = (
    st.fractions(max_denominator=10**30)
    | st.integers().map(Fraction)
    | st.floats(allow_nan=False, allow_infinity=False).map(Fraction)
)


def as_fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, Fraction(3)),
        (True, Fraction(1)),
        (fmpz(-2), Fraction(-2)),
        (Fraction(1, 3), Fraction(1, 3)),
        (Decimal("0.1"), Fraction(1, 10)),
        (Decimal("1E-300"), Fraction(1, 10**300)),
        ("0.1", Fraction(1, 10)),
        (" -1.50e2 ", Fraction(-150)),
        ("1/3", Fraction(1, 3)),
        ("+7/2", Fraction(7, 2)),
        ("5*2^-3", Fraction(5, 8)),
        (".5", Fraction(1, 2)),
        ("1.", Fraction(1)),
        ("1e-300", Fraction(1, 10**300)),
        (0.1, Fraction(3602879701896397, 2**55)),  # the double nearest to 0.1
        (5e-324, Fraction(1, 2**1074)),
        (np.float32(0.1), Fraction(13421773, 2**27)),
        (np.float16(0.1), Fraction(819, 8192)),
        (np.int8(-128), Fraction(-128)),
        (np.uint64(2**64 - 1), Fraction(2**64 - 1)),
        (np.bool_(True), Fraction(1)),
        (np.array(3), Fraction(3)),
        (np.str_("0.1"), Fraction(1, 10)),
        (mpmath.mpf("0.5"), Fraction(1, 2)),
        (sympy.Rational(1, 3), Fraction(1, 3)),
        (sympy.Integer(-4), Fraction(-4)),
        (sympy.Float("0.5"), Fraction(1, 2)),
    ],
)
def test_exact_entry(value, expected):
    assert as_fraction(to_rational(value)) == expected


@pytest.mark.parametrize(
    "value",
    [
        *(float("nan"), float("inf"), np.float32("-inf"), np.longdouble("nan"), Decimal("NaN"), Decimal("-Infinity")),
        *("nan", "inf", "", " ", ".", "+", "1e", "--1", "0x10", "1_0", "1/0", "1/-2", "5*2^", "abc", "1 2"),
        *("١٢", "１", "1/٢", mpmath.mpf("inf"), mpmath.mpf("nan"), np.ma.masked),
    ],
)
def test_what_is_no_finite_number(value):
    with pytest.raises(NonFiniteError):
        to_rational(value)


@pytest.mark.parametrize(
    "value",
    [
        *(None, 1j, np.complex128(1), b"12", np.bytes_(b"1"), [1], {}, object(), pd.NA, pd.NaT),
        *(sympy.pi, sympy.oo, sympy.sqrt(2), mpmath.pi, mpmath.iv.mpf(1), np.array([3])),
        *(np.datetime64("2020-01-01"), np.timedelta64(5, "D")),
    ],
)
def test_what_is_no_number(value):
    with pytest.raises(InputError):
        to_rational(value)


@pytest.mark.parametrize("text", ["1e1000001", "1e-1000001", "1*2^1000001", "1e" + "9" * 30])
def test_exponents_are_bounded(text):
    with pytest.raises(InputError, match="beyond the supported range"):
        parse_rational(text)


@given(fractions)
def test_text_reads_back(value):
    assert as_fraction(parse_rational(format_rational(to_rational(value)))) == value
    assert as_fraction(to_rational(str(value))) == value


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_decimals_are_taken_as_written(value):
    assert as_fraction(to_rational(str(value))) == Fraction(value)


@given(fractions, st.integers(2, 80))
def test_rounding_is_to_nearest_with_ties_to_even(value, bits):
    rounded = as_fraction(round_to_bits(to_rational(value), bits))
    if value == 0:
        assert rounded == 0
        return
    unit = Fraction(2) ** (_exponent(value) - bits + 1)  # last place of a `bits`-bit mantissa
    mantissa = rounded / unit
    assert mantissa.denominator == 1
    assert abs(mantissa) <= 2**bits
    assert abs(rounded - value) <= unit / 2
    if abs(rounded - value) == unit / 2:
        assert mantissa % 2 == 0


@given(st.floats(min_value=1e-300, max_value=1e300), st.fractions(max_denominator=10**6))
def test_rounding_to_53_bits_is_ieee(x, y):
    value = Fraction(x) * (1 + y)
    if Fraction(1, 10**300) < abs(value) < 10**300:
        assert as_fraction(round_to_bits(to_rational(value), 53)) == Fraction(value.numerator / value.denominator)


@given(fractions, st.integers(-200, 200))
def test_scaling_is_exact(value, exponent):
    assert as_fraction(scale_binary(to_rational(value), exponent)) == value * Fraction(2) ** exponent


@given(fractions)
def test_dyadic_means_a_power_of_two_below(value):
    assert is_dyadic(to_rational(value)) == (value.denominator.bit_count() == 1)


def _exponent(value: Fraction) -> int:
    """e with 2^e <= |value| < 2^(e+1), by comparison."""
    e = abs(value.numerator).bit_length() - value.denominator.bit_length()
    return e if abs(value) >= Fraction(2) ** e else e - 1
