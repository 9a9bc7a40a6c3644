import random
from itertools import pairwise

import numpy as np
import pytest
from flint import arb

from constructions.arithmetic import FLOAT32, FLOAT64, Dyadic, Exact
from constructions.errors import InputError, UndecidedError
from constructions.line import Line
from constructions.lowering import lower
from constructions.points import LabeledPoints
from constructions.projection import project, project_wide_gaps
from constructions.steady_folding import Folds, Runs, _attempt, _exchanges, _involutions, _with_shifts, fold_steadily
from lnnet import build_certified, certify, check_ieee


def random_points(m, seed, classes=2, d=2):
    rng = random.Random(1000 * m + seed)
    return LabeledPoints.of(
        [[rng.random() for _ in range(d)] for _ in range(m)], [rng.randrange(classes) for _ in range(m)]
    )


@pytest.mark.parametrize(("dtype", "m"), [("float32", 20), ("float32", 28), ("float64", 40)])
def test_more_points_than_plain_merging_can_take_are_certified_for_ieee_evaluation(dtype, m):
    points = random_points(m, seed=0)
    built = build_certified(points, method="steady", arithmetic=dtype, projection="wide-gaps")
    assert built.certificate
    assert built.network.width == 3
    assert check_ieee(built.network, points)
    if dtype == "float32":
        with_merges = build_certified(points, method="pma", arithmetic=dtype, projection="wide-gaps")
        assert built.network.depth < with_merges.network.depth
        assert not check_ieee(with_merges.network, points)


@pytest.mark.parametrize("arithmetic", [Exact(), Dyadic(80), FLOAT64])
@pytest.mark.parametrize("seed", range(3))
def test_every_arithmetic_and_any_line(arithmetic, seed):
    points = random_points(9, seed, d=1)
    with arithmetic.work():
        line = Line.of([p[0] for p in points.points], points.labels, arithmetic)
        found = fold_steadily(line)
        net = lower((arithmetic.round(1),), found.folds, found.line, points.classes)
    assert len(found.folds) <= max(0, line.runs - 2)
    assert certify(net, points)


def test_one_fold_a_run_at_most_and_none_where_the_classes_are_apart():
    line = Line.of([0, 1, 2, 3], list("aabb"), FLOAT64)
    assert fold_steadily(line).folds == ()
    assert fold_steadily(Line.of([0, 1], list("aa"), FLOAT64)).folds == ()
    with FLOAT64.work():
        folded = fold_steadily(Line.of([0, 1, 2, 3, 4, 5], list("abbbba"), FLOAT64))
    assert len(folded.folds) == 1


def test_three_classes_are_merged():
    points = random_points(10, 0, classes=3)
    assert build_certified(points, method="steady").certificate


def test_precision_that_runs_out_is_said():
    points = random_points(60, 1)
    with FLOAT32.work():
        direction = project(points, "few-runs")
        row = tuple(FLOAT32.round(x) for x in direction.direction)
        line = Line.of(points.project(row), points.labels, FLOAT32)
        with pytest.raises(UndecidedError):
            _attempt(line, np.random.default_rng(0), 1.0)
    with pytest.raises(InputError, match="tries"):
        fold_steadily(line, tries=0)


def test_a_position_that_is_lost_is_undecided():
    with pytest.raises(UndecidedError, match="not known"):
        FLOAT32.middle(arb(0, 1) / arb(0, 1))


def test_the_folds_merge_what_they_are_made_for():
    """Both exchanged pairs meet under every candidate fold, up to float roundings."""
    low, high = np.array([0.0, 1.0, 2.0, 3.5, 4.0]), np.array([0.5, 1.5, 2.8, 3.7, 5.0])
    runs = Runs(low, high, *[np.full(5, 1e-15)] * 2)
    pairs = _exchanges(runs)
    for x, y, v, w in pairs[:: max(1, len(pairs) // 40)]:
        with np.errstate(all="ignore"):
            fixed = _involutions(np.array([[x, y, v, w]]))
        if not len(fixed):
            continue
        shift, scale, u1, u2, apex = _with_shifts(fixed)

        def image(p, shift=shift, scale=scale, u1=u1, u2=u2):
            q = (p - shift) / scale
            return (u1 * q + u2) / np.hypot(1, q)

        assert image(x) == pytest.approx(image(y), abs=1e-6)
        assert image(v) == pytest.approx(image(w), abs=1e-6)
        assert image(apex) == pytest.approx(1.0)
    assert len(Folds(*[np.zeros(3)] * 5).pick([0, 2]).apex) == 2


def test_wide_gaps_beat_the_coordinates():
    points = random_points(40, 3)

    def gap(direction):
        order = sorted(zip(points.project(direction), points.labels))
        gaps = [b[0] - a[0] for a, b in pairwise(order) if a[1] != b[1]]
        return min(gaps) / (order[-1][0] - order[0][0])

    found = project_wide_gaps(points)
    assert gap(found.direction) > max(gap((1, 0)), gap((0, 1)))
    assert project(points, "wide-gaps") == found
    same = LabeledPoints.of([[0, 1], [2, 3]], ["a", "a"])
    assert len(project_wide_gaps(same).positions) == 2
