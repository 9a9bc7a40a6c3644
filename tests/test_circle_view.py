"""Views around a circle: what is counted, what is minimised, and what is found."""

from itertools import pairwise

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions import circle_view
from constructions.circle_view import _annealed, _slope, changes_around, view_circle
from constructions.points import LabeledPoints
from constructions.principal_frame import PrincipalFrame
from constructions.projection import few_runs_candidates
from tests.strategies import hostile_points


def blobs(centres, each, seed=0, spread=0.3):
    generator = np.random.default_rng(seed)
    rows = np.concatenate([np.array(c) + spread * generator.standard_normal((each, len(c))) for c in centres])
    return LabeledPoints.of(rows.tolist(), [k for k in range(len(centres)) for _ in range(each)])


def distances(points, forms):
    """Angles from each of m points (rows), m odd, to the (m − 1)/2 next ones on either side; 0 to itself."""
    angles = np.arctan2(*(points @ forms).T[::-1])
    order = np.argsort(angles).tolist()
    count, apart = len(order), np.zeros((len(order), len(order)))
    for rank, i in enumerate(order):
        for k in range(1, (count - 1) // 2 + 1):
            ahead, behind = order[(rank + k) % count], order[(rank - k) % count]
            apart[i, ahead] = (angles[ahead] - angles[i]) % (2 * np.pi)
            apart[i, behind] = (angles[i] - angles[behind]) % (2 * np.pi)
    return apart


@given(st.lists(st.tuples(st.integers(0, 23), st.integers(0, 2)), min_size=1, max_size=12, unique_by=lambda p: p[0]))
def test_changes_are_counted_around_the_circle(places):
    names = [label for _, label in sorted(places)]
    expected = sum(a != b for a, b in pairwise([*names, names[0]]))
    angles = np.array([2 * np.pi * k / 24 + 0.01 for k, _ in places])
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1) * np.arange(1, len(places) + 1)[:, None]
    assert changes_around(directions, np.array([label for _, label in places])) == expected


def test_coincident_places_of_different_classes_count_once_more():
    directions = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    assert changes_around(directions, np.array([0, 1, 1, 0])) == 3
    assert changes_around(directions, np.array([1, 1, 0, 0])) == 2


def test_the_slope_is_that_of_the_smoothed_count():
    """Central differences of an independent computation, the widths held fixed as the search does."""
    generator = np.random.default_rng(5)
    points = np.c_[generator.standard_normal((13, 3)), np.ones(13)]
    labels, forms = generator.integers(0, 3, 13), generator.standard_normal((4, 2))
    reach = 3
    found, changes = _slope(points, labels, forms, reach)
    assert changes == changes_around(points @ forms, labels)
    width = np.sort(distances(points, forms), axis=1)[:, reach][:, None]

    def value(some):
        weight = np.exp(-0.5 * (distances(points, some) / width) ** 2)
        np.fill_diagonal(weight, 0)
        own = (weight * (labels[:, None] == labels)).sum(axis=1) / weight.sum(axis=1)
        return -np.log(own + 0.5).mean()

    step = 1e-6
    for index in np.ndindex(4, 2):
        shift = np.zeros((4, 2))
        shift[index] = step
        expected = (value(forms + shift) - value(forms - shift)) / (2 * step)
        assert found[index] == pytest.approx(expected, rel=1e-4, abs=1e-7)


def test_classes_around_a_centre_are_seen_as_arcs():
    around = [(3, 0, 1), (-1, 3, 0), (-2, -2, 1), (1, -3, 0)]
    view = view_circle(blobs(around, 12))
    assert view.changes == 4
    shown = blobs(around, 12)
    labels = np.array([shown.classes.index(x) for x in shown.labels])
    assert changes_around(view.see(shown), labels) == 4


def test_two_classes_of_a_wedge_need_a_circle():
    """Class 1 is the quadrant of an AND in R^3: no line has it in one run, a circle has."""
    generator = np.random.default_rng(2)
    rows = generator.uniform(-1, 1, (80, 3))
    labels = (rows[:, 0] > 0.1) & (rows[:, 1] + rows[:, 2] > 0.1)
    rows, labels = rows[np.abs(rows[:, 0] - 0.1) > 0.05], labels[np.abs(rows[:, 0] - 0.1) > 0.05]
    assert view_circle(LabeledPoints.of(rows.tolist(), labels.tolist())).changes == 2


