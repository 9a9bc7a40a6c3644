"""Proposition 4: directions that keep apart what must stay apart."""

import itertools

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from strategies import hostile_points

from constructions.errors import InputError
from constructions.points import LabeledPoints
from constructions.projection import (
    project,
    project_along,
    project_by_powers,
    project_few_runs,
    project_spread,
)

STRATEGIES = ("powers", "random", "spread", "few-runs")


@given(hostile_points(), st.sampled_from(STRATEGIES))
def test_classes_stay_apart_and_products_are_exact(points, strategy):
    projection = project(points, strategy)
    for point, position in zip(points.points, projection.positions, strict=True):
        assert position == sum((a * b for a, b in zip(projection.direction, point, strict=True)), fmpq(0))
    pairs = itertools.combinations(zip(projection.positions, points.labels, strict=True), 2)
    assert all(a[0] != b[0] or a[1] == b[1] for a, b in pairs)
    if strategy != "few-runs":
        assert len(set(projection.positions)) == len(points)
    ordered = [label for _, label in sorted(zip(projection.positions, points.labels, strict=True))]
    changes = 1 + sum(a != b for a, b in itertools.pairwise(ordered))
    assert projection.runs == changes or len(set(projection.positions)) < len(points)


@given(hostile_points(max_dimension=4))
def test_powers_take_the_first_t_that_works(points):
    """At most (d−1)·m(m−1)/2 values of t fail."""
    m, d = len(points), points.dimension
    direction = project_by_powers(points).direction
    assert direction[0] == 1
    t = direction[1] if d > 1 else 0
    assert list(direction) == [fmpq(t) ** k for k in range(d)]
    assert abs(t) <= (d - 1) * m * (m - 1) // 2


def test_determinism_and_seeds():
    points = LabeledPoints.of([[k, k * k % 7, k**3 % 11] for k in range(9)], [k % 2 for k in range(9)])
    for strategy in STRATEGIES:
        assert project(points, strategy, 3) == project(points, strategy, 3)
    assert project(points, "random", 1).direction != project(points, "random", 2).direction


def test_few_runs_finds_a_separating_direction():
    """Two parallel strips, far apart only across a direction that no single coordinate shows."""
    rows = [(k, k + (1 if k % 2 else -1)) for k in range(20)]
    points = LabeledPoints.of(rows, [k % 2 for k in range(20)])
    assert project_few_runs(points).runs == 2
    assert project_spread(points).runs > 2


def test_a_given_direction():
    points = LabeledPoints.of([[0, 0], [1, 1], [2, 0]], ["a", "b", "a"])
    projection = project_along(points, ("1/2", 3))
    assert projection.positions == (0, fmpq(7, 2), 1)
    assert projection.runs == 2
    for direction in ((1,), (1, 2, 3), (0, 0), ("nan", 1), (None, 1)):
        with pytest.raises(InputError):
            project_along(points, direction)


@pytest.mark.parametrize("d", [1, 2])
def test_unknown_strategies(d):
    with pytest.raises(InputError, match="'projection'"):
        project(LabeledPoints.of([[0] * d, [1] * d], [0, 1]), "sideways")


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_single_points_and_many_dimensions(strategy):
    assert project(LabeledPoints.of([[3, 4]], ["a"]), strategy).runs == 1
    wide = LabeledPoints.of([[int(i == k) for i in range(300)] for k in range(4)], [0, 1, 0, 1])
    assert len(set(project(wide, strategy).positions)) >= (2 if strategy == "few-runs" else 4)


def test_many_points_of_a_grid_need_no_high_powers():
    """Where small directions collide, a larger box serves; 2^199 would drown every coordinate but the last."""
    rows = [[(k * (i + 3) ** 2 // 7) % 2 for i in range(200)] for k in range(700)]
    rows = [list(row) for row in dict.fromkeys(map(tuple, rows))]
    points = LabeledPoints.of(rows, [k % 2 for k in range(len(rows))])
    projection = project_spread(points)
    assert len(set(projection.positions)) == len(points)
    assert max(abs(x) for x in projection.direction) <= len(points) ** 2
