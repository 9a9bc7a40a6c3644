"""Lines of clusters: order, merging, confusion."""

import pytest
from flint import fmpq

from constructions.algebraic import algebraic
from constructions.arithmetic import Dyadic, Exact, arithmetic_named
from constructions.errors import MergeConfusionError, UndecidedError
from constructions.line import Line
from constructions.projection_merge import merging_fold

EVERY = ("exact", "dyadic", "mpf", "float64", "float32")


@pytest.mark.parametrize("name", EVERY)
def test_clusters_are_sorted_and_equal_places_collapse(name):
    arithmetic = arithmetic_named(name)
    with arithmetic.work():
        line = Line.of([3, 1, 2, 1], ["c", "a", "b", "a"], arithmetic)
    assert [(c.label, c.source) for c in line.clusters] == [("a", 1), ("b", 2), ("c", 0)]
    assert (line.runs, line.separable, line.layer) == (3, True, 0)


@pytest.mark.parametrize(
    ("labels", "runs", "separable"), [("aabb", 2, True), ("abab", 4, False), ("aaaa", 1, True), ("abca", 4, False)]
)
def test_runs(labels, runs, separable):
    line = Line.of([0, 1, 2, 3], labels, Exact())
    assert (line.runs, line.separable) == (runs, separable)


def test_partner():
    line = Line.of([0, 1, 2, 3], "abab", Exact())
    assert [line.partner(k) for k in range(4)] == [2, 3, None, None]


def test_equal_places_of_different_classes():
    with pytest.raises(MergeConfusionError) as caught:
        Line.of([algebraic(8).sqrt(), 2 * algebraic(2).sqrt()], "ab", Exact())
    assert (caught.value.points, caught.value.labels, caught.value.layer) == ((0, 1), ("a", "b"), 0)
    for name in EVERY[1:]:
        with pytest.raises(UndecidedError) as undecided:
            Line.of([1, 1], "ab", arithmetic_named(name))
        assert undecided.value.layer == 0


def test_too_close_for_the_precision():
    near = [1, 1 + fmpq(1, 2**40)]
    with pytest.raises(UndecidedError, match="points 0 and 1"):
        Line.of(near, "ab", Dyadic(64))
    assert Line.of(near, "ab", Dyadic(128)).runs == 2
    assert Line.of(near, "ab", Exact()).runs == 2
    assert len(Line.of(near, "aa", Dyadic(64)).clusters) == 2
    assert len(Line.of([1, 1 + fmpq(1, 2**60)], "aa", Dyadic(64)).clusters) == 1


@pytest.mark.parametrize("name", EVERY)
def test_a_fold_merges_its_pair(name):
    arithmetic = arithmetic_named(name)
    with arithmetic.work():
        line = Line.of([0, 1, 3], "aba", arithmetic)
        fold = merging_fold(arithmetic, line.clusters[0].position, line.clusters[2].position)
        after = line.after(fold, merging=(0, 2))
    assert [(c.label, c.source) for c in after.clusters] == [("a", 0), ("b", 1)]
    assert after.layer == 1


def test_a_fold_may_confuse():
    line = Line.of([0, 1, 2, 3], "abbb", Exact())
    fold = merging_fold(line.arithmetic, line.clusters[1].position, line.clusters[2].position)
    with pytest.raises(MergeConfusionError) as caught:
        line.after(fold, merging=(1, 2))
    assert (set(caught.value.points), caught.value.layer) == ({0, 3}, 1)
    assert "labelled 'a' and 'b'" in str(caught.value)


def test_watching():
    seen = []
    line = Line.of([0, 1, 2], "aba", Exact()).watched(seen.append)
    fold = merging_fold(line.arithmetic, line.clusters[0].position, line.clusters[2].position)
    line.after(fold, merging=(0, 2)).after(fold)
    assert seen == [1, 2]
