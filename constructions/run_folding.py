r"""Run folding: depth from the number of label runs along the line, not from the number of points.

Let k be the number of runs of equal labels, two classes, runs :math:`B_1=[a_1,a_2]`, :math:`B_2=[b_1,b_2]`,
:math:`B_3=[c_1,c_2]`, :math:`B_4=[d_1,\dots]`. Choose α in :math:`(b_2,c_1)` and β in :math:`(\alpha,d_1)`. The
involution that exchanges a_2 with α and a_1 with β lays B_1 into B_3 and folds B_2 onto itself only. So one LN layer
removes a run at least, whatever the number of points, and depth k − 3 suffices with the two chords of `circle_chords`.
Far more is possible: `fold_search` looks through very many folds, also such as lay half of the line over the other
half. With many classes several lines are followed at once, since which of them is the best shows only later.

For more than two classes no fold may help; then one chord merge is made (`chord_merge`), which leaves one cluster less,
so the construction always ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from flint import fmpq

from constructions.arithmetic import Arithmetic
from constructions.chart_folds import ENDS, WHOLE, fold_on_charts
from constructions.chord_merge import merge_one_chord
from constructions.circle_chords import TWO_LAYER_RUNS, lower_with_chords
from constructions.errors import MergeConfusionError, UndecidedError
from constructions.fold import Fold
from constructions.fold_search import LONG, Budget, best_folds, different
from constructions.found_folds import TRIES, different_steps, exchanging_fold, in_floats
from constructions.line import Cluster, Line
from constructions.lowering import Head, lower
from constructions.network import LNNet
from constructions.points import Label
from constructions.projection_merge import FoldSequence
from constructions.trial_folds import Folds

#: Before lines that are not long are searched on charts, so many times the usual search is tried.
_FACTORS = (1, 4, 16)
#: So many layers on end may remove neither a run nor a cluster, before one has to.
_PATIENCE = 16


def fold_runs(line: Line, *, seed: int = 0, effort: int = 0) -> FoldSequence:
    """Fold until few enough runs are left to be read out by `lower_runs`.

    Args:
        line: any number of classes.
        seed: of the random folds that are tried.
        effort: every step tries 2^effort times as many.

    Returns:
        The folds, and the line with what is left.

    Raises:
        UndecidedError: the arithmetic cannot tell two positions apart.
    """
    classes = len({c.label for c in line.clusters})
    # A cluster less is worth the less, the longer runs are to begin with: merging their clusters does not remove them.
    met = min(1.0, 2 * (line.runs / max(1, len(line.clusters))) ** 2)
    search = _Search(classes, effort, resolution(line.arithmetic), met, np.random.default_rng(seed))
    states, runs = [_State(line, ())], line.runs
    fewest, since = (runs, len(line.clusters)), 0
    while not any(finished(state.line) for state in states):
        # One run a layer can always be removed if there are two classes. So only layers that were saved may be idle.
        idle = since < _PATIENCE if classes > 2 else runs - states[0].line.runs > len(states[0].folds)
        states = _next(states, search, idle)
        left = [min(counts) for counts in zip(*((s.line.runs, len(s.line.clusters)) for s in states), strict=True)]
        since = 0 if left[0] < fewest[0] or left[1] < fewest[1] else since + 1
        fewest = min(left[0], fewest[0]), min(left[1], fewest[1])
    done = next(state for state in states if finished(state.line))
    return FoldSequence(done.folds, done.line)


@dataclass(frozen=True)
class _Search:
    """How folds are searched.

    Attributes:
        classes: how many there are.
        effort: as in `fold_runs`.
        resolution: of the arithmetic, in bits.
        met: what a cluster less is worth on charts, of what it is worth to the budget.
        generator: of the folds that are tried.
    """

    classes: int
    effort: int
    resolution: float
    met: float
    generator: np.random.Generator

    def all_of(self, line: Line) -> Budget:
        """For a line as it is."""
        return Budget.of(len(line.clusters), self.classes, self.effort, self.resolution)

    def on_chart(self, line: Line) -> Budget:
        """For the chart of a whole line."""
        return self._pricing(Budget.on_chart(len(line.clusters), self.classes, self.effort))

    @property
    def at_ends(self) -> Budget:
        """For charts of the ends of a line."""
        return self._pricing(Budget.at_ends(self.classes, self.effort))

    def _pricing(self, budget: Budget) -> Budget:
        return replace(budget, met=budget.met * self.met)


@dataclass(frozen=True)
class _State:
    """A line, and the folds that led to it."""

    line: Line
    folds: tuple[Fold, ...]

    def after(self, line: Line, fold: Fold) -> _State:
        return _State(line, (*self.folds, fold))


def _next(states: Sequence[_State], search: _Search, idle: bool) -> list[_State]:
    """The best lines one layer on: those of the best folds found, else one that is known to exist."""
    first, generator = states[0], search.generator
    for factor in _FACTORS if len(first.line.clusters) <= LONG else ():
        budget = search.all_of(first.line).wider(factor)
        if factor == 1 or any(_resolved(state.line, budget) for state in states):
            found = _found(states, budget, generator, idle)
            if found:
                return found
    for charts, budget in ((WHOLE, search.on_chart(first.line)), (ENDS, search.at_ends)):
        step = fold_on_charts(first.line, charts, budget, generator, idle=idle)
        if step is not None:
            return [first.after(*step)]
    two = search.classes == 2
    return [first.after(*(_lay_first_run(first.line, _ends(first.line)) if two else merge_one_chord(first.line)))]


def _resolved(line: Line, budget: Budget) -> bool:
    """Whether floating point resolves the line as it is; looking further is of no use where it does not."""
    places, labels = in_floats(line)
    return bool(np.diff(places)[labels[1:] != labels[:-1]].min() > 2.0**-budget.prices.resolution)


def _found(states: Sequence[_State], budget: Budget, generator: np.random.Generator, idle: bool) -> list[_State]:
    """As many lines as the budget follows, by what they cost, with different sequences of classes."""
    trials: list[tuple[float, int, Folds]] = []
    for number, state in enumerate(states):
        places, labels = in_floats(state.line)
        folds, cost = best_folds(places, labels, budget, generator)
        # Clusters are worth something too, and lines with fewer of them have been paid for.
        cost = cost + budget.met * len(places)
        some = np.arange(min(TRIES, len(cost))) if budget.beam == 1 else different(places, labels, folds)
        trials += [(float(cost[k]), number, folds.pick(np.array([k]))) for k in some[: TRIES * budget.beam]]
    steps = different_steps(trials, [state.line for state in states], [idle] * len(states), budget.beam)
    return [states[number].after(line, fold) for number, line, fold in steps]


def finished(line: Line) -> bool:
    """Whether `lower_runs` can read the line out: every class an interval, or at most five runs of two classes."""
    return line.separable or (len({c.label for c in line.clusters}) == 2 and line.runs <= TWO_LAYER_RUNS)


def lower_runs(head: Head, folds: Sequence[Fold], line: Line, classes: Sequence[Label]) -> LNNet:
    """`lower_with_chords` for two classes, which saves layers, else `lower`."""
    return (lower_with_chords if len(classes) == 2 else lower)(head, folds, line, classes)


def resolution(arithmetic: Arithmetic) -> float:
    """Bits below the length of the line that the arithmetic keeps apart (see `Arithmetic.distinct`)."""
    return 1000.0 if arithmetic.exact else getattr(arithmetic, "bits", 53) / 2 - 4


def _lay_first_run(line: Line, ends: Sequence[Cluster]) -> tuple[Line, Fold]:
    """The fold of the module's description, from either end: for two classes and four runs it always exists."""
    obstacle: Exception | None = None
    for order in (ends, ends[::-1]):
        a1, a2, b1, b2, c1, c2, d1 = (order[k].position for k in range(7))
        if order[0] is order[1]:  # a run of one point: anything beyond it will do
            a1 = a2 - (b1 - a2)
        for tilt in (fmpq(1, 2), fmpq(1, 8), fmpq(7, 8)):
            weight = line.arithmetic.enter(tilt)
            fold = exchanging_fold(line.arithmetic, (a2, b2 + (c1 - b2) * weight), (a1, c2 + (d1 - c2) * weight))
            try:
                after = line.after(fold)
            except (MergeConfusionError, UndecidedError) as error:
                obstacle = error
                continue
            if after.runs < line.runs:
                return after, fold
    raise UndecidedError(f"No fold of the first runs is resolved at this precision. {obstacle}", line.layer)


def _ends(line: Line) -> list[Cluster]:
    """First and last cluster of every run, one after the other."""
    result: list[Cluster] = []
    for _, group in groupby(line.clusters, key=lambda c: c.label):
        run = list(group)
        result += [run[0], run[-1]]
    return result
