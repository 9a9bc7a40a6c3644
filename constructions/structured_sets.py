"""Labelled sets of points with a pattern, which a network may use where random labels leave it nothing to find.

Coordinates are exact: integers, or decimals of six digits where the pattern has angles.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from constructions.errors import InputError
from constructions.points import LabeledPoints

#: The most points of a set.
MAX_POINTS = 1_000_000
#: Points of a ring.
_RING = 16
_Row = tuple[tuple[int | Fraction, ...], int]


def structured_set(name: str, size: int) -> LabeledPoints:
    """A set of two classes by name.

    Args:
        name: ``"alternating"`` (``size`` points 0, 1, … of a line, classes in turn), ``"nested"`` (``size`` intervals
            [−k, k], each point in the class of the parity of the smallest that holds it: the points ±1, …, ±size),
            ``"checkerboard"`` (the squares of a board of ``size`` rows), ``"spirals"`` (two arms of ``size`` points
            and three turns; 97 are those of Lang and Witbrock, 1988), ``"rings"`` (``size`` concentric rings of 16
            points, classes in turn) or ``"parity"`` (the parity of the sum on the lattice {0, …, size − 1}³).
        size: an integer, at least 2.

    Returns:
        The points with labels 0 and 1.

    Raises:
        InputError: unknown name; a size below 2, or of more than a million points.

    >>> structured_set("nested", 2).points == ((-2,), (-1,), (1,), (2,)), structured_set("nested", 2).labels
    (True, (0, 1, 1, 0))
    """
    if name not in STRUCTURED:
        raise InputError(f"Unknown set {name!r}; there are {', '.join(STRUCTURED)}.")
    rows, count = STRUCTURED[name]
    if isinstance(size, bool) or not isinstance(size, int) or size < 2:
        raise InputError(f"The size of {name!r} must be an integer of at least 2, not {size!r}.")
    if count(size) > MAX_POINTS:
        raise InputError(f"{name}:{size} would have {count(size)} points; at most {MAX_POINTS} are made.")
    points, labels = zip(*rows(size), strict=True)
    return LabeledPoints.of(points, labels)


def _alternating(n: int) -> Iterator[_Row]:
    return (((k,), k % 2) for k in range(n))


def _nested(n: int) -> Iterator[_Row]:
    return (((k,), abs(k) % 2) for k in range(-n, n + 1) if k)


def _board(n: int) -> Iterator[_Row]:
    return ((place, sum(place) % 2) for place in product(range(n), repeat=2))


def _lattice(n: int) -> Iterator[_Row]:
    return ((place, sum(place) % 2) for place in product(range(n), repeat=3))


def _spirals(n: int) -> Iterator[_Row]:
    for k in range(n):
        x, y = _polar(6.5 - 6 * k / (n - 1), 6 * math.pi * k / (n - 1))
        yield (y, x), 0  # the angle is measured from the second axis
        yield (-y, -x), 1


def _rings(n: int) -> Iterator[_Row]:
    for radius in range(1, n + 1):
        for k in range(_RING):
            yield _polar(radius, 2 * math.pi * k / _RING), radius % 2


def _polar(radius: float, angle: float) -> tuple[Fraction, Fraction]:
    x, y = (Fraction(round(radius * f(angle) * 10**6), 10**6) for f in (math.cos, math.sin))
    return x, y


#: Name → (its points with labels, how many there are), for a given size.
STRUCTURED: dict[str, tuple[Callable[[int], Iterator[_Row]], Callable[[int], int]]] = {
    "alternating": (_alternating, lambda n: n),
    "nested": (_nested, lambda n: 2 * n),
    "checkerboard": (_board, lambda n: n**2),
    "spirals": (_spirals, lambda n: 2 * n),
    "rings": (_rings, lambda n: _RING * n),
    "parity": (_lattice, lambda n: n**3),
}
