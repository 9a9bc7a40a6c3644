"""Algorithm 1: as printed it reports its confusions, repaired it has none."""

import itertools
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from constructions.arithmetic import Exact, arithmetic_named
from constructions.errors import InputError, MergeConfusionError
from constructions.line import Line
from constructions.projection_merge import (
    leftmost_pair,
    merge_any_classes,
    merge_as_printed,
    merge_two_classes,
    merge_with_breaking,
)
from lnnet import build, build_certified

#: Digits of the enumeration, and the gap below which two places need a proof to be equal.
DIGITS, PROOF_NEEDED = 120, Decimal(10) ** -60
LATTICE = [(x, y) for x in range(3) for y in range(2)]
#: Directions, and whether they leave the six points equally spaced.
DIRECTIONS = {(1, 3): True, (3, 1): False, (5, 2): False, (1, 7): False, (7, -3): False}


def first_confusion(places, labels):
    """Algorithm 1 as printed, followed independently: (layer, pairs confused there), or None.

    Places are pairs (identity, 120 digits). Points that coincide share an identity. In the first layer p and q meet
    if and only if p + q = p_i + p_j, which is decided in Fractions. In later layers i and j meet by construction; all
    other places must be visibly apart, else the enumeration would need a proof and stops.
    """
    with localcontext() as context:
        context.prec = DIGITS
        where = {p: Decimal(p.numerator) / Decimal(p.denominator) for p in places}
        identity = list(places)
        active, layer = set(range(len(places))), 0
        while active:
            i = min(active, key=lambda k: where[identity[k]])
            mates = [k for k in active if labels[k] == labels[i] and where[identity[k]] > where[identity[i]]]
            if not mates:
                active -= {k for k in active if identity[k] == identity[i]}
                continue
            j = min(mates, key=lambda k: where[identity[k]])
            identity = _fold(identity, identity[i], identity[j], where, layer)
            layer, active = layer + 1, set(range(len(places)))
            pairs = itertools.combinations(range(len(places)), 2)
            confused = {(a, b) for a, b in pairs if identity[a] == identity[b] and labels[a] != labels[b]}
            if confused:
                return layer, confused
    return None


def _fold(identity, first, second, where, layer):
    """Reflect about the middle of two identities; update `where` in place."""
    middle, half = (where[first] + where[second]) / 2, (where[second] - where[first]) / 2
    renamed = {second: first}
    if layer == 0:
        for p, q in itertools.combinations(set(identity), 2):
            if p + q == first + second:
                renamed[max(p, q)] = min(p, q)
    merged = [renamed.get(p, p) for p in identity]
    for p in set(merged):
        where[p] = half / ((where[p] - middle) ** 2 + half**2).sqrt()
    values = sorted(where[p] for p in set(merged))
    assert all(b - a > PROOF_NEEDED for a, b in itertools.pairwise(values)), "equality would need a proof"
    return merged


def labelings(m, classes):
    return itertools.product(range(classes), repeat=m)


def essentially_different(m, classes):
    """Labelings up to renaming the classes: the first occurrences are 0, 1, 2, …."""
    for labels in labelings(m, classes):
        if all(b <= 1 + max(labels[:k], default=-1) for k, b in enumerate(labels)):
            yield labels


def test_the_smallest_confusion_is_reported():
    with pytest.raises(MergeConfusionError) as caught:
        build([[0], [1], [2], [3]], [0, 1, 1, 1], method="pma-printed")
    error = caught.value
    assert (set(error.points), set(error.labels), error.layer) == ({0, 3}, {0, 1}, 1)
    assert first_confusion([Fraction(k) for k in range(4)], [0, 1, 1, 1]) == (1, {(0, 3)})


def test_no_three_points_confuse():
    for labels in labelings(3, 3):
        for places in ([0, 1, 2], [0, 1, 3], [0, 2, 3]):
            assert first_confusion([Fraction(p) for p in places], labels) is None
            assert merge_as_printed(Line.of(places, labels, Exact())).line.separable


def printed_agrees(points, labels, places, **options):
    """Check the printed algorithm against the enumeration; whether there was a confusion."""
    expected = first_confusion(places, labels)
    if expected is None:
        assert build_certified(points, labels, method="pma-printed", **options).certificate
        return False
    layer, pairs = expected
    with pytest.raises(MergeConfusionError) as caught:
        build(points, labels, method="pma-printed", **options)
    error = caught.value
    assert error.layer == layer
    assert tuple(sorted(error.points)) in pairs
    assert error.labels == tuple(labels[k] for k in error.points)
    return True


