"""Folds near the ends of long lines, each end on a chart of its own.

With many classes little can be gained by laying half of a long line over the other half, and what floating point
resolves of the whole line is soon used up: every fold squares distances near its apex. But near 0 it resolves
distances of any size. So the runs next to either end are searched on a chart that begins there, and folds are taken
that leave everything beyond the chart in order. Of long runs only the outline is looked at, and of the two ends the
one that gains more is folded.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from constructions.fold import Fold
from constructions.fold_costs import IDLE, USELESS, Prices
from constructions.fold_search import Budget, best_folds
from constructions.found_folds import Chart, first_that_holds
from constructions.line import Line
from constructions.trial_folds import Array, Folds, Numbers, images

#: How many clusters a chart shows, and at most how many of each run.
CLUSTERS = 400
_OUTLINE = 20
#: How many of the best folds of each end are compared.
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
    trials: list[tuple[float, Folds, Chart]] = []
    for right in (False, True):
        numbers, whole = _outline(line, right)
        chart = Chart.of(line, numbers)
        judge = _EndPrices(budget.prices, whole)
        folds, cost = best_folds(chart.places, chart.labels, budget, generator, judge)
        (now,), _ = budget.prices.line_costs(chart.places[None].copy(), chart.labels)
        trials += [(float(c % IDLE - now), folds.pick(np.array([k])), chart) for k, c in enumerate(cost[:_BEST])]
    for _, fold, chart in sorted(trials, key=lambda trial: trial[0])[:_BEST]:
        step = first_that_holds(fold, line, idle, chart)
        if step is not None:
            return step
    return None


@dataclass(frozen=True)
class _EndPrices:
    """A judge of folds near an end, to whom those are useless that lay it beyond the chart, if there is anything."""

    prices: Prices
    whole: bool

    def __call__(self, places: Array, labels: Numbers, folds: Folds) -> Array:
        cost = self.prices(places, labels, folds)
        if self.whole:
            return cost
        first, last = images(places[[0, -1]], folds).T
        return np.where(first < last, cost, cost + USELESS)


def _outline(line: Line, right: bool) -> tuple[list[int], bool]:
    """Numbers of clusters from one end on, the first, the last and some of every run; and whether all runs are seen."""
    labels = [c.label for c in (line.clusters[::-1] if right else line.clusters)]
    found: list[int] = []
    first = 0
    while first < len(labels) and len(found) < CLUSTERS:
        last = first
        while last + 1 < len(labels) and labels[last + 1] == labels[first]:
            last += 1
        count = min(_OUTLINE, last - first + 1)
        found += [first + k * (last - first) // max(1, count - 1) for k in range(count)]
        first = last + 1
    return [len(labels) - 1 - k for k in found] if right else found, first == len(labels)
