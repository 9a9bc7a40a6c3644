import itertools
from math import comb

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions.chains import Chain, chain_labelings, chain_network, conic_angles
from constructions.errors import InputError, ShapeError
from constructions.points import LabeledPoints
from proofs.checker import check
from proofs.checker_mpmath import check_with_mpmath


def random_case(seed, m, d, layers):
    rng = np.random.default_rng(seed)
    points = rng.integers(-40, 41, size=(m, d))
    while len(np.unique(points, axis=0)) < m:
        points = rng.integers(-40, 41, size=(m, d))
    matrices = [rng.integers(-64, 65, size=(2, d + 1 if k == 0 else 3)) / 16 for k in range(layers)]
    return points, matrices


def cyclic_changes(labels):
    return sum(a != b for a, b in zip(labels, [*labels[1:], labels[0]], strict=True))


@given(st.integers(0, 10**6), st.integers(3, 9), st.integers(1, 3), st.integers(1, 3), st.data())
def test_up_to_four_changes_around_the_conic(seed, m, d, layers, data):
    points, matrices = random_case(seed, m, d, layers)
    angles = conic_angles(matrices, points.astype(float))
    order = np.argsort(angles)
    around = np.sort(angles)
    if np.min(np.diff(np.append(around, around[0] + 2 * np.pi))) < 1e-6:
        return  # two points nearly in one place
    cuts = data.draw(st.lists(st.integers(0, m - 1), max_size=4, unique=True).filter(lambda c: len(c) % 2 == 0))
    labels = np.zeros(m, int)
    for cut in cuts:
        labels[order[cut:]] ^= 1
    labelled = LabeledPoints.of(points.tolist(), labels.tolist())
    net = chain_network(Chain.of([a.tolist() for a in matrices]), labelled)
    assert (net.depth, net.width) == (layers + 1, 3)
    assert check(net, labelled).outcome == "certified"
    assert check_with_mpmath(net, labelled).outcome == "certified"
    flipped = labelled.relabel([1 - labelled.labels[0], *labelled.labels[1:]])
    assert check(net, flipped).outcome == "refuted"


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_angles_are_those_of_the_network(layers):
    """The neurons of every layer, run as a network, give the same place on the circle."""
    points, matrices = random_case(layers, 5, 2, layers)
    labelled = LabeledPoints.of(points.tolist(), [0] * 5)
    net = chain_network(Chain.of([a.tolist() for a in matrices]), labelled)
    for point, angle in zip(points, conic_angles(matrices, points.astype(float)), strict=True):
        n = [float(v) for v in net.states(point.tolist())[layers - 1][0]]
        u, v = (n[0] - n[1]) / 2, (n[0] + n[1] - 2 * n[2]) / 6
        assert np.arctan2(3**0.5 * v, u) == pytest.approx(angle, abs=1e-9)


@pytest.mark.parametrize("m", [4, 7])
def test_labelings_of_a_chain(m):
    """All labelings with two or four changes, and no other: 2·C(m, 2) + 2·C(m, 4) with complements."""
    points, matrices = random_case(m, m, 2, 2)
    labels, gaps = chain_labelings([a[None] for a in matrices], points.astype(float))
    order = np.argsort(conic_angles(matrices, points.astype(float)))
    expected = set()
    for bits in itertools.product((0, 1), repeat=m - 1):
        full = (0, *bits)
        if 0 < cyclic_changes([full[k] for k in order]) <= 4:
            expected.add(sum(bit << k for k, bit in enumerate(bits)))
    assert set(labels[0].tolist()) == expected
    assert len(expected) == comb(m, 2) + comb(m, 4)
    assert (gaps > 0).all()


@given(st.integers(0, 10**6), st.integers(1, 4))
def test_a_line_changes_sign_at_most_2_to_the_depth_times(seed, depth):
    """The upper bound for d = 1, tried on random networks of this depth along a fine grid."""
    rng = np.random.default_rng(seed)
    t = np.linspace(-4, 4, 4001)[:, None]
    matrices = [rng.normal(size=(2, 2 if k == 0 else 3)) for k in range(depth)]
    angle = conic_angles(matrices, t)
    signs = np.sign(np.cos(angle - rng.uniform(0, 7)) - rng.uniform(-1, 1))
    assert (np.diff(signs) != 0).sum() <= 2**depth


def test_bad_input():
    chain = Chain.of([[[1, 0], [0, 1]]])
    with pytest.raises(InputError, match="change 6 times"):
        chain_network(chain, LabeledPoints.of(range(6), [0, 1] * 3))
    with pytest.raises(ShapeError, match="takes 1 coordinates"):
        chain_network(chain, LabeledPoints.of([[0, 1]], [0]))
    with pytest.raises(InputError, match="labels 0 and 1"):
        chain_network(chain, LabeledPoints.of([0, 1], ["a", "b"]))
    for matrices in ([], [[[1, 0]]], [[[1, 0], [0, 1]], [[1, 0], [0, 1]]], [[[1], [2]]]):
        with pytest.raises(ShapeError):
            Chain.of(matrices)
    assert Chain.of([[["1/2", 0], [0, 1]]]).forms[0][0][0] == fmpq(1, 2)
