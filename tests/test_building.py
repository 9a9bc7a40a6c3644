"""Build then certify: every small labelling, hostile points, real data, every arithmetic."""

import itertools
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from exact_evaluation import margin, outputs, real
from flint import fmpq
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import hostile_points

from constructions.errors import (
    DegenerateNormalizationError,
    InputError,
    LNNetError,
    MergeConfusionError,
    UndecidedError,
    UnrepresentableError,
)
from constructions.network import Affine
from constructions.points import LabeledPoints
from lnnet import build, build_certified, certify
from lnnet.methods import METHODS
from lnnet.sources import load_dataset, random_labels
from proofs.checker import check
from proofs.checker_mpmath import check_with_mpmath

SMALL = {
    "0..6 on the line": [[k] for k in range(7)],
    "six points of a lattice": [[x, y] for x in range(3) for y in range(2)],
    "five points in R^3": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]],
}
HONEST = [name for name in METHODS if name != "pma-printed"]


@pytest.mark.parametrize("name", SMALL)
def test_every_labelling_into_three_classes(name):
    """K = 2 is among them; the labels are taken as they are, not up to renaming."""
    points = SMALL[name]
    for labels in itertools.product(range(3), repeat=len(points)):
        built = build_certified(points, labels)
        assert built.certificate.verdict == "certified", labels
        assert built.network.width in (0, 3)
        if not built.breaks:
            assert built.network.depth <= len(points) - len(set(labels)), labels


@pytest.mark.parametrize("name", SMALL)
def test_every_labelling_exactly(name):
    points = SMALL[name]
    for labels in itertools.product(range(2), repeat=len(points) - 1):
        assert build_certified(points, (0, *labels), arithmetic="exact").certificate, labels


@pytest.mark.parametrize("method", HONEST)
def test_every_method_on_every_labelling_of_five_points(method):
    for labels in itertools.product(range(METHODS[method].classes or 3), repeat=4):
        assert build_certified([0, 1, 2, 3, 4], (0, *labels), method=method).certificate, labels


@given(hostile_points(), st.sampled_from(["spread", "few-runs", "powers", "random"]), st.sampled_from(HONEST))
def test_hostile_points_are_always_certified(points, projection, method):
    assume(len(points.classes) <= (METHODS[method].classes or 5))
    for arithmetic in ("dyadic", "exact"):
        built = build_certified(points, method=method, arithmetic=arithmetic, projection=projection)
        assert built.certificate.verdict == "certified"
        if not built.breaks:
            assert built.network.depth <= len(points) - len(points.classes)
        second = check_with_mpmath(built.network, points)
        assert second.outcome == "certified"
        for point, label in zip(points.points, points.labels, strict=True):  # and by plain evaluation
            found = margin(built.network, outputs(built.network, point, digits=3000), label)
            assert found is None or found >= real(built.certificate.margin) * (1 - 1e-9)


@pytest.mark.parametrize("arithmetic", ["dyadic", "exact"])
def test_five_runs_padded_to_the_depth_they_need(arithmetic):
    """Two chords take two layers although nothing is folded before them: no further layer is put in front."""
    for method in ("shallow", "double"):
        net = build([0, 1, 2, 3, 4], [0, 1, 0, 1, 0], method=method, arithmetic=arithmetic, depth=2)
        assert net.depth == 2
        assert check(net, LabeledPoints.of([0, 1, 2, 3, 4], [0, 1, 0, 1, 0])).outcome == "certified"


@given(hostile_points(max_points=6), st.sampled_from(["mpf", "float64", "float32"]))
def test_other_arithmetics_certify_or_say_why_not(points, arithmetic):
    try:
        built = build_certified(points, arithmetic=arithmetic)
    except (UndecidedError, UnrepresentableError, DegenerateNormalizationError):
        assert arithmetic != "mpf"  # its precision rises until the network is certified
        return
    assert built.certificate.verdict == "certified" or arithmetic != "mpf"
    assert certify(built.network, points).verdict == built.certificate.verdict
    if arithmetic.startswith("float"):
        dtype = np.dtype(arithmetic)
        for layer, (weight, bias) in zip(built.network.layers, built.network.to_numpy(dtype), strict=True):
            assert Affine.of(weight, bias) == layer  # the weights are floats of this kind


