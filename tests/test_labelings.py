"""Counting labelings up to renaming their classes."""

import itertools

import pytest

from constructions.errors import InputError
from proofs.shattering.labelings import (
    from_bits,
    multiplicity,
    number_of_representatives,
    parse_labelling,
    representatives,
    to_bits,
    to_text,
    with_more_runs,
)


@pytest.mark.parametrize(("m", "classes"), [(1, 2), (5, 2), (5, 3), (4, 6), (6, 4)])
def test_representatives_stand_for_every_labelling_once(m, classes):
    found = list(representatives(m, classes))
    assert len(found) == number_of_representatives(m, classes)
    assert sum(multiplicity(labels, classes) for labels in found) == classes**m

    def partition(labels):
        return frozenset(frozenset(k for k in range(m) if labels[k] == c) for c in set(labels))

    everything = {partition(x) for x in itertools.product(range(classes), repeat=m)}
    assert {partition(x) for x in found} == everything
    assert len(everything) == len(found)


@pytest.mark.parametrize("runs", range(7))
def test_labelings_with_more_runs_than(runs):
    def number(labels):
        return 1 + sum(a != b for a, b in itertools.pairwise(labels))

    counted = sum(number(x) > runs for x in itertools.product((0, 1), repeat=6)) // 2
    assert with_more_runs(6, runs) == counted


def test_bits_and_text():
    labels = (0, 1, 1, 0, 1)
    assert to_bits(labels) == 0b10110
    assert from_bits(0b10110, 5) == labels
    assert parse_labelling(to_text(labels), 5, 2) == labels


@pytest.mark.parametrize(
    ("text", "classes"), [("011", 2), ("01100", 2), ("01x0", 2), ("0120", 2), ("01٣0", 4), ("", 2)]
)
def test_unreadable_labelings_are_refused(text, classes):
    with pytest.raises(InputError, match="labelling"):
        parse_labelling(text, 4, classes)
