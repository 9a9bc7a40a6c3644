"""The first fold of a circle: the line is the network's own, and folds chosen on it end in certified networks."""

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from constructions.arithmetic import FLOAT32, FLOAT64, Dyadic, Mpf
from constructions.circle_start import fold_from_circle
from constructions.circle_view import view_circle
from constructions.errors import InputError, UndecidedError
from constructions.first_fold import fold_circle, line_of
from constructions.fold_costs import Prices
from constructions.lowering import lower
from constructions.points import LabeledPoints
from constructions.sight import first_sight
from lnnet.building import build_certified
from proofs.checker import check, enclose
from proofs.checker_mpmath import check_with_mpmath
from tests.strategies import hostile_points


def scattered(m, classes, seed, dimension=2):
    generator = np.random.default_rng(seed)
    labels = [*range(classes), *generator.integers(0, classes, m - classes).tolist()]
    return LabeledPoints.of(generator.random((m, dimension)).tolist(), labels)


@given(st.integers(0, 30), st.integers(2, 4), st.sampled_from([Dyadic(128), FLOAT64, FLOAT32]))
def test_the_line_is_where_the_first_layer_reads_its_points(seed, dimension, arithmetic):
    points = scattered(9, 2, seed, dimension)
    with arithmetic.work():
        sight, line = fold_circle(
            view_circle(points, steps=0), points, arithmetic, 200, Prices(), np.random.default_rng(seed)
        )
        assert line.layer == 1
        net = lower(sight, [], line, [0, 1], tail=(_reading(),))
        seen = [outputs[0] for outputs in enclose(net, points.points, 200)]
    assert net.depth == 1
    for cluster in line.clusters:
        assert arb(cluster.position).overlaps(seen[cluster.source])


def _reading():
    from constructions.network import Affine

    return Affine(((fmpq(1),),), (fmpq(0),))


def test_a_point_where_the_layer_looks_from_is_not_placed():
    arithmetic = Dyadic(64)
    points = LabeledPoints.of([[0, 0], [1, 0], [0, 1]], [0, 1, 1])
    with arithmetic.work():
        sight = first_sight([[arithmetic.enter(x) for x in row] for row in ((1, 0, 0), (0, 1, 0))], arithmetic)
        with pytest.raises(UndecidedError, match="looks from"):
            line_of(sight, points, arithmetic)


def test_too_few_bits_are_reported():
    points, arithmetic = scattered(30, 2, 1), Dyadic(8)
    with arithmetic.work(), pytest.raises(UndecidedError, match="first layer"):
        fold_circle(view_circle(points), points, arithmetic, 50, Prices(), np.random.default_rng(0))


@given(st.integers(0, 10**6), st.integers(2, 6), st.sampled_from([Dyadic(256), Mpf(256), FLOAT64]))
@settings(max_examples=20)
def test_networks_that_begin_on_a_circle_are_right(seed, classes, arithmetic):
    points = scattered(16, classes, seed, 3)
    view = view_circle(points, seed, steps=30)
    with arithmetic.work():
        net = fold_from_circle(view, points, arithmetic, seed=seed)
    assert net.width <= max(3, classes)
    assert check_with_mpmath(net, points).outcome != "refuted"
    if not isinstance(arithmetic, Mpf):
        assert check(net, points)


@given(st.integers(0, 30), st.integers(2, 4), st.sampled_from([FLOAT64, FLOAT32]))
def test_columns_of_a_first_layer_of_floats_sum_to_zero(seed, dimension, arithmetic):
    points = scattered(9, 2, seed, dimension)
    with arithmetic.work():
        sight, _ = fold_circle(
            view_circle(points, steps=0), points, arithmetic, 50, Prices(), np.random.default_rng(seed)
        )
    weights = [(*row, offset) for row, offset in zip(sight.layer.weight, sight.layer.bias, strict=True)]
    for column in zip(*weights, strict=True):
        assert sum(column, fmpq(0)) == 0
        assert all(arithmetic.round(x) == x for x in column)
    u, v = sight.rows
    assert weights == [tuple(map(fmpq, row)) for row in zip(*((x + y, y - x, -2 * y) for x, y in zip(u, v)))]


def test_the_first_fold_is_bent_as_it_was_judged():
    """The gaps of the line are those of 1 − cos δ, which the search had in mind."""
    points, arithmetic = scattered(20, 2, 4), Dyadic(128)
    judged = []

    def judge(n, y, labels, forms):
        judged.append(1 - y[0] / np.hypot(n[0], y[0]))
        return np.where(np.arange(len(n)) == 0, -float(len(judged)), 0.0)

    with arithmetic.work():
        _, line = fold_circle(
            view_circle(points, steps=0), points, arithmetic, 30, Prices(), np.random.default_rng(0), judge
        )
    place = np.array([float(c.position) for c in line.clusters])
    expected = np.sort(-judged[-1][[c.source for c in line.clusters]])
    shape = [(x - x[0]) / (x[-1] - x[0]) for x in (place, expected)]
    np.testing.assert_allclose(*shape, atol=1e-9)


@given(hostile_points())
def test_hostile_points_are_certified_from_whatever_start(points):
    assert build_certified(points, method="shallow").certificate


def test_the_circle_can_be_asked_for_and_is_refused_where_there_is_none():
    points = scattered(12, 3, 0)
    assert build_certified(points, method="shallow", projection="circle").certificate
    with pytest.raises(InputError, match="circle"):
        build_certified(points, method="pma", projection="circle")
    with pytest.raises(InputError, match="circle"):
        build_certified(points, method="shallow", projection="circle", arithmetic="exact")
    with pytest.raises(InputError, match="circle"):
        build_certified(range(4), [0, 1, 0, 1], method="shallow", projection="circle")
    with pytest.raises(UndecidedError, match="circle"):
        build_certified([[k, k] for k in range(4)], [0, 1, 0, 1], method="shallow", projection="circle")


def test_classes_around_a_centre_take_one_layer_where_lines_take_more():
    angles = 2 * np.pi * np.arange(60) / 60
    rows = [[(2 + k % 3) * np.cos(t), (2 + k % 3) * np.sin(t)] for k, t in enumerate(angles)]
    labels = [k // 12 for k in range(60)]
    around = build_certified(rows, labels, method="shallow")
    along = build_certified(rows, labels, method="shallow", projection="fewest-runs")
    assert around.certificate
    assert along.certificate
    assert (around.network.depth, along.network.depth > 1) == (1, True)
    assert build_certified(rows, labels).network.depth == 1


def test_a_depth_that_one_start_exceeds_is_reached_from_the_other():
    angles = 2 * np.pi * np.arange(60) / 60
    rows = [[np.cos(t), np.sin(t)] for t in angles]
    assert build_certified(rows, [k // 12 for k in range(60)], method="shallow", depth=1).network.depth == 1
