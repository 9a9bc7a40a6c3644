"""What ``auto`` takes."""

import random

import pytest

from lnnet.building import build_certified


def problem(m, classes, seed=0):
    generator = random.Random(seed)
    points = [(generator.random(), generator.random()) for _ in range(m)]
    return points, [generator.randrange(classes) for _ in points]


@pytest.mark.parametrize(
    ("m", "classes", "method"), [(60, 2, "shallow"), (30, 5, "shallow"), (55, 5, "pma"), (210, 2, "pma")]
)
def test_searches_as_long_as_that_takes_seconds(m, classes, method):
    built = build_certified(*problem(m, classes))
    assert built.certificate
    assert built.method == method
    if method == "shallow":
        assert 2 * built.network.depth < m - classes


def test_effort_affords_more_points():
    assert build_certified(*problem(55, 5), effort=1).method == "shallow"


def test_few_runs_are_folded_however_many_points_there_are():
    points = [(k, k % 7) for k in range(600)]
    built = build_certified(points, [k // 60 % 2 for k in range(600)])
    assert built.method == "shallow"
    assert built.network.depth <= 6


def test_a_depth_that_the_search_cannot_keep_is_left_to_algorithm_1():
    """Ten alternating points need two layers at least; a fixed depth of 8 is kept by either."""
    built = build_certified(list(range(10)), [k % 2 for k in range(10)], depth=8)
    assert built.certificate
    assert built.network.depth == 8
