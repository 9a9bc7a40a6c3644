"""Exact coincidences: both pairs meet, and are what the fold nearly brought together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from constructions.coincidences import exact_folds, involutions
from constructions.trial_folds import Folds, images


@given(st.lists(st.floats(0.001, 0.999), min_size=4, max_size=4, unique=True))
def test_involutions_exchange_both_pairs(places):
    v, y, z, w = sorted(places)
    if min(np.diff([v, y, z, w])) < 1e-3:
        return
    (apex,), (kappa,) = involutions(*(np.array([x]) for x in (y, z, v, w)))
    assert y < apex < z
    for x, other in ((y, z), (v, w)):
        n = x - apex
        assert apex - n / (1 - 2 * kappa * n) == pytest.approx(other, abs=1e-6)


@given(st.integers(0, 10**6), st.integers(2, 5))
def test_two_pairs_of_one_class_meet_close_to_where_they_did(seed, classes):
    generator = np.random.default_rng(seed)
    places = np.sort(generator.random(40))
    labels = generator.integers(0, classes, 40)
    near = Folds.free(np.array([0.5]), np.array([0.1]), np.array([2.0]))
    folds = exact_folds(places, labels, near, 5)
    assert len(folds.apex) <= 10  # pairs of five
    if len(folds.apex):
        assert folds.meeting.all()
        assert (folds.bend == 2.0).all()
    before = images(places, near)[0]
    for k, (y, z, v, w) in enumerate(folds.pairs):
        assert v < y < z < w
        assert labels[y] == labels[z]
        assert labels[v] == labels[w]
        after = images(places, folds.pick(np.array([k])))[0]
        assert after[y] == pytest.approx(after[z], abs=1e-9)
        assert after[v] == pytest.approx(after[w], abs=1e-9)
        for one, other in ((y, z), (v, w)):  # they were neighbours
            low, high = sorted((before[one], before[other]))
            assert not ((before > low) & (before < high)).any()


def test_nothing_meets_where_no_pair_of_one_class_does():
    places, labels = np.array([0.0, 0.2, 0.8, 1.0]), np.array([0, 1, 2, 3])
    near = Folds.free(np.array([0.5]), np.array([0.0]), np.array([1.0]))
    assert not len(exact_folds(places, labels, near, 5).apex)
