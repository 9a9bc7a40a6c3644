"""Every labelling is reached once, and what the filter certifies the ball checker certifies too."""

import itertools
import random

import numpy as np
import pytest

from constructions.points import LabeledPoints
from constructions.rational import to_rational
from proofs.checker import check
from proofs.shattering import trie
from proofs.shattering.enclosure import Folds
from proofs.shattering.labelings import from_bits
from proofs.shattering.placement import place
from proofs.shattering.recipe import Chain, Paths, network_of, read_out, recipe_digests
from proofs.shattering.trie import walk


def point_sets(m):
    rng = random.Random(m)
    return {
        "lattice": list(range(m)),
        "general": [rng.random() for _ in range(m)],
        "clustered": [k % 3 + rng.gauss(0, 1) / 100 for k in range(m)],
        "far": [10**9 + rng.random() for _ in range(m)],
        "thirds": [f"{k}/3" for k in rng.sample(range(-50, 50), m)],
        "tiny": [f"{k * k}e-300" for k in range(m)],
        "space": [[rng.gauss(0, 1) for _ in range(3)] for _ in range(m)],
        "symmetric": [k - (m - 1) / 2 for k in range(m)],
    }


def line_of(points):
    placement = place(LabeledPoints.of(points, [0] * len(points)))
    return placement, (placement.order, placement.lower, placement.upper)


def leaves_by_labelling(points, depth):
    """Labelling → (certified, margin, layers, digest)."""
    placement, line = line_of(points)
    found = {}
    for leaves in walk(*line, Chain.start(placement)):
        out = read_out(leaves)
        codes = recipe_digests(leaves.record, out, depth)
        for k, bits in enumerate(leaves.labels.tolist()):
            assert bits not in found
            found[bits] = out.margin[k] > 0, out.margin[k], leaves.depth[k], codes[k].tobytes()
    return placement, found


def rebuilt(placement, line, bits, depth):
    (leaf,) = walk(*line, Paths.start(1, 20), chosen=np.array([bits]))
    out = read_out(leaf)
    return network_of(placement, leaf.record.folds(0), float(out.sign[0]), float(out.cut[0]), depth)


def runs(labels, order):
    along = [labels[k] for k in order]
    return 1 + sum(a != b for a, b in itertools.pairwise(along))


@pytest.mark.parametrize("m", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("kind", point_sets(6))
def test_every_labelling_is_certified_and_the_checker_agrees(kind, m):
    points = point_sets(m)[kind]
    depth = max(1, m - 2)
    placement, found = leaves_by_labelling(points, depth)
    line = placement.order, placement.lower, placement.upper
    expected = [x for x in itertools.product((0, 1), repeat=m) if x[placement.order[0]] == 0]
    assert sorted(from_bits(bits, m) for bits in found) == sorted(expected)
    for bits, (certified, margin, layers, _) in found.items():
        labels = from_bits(bits, m)
        assert certified, (labels, margin)
        assert layers == max(0, runs(labels, placement.order) - 2)
        net = rebuilt(placement, line, bits, depth)
        assert (net.depth, net.width) == (depth, 3)
        assert net.semantics == "float64" or kind in ("far", "general", "clustered", "thirds", "tiny", "space")
        verdict = check(net, LabeledPoints.of(points, labels), floor=to_rational(float(margin)))
        assert verdict, (labels, verdict)


@pytest.mark.parametrize("kind", ["lattice", "general"])
def test_all_labelings_of_eight_points(kind):
    points = point_sets(8)[kind]
    placement, found = leaves_by_labelling(points, 6)
    line = placement.order, placement.lower, placement.upper
    assert len(found) == 128
    for bits, (certified, *_) in found.items():
        assert certified
        assert check(rebuilt(placement, line, bits, 6), LabeledPoints.of(points, from_bits(bits, 8)))


@pytest.mark.parametrize("kind", ["lattice", "general", "clustered", "space"])
def test_larger_sets_lose_no_labelling(kind):
    m = 13
    points = point_sets(m)[kind]
    placement, found = leaves_by_labelling(points, m - 2)
    assert len(found) == 2 ** (m - 1)
    assert all(certified for certified, *_ in found.values())
    line = placement.order, placement.lower, placement.upper
    for bits in random.Random(0).sample(sorted(found), 12):
        assert check(rebuilt(placement, line, bits, m - 2), LabeledPoints.of(points, from_bits(bits, m)))


def test_a_labelling_walked_alone_gets_the_same_folds():
    points = point_sets(9)["general"]
    placement, found = leaves_by_labelling(points, 7)
    line = placement.order, placement.lower, placement.upper
    for bits, (_, margin, _, code) in found.items():
        (leaf,) = walk(*line, Chain.start(placement), chosen=np.array([bits]))
        out = read_out(leaf)
        assert recipe_digests(leaf.record, out, 7)[0].tobytes() == code
        assert out.margin[0] == margin
    assert len({code for *_, code in found.values()}) == len(found)


def test_prescribed_labels_split_the_trie():
    points = point_sets(7)["lattice"]
    _, line = line_of(points)
    whole = sorted(
        x for leaves in walk(*line, Chain.start(place(LabeledPoints.of(points, [0] * 7)))) for x in leaves.labels
    )
    placement, _ = line_of(points)
    parts = [
        int(x)
        for values in (0, 1 << 6, 1 << 3, 1 << 6 | 1 << 3)
        for leaves in walk(*line, Chain.start(placement), fixed=1 << 6 | 1 << 3, values=values)
        for x in leaves.labels
    ]
    assert sorted(parts) == whole
    assert not list(walk(*line, Chain.start(placement), fixed=1, values=1))


def bad_choice(lower, upper):
    """Folds about the right end: they keep the order of the runs and join nothing."""
    n = lower.shape[1]
    return Folds(upper[-1] + 1, np.ones(n), np.zeros(n), np.ones(n))


def test_a_broken_fold_falls_through(monkeypatch):
    points = point_sets(6)["lattice"]
    placement, line = line_of(points)
    monkeypatch.setattr(trie, "choose", bad_choice)
    _, found = leaves_by_labelling(points, 4)
    fell = [bits for bits, (certified, _, layers, _) in found.items() if layers and not certified]
    assert len(fell) == sum(layers > 0 for _, _, layers, _ in found.values())
    for bits in fell:  # and the checker refutes the network, so falling through was right
        verdict = check(rebuilt(placement, line, bits, 4), LabeledPoints.of(points, from_bits(bits, 6)))
        assert verdict.outcome == "refuted"


def test_a_flipped_weight_is_refuted():
    points = point_sets(6)["lattice"]
    placement, line = line_of(points)
    labels = (0, 1, 0, 1, 0, 1)
    bits = sum(x << k for k, x in enumerate(labels))
    (leaf,) = walk(*line, Paths.start(1, 20), chosen=np.array([bits]))
    out = read_out(leaf)
    spoiled = leaf.record.folds(0).copy()
    spoiled[1, 0] *= -1
    good = network_of(placement, leaf.record.folds(0), float(out.sign[0]), float(out.cut[0]), 4)
    bad = network_of(placement, spoiled, float(out.sign[0]), float(out.cut[0]), 4)
    assert check(good, LabeledPoints.of(points, labels))
    assert check(bad, LabeledPoints.of(points, labels)).outcome == "refuted"
