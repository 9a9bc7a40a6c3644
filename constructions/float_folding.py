r"""Run folding for float networks: the folds that the roundings of all layers survive best.

A fold is searched as in `fold_search`, but judged by the bits of risk that it leaves besides the label changes
(`blurred_line`). The first layer may see the points along a line, or fold the circle around which it sees them.

Nothing here is trusted: the network is for the checkers to judge.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, TypeVar

import numpy as np

from constructions.arithmetic import Float
from constructions.blurred_line import BlurredLine, Judge
from constructions.chord_merge import merge_one_chord
from constructions.errors import InputError, UndecidedError
from constructions.fold import Fold
from constructions.fold_search import Budget, best_folds
from constructions.found_folds import first_that_holds, in_floats
from constructions.line import Line
from constructions.projection_merge import FoldSequence

#: Attempts, and the bits of risk to spare that end them.
_ATTEMPTS, _ENOUGH = 4, 3.0


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
    return least_risk(lambda _: (None, state), seed, effort)[1]


def sharp(arithmetic: Float) -> Float:
    """The arithmetic in which points of a class that nearly meet stay apart: each has a blur of its own."""
    return _Sharp(*(getattr(arithmetic, f.name) for f in fields(Float)))


def least_risk(
    start: Callable[[np.random.Generator], tuple[T, BlurredLine]], seed: int, effort: int = 0
) -> tuple[T, FoldSequence]:
    """What begins the attempt with the least risk, or the first with bits to spare, and its folds.

    Args:
        start: where an attempt begins, and the line in sharp float arithmetic that this leads to.
        seed, effort: as for `fold_in_floats`.

    Raises:
        UndecidedError: as `fold_in_floats`.
    """
    best: tuple[float, tuple[T, FoldSequence]] | None = None
    obstacle: UndecidedError | None = None
    for number in range(_ATTEMPTS << effort):
        generator = np.random.default_rng((seed, number))
        try:
            head, state = start(generator)
            risk, sequence = _attempt(state, generator)
        except UndecidedError as error:
            obstacle = error
            continue
        if best is None or risk < best[0]:
            best = risk, (head, sequence)
        if best[0] < -_ENOUGH:
            break
    if best is None:
        raise UndecidedError(f"{obstacle}", None if obstacle is None else obstacle.layer)
    return best[1]


def _attempt(state: BlurredLine, generator: np.random.Generator) -> tuple[float, FoldSequence]:
    """One greedy run: bits of risk at the end, and the folds."""
    line, runs = state.line, state.line.runs
    folds: list[Fold] = []
    many = len({c.label for c in line.clusters}) > 2
    budget = replace(Budget.of(len(line.clusters), 3 if many else 2), met=0.0)  # places are blurred: none meet exactly
    while not state.line.separable:
        # With two classes, a fold that removes no label change has to be earned by those that removed several.
        idle = many or runs - state.line.runs > len(folds)
        step = _searched(state, budget, generator, idle)
        if step is None:
            if not many:
                raise UndecidedError("No fold keeps the classes apart at this precision.", state.line.layer)
            step = merge_one_chord(state.line)
        state = state.after(step[1], step[0])
        folds.append(step[1])
    return state.risk(), FoldSequence(tuple(folds), state.line)


def _searched(
    state: BlurredLine, budget: Budget, generator: np.random.Generator, idle: bool
) -> tuple[Line, Fold] | None:
    """The best fold that the search finds and the line's own arithmetic confirms."""
    line = state.line
    found, _ = best_folds(*in_floats(line), budget, generator, Judge.of(state))
    return first_that_holds(found, line, idle)