@given(st.data())
def test_a_flipped_bit_label_or_point_is_certified_only_if_true(data):
    points = data.draw(hostile_points(max_points=6, max_dimension=3, max_classes=3))
    assume(len(points.classes) > 1)
    net = build_certified(points).network
    what = data.draw(st.sampled_from(["bit", "bit", "label", "point"]))
    if what == "label":
        k = data.draw(st.integers(0, len(points) - 1))
        others = [name for name in net.classes if name != points.labels[k]]
        labels = list(points.labels)
        labels[k] = data.draw(st.sampled_from(others))
        points = points.relabel(labels)
        assert check(net, points).outcome == "refuted"
        assert check_with_mpmath(net, points).outcome == "refuted"
        return
    if what == "point":
        k = data.draw(st.integers(0, len(points) - 1))
        moved = [list(p) for p in points.points]
        moved[k][0] += data.draw(st.sampled_from([fmpq(1, 10**6), fmpq(-1), fmpq(10), fmpq(1, 3)]))
        try:
            points = LabeledPoints.of(moved, points.labels)
        except InputError:
            assume(False)
    else:
        number = data.draw(st.integers(0, net.depth))
        net = with_flipped_bit(net, number, data.draw(st.randoms(use_true_random=False)))
    try:
        verdict = check(net, points, max_bits=1 << 13)
    except DegenerateNormalizationError:
        return
    true = all(
        (found := outputs(net, p, digits=3000)) is not None and margin(net, found, label) > 0
        for p, label in zip(points.points, points.labels, strict=True)
    )
    assert verdict.outcome == ("certified" if true else "refuted")
    assert check_with_mpmath(net, points, max_bits=1 << 14).outcome == verdict.outcome


def with_flipped_bit(net, number, generator):
    """One bit of one nonzero weight or bias of an affine map inverted."""
    layer = net.layers[number]
    entries = [(i, k) for i, row in enumerate(layer.weight) for k, x in enumerate(row) if x != 0]
    entries += [(i, None) for i, x in enumerate(layer.bias) if x != 0]
    i, k = generator.choice(entries)
    value = layer.bias[i] if k is None else layer.weight[i][k]
    bit = generator.randrange(max(1, abs(value.p).bit_length()))
    changed = fmpq(int(value.p) ^ (1 << bit), value.q) if value > 0 else fmpq(-(int(-value.p) ^ (1 << bit)), value.q)
    weight, bias = [list(row) for row in layer.weight], list(layer.bias)
    if k is None:
        bias[i] = changed
    else:
        weight[i][k] = changed
    layers = list(net.layers)
    layers[number] = Affine.of(weight, bias)
    return replace(net, layers=tuple(layers))


@pytest.mark.parametrize("flips", range(3))
def test_the_highest_bit_of_a_cut_is_refuted(flips):
    """A negative control that does not depend on chance: the read-out's cut moves far beyond the margin."""
    points = LabeledPoints.of([[0], [1], [2], [3]], [0, 1, 0, 1])
    net = build_certified(points).network
    last = net.layers[-1]
    wrong = Affine.of(last.weight, [last.bias[0] + (-1) ** flips * 2**flips])
    for judge in (check, check_with_mpmath):
        assert judge(replace(net, layers=(*net.layers[:-1], wrong)), points).outcome == "refuted"


@pytest.mark.parametrize("labels", ["true", "random"])
def test_digits(labels):
    rows, names = load_dataset("digits")
    points = LabeledPoints.of(rows, names) if labels == "true" else random_labels(rows, 10, seed=0)
    built = build_certified(points)
    assert len(points) == 1797
    assert built.certificate.verdict == "certified"
    assert built.network.width == 3
    assert built.breaks > 0 or built.network.depth <= 1797 - 10
    wrong = list(points.labels)
    wrong[1000] = (wrong[1000] + 1) % 10
    assert check(built.network, points.relabel(wrong)).outcome == "refuted"


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer"])
def test_other_data_sets(name):
    rows, labels = load_dataset(name)
    built = build_certified(rows, labels)
    assert built.certificate
    assert built.network.depth <= len(built.certificate.points) - len(set(labels)) + built.breaks


GAP = Fraction(1, 2**63)


@pytest.mark.parametrize("arithmetic", ["exact", "dyadic", "mpf"])
@pytest.mark.parametrize(
    ("points", "labels"),
    [
        ([1, 1 + GAP], [0, 1]),  # neighbours a last place apart: a cut must fall strictly between them
        ([1, 1 + GAP, 1 + 2 * GAP], [0, 1, 0]),
        ([1, 1 + GAP, 1 + 2 * GAP], [0, 1, 2]),
        ([1, 1 + GAP / 2**900, 2], [0, 1, 0]),
        ([-1, -1 + GAP**5, 10**300, 10**300 + 1], [0, 1, 0, 1]),
        (["1e-300", "-1e-300", "2e-300", 0], [0, 1, 0, 1]),
        ([0, 1, 2, 3, 4, 5], [0, 1, 1, 1, 1, 0]),  # points meet that only rounding keeps apart
    ],
)
def test_points_that_rounding_would_merge(points, labels, arithmetic):
    assert build_certified(points, labels, arithmetic=arithmetic).certificate.verdict == "certified"


