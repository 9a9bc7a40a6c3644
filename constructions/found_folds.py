"""Between the search for folds, which is floating point, and a line with its arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from constructions.arithmetic import Arithmetic
from constructions.errors import MergeConfusionError, UndecidedError
from constructions.fold import Fold
from constructions.line import Line
from constructions.points import Label
from constructions.rational import to_rational
from constructions.spherical_projection import INTEGER
from constructions.trial_folds import Folds

#: How many of the best folds are tried in the line's own arithmetic before the search is given up.
_TRIES = 6


def in_floats(line: Line) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Positions from 0 to 1, and class numbers."""
    clusters, arithmetic = line.clusters, line.arithmetic
    first = clusters[0].position
    length = clusters[-1].position - first
    places = np.array([position_as_float(arithmetic, (c.position - first) / length) for c in clusters])
    names: dict[Label, int] = {}
    return places, np.array([names.setdefault(c.label, len(names)) for c in clusters])


def position_as_float(arithmetic: Arithmetic, position: Any) -> float:
    """A position of the arithmetic as a float."""
    if arithmetic.exact:
        return float(position)
    value = to_rational(arithmetic.middle(position))
    return int(value.p) / int(value.q)


def as_fold(folds: Folds, number: int, line: Line) -> Fold:
    """A fold of the search in the line's arithmetic: its circle is κ/(κ² + λ²) beyond the apex, λ/(κ² + λ²) high.

    Where two pairs of clusters are to meet, apex and κ are computed anew, to the precision of the line's arithmetic.
    """
    arithmetic, first = line.arithmetic, line.clusters[0].position
    length = line.clusters[-1].position - first
    apex, kappa, bend = (arithmetic.enter(to_rational(float(x[number]))) for x in folds[:3])
    apex = first + apex * length
    if _meeting(folds, number, line):
        y, z, v, w = (line.clusters[k].position for k in folds.pairs[number])
        apex, kappa = _involution(arithmetic, (y, z), (v, w))
        kappa = kappa * length
    squared = kappa * kappa + bend * bend
    return _standing(arithmetic, apex, kappa / squared * length, bend / squared * length)


def _meeting(folds: Folds, number: int, line: Line) -> Sequence[tuple[int, int]]:
    """The pairs of clusters that a fold brings together; none in exact arithmetic, where roots in roots grow long."""
    if line.arithmetic.exact or not folds.meeting[number]:
        return ()
    y, z, v, w = (int(k) for k in folds.pairs[number])
    return (y, z), (v, w)


def first_that_holds(folds: Folds, line: Line, idle: bool) -> tuple[Line, Fold] | None:
    """The first of the best folds that the line's own arithmetic confirms, with the line after it.

    Args:
        folds: of the search for this line, the best first; six are tried.
        line: the line.
        idle: whether a fold will do that removes no run.
    """
    for number in range(min(_TRIES, len(folds.apex))):
        try:
            fold = as_fold(folds, number, line)
            image = fold.mapping(line.arithmetic)
            after = line.moved([image(c.position) for c in line.clusters], _meeting(folds, number, line))
        except (MergeConfusionError, UndecidedError):  # floating point saw something else than there is
            continue
        if after.runs < line.runs + idle:
            return after, fold
    return None


def exchanging_fold(arithmetic: Arithmetic, inner: tuple[Any, Any], outer: tuple[Any, Any]) -> Fold:
    """A fold whose involution exchanges the members of both pairs, one pair lying between the members of the other.

    Args:
        arithmetic: what positions are.
        inner, outer: pairs of positions.

    Raises:
        UndecidedError: the arithmetic cannot tell the positions apart.
    """
    one, two, four = (arithmetic.enter(fmpq(x)) for x in (1, 2, 4))
    apex, kappa = _involution(arithmetic, inner, outer)
    scale = inner[1] - inner[0]
    scale = scale if bool(scale > 0) else -scale
    if not bool(scale * scale * kappa * kappa * four * four < one):
        scale = one / (four * (kappa if bool(kappa > 0) else -kappa))
    squared = scale * scale
    sigma = two * squared * kappa / (one + arithmetic.sqrt(one - four * squared * kappa * kappa))
    return _standing(arithmetic, apex, sigma, scale)


def _involution(arithmetic: Arithmetic, inner: tuple[Any, Any], outer: tuple[Any, Any]) -> tuple[Any, Any]:
    """Apex, and inverse distance to the other fixed point, of the involution of `exchanging_fold`."""
    origin = inner[0]
    z, v, w = inner[1] - origin, outer[0] - origin, outer[1] - origin
    # The fixed points t solve (v + w − z)t² − 2vw·t + zvw = 0; the apex is the one between 0 and z.
    product = v * w
    if not (bool(product < 0) and (bool(z > 0) or bool(z < 0))):
        raise UndecidedError("The pairs of a fold are too close to tell apart at this precision.")
    root = arithmetic.sqrt(product * product - (v + w - z) * z * product)
    apex, inverse = z * product / (product - root), (product + root) / (z * product)
    return origin + apex, inverse / (arithmetic.enter(fmpq(1)) - apex * inverse)


def _standing(arithmetic: Arithmetic, apex: Any, sigma: Any, scale: Any) -> Fold:
    """The fold with this apex and the circle of height ``scale`` above apex + sigma."""
    radius = arithmetic.sqrt(sigma * sigma + scale * scale)
    u1, u2 = -sigma / radius, scale / radius
    if not arithmetic.exact:  # the integer frame sees an ellipse: its second axis is √κ times as long
        u2 = u2 * arithmetic.sqrt(arithmetic.enter(fmpq(INTEGER.kappa)))
    return arithmetic.fold(apex + sigma, scale, u1, u2)
