"""The charts behind the certified minimum over t: values and derivatives, and the recovery from a bad start."""

from fractions import Fraction

import mpmath
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

import proofs.scale_minimum as scale_minimum
from proofs.scale_minimum import _near_infinity, _near_zero, _Place, best_scale

PLACES = st.fractions(-1, 1, max_denominator=40)
PARAMETERS = st.fractions(Fraction(1, 64), 1, max_denominator=64)


def _place(x):
    value = fmpq(x.numerator, x.denominator)
    return _Place(arb(value), int(value > 0) - int(value < 0), 1, 0)


def _float(ball):
    return mpmath.mpf(ball.mid().str(40, radius=False))


def _g(z):
    return (1 + z) / mpmath.sqrt(1 + z * z)


def _central(function, at):
    h = mpmath.mpf(10) ** -15
    return (function(at + h) - function(at - h)) / (2 * h)


def _agrees(found, function, at):
    value, slope = found
    assert abs(_float(value) - function(at)) < mpmath.mpf(10) ** -20
    assert abs(_float(slope) - _central(function, at)) < mpmath.mpf(10) ** -18


@given(PLACES, PARAMETERS, st.sampled_from([1, -1]))
def test_chart_around_zero(x, t, sign):
    with ctx.workprec(160), mpmath.workdps(50):
        at, exact = sign * mpmath.mpf(t.numerator) / t.denominator, mpmath.mpf(x.numerator) / x.denominator
        found = _near_zero(_place(x), arb(fmpq(sign * t.numerator, t.denominator)))
        _agrees(found, lambda s: (_g(s * exact) - 1) / s, at)


@given(PLACES.filter(bool), PARAMETERS, st.sampled_from([1, -1]), st.booleans())
def test_charts_around_infinity(x, s, sign, deflated):
    limit = (1 if sign * x >= 0 else -1) if deflated else 0
    with ctx.workprec(160), mpmath.workdps(50):
        at, exact = mpmath.mpf(s.numerator) / s.denominator, mpmath.mpf(x.numerator) / x.denominator
        found = _near_infinity(sign, limit)(_place(x), arb(fmpq(s.numerator, s.denominator)))

        def expected(r):
            y = _g(sign * exact / r)
            return (y - limit) / r if deflated else y

        _agrees(found, expected, at)


def test_chart_at_infinity_itself_is_finite():
    # s = 0 belongs to the chart; x/|x| there, and the deflated value is the next coefficient, 1/|x|.
    with ctx.workprec(96):
        place = _place(Fraction(1, 3))
        assert _near_infinity(1, 0)(place, arb(0))[0].contains(1)
        assert _near_infinity(1, 1)(place, arb(0))[0].contains(3)
        assert _near_infinity(-1, -1)(place, arb(0))[0].contains(3)


@pytest.mark.parametrize("start", [fmpq(1, 1000), fmpq(-5), fmpq(10**6)])
def test_a_bad_start_is_left_behind(monkeypatch, start):
    data = [1, 2, 3], [4, 5, 7]
    good = best_scale(*data)
    monkeypatch.setattr(scale_minimum, "best_scale_float", lambda first, second: start)
    found = best_scale(*data)
    assert found.lower <= good.upper
    assert good.lower <= found.upper
    assert found.upper - found.lower <= scale_minimum.TOLERANCE
