"""The search for folds: what it foresees is what happens, and it never takes a useless fold for a useful one."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from constructions.fold_search import Budget, Folds, _involutions, _matches, best_folds, costs, images

USELESS = 2.0**40
IDLE = 2.0**30


def line(seed, count=30, classes=2):
    generator = np.random.default_rng(seed)
    places = np.sort(generator.random(count))
    return (places - places[0]) / np.ptp(places), generator.integers(0, classes, count)


def one(apex, kappa=0.0, bend=1.0):
    return Folds(np.array([apex]), np.array([kappa]), np.array([bend]))


def changes(places, labels):
    return int(np.count_nonzero(np.diff(labels[np.argsort(places, kind="stable")])))


def expected_cost(places, labels, budget):
    """The cost of a line, run by run."""
    order = np.argsort(places)
    x, name = places[order], labels[order]
    starts = [0, *(k for k in range(1, len(x)) if name[k] != name[k - 1]), len(x)]
    runs = [(x[a], x[b - 1]) for a, b in pairwise(starts)]
    total = 0.0
    for (a, b), (c, d) in pairwise(runs):
        gap = c - b
        total += 1 + budget.narrow * np.log2((c - a) * (d - b) / gap**2) - budget.small * np.log2(gap / (x[-1] - x[0]))
    return total


@given(st.integers(0, 10**6), st.floats(0, 1), st.floats(-3, 3), st.floats(0.2, 20))
def test_images_are_one_minus_the_cosine(seed, apex, kappa, bend):
    places, _ = line(seed)
    n = places - apex
    delta = np.arctan2(bend * n, 1 - kappa * n)
    assert np.allclose(images(places, one(apex, kappa, bend))[0], 1 - np.cos(delta), atol=1e-12)


def test_images_keep_their_digits_near_the_apex():
    near = images(np.array([0.5, 0.5 + 2.0**-40]), one(0.5, 1.0, 2.0))[0, 1]
    assert near == pytest.approx(2.0 * 2.0**-80, rel=1e-9)


@given(st.integers(0, 10**6), st.integers(2, 6), st.floats(0.05, 0.95), st.floats(-1, 1))
def test_the_cost_is_that_of_the_runs_one_by_one(seed, classes, apex, kappa):
    places, labels = line(seed, 25, classes)
    if len(set(labels)) < 2:
        return
    budget = Budget(resolution=45.0)
    after = images(places, one(apex, kappa))[0]
    left = changes(after, labels)
    found = costs(places, labels, one(apex, kappa), budget)[0]
    if left < changes(places, labels):
        assert found < IDLE or min(np.diff(np.sort(after))) < 2.0**-40
        assert found == pytest.approx(expected_cost(after, labels, budget), rel=1e-6) or found >= IDLE
    else:
        assert found >= IDLE


def test_a_fold_that_lays_one_class_on_the_other_is_useless():
    places, labels = np.linspace(0, 1, 9), np.array([0, 1, 0, 0, 1, 0, 1, 1, 0])
    cost = costs(places, labels, one(0.5 + 1 / 16), Budget())  # exchanges neighbours' places exactly
    assert cost[0] >= USELESS


def test_no_fold_is_found_where_none_can_help():
    """Two runs of two classes: nothing can be removed."""
    folds, cost = best_folds(
        np.array([0.0, 0.1, 0.9, 1.0]), np.array([0, 0, 1, 1]), Budget(folds=200), np.random.default_rng(1)
    )
    assert (cost >= IDLE).all()
    assert len(folds.apex) == len(cost)


@pytest.mark.parametrize(("classes", "count"), [(2, 60), (3, 60), (8, 60), (2, 300)])
def test_folds_that_are_found_remove_label_changes_and_come_in_order(classes, count):
    """Also on a line of which only some clusters are shown to the searches at its ends."""
    places, labels = line(classes, count, classes)
    folds, cost = best_folds(places, labels, Budget(folds=800, rounds=3), np.random.default_rng(0))
    assert len(cost)
    assert (np.diff(cost) >= 0).all()
    for k in np.flatnonzero(cost < IDLE):
        assert changes(images(places, folds.pick(np.array([k])))[0], labels) < changes(places, labels)


def test_the_same_seed_finds_the_same_folds():
    places, labels = line(7)
    first, second = (best_folds(places, labels, Budget(folds=300), np.random.default_rng(5)) for _ in range(2))
    assert (first[1] == second[1]).all()
    assert (first[0].apex == second[0].apex).all()


@given(st.lists(st.floats(0.001, 0.999), min_size=4, max_size=4, unique=True))
def test_involutions_exchange_both_pairs(places):
    v, y, z, w = sorted(places)
    if min(np.diff([v, y, z, w])) < 1e-3:
        return
    with np.errstate(all="ignore"):
        apex, kappa = _involutions(*(np.array([x]) for x in (y, z, v, w)))
    assert len(apex) == 1
    for x, other in ((y, z), (v, w)):
        n = x - apex[0]
        assert apex[0] - n / (1 - 2 * kappa[0] * n) == pytest.approx(other, abs=1e-6)


def test_matches_are_runs_of_one_class_and_gaps_that_turn_over():
    labels = np.array([0, 1, 2, 1, 0])
    found = {tuple(int(x) for x in row) for row in _matches(labels)}
    assert {(0, 4, 0), (1, 3, 0), (0, 3, 1), (1, 2, 1), (2, 2, 1)} <= found
    assert not {(0, 1, 0), (0, 2, 1), (0, 4, 1)} & found


def test_more_effort_tries_more_folds_and_more_points_fewer():
    assert Budget.of(200, 2, effort=1).folds == 2 * Budget.of(200, 2).folds
    assert Budget.of(2000, 2).folds < Budget.of(200, 2).folds
