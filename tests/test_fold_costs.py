"""What a fold costs: run by run, and never cheap where nothing is gained."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from constructions.fold_costs import IDLE, USELESS, Prices
from constructions.trial_folds import Folds, images


def line(seed, count=30, classes=2):
    generator = np.random.default_rng(seed)
    places = np.sort(generator.random(count))
    return (places - places[0]) / np.ptp(places), generator.integers(0, classes, count)


def one(apex, kappa=0.0, bend=1.0):
    return Folds.free(np.array([apex]), np.array([kappa]), np.array([bend]))


def changes(places, labels):
    return int(np.count_nonzero(np.diff(labels[np.argsort(places, kind="stable")])))


def expected_cost(places, labels, prices):
    """The cost of a line, run by run."""
    order = np.argsort(places)
    x, name = places[order], labels[order]
    starts = [0, *(k for k in range(1, len(x)) if name[k] != name[k - 1]), len(x)]
    runs = [(x[a], x[b - 1]) for a, b in pairwise(starts)]
    total = 0.0
    for (a, b), (c, d) in pairwise(runs):
        gap = c - b
        total += 1 + prices.narrow * np.log2((c - a) * (d - b) / gap**2) - prices.small * np.log2(gap / (x[-1] - x[0]))
    return total


@given(st.integers(0, 10**6), st.integers(2, 6), st.floats(0.05, 0.95), st.floats(-1, 1))
def test_the_cost_is_that_of_the_runs_one_by_one(seed, classes, apex, kappa):
    places, labels = line(seed, 25, classes)
    if len(set(labels)) < 2:
        return
    prices = Prices(resolution=45.0)
    after = images(places, one(apex, kappa))[0]
    left = changes(after, labels)
    found = prices(places, labels, one(apex, kappa))[0]
    if left < changes(places, labels):
        assert found < IDLE or min(np.diff(np.sort(after))) < 2.0**-40
        assert found == pytest.approx(expected_cost(after, labels, prices), rel=1e-6) or found >= IDLE
    else:
        assert found >= IDLE


def test_a_fold_that_lays_one_class_on_the_other_is_useless():
    places, labels = np.linspace(0, 1, 9), np.array([0, 1, 0, 0, 1, 0, 1, 1, 0])
    assert Prices()(places, labels, one(0.5 + 1 / 16))[0] >= USELESS  # exchanges neighbours' places exactly


def test_folds_are_judged_alike_one_by_one_and_all_at_once():
    places, labels = line(4, 200, 3)
    generator = np.random.default_rng(0)
    folds = Folds.free(generator.random(3000), generator.normal(size=3000), np.ones(3000))
    at_once = Prices()(places, labels, folds)
    for k in (0, 1, 654, 655, 656, 2999):  # also where one block ends and the next begins
        assert at_once[k] == Prices()(places, labels, folds.pick(np.array([k])))[0]
    assert not len(Prices()(places, labels, folds.pick(np.arange(0))))
