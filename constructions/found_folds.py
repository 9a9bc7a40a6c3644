"""Between the search for folds, which is floating point, and a line with its arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
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
TRIES = 6


@dataclass(frozen=True)
class Chart:
    """Clusters of a line in floating point, from 0 at one of its ends to 1 at the last of them.

    Attributes:
        numbers: of the clusters, from the end on.
        origin, length: of the chart, in the line's arithmetic; the length is negative from the right end on.
        places: n of them, in ascending order.
        labels: n class numbers.
    """

    numbers: Sequence[int]
    origin: Any
    length: Any
    places: NDArray[np.float64]
    labels: NDArray[np.int64]

    @classmethod
    def of(cls, line: Line, numbers: Sequence[int] | None = None) -> Chart:
        """The chart of these clusters, from an end on; of all from the left if none are given."""
        numbers = range(len(line.clusters)) if numbers is None else numbers
        clusters, arithmetic = [line.clusters[k] for k in numbers], line.arithmetic
        origin = clusters[0].position
        length = clusters[-1].position - origin
        places = np.array([position_as_float(arithmetic, (c.position - origin) / length) for c in clusters])
        names: dict[Label, int] = {}
        labels = np.array([names.setdefault(c.label, len(names)) for c in clusters])
        return cls(numbers, origin, length, places, labels)

    def solid(self, relative: bool, least: float) -> NDArray[np.bool_]:
        """Which of the n − 1 gaps are smaller than ``least``, of their place if ``relative``, else of the chart."""
        return np.diff(self.places) < least * (self.places[1:] if relative else 1.0)

    def spaced(self, relative: bool, least: float) -> Chart:
        """The chart with such gaps between classes widened to that.

        Folds move what is so close together as if it were one, unless they fold it, so little is wrong on such a chart
        that a search would notice, and a few narrow gaps do not spoil what floating point resolves of all others.
        """
        wide = least * (self.places[1:] if relative else np.ones(len(self.places) - 1))
        change = self.labels[1:] != self.labels[:-1]
        gaps = np.diff(self.places)
        places = np.append(0.0, np.cumsum(np.where(change, np.maximum(gaps, wide), gaps)))
        return replace(self, places=places / places[-1])


def in_floats(line: Line) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Positions from 0 to 1, and class numbers."""
    chart = Chart.of(line)
    return chart.places, chart.labels


def position_as_float(arithmetic: Arithmetic, position: Any) -> float:
    """A position of the arithmetic as a float."""
    if arithmetic.exact:
        return float(position)
    value = to_rational(arithmetic.middle(position))
    return int(value.p) / int(value.q)


def as_fold(folds: Folds, number: int, line: Line, chart: Chart | None = None) -> Fold:
    """A fold of the search in the line's arithmetic: its circle is κ/(κ² + λ²) beyond the apex, λ/(κ² + λ²) high.

    Where two pairs of clusters are to meet, apex and κ are computed anew, to the precision of the line's arithmetic.

    Args:
        folds: of a search.
        number: which of them.
        line: the line.
        chart: on which the search was made, if not on all of the line.
    """
    chart = Chart.of(line) if chart is None else chart
    arithmetic, length = line.arithmetic, chart.length
    apex, kappa, bend = (arithmetic.enter(to_rational(float(x[number]))) for x in folds[:3])
    apex = chart.origin + apex * length
    pairs = _meeting(folds, number, line, chart)
    if pairs:
        apex, kappa = _involution(
            arithmetic, *((line.clusters[j].position, line.clusters[k].position) for j, k in pairs)
        )
        kappa = kappa * length
    squared = kappa * kappa + bend * bend
    height = bend / squared * length
    return _standing(arithmetic, apex, kappa / squared * length, height if bool(height > 0) else -height)


def _meeting(folds: Folds, number: int, line: Line, chart: Chart) -> Sequence[tuple[int, int]]:
    """The pairs of clusters that a fold brings together; none in exact arithmetic, where roots in roots grow long."""
    if line.arithmetic.exact or not folds.meeting[number]:
        return ()
    y, z, v, w = (chart.numbers[k] for k in folds.pairs[number])
    return (y, z), (v, w)


def first_that_holds(folds: Folds, line: Line, idle: bool, chart: Chart | None = None) -> tuple[Line, Fold] | None:
    """The first of the best folds that the line's own arithmetic confirms, with the line after it.

    Args:
        folds: of the search for this line, the best first; six are tried.
        line: the line.
        idle: whether a fold will do that removes no run.
        chart: on which the search was made, if not on all of the line.
    """
    chart = Chart.of(line) if chart is None else chart
    for number in range(min(TRIES, len(folds.apex))):
        try:
            fold = as_fold(folds, number, line, chart)
            image = fold.mapping(line.arithmetic)
            after = line.moved([image(c.position) for c in line.clusters], _meeting(folds, number, line, chart))
        except (MergeConfusionError, UndecidedError):  # floating point saw something else than there is
            continue
        if after.runs < line.runs + idle:
            return after, fold
    return None


def different_steps(
    trials: Sequence[tuple[float, int, Folds]], lines: Sequence[Line], idle: Sequence[bool], most: int
) -> list[tuple[int, Line, Fold]]:
    """The best folds of several lines that hold, and leave sequences of classes that are no mirror images either.

    Args:
        trials: costs, numbers of lines, and a fold for each.
        lines: the lines.
        idle: for each of them, whether a fold will do that removes no run.
        most: how many folds are wanted.

    Returns:
        Numbers of lines, and the lines after the folds, with these; the best first.
    """
    found: list[tuple[int, Line, Fold]] = []
    seen: set[tuple[Label, ...]] = set()
    for _, number, folds in sorted(trials, key=lambda trial: trial[0]):
        step = first_that_holds(folds, lines[number], idle[number])
        if step is None:
            continue
        sequence = tuple(label for label, _ in groupby(c.label for c in step[0].clusters))
        if not {sequence, sequence[::-1]} & seen:
            seen.add(sequence)
            found.append((number, *step))
        if len(found) == most:
            break
    return found


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
