"""The float64 filter's bounds contain the exact images, and would not without their safety margins."""

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions.arithmetic import Dyadic
from constructions.fold import Fold
from constructions.rational import to_rational
from constructions.spherical_projection import INTEGER
from proofs.shattering import enclosure
from proofs.shattering.enclosure import Folds, image

BITS = 300


def exact_values(folds, k, points):
    """Balls of radius about 2^-300 around the values of fold k, by the fold's own definition."""
    s, c, u1, u2 = (to_rational(float(x[k])) for x in folds)
    with ctx.workprec(BITS):
        fold = Fold(s, c / 3, u1, u2, INTEGER).mapping(Dyadic(BITS))
        return [fold(arb(p)) for p in points]


def one(s, c, u1, u2):
    return Folds(*(np.array([float(x)]) for x in (s, c, u1, u2)))


numbers = st.floats(-4, 4).map(lambda x: x * 2.0**0)
small = st.floats(-4, 4).flatmap(lambda x: st.integers(0, 200).map(lambda e: float(np.ldexp(x, -e))))


@given(small, st.floats(2.0**-100, 8), numbers, st.floats(0, 3), small, small, st.integers(0, 8))
def test_an_image_contains_every_value(s, c, u1, u2, a, b, eighths):
    low, high = sorted((a, b))
    folds = one(s, c, u1, u2)
    lower, upper = image(folds, np.array([[low]]), np.array([[high]]))
    inner = to_rational(low) + (to_rational(high) - to_rational(low)) * fmpq(eighths, 8)
    points = [to_rational(low), inner, to_rational(high)]
    if u2 > 0:  # the apex, where the maximum is
        apex = to_rational(s) + to_rational(c) * to_rational(u1) / to_rational(u2)
        if to_rational(low) <= apex <= to_rational(high):
            points.append(apex)
    with ctx.workprec(BITS):
        for value in exact_values(folds, 0, points):
            assert arb(float(lower[0, 0])) < value < arb(float(upper[0, 0]))


def random_folds(count, seed=5):
    generator = np.random.default_rng(seed)
    s, c, u1, u2 = (generator.random(count) for _ in range(4))
    return Folds(s, c + 0.01, u1 - 0.5, u2), generator.random((1, count))


def escapes(folds, points):
    lower, upper = image(folds, points, points)
    with ctx.workprec(BITS):
        return sum(
            not (arb(float(lower[0, k])) < value < arb(float(upper[0, k])))
            for k in range(points.shape[1])
            for value in exact_values(folds, k, [to_rational(float(points[0, k]))])
        )


def test_bounds_without_the_outward_move_are_refuted(monkeypatch):
    folds, points = random_folds(400)
    assert escapes(folds, points) == 0
    monkeypatch.setattr(enclosure, "_OUTWARD", 2.0**-54)
    assert escapes(folds, points) > 0


def test_the_peak_is_needed(monkeypatch):
    folds = one(0, 1, 0, 1)
    interval = np.array([[-1.0]]), np.array([[1.0]])
    top = exact_values(folds, 0, [fmpq(0)])[0]
    assert arb(float(image(folds, *interval)[1][0, 0])) > top
    monkeypatch.setattr(enclosure, "_peak", lambda folds: -np.ones(1))
    assert not arb(float(image(folds, *interval)[1][0, 0])) > top


@pytest.mark.parametrize(
    "parameters",
    [(0, -1, 0, 1), (0, 0, 0, 1), (0, 2.0**-301, 0, 1), (2.0**301, 1, 0, 1), (0, 1, 0, -1), (0, np.nan, 0, 1)],
)
def test_parameters_out_of_range_bound_nothing(parameters):
    with np.errstate(all="ignore"):
        lower, upper = image(one(*parameters), np.array([[0.5]]), np.array([[0.5]]))
    assert not (lower > -np.inf).any()
    assert not (upper < 10).any()


@pytest.mark.parametrize("small", [2.0**-536, 2.0**-620, 2.0**-690])
def test_a_peak_whose_square_underflows(small):
    top = exact_values(one(0, 1, 0, small), 0, [fmpq(0)])[0]
    _, upper = image(one(0, 1, 0, small), np.array([[-(2.0**200)]]), np.array([[2.0**200]]))
    with ctx.workprec(BITS):
        assert arb(float(upper[0, 0])) > top > 0


@pytest.mark.parametrize("far", [2.0**301, 2.0**512, -(2.0**1000), np.inf])
def test_points_out_of_range_bound_nothing(far):
    """The square of the distance overflows, and the quotient by it would be 0, whatever the value is."""
    low, high = sorted((0.5, far))
    with np.errstate(all="ignore"):
        for ends in ((far, far), (low, high)):
            lower, upper = image(one(0, 1, -1, 1), np.array([[ends[0]]]), np.array([[ends[1]]]))
            assert not (lower > -10).any()
            assert not (upper < 10).any()


def test_far_points_keep_their_relative_accuracy():
    folds = one(0, 2.0**-40, 0, 1)  # even about 0 and low: points crowd near 0
    point = np.array([[0.75]])
    lower, upper = image(folds, point, point)
    assert 0 < upper[0, 0] - lower[0, 0] < 2.0**-46 * upper[0, 0]
