"""Read-outs from the circle: certified for classes that are arcs, and refused for others."""

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions.arithmetic import Dyadic, Mpf
from constructions.circle_arcs import read_arcs
from constructions.circle_view import CircleView
from constructions.points import LabeledPoints
from proofs.checker import check
from proofs.checker_mpmath import check_with_mpmath

PLAIN = CircleView(((fmpq(1), fmpq(0), fmpq(0)), (fmpq(0), fmpq(1), fmpq(0))), 0)


def on_circle(angles, radii):
    return [[r * np.cos(t), r * np.sin(t)] for t, r in zip(angles, radii, strict=True)]


@st.composite
def arcs(draw, classes):
    """Angles in so many consecutive arcs, anywhere and of any sizes, at any distances; and the class of each arc."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=classes, max_size=classes))
    steps = draw(st.lists(st.integers(1, 20), min_size=sum(sizes), max_size=sum(sizes)))
    angles = draw(st.floats(0, 6)) + 2 * np.pi * np.cumsum(steps) / sum(steps)
    radii = draw(st.lists(st.integers(1, 9), min_size=sum(sizes), max_size=sum(sizes)))
    return on_circle(angles, radii), np.repeat(np.arange(classes), sizes)


@given(st.integers(2, 7).flatmap(arcs), st.permutations(range(7)), st.sampled_from([Dyadic(96), Mpf(96)]))
def test_every_class_an_arc_takes_one_layer(data, names, arithmetic):
    rows, arc = data
    points = LabeledPoints.of(rows, [names[k] for k in arc])
    with arithmetic.work():
        net = read_arcs(PLAIN, points, arithmetic)
    assert net.depth == 1
    assert net.width <= max(3, len(points.classes))
    assert check(net, points)
    assert check_with_mpmath(net, points).outcome == "certified"


@given(arcs(4), st.booleans())
def test_two_classes_in_four_arcs_take_two_layers(data, first):
    rows, arc = data
    points = LabeledPoints.of(rows, [(k + first) % 2 for k in arc.tolist()])
    arithmetic = Dyadic(96)
    with arithmetic.work():
        net = read_arcs(PLAIN, points, arithmetic)
    if net is None:  # a chord between points that are close to one another and to opposite ones leaves no margin
        return
    assert net.depth == 2
    assert check(net, points)
    assert check_with_mpmath(net, points).outcome == "certified"


@pytest.mark.parametrize("count", [4, 8, 24])
def test_four_even_arcs_are_read(count):
    angles = 2 * np.pi * (np.arange(count) + 0.5) / count
    points = LabeledPoints.of(on_circle(angles, [1] * count), [int(4 * k / count) % 2 for k in range(count)])
    arithmetic = Dyadic(64)
    with arithmetic.work():
        assert check(read_arcs(PLAIN, points, arithmetic), points)


@pytest.mark.parametrize("labels", ["abcabc", "ababab", "abac", "aabbaabbcc"])
def test_other_arrangements_are_refused(labels):
    angles = 2 * np.pi * np.arange(len(labels)) / len(labels)
    points = LabeledPoints.of(on_circle(angles, [1] * len(labels)), list(labels))
    arithmetic = Dyadic(64)
    with arithmetic.work():
        assert read_arcs(PLAIN, points, arithmetic) is None


def test_what_floating_point_does_not_resolve_is_refused():
    rows = [[1, 0], [1, fmpq(1, 2**60)], [-1, 1]]
    arithmetic = Dyadic(128)
    with arithmetic.work():
        assert read_arcs(PLAIN, LabeledPoints.of(rows, [0, 1, 0]), arithmetic) is None


def test_the_view_is_a_map_of_the_points():
    """The same arcs seen through an affine map of R^3."""
    generator = np.random.default_rng(4)
    view = CircleView(((fmpq(2), fmpq(1), fmpq(-1), fmpq(1, 2)), (fmpq(-1), fmpq(3), fmpq(1), fmpq(-1, 4))), 5)
    rows = generator.standard_normal((60, 3))
    u, v = rows @ [2, 1, -1] + 0.5, rows @ [-1, 3, 1] - 0.25
    points = LabeledPoints.of(rows.tolist(), (5 * (np.arctan2(v, u) + np.pi) / (2 * np.pi)).astype(int).tolist())
    arithmetic = Dyadic(96)
    with arithmetic.work():
        net = read_arcs(view, points, arithmetic)
    assert len(net.classes) == 5
    assert check(net, points)
