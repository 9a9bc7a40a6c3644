"""Proposition 9: networks of any width, certified by the checker."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from constructions.arithmetic import FLOAT64, Dyadic, Exact, Mpf
from constructions.errors import InputError, UndecidedError
from constructions.network import LNNet
from constructions.points import LabeledPoints
from constructions.separation import linear_readout, positive_functional
from constructions.wider_networks import build_wide
from lnnet.building import build_certified
from proofs.checker import check


@st.composite
def labelled_points(draw):
    d = draw(st.integers(1, 3))
    coordinate = st.integers(-3, 3) | st.sampled_from([10**9, 10**9 + 1, -(10**9)])
    points = draw(st.lists(st.tuples(*[coordinate] * d), min_size=1, max_size=9, unique=True))
    classes = draw(st.integers(1, 3))
    labels = draw(st.lists(st.integers(0, classes - 1), min_size=len(points), max_size=len(points)))
    return LabeledPoints.of(points, labels)


@given(labelled_points(), st.integers(3, 6))
def test_any_points_any_labels_any_width(points, width):
    built = build_certified(points, method="wide", width=width)
    assert built.certificate
    assert built.network.depth <= max(0, len(points) - len(points.classes) + 1)
    assert built.network.width == (width if built.network.depth else 0)


def random_points(d, m, classes, seed=5):
    random = np.random.default_rng(seed)
    return LabeledPoints.of(random.normal(size=(m, d)), random.integers(0, classes, m).tolist())


@pytest.mark.parametrize(("d", "classes"), [(2, 3), (3, 2), (6, 2)])
def test_a_wider_network_is_shallower_than_algorithm_1(d, classes):
    points = random_points(d, 18, classes)
    wide = build_certified(points, method="wide")
    narrow = build_certified(points, method="pma")
    assert wide.certificate
    assert narrow.certificate
    assert wide.network.depth < narrow.network.depth


def test_float64_weights():
    net = build_wide(random_points(2, 14, 2), 4, FLOAT64)
    assert net.semantics == "float64"
    assert check(net, random_points(2, 14, 2))


def test_a_flipped_label_is_refuted():
    points = random_points(2, 12, 2)
    net = build_wide(points, 4)
    flipped = points.relabel([1 - points.labels[0], *points.labels[1:]])
    assert check(net, flipped).outcome == "refuted"


def test_depth_is_padded_from_nothing():
    points = LabeledPoints.of([(0, 0), (1, 0)], ["a", "b"])
    assert build_wide(points).depth == 0
    built = build_certified(points, method="wide", depth=3)
    assert built.network.depth == 3
    assert built.certificate
    one_class = build_certified([(0, 0), (1, 0), (2, 5)], ["a"] * 3, method="wide", depth=2)
    assert one_class.network.depth == 2
    assert one_class.certificate


def test_extreme_and_uneven_scales():
    points = LabeledPoints.of([(1e300, 0), (0, 1e-300), (1e300, 1e-300), (0, 0)], [0, 0, 1, 1])
    for width in (3, 4, 7):
        assert check(build_wide(points, width, Dyadic(64)), points)


@pytest.mark.parametrize("width", [2, 0, -1])
def test_width_below_three_is_rejected(width):
    with pytest.raises(InputError, match="at least 3"):
        build_wide(random_points(2, 5, 2), width)


@pytest.mark.parametrize("arithmetic", [Exact(), Mpf(64)])
def test_other_arithmetics_are_rejected(arithmetic):
    with pytest.raises(InputError, match="dyadic"):
        build_wide(random_points(2, 5, 2), 4, arithmetic)


def test_a_width_needs_the_wide_method():
    with pytest.raises(InputError, match="wide"):
        build_certified(random_points(2, 5, 2), method="pma", width=5)


def test_the_same_seed_gives_the_same_network():
    first, second = (build_wide(random_points(3, 10, 2), 5, seed=3) for _ in range(2))
    assert isinstance(first, LNNet)
    assert first == second


@given(st.lists(st.lists(st.floats(-1, 1), min_size=3, max_size=3), min_size=1, max_size=12))
def test_a_functional_found_is_positive_and_a_hidden_one_is_found(rows):
    hidden = np.array([0.3, -0.7, 0.5])
    vectors = np.array(rows)
    products = vectors @ hidden
    vectors, products = vectors[np.abs(products) > 1e-3], products[np.abs(products) > 1e-3]
    if len(vectors):
        found = positive_functional(vectors * np.sign(products)[:, None])
        assert found is not None
        assert ((vectors * np.sign(products)[:, None]) @ found > 0).all()


def test_xor_has_no_linear_readout_and_three_classes_on_a_line_do():
    xor = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    assert linear_readout(xor, [0, 1, 1, 0], 2) is None
    line = np.array([[0.0], [1], [5]])
    weight, bias = linear_readout(line, [2, 0, 1], 3)
    assert ((line @ weight.T + bias).argmax(axis=1) == [2, 0, 1]).all()
    assert linear_readout(np.array([[0.0], [1], [2]]), [0, 1, 0], 2) is None


def test_raising_the_dimension_makes_a_still_wider_network_shallower():
    points = random_points(6, 40, 2)
    narrow, wide = build_wide(points, 8), build_wide(points, 24)
    assert wide.depth < narrow.depth
    assert check(wide, points)


def test_exhausted_precision_is_undecided():
    with pytest.raises(UndecidedError, match="bits"):
        build_wide(random_points(8, 40, 2), 3, Dyadic(24))


@pytest.mark.parametrize("width", [3, 4, 6])
def test_symmetric_points_where_many_chords_are_parallel(width):
    grid = [(x, y) for x in range(4) for y in range(4)]
    points = LabeledPoints.of(grid, [(x + y) % 2 for x, y in grid])
    built = build_certified(points, method="wide", width=width)
    assert built.certificate
    assert built.network.depth <= len(grid) - 1
