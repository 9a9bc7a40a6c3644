"""Folds near the ends of long lines, each end on a chart of its own.

With many classes little can be gained by laying half of a long line over the other half, and what floating point
resolves of the whole line is soon used up: every fold squares distances near its apex. But near 0 it resolves
distances of any size. So the runs next to either end are searched on a chart that begins there, and folds are taken
that leave everything beyond the chart in order. Of long runs only the outline is looked at, and of the two ends the
one that gains more is folded.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from constructions.fold import Fold
from constructions.fold_costs import IDLE, USELESS, Prices
from constructions.fold_search import Budget, best_folds, different
from constructions.found_folds import Chart, first_that_holds
from constructions.line import Line
from constructions.trial_folds import Array, Folds, Numbers, images

#: How many clusters charts show, and whether gaps near the end may be as small as they like. Where a chart of that kind
#: leads nowhere, because what is near the end is much smaller than the rest, smaller charts may.
_CHARTS = (((400,), True), ((400, 100, 25), False))
#: Of each run a chart shows so many clusters at most.
_OUTLINE = 20
#: How many of the best folds of each end are tried, with different sequences of classes.
_BEST = 8


def fold_at_an_end(
    line: Line, budget: Budget, generator: np.random.Generator, *, idle: bool
) -> tuple[Line, Fold] | None:
    """The best fold found near either end, with the line after it, or None.

    Args:
        line: any number of classes.
        budget: of the search at either end.
        generator: of the random folds that are tried.
        idle: whether a fold will do that removes no run, but leaves the line in better shape.
    """
    # A cluster less is worth the less, the longer runs are: they are not removed by merging their clusters.
    budget = replace(budget, met=budget.met * (line.runs / len(line.clusters)) ** 2)
    for sizes, relative in _CHARTS:
        trials: list[tuple[float, Folds, Chart]] = []
        for right, most in product((False, True), sizes):
            trials += _tried(line, (right, most, relative), budget, generator)
        for _, fold, chart in sorted(trials, key=lambda trial: trial[0]):
            step = first_that_holds(fold, line, idle, chart)
            if step is not None:
                return step
    return None


def _tried(
    line: Line, which: tuple[bool, int, bool], budget: Budget, generator: np.random.Generator
) -> list[tuple[float, Folds, Chart]]:
    """The best folds of one chart, and how much less the line then costs, or more."""
    right, most, relative = which
    numbers, whole = _outline(line, right, most)
    chart = Chart.of(line, numbers)
    solid, chart = chart.solid(relative), chart.spaced(relative)
    folds, cost = best_folds(chart.places, chart.labels, budget, generator, _EndPrices(budget.prices, whole, solid))
    with np.errstate(all="ignore"):
        (now,), _ = budget.prices.line_costs(chart.places[None].copy(), chart.labels)
    some = different(chart.places, chart.labels, folds)[:_BEST]
    cost = np.where(cost > IDLE / 2, cost - IDLE, cost)  # a fold that removes no run may be the better one
    return [(float(cost[k] - now), folds.pick(np.array([k])), chart) for k in some]


@dataclass(frozen=True)
class _EndPrices:
    """A judge of folds near an end, to whom those are useless that lay it beyond the chart, or fold what is solid.

    Attributes:
        prices: of the others.
        whole: whether there is nothing beyond the chart.
        solid: which gaps are too narrow for the apex.
    """

    prices: Prices
    whole: bool
    solid: NDArray[np.bool_]

    def __call__(self, places: Array, labels: Numbers, folds: Folds) -> Array:
        gap = np.searchsorted(places, folds.apex) - 1
        useless = self.solid[np.clip(gap, 0, len(self.solid) - 1)]
        if not self.whole:
            first, last = images(places[[0, -1]], folds).T
            useless = useless | ~(first < last)
        return self.prices(places, labels, folds) + np.where(useless, USELESS, 0.0)


def _outline(line: Line, right: bool, most: int) -> tuple[list[int], bool]:
    """Numbers of clusters from one end on, the first, the last and some of every run; and whether all runs are seen."""
    labels = [c.label for c in (line.clusters[::-1] if right else line.clusters)]
    found: list[int] = []
    first = 0
    while first < len(labels) and len(found) < most:
        last = first
        while last + 1 < len(labels) and labels[last + 1] == labels[first]:
            last += 1
        count = min(_OUTLINE, last - first + 1)
        found += [first + k * (last - first) // max(1, count - 1) for k in range(count)]
        first = last + 1
    return [len(labels) - 1 - k for k in found] if right else found, first == len(labels)
