import random
from dataclasses import replace

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions.errors import InputError
from constructions.network import Affine, LNNet
from constructions.points import LabeledPoints
from constructions.smoothing import with_epsilon
from lnnet import build, build_certified, certify, check_ieee, check_with_mpmath
from lnnet.building import METHODS

XOR = LabeledPoints.of([(0, 0), (0, 1), (1, 0), (1, 1)], [0, 1, 1, 0])


def random_points(m, classes, seed):
    rng = random.Random(seed)
    return LabeledPoints.of(
        [[rng.random(), rng.random()] for _ in range(m)], [rng.randrange(classes) for _ in range(m)]
    )


@pytest.mark.parametrize("arithmetic", ["exact", "dyadic", "mpf", "float64", "float32"])
@pytest.mark.parametrize("epsilon", ["1e-5", "1e-12", 1, 1000])
def test_networks_with_smoothing_are_certified(arithmetic, epsilon):
    net = build(XOR, arithmetic=arithmetic, epsilon=epsilon)
    assert net.epsilon == LabeledPoints.of([epsilon], [0]).points[0][0]
    assert net.width == 3
    assert certify(net, XOR)
    assert check_with_mpmath(net, XOR)


@pytest.mark.parametrize("method", sorted(set(METHODS) - {"pma-printed"}))
def test_every_method_takes_smoothing(method):
    points = random_points(12, METHODS[method].classes or 3, seed=5)
    built = build_certified(points, method=method, epsilon="1e-5")
    assert built.certificate
    assert built.network.depth == build(points, method=method).depth


@given(st.integers(4, 12), st.integers(0, 10**6))
def test_the_outputs_are_those_without_smoothing(m, seed):
    """Scaled away: logits agree to far better than the margin, and the smoothed float network is a float network."""
    points = random_points(m, 2, seed)
    plain = build(points, arithmetic="float64", method="pma")
    smooth = with_epsilon(plain, fmpq(1, 10**5), points, 53)
    assert smooth.semantics == "float64"
    for point in points.points:
        assert smooth.outputs(point)[0] == pytest.approx(plain.outputs(point)[0], rel=1e-6, abs=1e-9)


def test_float_evaluation_with_smoothing_is_certified():
    points = random_points(9, 2, seed=9)
    for arithmetic in ("float32", "float64"):
        assert check_ieee(build(points, arithmetic=arithmetic, epsilon="1e-5"), points)


def test_smoothing_that_is_not_scaled_away_breaks_the_network():
    """The control: the same weights with another ε are another network, and the checker says so."""
    points = random_points(20, 2, seed=2)
    net = build(points, method="pma")
    assert not certify(replace(net, epsilon=fmpq(1, 10)), points)


def test_padding_goes_with_smoothing():
    net = build(XOR, epsilon="1e-5", depth=5)
    assert net.depth == 5
    assert certify(net, XOR)


def test_what_it_refuses():
    with pytest.raises(InputError, match="at least 0"):
        build(XOR, epsilon=-1)
    with pytest.raises(InputError, match="already"):
        with_epsilon(build(XOR, epsilon=1), fmpq(1), XOR)
    with pytest.raises(InputError, match="at least 0"):
        with_epsilon(build(XOR), fmpq(-1), XOR)
    with pytest.raises(InputError, match="not a float32"):
        build(XOR, arithmetic="float32", epsilon="1e200")


def test_a_network_without_ln_and_a_row_without_variance():
    flat = LNNet((Affine.of([[1]], ["-1/2"]),), (0, 1))
    assert with_epsilon(flat, fmpq(1), LabeledPoints.of([0, 1], [0, 1])).layers == flat.layers
    constant = LNNet((Affine.of([[0], [0], [0]], [1, 2, 4]), Affine.of([[1, 0, 0]], [0])), (0, 1))
    smooth = with_epsilon(constant, fmpq(1), LabeledPoints.of([0], [0]))
    assert certify(smooth, LabeledPoints.of([0], [0]))


@pytest.mark.parametrize("unit", ["1e-400", "1e400"])
def test_points_beyond_the_range_of_floats(unit):
    size = LabeledPoints.of([unit], [0]).points[0][0]
    points = LabeledPoints.of([[k * size] for k in range(6)], [0, 1, 1, 0, 1, 0])
    assert build_certified(points, method="chord", epsilon="1e-5").certificate


@pytest.mark.parametrize("epsilon", ["1e-5", "1e10"])
@pytest.mark.parametrize(
    ("method", "arithmetic"), [("pma", "exact"), ("shallow", "exact"), ("pma", "mpf"), ("double", "dyadic")]
)
def test_gaps_that_64_bits_do_not_see(method, arithmetic, epsilon):
    near = fmpq(1, 1 << 200)
    places = [base + k * near for base in (0, 1) for k in range(4)]
    built = build_certified(places, [0, 1] * 4, method=method, arithmetic=arithmetic, epsilon=epsilon)
    assert built.certificate
    assert built.network.epsilon > 0
