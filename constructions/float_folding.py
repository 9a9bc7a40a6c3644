r"""Run folding for float networks: the folds that the roundings of all layers survive best.

A fold is searched as in `fold_search`, but judged by the bits of risk that it leaves besides the label changes
(`blurred_line`). Several lines are followed at once, since few label changes and little risk are at odds. The first
layer may see the points along a line, or fold the circle around which it sees them.

Nothing here is trusted: the network is for the checkers to judge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np

from constructions.arithmetic import Float
from constructions.blurred_line import BlurredLine, Judge
from constructions.chord_merge import merge_one_chord
from constructions.errors import InputError, UndecidedError
from constructions.fold import Fold
from constructions.fold_search import Budget, best_folds, different
from constructions.found_folds import TRIES, different_steps, in_floats
from constructions.line import Line
from constructions.projection_merge import FoldSequence
from constructions.trial_folds import Folds

#: How many lines each attempt follows at once, and the bits of risk to spare that end them.
_WIDTHS, _ENOUGH = (1, 6, 6, 6), 1.5
#: For so many layers the other lines are followed after one of them has come to its end.
_LATER = 3

T = TypeVar("T")


class _Sharp(Float):
    """Float arithmetic in which points of a class that nearly meet stay apart: each has a blur of its own."""

    def close(self, left: Any, right: Any) -> bool:
        return False


def fold_in_floats(line: Line, *, seed: int = 0, effort: int = 0) -> FoldSequence:
    """Fold every class into an interval of its own, so that float evaluations get it right.

    Args:
        line: any number of classes, in the arithmetic `Float`.
        seed: of the random folds that are tried.
        effort: 2^effort times as many attempts are made.

    Returns:
        The folds of the attempt with the least risk, or of the first with bits to spare, and the line they lead to.

    Raises:
        InputError: another arithmetic.
        UndecidedError: every attempt runs out of the format's precision.
    """
    if not isinstance(line.arithmetic, Float):
        raise InputError(f"Floats are folded in float arithmetic, not in {line.arithmetic.name!r}.")
    state = BlurredLine.of(replace(line, arithmetic=sharp(line.arithmetic)))
    return least_risk(lambda generator, width: [(None, state)], seed, effort)[1]


def sharp(arithmetic: Float) -> Float:
    """The arithmetic in which points of a class that nearly meet stay apart: each has a blur of its own."""
    return _Sharp(*(getattr(arithmetic, f.name) for f in fields(Float)))


def least_risk(
    starts: Callable[[np.random.Generator, int], Sequence[tuple[T, BlurredLine]]], seed: int, effort: int = 0
) -> tuple[T, FoldSequence]:
    """What begins the attempt with the least risk, or the first with bits to spare, and its folds.

    Args:
        starts: at most so many places where an attempt begins, and lines in sharp float arithmetic that they lead to.
        seed, effort: as for `fold_in_floats`.

    Raises:
        UndecidedError: as `fold_in_floats`.
    """
    best: _State[T] | None = None
    obstacle: UndecidedError | None = None
    for number in range(len(_WIDTHS) << effort):
        generator, width = np.random.default_rng((seed, number)), _WIDTHS[min(number, len(_WIDTHS) - 1)]
        try:
            found = _attempt([_State(*start) for start in starts(generator, width)], width, generator)
        except UndecidedError as error:
            obstacle = error
            continue
        if best is None or found.risk < best.risk:
            best = found
        if best.risk < -_ENOUGH:
            break
    if best is None:
        raise UndecidedError(f"{obstacle}", None if obstacle is None else obstacle.layer)
    return best.head, FoldSequence(best.folds, best.blurred.line)


@dataclass(frozen=True)
class _State(Generic[T]):
    """Where an attempt began, a line that it has led to, the folds in between, and label changes that are gone."""

    head: T
    blurred: BlurredLine
    folds: tuple[Fold, ...] = ()
    removed: int = 0

    @cached_property
    def risk(self) -> float:
        """Bits of risk at the end."""
        return self.blurred.risk()

    @property
    def idle(self) -> bool:
        """Whether a fold of two classes that removes no change has been earned by those that removed several."""
        return self.removed > len(self.folds)

    def after(self, line: Line, fold: Fold) -> _State[T]:
        removed = self.removed + self.blurred.line.runs - line.runs
        return _State(self.head, self.blurred.after(fold, line), (*self.folds, fold), removed)


def _attempt(states: Sequence[_State[T]], width: int, generator: np.random.Generator) -> _State[T]:
    """Of the lines that were followed, so many at once, the one that ends with the least risk."""
    clusters = states[0].blurred.line.clusters
    classes = len({c.label for c in clusters})
    budget = replace(Budget.of(len(clusters), classes), beam=width, met=0.0)  # places are blurred: none meet exactly
    if width > 1:
        budget = replace(budget, apexes=budget.apexes // 2, starts=budget.starts // 2, steps=budget.steps // 2)
    done = [state for state in states if state.blurred.line.separable]
    later = 0
    while not done or (states and later < _LATER and min(state.risk for state in done) > -_ENOUGH):
        later += bool(done)
        following = _next(states, budget, generator, many=classes > 2)
        if not following and not done:
            raise UndecidedError("No fold keeps the classes apart at this precision.", states[0].blurred.line.layer)
        done += [state for state in following if state.blurred.line.separable]
        states = [state for state in following if not state.blurred.line.separable]
    return min(done, key=lambda state: state.risk)


def _next(
    states: Sequence[_State[T]], budget: Budget, generator: np.random.Generator, *, many: bool
) -> list[_State[T]]:
    """The best lines one layer on, with different sequences of classes; those that float arithmetic confirms."""
    trials: list[tuple[float, int, Folds]] = []
    looks = 1 if budget.beam == 1 else max(2, 2 * budget.beam // len(states))
    for number, state in enumerate(states):
        places, labels = in_floats(state.blurred.line)
        judge = Judge.of(state.blurred)
        for _ in range(looks):
            folds, cost = best_folds(places, labels, budget, generator, judge)
            some = different(places, labels, folds)[:TRIES]
            trials += [(float(cost[k]), number, folds.pick(np.array([k]))) for k in some]
    lines = [state.blurred.line for state in states]
    steps = different_steps(trials, lines, [many or state.idle for state in states], budget.beam)
    found = [states[number].after(line, fold) for number, line, fold in steps]
    if not found and many:
        found = [states[0].after(*merge_one_chord(states[0].blurred.line))]
    return found
