"""Exact entry: every number that comes in becomes a rational, `flint.fmpq`, and nothing is rounded on the way."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational
from typing import Any

from flint import fmpq, fmpz

from constructions.errors import InputError, NonFiniteError

#: Largest decimal or binary exponent, in absolute value, that is expanded to an integer.
MAX_EXPONENT = 1_000_000
#: Farthest shift, in bits, that is carried out: far beyond it FLINT returns a number unshifted, without a word.
MAX_SHIFT = 1 << 30

_DECIMAL = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?", re.ASCII)
_RATIO = re.compile(r"([+-]?\d+)/(\d+)", re.ASCII)
_DYADIC = re.compile(r"([+-]?\d+)\*2\^([+-]?\d+)", re.ASCII)


def to_rational(value: Any) -> fmpq:
    """Convert one number to the rational it denotes, exactly.

    Integers, fractions, decimals and text (``"0.1"``, ``"1/3"``, ``"1e-300"``, ``"5*2^-3"``) are taken as
    written; a binary float is the dyadic rational it stores.

    Args:
        value: int, Fraction, Decimal, str, float, any numpy scalar, mpmath ``mpf``, sympy ``Rational`` or fmpq.

    Returns:
        The exact value.

    Raises:
        NonFiniteError: NaN, an infinity, a masked entry, or text that is no number.
        InputError: any other type, or an exponent beyond ``MAX_EXPONENT``.

    >>> to_rational("0.1"), to_rational(0.5), to_rational("1/3")
    (1/10, 1/2, 1/3)
    """
    if isinstance(value, fmpq):
        return value
    if isinstance(value, (int, fmpz)):
        return fmpq(value)
    if isinstance(value, str):
        return parse_rational(value)
    if isinstance(value, Decimal):
        return parse_rational(str(value))
    if getattr(value, "mask", False) is not False and bool(value.mask):  # numpy reads a masked entry as 0
        raise NonFiniteError("Expected a finite number, not a masked entry.")
    if callable(value) or getattr(getattr(value, "dtype", None), "kind", "f") in "mM":
        # mpmath's constants change with its precision; durations and dates are integers to numpy
        raise InputError(f"Expected a number, not {value!r} of type {type(value).__name__}.")
    if isinstance(value, Integral):
        return fmpq(int(value))
    if isinstance(value, (Fraction, Rational)):
        return fmpq(int(value.numerator), int(value.denominator))
    if hasattr(value, "_mpf_"):
        return _from_mpf(value)
    if hasattr(value, "item") and not hasattr(value, "as_integer_ratio") and getattr(value, "ndim", 0) == 0:
        return to_rational(value.item())
    if getattr(value, "is_Rational", False):
        return fmpq(int(value.p), int(value.q))
    if hasattr(value, "as_integer_ratio"):
        try:
            numerator, denominator = value.as_integer_ratio()
        except (ValueError, OverflowError):
            raise NonFiniteError(f"Expected a finite number, not {value}.") from None
        return fmpq(int(numerator), int(denominator))
    raise InputError(f"Expected a number, not {value!r} of type {type(value).__name__}.")


def parse_rational(text: str) -> fmpq:
    """Read ``"p/q"``, ``"mantissa*2^exponent"`` or a decimal, exactly as written.

    Raises:
        NonFiniteError: the text is no finite number.
        InputError: the exponent is beyond ``MAX_EXPONENT``.
    """
    stripped = text.strip()
    if match := _RATIO.fullmatch(stripped):
        denominator = fmpz(match[2])
        if denominator == 0:
            raise NonFiniteError(f"Expected a finite number, not {text!r}: the denominator is zero.")
        return fmpq(_integer(match[1]), denominator)
    if match := _DYADIC.fullmatch(stripped):
        return scale_binary(fmpq(_integer(match[1])), _exponent(match[2]))
    match = _DECIMAL.fullmatch(stripped)
    if match is None or not (match[2] or match[3]):
        raise NonFiniteError(f"Expected a finite number, not {text!r}.")
    sign, whole, part, exponent = match[1], match[2], match[3] or "", match[4] or "0"
    power = _exponent(exponent) - len(part)
    digits = fmpq(_integer(sign + whole + part))
    return digits * fmpq(10) ** power if power >= 0 else digits / fmpq(10) ** -power


def scale_binary(value: fmpq, exponent: int) -> fmpq:
    """Return ``value * 2**exponent`` exactly.

    Raises:
        InputError: an exponent beyond `MAX_SHIFT`.
    """
    if abs(exponent) > MAX_SHIFT:
        raise InputError(f"A number near 2^{exponent} cannot be written out; exponents reach to ±{MAX_SHIFT}.")
    return value * fmpq(fmpz(1) << exponent) if exponent >= 0 else value / fmpq(fmpz(1) << -exponent)


def is_dyadic(value: fmpq) -> bool:
    """Whether the denominator of ``value`` is a power of two.

    >>> is_dyadic(fmpq(3, 8)), is_dyadic(fmpq(1, 3))
    (True, False)
    """
    denominator = value.q
    return bool((denominator & (denominator - 1)) == 0)


def format_rational(value: fmpq) -> str:
    """Write a rational so that `parse_rational` returns it: ``"p"``, ``"m*2^e"`` or ``"p/q"``.

    >>> [format_rational(fmpq(*v)) for v in ((6, 1), (3, 8), (1, 3))]
    ['6', '3*2^-3', '1/3']
    """
    numerator, denominator = value.p, value.q
    if denominator == 1:
        twos = _trailing_zeros(numerator)
        return str(numerator) if twos < 64 else f"{numerator >> twos}*2^{twos}"
    if is_dyadic(value):
        return f"{numerator}*2^-{denominator.bit_length() - 1}"
    return f"{numerator}/{denominator}"


def round_to_bits(value: fmpq, bits: int) -> fmpq:
    """Round to the nearest rational with a ``bits``-bit mantissa, ties to even.

    >>> round_to_bits(fmpq(1, 3), 4)
    11/32
    """
    if value == 0:
        return value
    numerator, denominator = abs(value.p), value.q
    shift = bits - (numerator.bit_length() - denominator.bit_length())
    scaled = scale_binary(fmpq(numerator, denominator), shift)
    if scaled.p >= scaled.q << bits:  # one bit too many: the quotient of the mantissas was at least 1
        shift -= 1
        scaled = scaled / 2
    mantissa, remainder = divmod(scaled.p, scaled.q)
    twice = 2 * remainder
    if twice > scaled.q or (twice == scaled.q and mantissa % 2 == 1):
        mantissa += 1
    rounded = scale_binary(fmpq(mantissa), -shift)
    return -rounded if value < 0 else rounded


def _integer(digits: str) -> fmpz:
    return fmpz(digits.lstrip("+") or "0")


def _exponent(text: str) -> int:
    exponent = int(text) if len(text) < 20 else MAX_EXPONENT + 1
    if abs(exponent) > MAX_EXPONENT:
        raise InputError(f"Exponent {text[:20]} is beyond the supported range of ±{MAX_EXPONENT}.")
    return exponent


def _trailing_zeros(integer: fmpz) -> int:
    return 0 if integer == 0 else (integer & -integer).bit_length() - 1


def _from_mpf(value: Any) -> fmpq:
    sign, mantissa, exponent, _ = value._mpf_
    if mantissa == 0 and exponent != 0:
        raise NonFiniteError(f"Expected a finite number, not {value}.")
    return scale_binary(fmpq(-int(mantissa) if sign else int(mantissa)), int(exponent))
