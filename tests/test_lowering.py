"""Lowering: one affine map a layer, and a read-out that is exact."""

import itertools

import pytest
from exact_evaluation import margin, outputs
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions.arithmetic import Dyadic, Exact, arithmetic_named
from constructions.line import Line
from constructions.lowering import lower, read_out
from constructions.points import LabeledPoints
from constructions.projection_merge import merge_any_classes


@pytest.mark.parametrize("name", ["exact", "dyadic", "mpf", "float64", "float32"])
@pytest.mark.parametrize("classes", [1, 2, 3, 5])
def test_the_read_out_names_the_interval(name, classes):
    """Without any LN: classes in every order along the line, and the logits' argmax is the class."""
    arithmetic = arithmetic_named(name)
    places = [-3, -1, 0, fmpq(1, 2), 7][:classes]
    for order in itertools.islice(itertools.permutations(range(classes)), 24):
        with arithmetic.work():
            line = Line.of(places, order, arithmetic)
            net = lower((fmpq(1),), [], line, tuple(range(classes)))
        assert net.depth == 0
        assert net.readout == ("threshold" if classes == 2 else "argmax")
        for p, label in zip(places, order, strict=True):
            values = outputs(net, LabeledPoints.of([p], [0]).points[0])
            distance = margin(net, values, label)
            assert distance is None or distance > 0


def test_offsets_are_the_cuts_added_up():
    """b_{k+1} = b_k − t_k, slopes 0, 1, 2, … from left to right."""
    line = Line.of([0, 2, 4, 6], ["c", "a", "d", "b"], Exact())
    slopes, offsets = read_out(line, ("a", "b", "c", "d"))
    by_class = dict(zip("abcd", zip(slopes, offsets, strict=True), strict=True))
    assert [by_class[name][0] for name in "cadb"] == [0, 1, 2, 3]
    cuts = [by_class[a][1] - by_class[b][1] for a, b in itertools.pairwise("cadb")]
    assert all(low < cut < high for cut, (low, high) in zip(cuts, [(0, 2), (2, 4), (4, 6)], strict=True))


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=7, unique=True), st.data())
def test_layers_are_merged_into_affine_maps_of_width_three(places, data):
    labels = data.draw(st.lists(st.integers(0, 2), min_size=len(places), max_size=len(places)))
    for arithmetic in (Exact(), Dyadic(128)):
        with arithmetic.work():
            sequence = merge_any_classes(Line.of(places, labels, arithmetic))
            net = lower((fmpq(1),), sequence.folds, sequence.line, tuple(sorted(set(labels))))
        assert net.depth == len(sequence.folds)
        assert [layer.outputs for layer in net.layers[:-1]] == [3] * net.depth
        for p, label in zip(places, labels, strict=True):
            distance = margin(net, outputs(net, LabeledPoints.of([p], [0]).points[0]), label)
            assert distance is None or distance > 0