@pytest.mark.parametrize("arithmetic", ["exact", "dyadic"])
@pytest.mark.parametrize("direction", DIRECTIONS, ids=str)
def test_printed_reports_exactly_the_confusions_on_the_lattice(direction, arithmetic):
    places = [Fraction(direction[0] * x + direction[1] * y) for x, y in LATTICE]
    options = {"projection": direction, "arithmetic": arithmetic}
    found = Counter(printed_agrees(LATTICE, labels, places, **options) for labels in essentially_different(6, 3))
    assert found[False] > 10
    if DIRECTIONS[direction]:
        assert found[True] > 10


@pytest.mark.parametrize("arithmetic", ["exact", "dyadic"])
@given(data=st.data())
def test_printed_reports_exactly_the_confusions_on_random_lines(arithmetic, data):
    places = data.draw(st.lists(st.integers(-6, 6), min_size=4, max_size=8, unique=True))
    labels = data.draw(st.lists(st.integers(0, 2), min_size=len(places), max_size=len(places)))
    printed_agrees(places, labels, [Fraction(p) for p in places], arithmetic=arithmetic)


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=9, unique=True), st.data())
def test_two_classes_need_at_most_m_minus_2_layers(places, data):
    labels = data.draw(st.lists(st.integers(0, 1), min_size=len(places), max_size=len(places)))
    line = Line.of(sorted(places), labels, Exact())
    for complete in (False, True):
        sequence = merge_two_classes(line, complete=complete)
        assert len(sequence.folds) <= max(0, len(places) - len(set(labels)))
        assert sequence.breaks == 0
        assert sequence.line.separable
        if complete:
            assert len(sequence.line.clusters) == len(set(labels))


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=8, unique=True), st.data())
def test_any_classes_need_at_most_m_minus_k_layers_and_the_breaks(places, data):
    labels = data.draw(st.lists(st.integers(0, 3), min_size=len(places), max_size=len(places)))
    sequence = merge_any_classes(Line.of(places, labels, Exact()))
    assert sequence.line.separable
    assert len(sequence.folds) <= len(places) - len(set(labels)) + sequence.breaks


def test_a_break_is_inserted_where_the_next_fold_confuses_and_only_there():
    confusing, harmless = [0, 1, 2, 1, 2, 1], [0, 1, 2, 1, 2, 1]
    places = [0, 1, 2, 3, 4, 5]
    crowded = merge_any_classes(Line.of([0, 2, 3, 4, 5, 6], [0, 1, 2, 1, 2, 2], Exact()))
    assert merge_any_classes(Line.of([-1, 1, 2, 3, 4, 5], confusing, Exact())).breaks >= 1  # −1 and 5 mirror about 2
    assert merge_any_classes(Line.of([-1.5, *places[1:]], harmless, Exact())).breaks == 0
    assert crowded.line.separable


def test_merging_with_breaking_keeps_to_theorem_3():
    for labels in essentially_different(5, 3):
        sequence = merge_with_breaking(Line.of(range(5), labels, Exact()))
        merges = 5 - len(set(labels))
        assert len(sequence.folds) <= 2 * merges
        assert sequence.breaks * 2 == len(sequence.folds)
        assert len(sequence.line.clusters) == len(set(labels))


def test_two_classes_only():
    with pytest.raises(InputError, match="at most two classes"):
        merge_two_classes(Line.of([0, 1, 2], [0, 1, 2], Exact()))


@pytest.mark.parametrize("name", ["exact", "dyadic", "mpf", "float64", "float32"])
def test_nothing_to_do(name):
    arithmetic = arithmetic_named(name)
    with arithmetic.work():
        for labels in ([0], [0, 0, 0], [0, 1, 1], [0, 1, 2]):
            line = Line.of(range(len(labels)), labels, arithmetic)
            assert merge_any_classes(line).folds == ()


def test_leftmost_pair():
    line = Line.of([0, 1, 2, 3], [0, 1, 2, 1], Exact())
    assert leftmost_pair(line) == (1, 3)
    assert leftmost_pair(Line.of([0, 1], [0, 1], Exact())) is None
