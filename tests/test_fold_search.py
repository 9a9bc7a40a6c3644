"""The search for folds: it never takes a useless fold for a useful one, and what it finds removes label changes."""

import numpy as np
import pytest

from constructions.fold_costs import IDLE
from constructions.fold_search import Budget, _Found, _outlined, best_folds, different
from constructions.trial_folds import Folds, images


def line(seed, count=30, classes=2):
    generator = np.random.default_rng(seed)
    places = np.sort(generator.random(count))
    return (places - places[0]) / np.ptp(places), generator.integers(0, classes, count)


def changes(places, labels):
    return int(np.count_nonzero(np.diff(labels[np.argsort(places, kind="stable")])))


def test_no_fold_is_found_where_none_can_help():
    """Two runs of two classes: nothing can be removed."""
    folds, cost = best_folds(
        np.array([0.0, 0.1, 0.9, 1.0]), np.array([0, 0, 1, 1]), Budget(apexes=20, steps=100), np.random.default_rng(1)
    )
    assert (cost >= IDLE).all()
    assert len(folds.apex) == len(cost)


@pytest.mark.parametrize(("classes", "count", "met"), [(2, 60, 0.0), (3, 60, 1.0), (8, 60, 1.0), (2, 300, 0.0)])
def test_folds_that_are_found_remove_label_changes_and_come_in_order(classes, count, met):
    places, labels = line(classes, count, classes)
    budget = Budget(apexes=40, steps=200, rounds=3, met=met)
    folds, cost = best_folds(places, labels, budget, np.random.default_rng(0))
    assert len(cost)
    assert (np.diff(cost) >= 0).all()
    for k in np.flatnonzero(cost < IDLE - 1):
        assert changes(images(places, folds.pick(np.array([k])))[0], labels) < changes(places, labels)


def test_pairs_that_are_said_to_meet_do_also_after_the_bend_was_varied():
    places, labels = line(3, 60, 6)
    folds, _ = best_folds(places, labels, Budget(apexes=40, steps=300, met=1.0), np.random.default_rng(0))
    assert folds.meeting.any()
    for k in np.flatnonzero(folds.meeting):
        y, z, v, w = images(places, folds.pick(np.array([k])))[0, folds.pairs[k]]
        assert y == pytest.approx(z, abs=1e-9)
        assert v == pytest.approx(w, abs=1e-9)
        assert labels[folds.pairs[k, 0]] == labels[folds.pairs[k, 1]]
        assert labels[folds.pairs[k, 2]] == labels[folds.pairs[k, 3]]


def test_of_each_fold_and_its_step_the_better_one_is_kept():
    before, after = (Folds.free(*(np.arange(4.0) + shift for _ in range(3))) for shift in (0, 10))
    kept = _Found(before, np.array([1.0, 5.0, 3.0, 2.0])).improved(_Found(after, np.array([2.0, 4.0, 3.0, 0.0])))
    assert kept.cost.tolist() == [1.0, 4.0, 3.0, 0.0]
    assert kept.folds.apex.tolist() == [0.0, 11.0, 2.0, 13.0]


@pytest.mark.parametrize("seed", range(4))
def test_several_different_folds_are_left_to_choose_from(seed):
    places, labels = line(seed, 200)
    folds, _ = best_folds(places, labels, Budget.of(200, 2), np.random.default_rng(seed))
    assert len(different(places, labels, folds)) >= 3


def test_no_pair_meets_where_that_is_worth_nothing():
    places, labels = line(3, 60, 6)
    folds, _ = best_folds(places, labels, Budget(apexes=40, steps=300), np.random.default_rng(0))
    assert not folds.meeting.any()


def test_the_same_seed_finds_the_same_folds():
    places, labels = line(7)
    first, second = (
        best_folds(places, labels, Budget(apexes=30, steps=100), np.random.default_rng(5)) for _ in range(2)
    )
    assert (first[1] == second[1]).all()
    assert (first[0].apex == second[0].apex).all()


def test_more_effort_tries_more_folds_and_more_points_fewer():
    assert Budget.of(200, 2, effort=1).apexes == 2 * Budget.of(200, 2).apexes
    assert Budget.of(200, 2, effort=1).steps == 2 * Budget.of(200, 2).steps
    assert Budget.of(2000, 2).apexes < Budget.of(200, 2).apexes
    assert Budget.of(2000, 10).steps < Budget.of(200, 10).steps


def test_folds_that_leave_the_same_sequence_of_classes_count_once():
    places, labels = np.array([0.0, 0.25, 0.5, 1.0]), np.array([0, 1, 1, 0])
    apex = np.array([-1.0, -2.0, 0.3, 0.31, 0.9, 2.0])  # left of all; then 1101, 1101; then 0110; right of all
    folds = Folds.free(apex, np.zeros(6), np.ones(6))
    # 0 1 1 0; the same; 1 1 0 0 twice; 0 1 1 0 and, from the right, its mirror image, which is itself
    assert different(places, labels, folds).tolist() == [0, 2]


def test_an_outline_has_both_ends_of_every_run_and_few_clusters_of_each():
    generator = np.random.default_rng(2)
    labels = np.repeat([0, 1, 0, 2, 0], [1, 2, 5, 40, 3])
    places = np.sort(generator.random(len(labels)))
    some, name = _outlined(places, labels)
    assert name.tolist() == [0, 1, 1, 0, 0, 0, 0, 2, 2, 2, 2, 0, 0, 0]
    starts = np.array([0, 1, 3, 8, 48])
    assert set(places[starts]) | set(places[np.append(starts[1:] - 1, -1)]) <= set(some)
    assert set(some) <= set(places)


def test_several_lines_are_followed_only_with_many_classes_and_not_too_many_points():
    assert Budget.of(100, 2).beam == 1
    assert Budget.of(100, 3).beam == 8
    assert Budget.of(1600, 3).beam == 1
