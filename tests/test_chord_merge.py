"""Chord merges: the bound m − K, the claim that only one pair meets, and that nothing wrong is certified."""

import random
from itertools import product

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions.arithmetic import Dyadic, Exact
from constructions.chord_merge import HEIGHTS, chord_fold
from constructions.errors import UndecidedError
from constructions.line import Line
from lnnet.building import build_certified
from proofs.checker import check
from proofs.checker_mpmath import check_with_mpmath

positions = st.lists(st.fractions(-1000, 1000, max_denominator=10**6), min_size=1, max_size=14, unique=True)


@st.composite
def labelled(draw):
    places = draw(positions)
    classes = draw(st.integers(1, 6))
    return places, draw(st.lists(st.integers(0, classes - 1), min_size=len(places), max_size=len(places)))


@given(labelled())
def test_depth_is_at_most_m_minus_k_and_the_second_checker_agrees(data):
    places, labels = data
    built = build_certified(places, labels, method="chord")
    assert built.certificate
    assert built.network.depth <= len(places) - len(set(labels))
    assert built.network.width <= 3
    assert check_with_mpmath(built.network, built.certificate.points).outcome == "certified"


@pytest.mark.parametrize("height", HEIGHTS)
@pytest.mark.parametrize("far", [1, 2, 3, 4])
def test_exactly_one_pair_meets_and_the_others_keep_their_order(height, far):
    arithmetic = Exact()
    places = [fmpq(0), fmpq(1), fmpq(3, 2), fmpq(7), fmpq(50)]
    line = Line.of(places, [0 if k in (0, far) else k for k in range(5)], arithmetic)
    entered = [arithmetic.enter(x) for x in places]
    after = line.after(chord_fold(arithmetic, entered[0], entered[1], entered[far], height))
    # p_2 … p_n lie left of the apex seen from p_n: their order is kept or reversed as a whole
    sources = [c.source for c in after.clusters]
    assert len(sources) == 4
    kept = [k if k != 0 else far for k in sources]
    assert kept in ([1, 2, 3, 4], [4, 3, 2, 1])


def test_heights_respect_the_derived_bound():
    assert all(0 < h * h < 3 for h in HEIGHTS)


def test_a_height_beyond_the_bound_breaks_the_order():
    """Negative control: with c far above √3·h the apex falls among the others."""
    arithmetic = Dyadic(128)
    with arithmetic.work():
        places = [fmpq(0), fmpq(1), fmpq(3, 2), fmpq(7), fmpq(50)]
        line = Line.of(places, [0, 1, 2, 0, 3], arithmetic)
        entered = [arithmetic.enter(x) for x in places]
        after = line.after(chord_fold(arithmetic, entered[0], entered[1], entered[3], fmpq(40)), merging=(0, 3))
    sources = [c.source for c in after.clusters if c.source not in (0, 3)]
    assert sources not in ([1, 2, 4], [4, 2, 1])


def test_the_printed_algorithms_counterexample_and_finished_ends():
    for labels in product(range(3), repeat=5):
        built = build_certified(list(range(5)), labels, method="chord")
        assert built.certificate, labels
        assert built.network.depth <= 5 - len(set(labels))


def test_exact_arithmetic_merges_exactly():
    built = build_certified([0, 1, 2, 3, 4], [0, 1, 0, 2, 1], method="chord", arithmetic="exact")
    assert built.certificate
    assert built.network.semantics == "exact"


@pytest.mark.parametrize(("m", "classes"), [(12, 2), (20, 4), (30, 2)])
def test_exact_arithmetic_merges_neighbours_after_many_layers(m, classes):
    rng = random.Random(m)  # positions are deep expressions there, so no equality of theirs may have to be proved
    places, labels = [rng.random() for _ in range(m)], [rng.randrange(classes) for _ in range(m)]
    assert build_certified(places, labels, method="chord", arithmetic="exact").certificate


@pytest.mark.parametrize("gap", [fmpq(1, 10**40), fmpq(10**40)])
def test_tiny_and_huge_gaps(gap):
    built = build_certified([0, gap, 1 + gap, 2 + gap, 2 + 2 * gap], [0, 1, 0, 1, 0], method="chord")
    assert built.certificate


@pytest.mark.parametrize("side", [1, -1])
def test_distances_beyond_the_range_of_floats(side):
    tiny = fmpq(1, 10**300)
    places = [side * x for x in (-tiny, 0, tiny, 1, 2, 10**300)]
    assert build_certified(places, [0, 1, 0, 1, 0, 1], method="chord").certificate


def test_positions_that_cannot_be_told_apart_are_undecided():
    arithmetic = Dyadic(16)
    with arithmetic.work(), pytest.raises(UndecidedError):
        chord_fold(
            arithmetic, arithmetic.enter(fmpq(1, 3)), arithmetic.enter(fmpq(1, 3)), arithmetic.enter(2), HEIGHTS[0]
        )


def test_a_flipped_label_is_refuted():
    built = build_certified(list(range(8)), [0, 1, 0, 1, 1, 0, 2, 0], method="chord")
    points = built.certificate.points
    wrong = points.relabel([1, *points.labels[1:]])
    assert check(built.network, wrong).outcome == "refuted"
