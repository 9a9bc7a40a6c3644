"""Folds of long lines, found on charts: one of the whole line, and one of either end.

Every fold squares distances near its apex, so on a long line there soon are gaps that floating point, which the search
uses, does not resolve. A fold moves what is so close together as if it were one, unless its apex is in between. So on
a chart such gaps are widened to what can be resolved, folds about an apex in them are left out, and all else is
searched as on any line.

Near 0 floating point resolves distances of any size. So if the whole line has no fold to offer, the runs next to either
end are searched on charts that begin there, among folds that leave everything beyond the chart in order. Of long runs
only the outline is looked at. But that is the last resort: what is folded at an end gets small for the rest, no later
layer mends that, and before long there is nothing that a chart of the whole line could show.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from constructions.fold import Fold
from constructions.fold_costs import IDLE, USELESS, Prices
from constructions.fold_search import Budget, best_folds, different
from constructions.found_folds import Chart, first_that_holds
from constructions.line import Line
from constructions.trial_folds import Array, Folds, Numbers, images


@dataclass(frozen=True)
class Section:
    """What a chart shows of a line.

    Attributes:
        right: whether it begins at the right end.
        most: how many clusters it shows, or all if there are fewer.
        outline: how many clusters it shows of a run at most.
        relative: whether gaps near where it begins may be as small as they like.
        least: gaps smaller than that, of the chart or of their place, are solid.
    """

    right: bool
    most: int
    outline: int = 20
    relative: bool = True
    least: float = 2.0**-26


def _ends(sizes: Sequence[int], relative: bool) -> tuple[Section, ...]:
    return tuple(Section(right, most, relative=relative) for right in (False, True) for most in sizes)


#: The chart of a whole line.
WHOLE = ((Section(False, sys.maxsize, outline=400, relative=False, least=2.0**-38),),)
#: Charts of the ends. Where those of the first kind lead nowhere, because what is near the end is much smaller than the
#: rest, smaller charts may.
ENDS = (_ends((400,), True), _ends((400, 100, 25), False))
#: How much wider the search becomes where it finds nothing that makes the line cheaper.
_FACTORS = (1, 4, 16)
#: How many of the best folds of each chart are tried, with different sequences of classes.
_BEST = 8


def fold_on_charts(
    line: Line, charts: Sequence[Sequence[Section]], budget: Budget, generator: np.random.Generator, *, idle: bool
) -> tuple[Line, Fold] | None:
    """The best fold found on the first charts that offer one, with the line after it, or None.

    Where the best one makes the line dearer, though it removes a run, the search goes on with wider budgets. A line
    that is let go to pieces has few folds to offer later on.

    Args:
        line: any number of classes.
        charts: of parts of the line; those that are listed together are compared.
        budget: of the search on every chart.
        generator: of the random folds that are tried.
        idle: whether a fold will do that removes no run, but leaves the line in better shape.
    """
    for sections in charts:
        steps: list[tuple[float, Line, Fold]] = []
        for factor in _FACTORS:
            steps += _best_that_holds(line, sections, budget.wider(factor), generator, idle)
            if steps and steps[-1][0] <= 0:
                break
        if steps:
            return min(steps, key=lambda step: step[0])[1:]
    return None


def _best_that_holds(
    line: Line, sections: Sequence[Section], budget: Budget, generator: np.random.Generator, idle: bool
) -> list[tuple[float, Line, Fold]]:
    """The best fold that the line's own arithmetic confirms, if any, after what it changes in cost, and the line."""
    trials = [trial for section in sections for trial in _tried(line, section, budget, generator)]
    for gain, fold, chart in sorted(trials, key=lambda trial: trial[0]):
        step = first_that_holds(fold, line, idle, chart)
        if step is not None:
            return [(gain, *step)]
    return []


def _tried(
    line: Line, section: Section, budget: Budget, generator: np.random.Generator
) -> list[tuple[float, Folds, Chart]]:
    """The best folds of one chart, and how much less the line then costs, or more."""
    numbers, whole = _outline(line, section)
    chart = Chart.of(line, numbers)
    solid, chart = chart.solid(section.relative, section.least), chart.spaced(section.relative, section.least)
    judge = _ChartPrices(budget.prices, whole, solid)
    folds, cost = best_folds(chart.places, chart.labels, budget, generator, judge)
    with np.errstate(all="ignore"):
        (now,), _ = budget.prices.line_costs(chart.places[None].copy(), chart.labels)
    some = different(chart.places, chart.labels, folds)[:_BEST]
    cost = np.where(cost > IDLE / 2, cost - IDLE, cost)  # a fold that removes no run may be the better one
    return [(float(cost[k] - now), folds.pick(np.array([k])), chart) for k in some]


@dataclass(frozen=True)
class _ChartPrices:
    """A judge of folds on a chart, to whom those are useless that lay it beyond the chart, or fold what is solid.

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


def _outline(line: Line, section: Section) -> tuple[list[int], bool]:
    """Numbers of clusters from one end on, the first, the last and some of every run; and whether all runs are seen."""
    right = section.right
    labels = [c.label for c in (line.clusters[::-1] if right else line.clusters)]
    found: list[int] = []
    first = 0
    while first < len(labels) and len(found) < section.most:
        last = first
        while last + 1 < len(labels) and labels[last + 1] == labels[first]:
            last += 1
        count = min(section.outline, last - first + 1)
        found += [first + k * (last - first) // max(1, count - 1) for k in range(count)]
        first = last + 1
    return [len(labels) - 1 - k for k in found] if right else found, first == len(labels)
