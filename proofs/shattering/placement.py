"""The line on which labelings are walked: exact positions, scaled to the unit interval and enclosed by floats."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nextafter

import numpy as np
from flint import fmpq

from constructions.errors import InputError
from constructions.points import LabeledPoints, Point
from constructions.projection import project
from constructions.rational import is_dyadic, round_to_bits, scale_binary, to_rational
from proofs.shattering.enclosure import Floats

#: How far, in bits below the spread of the points, the origin of the line may be off the first point.
_ORIGIN_BITS = 60


@dataclass(frozen=True)
class Placement:
    """Distinct points on a line, position = direction·x/2^exponent − origin.

    Attributes:
        points: m distinct points in input order.
        direction: d dyadic rationals.
        exponent: binary logarithm of the scale.
        origin: a dyadic rational, in units of the scale.
        order: numbers of the points from left to right.
        lower, upper: shape (m,): positions from left to right, enclosed.
    """

    points: tuple[Point, ...]
    direction: tuple[fmpq, ...]
    exponent: int
    origin: fmpq
    order: tuple[int, ...]
    lower: Floats
    upper: Floats


def place(points: LabeledPoints) -> Placement:
    """Put points on a line by the projection with the widest gaps (`constructions.projection`).

    Args:
        points: the points; their labels don't matter.
    """
    projection = project(points, "spread")
    if not all(is_dyadic(x) for x in projection.direction):
        raise InputError("The direction of the projection must have dyadic entries.")
    positions = projection.positions
    order = tuple(sorted(range(len(points)), key=positions.__getitem__))
    first, last = positions[order[0]], positions[order[-1]]
    spread = last - first
    exponent = spread.p.bit_length() - spread.q.bit_length() + 1 if spread else 0
    start = scale_binary(first, -exponent)
    if not (is_dyadic(start) and start.p.bit_length() <= 53):
        size = abs(start)
        bits = _ORIGIN_BITS + max(0, size.p.bit_length() - size.q.bit_length())
        start = round_to_bits(start, bits)
    bounds = [_enclosed(scale_binary(positions[k], -exponent) - start) for k in order]
    return Placement(
        points.points,
        projection.direction,
        exponent,
        start,
        order,
        np.array([low for low, _ in bounds]),
        np.array([high for _, high in bounds]),
    )


def _enclosed(value: fmpq) -> tuple[float, float]:
    nearest = int(value.p) / int(value.q)
    exact = to_rational(nearest)
    return (
        nearest if exact <= value else nextafter(nearest, -inf),
        nearest if exact >= value else nextafter(nearest, inf),
    )