@pytest.mark.parametrize("arithmetic", ["exact", "dyadic", "mpf", "float64", "float32"])
@pytest.mark.parametrize(
    ("points", "labels"),
    [
        ([[5]], ["only"]),
        ([[1, 2], [3, 4]], ["same", "same"]),
        ([[1, 2], [3, 4]], [None, ("a", 1)]),
        ([[0], [1], [2]], [True, False, True]),
        ([[0], [0], [1]], [2.5, 2.5, "x"]),
    ],
)
def test_small_sets_and_odd_labels(points, labels, arithmetic):
    built = build_certified(points, labels, arithmetic=arithmetic)
    assert built.certificate.verdict == "certified"
    for point, label in zip(points, labels, strict=True):
        assert built.network.predict(point) == label


@pytest.mark.parametrize("arithmetic", ["exact", "dyadic", "float64"])
@pytest.mark.parametrize("depth", [1, 2, 5])
def test_depth_is_met_exactly(arithmetic, depth):
    for points, labels in (([[5]], [0]), ([0, 1], [0, 1]), ([0, 1, 2], [0, 1, 0]), ([0, 1, 2], [2, 1, 0])):
        built = build_certified(points, labels, arithmetic=arithmetic, depth=depth)
        assert built.network.depth == depth
        assert built.certificate.verdict == "certified"


def test_depth_that_cannot_be():
    for depth in (-1, 0, 1 << 40):
        with pytest.raises(InputError):
            build([0, 1, 2], [0, 1, 0], depth=depth)
    assert build([0, 1], [0, 1], depth=0).depth == 0


@pytest.mark.parametrize("bits", [2, 3, 5, 8])
def test_too_few_bits_are_undecided_or_certified(bits):
    for labels in itertools.product(range(2), repeat=5):
        try:
            built = build_certified([0, 1, 2, 3, 4], labels, bits=bits)
        except UndecidedError:
            continue
        second = check_with_mpmath(built.network, built.certificate.points)
        assert built.certificate.verdict == second.outcome
        assert all(
            _mantissa(x) <= bits for layer in built.network.layers for x in (*layer.bias, *sum(layer.weight, ()))
        )


def _mantissa(value):
    number = abs(int(value.p))
    return number.bit_length() - ((number & -number).bit_length() - 1 if number else 0)


@pytest.mark.parametrize(
    "options",
    [
        {"method": "magic"},
        {"arithmetic": "decimal"},
        {"projection": "nowhere"},
        {"projection": (1, 2)},
        {"projection": (0,)},
        {"projection": ("nan",)},
        {"bits": 1},
        {"bits": -5},
        {"bits": 10**9},
        {"bits": 64, "arithmetic": "exact"},
        {"bits": 53, "arithmetic": "float64"},
    ],
    ids=str,
)
def test_unusable_options(options):
    with pytest.raises(InputError) as caught:
        build([0, 1, 2], [0, 1, 0], **options)
    assert len(str(caught.value)) > 20


def test_the_same_seed_gives_the_same_network():
    generator = random.Random(1)
    points = [[generator.randrange(9) for _ in range(3)] for _ in range(12)]
    points = [list(p) for p in dict.fromkeys(map(tuple, points))]
    labels = [generator.randrange(2) for _ in points]
    nets = [build(points, labels, projection="random", seed=s) for s in (5, 5, 6)]
    assert nets[0] == nets[1]
    assert nets[0] != nets[2]


def test_confusions_are_named_in_the_order_of_the_input():
    rows = [[7], [7], [0], [1], [2], [3]]  # row 1 repeats row 0
    with pytest.raises(MergeConfusionError) as caught:
        build(rows, [1, 1, 0, 1, 1, 1], method="pma-printed")
    assert set(caught.value.points) == {2, 5}


def test_errors_are_of_the_tree():
    for points, labels in (([], []), ([[1], [1]], [0, 1]), (None, None)):
        with pytest.raises(LNNetError):
            build(points, labels)


def test_progress_is_reported():
    seen = []
    build_certified([0, 1, 2, 3], [0, 1, 0, 1], watch=lambda text, done, total: seen.append((text, done, total)))
    assert {text for text, _, _ in seen} == {"building", "checking"}
    assert seen[-1] == ("checking", 4, 4)
