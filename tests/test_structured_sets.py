"""Point sets with a pattern: their points, labels and what makes them hard, each derived here."""

import math
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest

from constructions.errors import InputError
from constructions.structured_sets import STRUCTURED, structured_set
from lnnet.building import build_certified
from lnnet.cli import main
from lnnet.sources import load_pattern


def rows(points):
    return [tuple(Fraction(int(x.p), int(x.q)) for x in p) for p in points.points]


@pytest.mark.parametrize(
    ("name", "size", "m", "d", "ones"),
    [
        ("alternating", 7, 7, 1, 3),
        ("nested", 3, 6, 1, 4),
        ("checkerboard", 5, 25, 2, 12),
        ("spirals", 10, 20, 2, 10),
        ("rings", 3, 48, 2, 32),
        ("parity", 3, 27, 3, 13),
    ],
)
def test_sizes(name, size, m, d, ones):
    points = structured_set(name, size)
    assert (len(points), points.dimension, points.classes) == (m, d, (0, 1))
    assert sum(points.labels) == ones
    assert STRUCTURED[name][1](size) == m


@pytest.mark.parametrize(("name", "d"), [("alternating", 1), ("checkerboard", 2), ("parity", 3)])
def test_neighbours_on_a_lattice_differ(name, d):
    points = structured_set(name, 4)
    labels = dict(zip(rows(points), points.labels, strict=True))
    assert len(labels) == 4**d
    for place in labels:
        for k in range(d):
            beside = (*place[:k], place[k] + 1, *place[k + 1 :])
            assert labels.get(beside, 1 - labels[place]) != labels[place]


def test_nested_intervals_are_even_and_alternate_outwards():
    points = structured_set("nested", 5)
    labels = {x: label for (x,), label in zip(rows(points), points.labels, strict=True)}
    assert sorted(labels) == [-5, -4, -3, -2, -1, 1, 2, 3, 4, 5]
    assert all(labels[x] == labels[-x] for x in labels)
    assert all(labels[k] != labels[k + 1] for k in range(1, 5))


def test_the_spirals_are_those_of_lang_and_witbrock():
    """Point k of 97 lies at radius 6.5·(104 − k)/104 and angle kπ/16; the other arm is its mirror image in 0."""
    points = structured_set("spirals", 97)
    places = rows(points)
    for k in range(97):
        radius, angle = 6.5 * (104 - k) / 104, k * math.pi / 16
        (x, y), mirrored = places[2 * k], places[2 * k + 1]
        assert abs(x - Fraction(radius * math.sin(angle))) < Fraction(1, 10**6)
        assert abs(y - Fraction(radius * math.cos(angle))) < Fraction(1, 10**6)
        assert mirrored == (-x, -y)
    assert points.labels == (0, 1) * 97


def test_rings_are_concentric_and_alternate():
    points = structured_set("rings", 4)
    radii = Counter()
    for (x, y), label in zip(rows(points), points.labels, strict=True):
        radius = math.hypot(x, y)
        assert abs(radius - round(radius)) < 1e-5
        assert label == round(radius) % 2
        radii[round(radius)] += 1
    assert radii == {1: 16, 2: 16, 3: 16, 4: 16}
    axis = sorted((x, label) for (x, y), label in zip(rows(points), points.labels, strict=True) if y == 0)
    assert [x for x, _ in axis] == [-4, -3, -2, -1, 1, 2, 3, 4]
    assert sum(a != b for (_, a), (_, b) in pairwise(axis)) == 6


@pytest.mark.parametrize("name", STRUCTURED)
def test_small_sets_are_built_and_certified(name):
    points = structured_set(name, 3)
    assert build_certified(points, method="shallow").certificate


@pytest.mark.parametrize(
    ("name", "size", "message"),
    [
        ("alternating", 1, "at least 2"),
        ("rings", -3, "at least 2"),
        ("rings", 2.0, "integer"),
        ("rings", True, "integer"),
        ("parity", 101, "at most 1000000"),
        ("alternating", 10**30, "at most 1000000"),
        ("moons", 5, "spirals"),
    ],
)
def test_bad_sets(name, size, message):
    with pytest.raises(InputError, match=message):
        structured_set(name, size)


def test_patterns_by_name(capsys):
    assert load_pattern("parity:3") == structured_set("parity", 3)
    for source in ("rings", "rings:", "rings:x", "rings:3:4", "rings:1.5"):
        with pytest.raises(InputError, match="needs a size, as in rings:8"):
            load_pattern(source)
    with pytest.raises(InputError, match="Unknown set"):
        load_pattern("moons:3")
    assert main(["build", "nested:3", "--json"]) == 0
    assert '"points": 6' in capsys.readouterr().out
    assert main(["build", "rings:2", "--random-labels", "3", "--json"]) == 0
    assert '"classes": 3' in capsys.readouterr().out
    assert main(["build", "rings:2", "--labels", "0"]) == 2
    assert "labels of its own" in capsys.readouterr().err
    assert main(["build", "spirals"]) == 2
    assert "needs a size" in capsys.readouterr().err
