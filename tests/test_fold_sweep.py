"""Sweeps: the number of neighbours of one class for every κ is what sorting gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from constructions.fold_sweep import Sweep
from constructions.trial_folds import Folds, images


def neighbours_by_sorting(places, labels, apex, kappa):
    image = images(places, Folds.free(np.array([apex]), np.array([kappa]), np.ones(1)))[0]
    return int(np.count_nonzero(np.diff(labels[np.argsort(image)]) == 0))


@given(st.integers(0, 10**6), st.integers(2, 40), st.integers(1, 6), st.floats(0.01, 0.99))
def test_every_count_is_that_after_sorting(seed, count, classes, apex):
    generator = np.random.default_rng(seed)
    places = np.sort(generator.random(count))
    places = (places - places[0]) / np.ptp(places)
    labels = generator.integers(0, classes, count)
    if abs(places - apex).min() < 1e-6:
        return
    kappa, found = Sweep(places, labels)(apex)
    assert (np.diff(kappa) > 0).all()
    # Two places that pass each other within the accuracy of single numbers may be counted either way.
    some = generator.integers(0, len(kappa), 40)
    wrong = [found[k] != neighbours_by_sorting(places, labels, apex, kappa[k]) for k in some]
    assert np.mean(wrong) <= 0.1


@pytest.mark.parametrize(("count", "classes"), [(300, 2), (600, 10)])
def test_counts_on_long_lines_whose_shifts_fill_several_blocks(count, classes):
    generator = np.random.default_rng(count)
    places = np.linspace(0, 1, count) + generator.random(count) / (4 * count)
    labels = generator.integers(0, classes, count)
    apex = 0.43 + 1e-5
    kappa, found = Sweep(places, labels)(apex)
    some = generator.integers(0, len(kappa), 300)
    expected = [neighbours_by_sorting(places, labels, apex, kappa[k]) for k in some]
    assert np.mean(found[some] != expected) < 0.05
    assert abs(found[some] - expected).max() <= 2


def neighbours_in_order(places, labels, apex, kappa):
    """By the order that `constructions.fold_sweep` states, in more digits than images have near the far end."""
    n = places.astype(np.longdouble) - apex
    order = np.argsort(np.sign(n) * kappa - 1 / abs(n))
    return int(np.count_nonzero(np.diff(labels[order]) == 0))


@pytest.mark.parametrize("tiny", [1e-4, 1e-6, 1e-8])
@pytest.mark.parametrize("after", [2, 5, 11])
def test_counts_where_places_crowd_at_the_apex(tiny, after):
    """The best ones, since the search takes those: a count that is too high would crowd out all others."""
    generator = np.random.default_rng(after)
    places = np.sort(np.concatenate([[0.0], generator.random(80), 1 - tiny * generator.random(12), [1.0]]))
    labels = generator.integers(0, 2, len(places))
    apex = float(places[-after - 1] + 0.3 * (places[-after] - places[-after - 1]))
    kappa, found = Sweep(places, labels)(apex)
    best = np.argsort(-found)[:60]
    expected = [neighbours_in_order(places, labels, apex, kappa[k]) for k in best]
    assert np.mean(found[best] != expected) < 0.05
    assert abs(found[best] - expected).max() <= 1


def test_far_shifts_lay_one_side_beyond_the_other():
    """With |κ| very large nothing is laid between anything: one side follows the other, from the apex outwards."""
    places, labels = np.linspace(0, 1, 7), np.array([0, 0, 1, 1, 0, 1, 1])
    _, found = Sweep(places, labels)(0.42)  # between places 2 and 3; from the apex, left 1 0 0 and right 1 0 1 1
    assert found[0] == 3  # 1 0 1 1 1 0 0
    assert found[-1] == 2  # 1 0 0 1 0 1 1


def test_peaks_are_the_best_of_their_stretches():
    generator = np.random.default_rng(3)
    places, labels = np.sort(generator.random(50)), generator.integers(0, 3, 50)
    sweep = Sweep(places, labels)
    kappa, found = sweep(0.5)
    best, count = sweep.peaks(0.5, 8)
    assert count.max() == found.max()
    width = len(kappa) // 8
    for k in range(8):
        stretch = slice(k * width, (k + 1) * width)
        assert count[k] == found[stretch].max()
        assert best[k] in kappa[stretch]


@pytest.mark.parametrize("apex", [0.0, 1.0, 0.5, -0.1, 1.1])
def test_apexes_at_and_beyond_the_ends_and_on_a_place(apex):
    kappa, found = Sweep(np.array([0.0, 0.5, 1.0]), np.array([0, 1, 0]))(apex)
    assert np.isfinite(kappa).all()
    assert ((found >= 0) & (found <= 2)).all()