@given(st.integers(0, 50), st.integers(2, 4), st.integers(2, 5))
def test_no_worse_than_the_lines_it_starts_from(seed, dimension, classes):
    generator = np.random.default_rng(seed)
    points = LabeledPoints.of(generator.random((25, dimension)).tolist(), generator.integers(0, classes, 25).tolist())
    view = view_circle(points, steps=0)
    for direction in few_runs_candidates(points):
        names = [label for _, label in sorted(zip(points.project(direction), points.labels, strict=True))]
        assert view.changes <= sum(a != b for a, b in pairwise([*names, names[0]]))


def test_training_helps_and_the_same_seed_gives_the_same_view():
    generator = np.random.default_rng(9)
    points = LabeledPoints.of(generator.random((60, 6)).tolist(), generator.integers(0, 3, 60).tolist())
    assert view_circle(points, 1) == view_circle(points, 1)
    assert view_circle(points, 1).changes < view_circle(points, 1, steps=0).changes


def test_steps_uphill_lead_further_down(monkeypatch):
    generator = np.random.default_rng(3)
    points = np.c_[generator.standard_normal((80, 8)), np.ones(80)]
    labels, forms = generator.integers(0, 3, 80), generator.standard_normal((9, 2))
    start = changes_around(points @ forms, labels), forms

    def changes(warm):
        monkeypatch.setattr(circle_view, "_WARM", warm)
        monkeypatch.setattr(circle_view, "_COLD", warm / 8)
        found = [_annealed(points, labels, start, 3000, np.random.default_rng(seed)) for seed in range(5)]
        for count, some in found:
            assert count == changes_around(points @ some, labels) <= start[0]
        return sum(count for count, _ in found)

    warm, cold, hot = changes(1.2), changes(1e-9), changes(1e9)
    assert warm < min(cold, hot)


def test_annealing_of_what_no_view_changes_stays_finite():
    """Thirty classes of two points: nearly every step is taken, and steps would grow beyond the range of floats."""
    generator = np.random.default_rng(0)
    points = np.c_[generator.standard_normal((60, 10)), np.ones(60)]
    labels, forms = np.repeat(np.arange(30), 2), generator.standard_normal((11, 2))
    start = changes_around(points @ forms, labels), forms
    changes, found = _annealed(points, labels, start, 40_000, np.random.default_rng(1))
    assert np.abs(found).max() < 1e6
    assert 30 <= changes == changes_around(points @ found, labels)


def test_there_is_no_circle_without_a_plane():
    assert view_circle(LabeledPoints.of([[k, 2 * k] for k in range(6)], [0, 1] * 3)) is None
    assert view_circle(LabeledPoints.of(range(6), [0, 1] * 3)) is None
    assert view_circle(LabeledPoints.of([[1, 2]], [0])) is None
    assert view_circle(LabeledPoints.of([[0, 0], [fmpq(10) ** 400, 0], [0, 1]], [0, 1, 0])) is None


@given(hostile_points())
def test_hostile_points_get_a_view_that_tells_classes_apart_or_none(points):
    view = view_circle(points, steps=20)
    if view is not None:
        assert len(view.rows[0]) == len(view.rows[1]) == points.dimension + 1
        assert view.changes <= len(points)


@given(hostile_points())
def test_the_frame_is_round_and_coefficients_go_there_and_back(points):
    with np.errstate(all="ignore"):
        frame = PrincipalFrame.of(points)
    if frame is None:
        return
    flat = frame.points[:, :-1]
    assert np.allclose(flat.mean(axis=0), 0, atol=1e-6)
    assert np.allclose(flat.T @ flat / len(points), np.eye(flat.shape[1]), atol=1e-6)
    forms = np.arange(2.0 * frame.points.shape[1]).reshape(2, -1)
    assert np.allclose(frame.see(forms @ frame.back), forms, rtol=1e-4, atol=1e-4)
