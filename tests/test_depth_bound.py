"""Bounds from below on depth, against networks tried by the thousand, certified witnesses, and sums done otherwise."""

import itertools
import random
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import proofs.depth_bound
from constructions.errors import InputError
from constructions.points import LabeledPoints
from lnnet.building import build_certified
from proofs.depth_bound import (
    central_cells,
    changes_on_lines,
    components,
    cyclic_orders,
    labelings_bound,
    least_depth,
    least_depth_on_lines,
    most_changes,
)
from proofs.shattered_set import load_witness, witness_names


def seen_labelings(points, depth, classes, trials, seed=0):
    """The labelings that random width-3 networks of a depth give to points, evaluated as they are defined."""
    generator = np.random.default_rng(seed)
    x = np.array(points, float).reshape(len(points), -1)
    found = set()
    for _ in range(trials):
        z = x
        for _ in range(depth):
            h = (
                z @ generator.normal(size=(z.shape[1], 3)) * generator.choice([0.3, 1, 3])
                + generator.normal(size=3) * 3
            )
            z = (h - h.mean(axis=1, keepdims=True)) / h.std(axis=1, keepdims=True)
        outputs = z @ generator.normal(size=(z.shape[1], classes)) + generator.normal(size=classes)
        found.add(tuple(outputs.argmax(axis=1).tolist()))
    return found


def changes(labels):
    return sum(a != b for a, b in itertools.pairwise(labels))


def test_one_layer_on_the_line_realises_exactly_the_labelings_of_two_changes():
    found = seen_labelings([0, 1, 2.5, 3, 4.2], 1, 2, 40_000)
    allowed = {labels for labels in itertools.product((0, 1), repeat=5) if changes(labels) <= 2}
    assert found == allowed
    assert len(allowed) == labelings_bound(5, 1, 1) == 22


@pytest.mark.parametrize(("depth", "classes"), [(0, 2), (1, 2), (2, 2), (1, 3), (2, 3), (1, 4)])
def test_changes_along_a_line(depth, classes):
    """Never more than (K − 1)·2^L; with one layer, so many are seen."""
    found = seen_labelings(np.linspace(-2, 2, 30), depth, classes, 20_000)
    most = max(map(changes, found))
    assert most <= most_changes(depth, classes)
    if depth == 1 and classes < 4:
        assert most == most_changes(depth, classes)


@pytest.mark.parametrize(
    ("m", "d", "depth", "classes"), [(6, 2, 1, 2), (7, 1, 2, 2), (6, 1, 1, 3), (7, 2, 0, 2), (5, 1, 0, 3)]
)
def test_no_more_labelings_are_seen_than_counted(m, d, depth, classes):
    points = np.random.default_rng(m).normal(size=(m, d))
    found = seen_labelings(points, depth, classes, 20_000)
    assert len(found) <= labelings_bound(m, depth, d, classes) <= classes**m
    assert len(found) > labelings_bound(m, depth, d, classes) / 8  # and not absurdly many more


def test_a_linear_read_out_in_general_position():
    """Cover's count is exact: 2·(1 + 5 + 10) splits of six points of the plane, all seen."""
    points = np.random.default_rng(3).normal(size=(6, 2))
    assert len(seen_labelings(points, 0, 2, 60_000)) == labelings_bound(6, 0, 2) == 32


def test_no_certified_witness_is_excluded():
    """Where all labelings are certified, the count must allow all."""
    assert witness_names()
    for name in witness_names():
        witness = load_witness(name)
        m = len(witness.points)
        assert labelings_bound(m, witness.depth, witness.dimension) == 2**m, name
        assert least_depth(m, witness.dimension) <= witness.depth


def test_a_bound_that_claims_too_much_is_contradicted(monkeypatch):
    monkeypatch.setattr(proofs.depth_bound, "most_changes", lambda depth, classes=2: (classes - 1) << (depth - 1))
    with pytest.raises(AssertionError):
        test_no_certified_witness_is_excluded()
    with pytest.raises(AssertionError):
        test_one_layer_on_the_line_realises_exactly_the_labelings_of_two_changes()


def test_on_the_line():
    """2^L + 1 points: 3, 5, 9, 17, … are not excluded, one more is."""
    for depth in range(1, 8):
        m = 2**depth + 1
        assert least_depth(m, 1) == depth
        assert least_depth(m + 1, 1) == depth + 1


