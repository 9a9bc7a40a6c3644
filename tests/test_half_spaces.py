import itertools

import pytest
from flint import fmpq
from hypothesis import assume, given
from hypothesis import strategies as st

from constructions.arithmetic import FLOAT32, FLOAT64, Dyadic, Exact
from constructions.errors import DegenerateNormalizationError, InputError, ShapeError
from constructions.half_spaces import (
    HalfSpace,
    balance,
    combine_half_spaces,
    moment_curve_network,
    two_classes,
    xor_network,
)
from constructions.points import LabeledPoints
from constructions.xor import xor_points
from proofs.checker import check
from proofs.checker_mpmath import check_with_mpmath

small = st.integers(-4, 4)


@st.composite
def wedges(draw):
    d = draw(st.integers(1, 3))
    vector = st.lists(small, min_size=d, max_size=d)
    halves = [HalfSpace.of(draw(vector.filter(any)), draw(small)) for _ in range(2)]
    points = draw(st.lists(vector, min_size=1, max_size=6, unique_by=tuple))
    return halves, points, draw(st.sampled_from(["and", "or"]))


def inside(halves, point, how):
    """The definition, on rationals: no normalisation involved."""
    return int((all if how == "and" else any)(half.value(point) > 0 for half in halves))


@given(wedges())
def test_exact_network_is_the_wedge_itself(case):
    halves, points, how = case
    points = [p for p in points if all(half.value(p) != 0 for half in halves)]
    assume(points)
    labelled = LabeledPoints.of(points, [inside(halves, p, how) for p in points])
    net = combine_half_spaces(*halves, how)
    assert (net.depth, net.width, net.semantics) == (1, 3, "exact")
    assert check(net, labelled).outcome == "certified"
    flipped = labelled.relabel([1 - labelled.labels[0], *labelled.labels[1:]])
    assert check(net, flipped).outcome == "refuted"


@given(wedges(), st.sampled_from([Dyadic(64), Dyadic(200), FLOAT64, FLOAT32]))
def test_rounded_network_agrees_off_the_boundary(case, arithmetic):
    halves, points, how = case
    points = [p for p in points if all(half.value(p) != 0 for half in halves)]
    assume(points)
    labelled = LabeledPoints.of(points, [inside(halves, p, how) for p in points])
    net = combine_half_spaces(*halves, how, arithmetic=arithmetic)
    assert net.semantics == arithmetic.semantics
    assert check(net, labelled).outcome == "certified"
    assert check_with_mpmath(net, labelled).outcome == "certified"


def test_boundary_point_is_exactly_on_the_boundary():
    """x = 0, y > 0 lies on the boundary of the quadrant: output exactly 0, so no label is certified."""
    quadrant = HalfSpace.of([1, 0], 0), HalfSpace.of([0, 1], 0)
    net = combine_half_spaces(*quadrant, "and")
    for label in (0, 1):
        assert check(net, LabeledPoints.of([[0, 5]], [label]), max_bits=256).outcome != "certified"


def test_corner_is_undefined():
    quadrant = HalfSpace.of([1, 0], 0), HalfSpace.of([0, 1], 0)
    net = combine_half_spaces(*quadrant, "and")
    with pytest.raises(DegenerateNormalizationError):
        check(combine_half_spaces(*quadrant, "and", arithmetic=Dyadic(64)), LabeledPoints.of([[0, 0]], [0]))
    assert net.depth == 1


def test_xor_with_one_layer():
    net, points = xor_network(), xor_points()
    verdict = check(net, points)
    assert verdict.outcome == "certified"
    assert net.depth == 1
    # (h1 + h2)/|h| − 1 at h = (1/2, 1/2) and at (−1/2, 3/2): √2 − 1 and √(2/5) − 1, so the least is 1 − √(2/5).
    assert abs(float(verdict.margin.p) / float(verdict.margin.q) - (1 - 0.4**0.5)) < 1e-6
    assert check(net, points.relabel([1, 1, 1, 0])).outcome == "refuted"


def test_rational_boundaries_are_impossible_in_small_numbers():
    """The remark on 2(x² + xy + y²) = 3r², by exhaustion over small integers."""
    squares = {r * r for r in range(1, 400)}
    for x, y in itertools.product(range(-60, 61), repeat=2):
        twice = 2 * (x * x + x * y + y * y)
        assert not (twice and twice % 3 == 0 and twice // 3 in squares)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_depth_one_shatters_2d_plus_1_points(d):
    parameters = [fmpq(k, d) for k in range(-d, d + 1)]
    curve = [[t**k for k in range(1, d + 1)] for t in parameters]
    for labels in itertools.product((0, 1), repeat=2 * d + 1):
        labelled = LabeledPoints.of(curve, labels)
        net = moment_curve_network(labelled, parameters, arithmetic=Dyadic(64))
        assert (net.depth, net.width) == (1, 3)
        assert check(net, labelled).outcome == "certified", labels


@given(st.integers(1, 4), st.data())
def test_moment_curve_up_to_2d_changes(d, data):
    parameters = data.draw(st.lists(st.fractions(-3, 3, max_denominator=6), min_size=1, max_size=12, unique=True))
    labels = data.draw(st.lists(st.sampled_from("ab"), min_size=len(parameters), max_size=len(parameters)))
    labelled = LabeledPoints.of([[t**k for k in range(1, d + 1)] for t in parameters], labels)
    along = [label for _, label in sorted(zip(parameters, labels, strict=True))]
    if sum(a != b for a, b in itertools.pairwise(along)) > 2 * d:
        with pytest.raises(InputError, match="allows"):
            moment_curve_network(labelled, parameters)
    else:
        net = moment_curve_network(labelled, parameters, arithmetic=Exact())
        assert check(net, labelled).outcome == "certified"


def test_balance_never_hurts():
    halves = HalfSpace.of([1], 0), HalfSpace.of([-1000], 4000)
    points = LabeledPoints.of([-1, 1, 3, 5], [0, 1, 1, 0])
    plain = check(combine_half_spaces(*halves, "and"), points).margin
    better = balance(*halves, points, "and")
    assert better.normal[0] / halves[1].normal[0] == better.offset / halves[1].offset > 0
    assert check(combine_half_spaces(halves[0], better, "and"), points).margin > 100 * plain


def test_bad_input():
    with pytest.raises(InputError, match="not zero"):
        HalfSpace.of([0, 0], 1)
    with pytest.raises(ShapeError, match="R\\^1 and R\\^2"):
        combine_half_spaces(HalfSpace.of([1], 0), HalfSpace.of([1, 1], 0), "and")
    with pytest.raises(InputError, match="'xor'"):
        combine_half_spaces(HalfSpace.of([1], 0), HalfSpace.of([1], 1), "xor")
    with pytest.raises(ShapeError):
        HalfSpace.of([1], 0).value((1, 2))
    with pytest.raises(InputError, match="moment curve"):
        moment_curve_network(LabeledPoints.of([[1, 2]], [0]), [1])
    with pytest.raises(ShapeError):
        moment_curve_network(LabeledPoints.of([[1, 1]], [0]), [1, 2])
    with pytest.raises(InputError, match="two classes"):
        two_classes((0, 1, 2))
