"""Folds in floating point: their images are what the formula says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from constructions.trial_folds import Folds, images


def one(apex, kappa=0.0, bend=1.0):
    return Folds.free(np.array([apex]), np.array([kappa]), np.array([bend]))


@given(st.integers(0, 10**6), st.floats(0, 1), st.floats(-3, 3), st.floats(0.2, 20))
def test_images_are_one_minus_the_cosine(seed, apex, kappa, bend):
    places = np.sort(np.random.default_rng(seed).random(30))
    n = places - apex
    delta = np.arctan2(bend * n, 1 - kappa * n)
    assert np.allclose(images(places, one(apex, kappa, bend))[0], 1 - np.cos(delta), atol=1e-12)


def test_images_keep_their_digits_near_the_apex():
    near = images(np.array([0.5, 0.5 + 2.0**-40]), one(0.5, 1.0, 2.0))[0, 1]
    assert near == pytest.approx(2.0 * 2.0**-80, rel=1e-9)


def test_folds_are_picked_and_joined_with_their_pairs():
    free = one(0.5)
    meeting = free._replace(pairs=np.array([[2, 3, 1, 4]]))
    both = free.joined(meeting)
    assert both.meeting.tolist() == [False, True]
    assert both.pick(np.array([1])).pairs.tolist() == [[2, 3, 1, 4]]
    assert Folds.all_of([both, free]).meeting.tolist() == [False, True, False]


@given(st.tuples(*[st.floats(0.05, 1)] * 4), st.floats(-2, 2), st.floats(0.1, 8), st.booleans())
def test_away_from_its_apex_a_fold_only_widens_runs_for_their_gaps(steps, kappa, bend, left):
    """Its Schwarzian derivative is negative, so the cross-ratio of a run and the gaps beside it grows."""
    places = np.cumsum(steps) * (-1 if left else 1)
    image = images(places, one(0.0, kappa, bend))[0]

    def cross_ratio(a, b, c, d):
        return (c - b) * (d - a) / ((b - a) * (d - c))

    if (np.diff(image) > 1e-6).all():  # the run does not lie across the top of the circle
        assert cross_ratio(*image) > cross_ratio(*places) * (1 - 1e-8)