def test_rotational_orders():
    """Of four points seen from a thousand places no more cyclic orders than cells, and every cell's is seen."""
    points = np.array([[0, 0], [3, 0.2], [1, 2], [1.4, 0.9]])
    generator = random.Random(1)
    found = set()
    for _ in range(20_000):
        way = points - [generator.uniform(-9, 9), generator.uniform(-9, 9)]
        order = np.argsort(np.arctan2(way[:, 1], way[:, 0])).tolist()
        start = order.index(0)
        turned = order[start:] + order[:start]
        found.add(min(tuple(turned), (turned[0], *turned[:0:-1])))
    assert 1 < len(found) <= cyclic_orders(4, 2) == 1 + 6 + 15
    assert cyclic_orders(9, 1) == 1


@pytest.mark.parametrize(("n", "degree", "k"), [(1, 1, 1), (7, 3, 1), (5, 2, 2), (4, 1, 3), (30, 6, 8)])
def test_components_as_the_sum_is_written(n, degree, k):
    assert components(n, degree, k) == 2 * (2 * degree) ** k * sum(2**i * comb(n, i) for i in range(k + 1))
    if k == 1:  # n polynomials of degree D have at most nD zeros
        assert components(n, degree, k) >= n * degree + 1
    if degree == 1:  # n hyperplanes in general position
        assert components(n, degree, k) >= sum(comb(n, i) for i in range(k + 1))
    assert components(n, degree, 0) == 1


def test_central_cells():
    assert central_cells(5, 2) == 10  # five lines through 0 in the plane
    assert central_cells(3, 3) == 8  # the octants
    assert central_cells(4, 9) == 16


@pytest.mark.parametrize("classes", [2, 3, 10])
def test_monotone(classes):
    """More layers, more labelings; more points, more layers; a demand on nearly all is no stronger than one on some."""
    counts = [labelings_bound(60, depth, 2, classes) for depth in range(6)]
    assert counts == sorted(counts)
    depths = [least_depth(m, 2, classes) for m in range(1, 400, 13)]
    assert depths == sorted(depths)
    assert all(least_depth(m, 2, classes, spare=10) <= least_depth(m, 2, classes) for m in range(1, 400, 37))


def test_the_order_of_growth():
    """Four parameters a layer and a degree near 2^L make about 4L² bits: √m/2 is approached from below."""
    ratios = [least_depth(m, 2) / m**0.5 for m in (500, 2000, 8000)]
    assert ratios == sorted(ratios)
    assert ratios[-1] < 0.5


@given(st.lists(st.booleans(), min_size=2, max_size=40))
def test_on_a_line_the_depth_follows_from_the_changes(labels):
    points = LabeledPoints.of(range(len(labels)), labels)
    assert changes_on_lines(points) == changes(labels)
    depth = least_depth_on_lines(points)
    assert 2**depth >= changes(labels)
    assert depth == 0 or 2 ** (depth - 1) < changes(labels)
    assert build_certified(points, method="shallow").network.depth >= depth


def test_lines_in_the_plane():
    board = [(x, y) for x in range(5) for y in range(5)]
    assert changes_on_lines(LabeledPoints.of(board, [(x + y) % 2 for x, y in board])) == 4
    slanted = [(k, 2 * k, "1/3") for k in (3, -1, 0, 2, 1)] + [(0, 5, 7)]  # five points of a line, out of order
    assert changes_on_lines(LabeledPoints.of(slanted, [1, 1, 0, 0, 1, 0])) == 4
    assert least_depth_on_lines(LabeledPoints.of(slanted, [1, 1, 0, 0, 1, 0])) == 2
    assert least_depth_on_lines(LabeledPoints.of([3], ["a"])) == 0
    three = LabeledPoints.of(range(7), [0, 1, 2, 0, 1, 2, 0])  # 6 changes, 2·2^L of them in L layers
    assert least_depth_on_lines(three) == 2


def test_the_page_shows_these_numbers():
    page = (Path(__file__).parents[1] / "docs" / "depth.md").read_text(encoding="utf-8")
    sizes, depths = (
        [int(cell.replace(",", "")) for cell in line.strip("| ").split("|")[1:]]
        for line in page.splitlines()
        if line.startswith(("| m points of the plane", "| layers that all labelings"))
    )
    assert len(sizes) == 7
    assert depths == [least_depth(m, 2, spare=10) for m in sizes]


def test_bad_input():
    for arguments in ((0, 1, 1, 2), (1, -1, 1, 2), (1, 1, 0, 2), (1, 1, 1, 1)):
        with pytest.raises(InputError, match="at least"):
            labelings_bound(*arguments)
    with pytest.raises(InputError, match="spare"):
        least_depth(5, 1, spare=-1)
