"""Algorithm 1 (Ni et al. 2024), the Projection Merge Algorithm: as printed, and repaired.

Each step folds the line about the midpoint of two clusters of one class, which thereby meet. As printed the
algorithm can merge points of *different* classes: it forgets the finished points to the left of the pair. The
smallest example is 0, 1, 2, 3 labelled 0, 1, 1, 1. The printed version reports such a confusion and never returns
a wrong result; the repaired ones avoid it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from constructions.arithmetic import Arithmetic
from constructions.errors import InputError, MergeConfusionError, UndecidedError
from constructions.fold import Fold
from constructions.line import Line
from constructions.parallelization_breaking import breaking_fold, breaking_folds

Pair = tuple[int, int]


@dataclass(frozen=True)
class FoldSequence:
    """Folds in the order of application, and the line they end in.

    Attributes:
        folds: one LN layer each.
        line: the clusters after the last fold.
        breaks: how many of the folds are parallelization breaks (Algorithm 2).
    """

    folds: tuple[Fold, ...]
    line: Line
    breaks: int = 0

    @property
    def depth(self) -> int:
        """LN layers of the folds alone; a lowering may save some or add a tail."""
        return len(self.folds)


def merging_fold(arithmetic: Arithmetic, left: Any, right: Any) -> Fold:
    """The fold that merges two positions: shift to their midpoint, lift to half their distance, read the height.

    Args:
        arithmetic: of the two positions.
        left: a position.
        right: another one.
    """
    half = arithmetic.enter(fmpq(1, 2))
    return arithmetic.fold((left + right) * half, (right - left) * half, fmpq(0), fmpq(1))


def merge_as_printed(line: Line) -> FoldSequence:
    """Algorithm 1 exactly as printed: repeat with the leftmost point that has a partner, until none has.

    Args:
        line: clusters along a line, in any arithmetic.

    Returns:
        Folds after which every class is one point; at most m − K for m points of K classes.

    Raises:
        MergeConfusionError: a fold merges points of different classes (proved, in exact arithmetic).
        UndecidedError: it may do so, and the arithmetic cannot tell.
    """
    folds = []
    while (pair := leftmost_pair(line)) is not None:
        line, fold = _merge(line, pair)
        folds.append(fold)
    return FoldSequence(tuple(folds), line)


def merge_two_classes(line: Line, *, complete: bool = False) -> FoldSequence:
    """Algorithm 1 repaired for at most two classes, with at most m − 2 folds (Theorem 2).

    As printed until one class is a single, leftmost point. That already suffices for a threshold; with
    ``complete`` the other class is merged too, always its two *rightmost* points, whose fold carries everything
    else, the finished point included, beyond all of them.

    Args:
        complete: whether to go on until every class is a single point.

    Raises:
        InputError: more than two classes.
        UndecidedError: the arithmetic cannot tell two positions apart.
    """
    if len({c.label for c in line.clusters}) > 2:
        raise InputError("merge_two_classes takes at most two classes; use merge_any_classes for more.")
    folds = []
    while not (_merged(line) if complete else line.separable):
        last = len(line.clusters) - 1
        pair = (
            (last - 1, last) if line.separable and line.clusters[last - 1].label == line.clusters[last].label else None
        )
        line, fold = _merge(line, pair or _required(leftmost_pair(line)))
        folds.append(fold)
    return FoldSequence(tuple(folds), line)


def merge_any_classes(line: Line) -> FoldSequence:
    """Algorithm 1 for any number of classes, with a break only where the next fold would confuse classes.

    Stops when every class occupies an interval. Depth is at most m − K plus the number of breaks.

    Args:
        line: clusters along a line, in any arithmetic.

    Returns:
        The folds, the line that they lead to, and the number of breaks among them.

    Raises:
        UndecidedError: the arithmetic cannot tell two positions apart, whatever the break.
    """
    folds: list[Fold] = []
    breaks = 0
    while not line.separable:
        try:
            line, fold = _merge(line, _required(leftmost_pair(line)))
        except (MergeConfusionError, UndecidedError) as obstacle:
            line, pair = _break_then_merge(line, obstacle)
            folds += pair
            breaks += 1
        else:
            folds.append(fold)
    return FoldSequence(tuple(folds), line, breaks)


def merge_repaired(line: Line) -> FoldSequence:
    """Algorithm 1 repaired: `merge_two_classes` for at most two classes, else `merge_any_classes`."""
    two = len({c.label for c in line.clusters}) <= 2
    return merge_two_classes(line) if two else merge_any_classes(line)


def merge_with_breaking(line: Line) -> FoldSequence:
    """Algorithm 1 with Algorithm 2 before every merge, as Theorem 3 has it: at most 2(m − K) ≤ 2m folds.

    Args:
        line: clusters along a line, in any arithmetic.

    Returns:
        The folds, two for every merge, and the line that they lead to.

    Raises:
        UndecidedError: the arithmetic cannot tell two positions, or two sums of positions, apart.
    """
    folds: list[Fold] = []
    breaks = 0
    while not _merged(line):
        broken = breaking_fold(line)
        line = line.after(broken)
        line, fold = _merge(line, _required(leftmost_pair(line)))
        folds += [broken, fold]
        breaks += 1
    return FoldSequence(tuple(folds), line, breaks)


def leftmost_pair(line: Line) -> Pair | None:
    """The leftmost cluster that has a partner of its class to its right, with the nearest such partner."""
    for number in range(len(line.clusters)):
        partner = line.partner(number)
        if partner is not None:
            return number, partner
    return None


def _required(pair: Pair | None) -> Pair:
    if pair is None:  # a line without pairs is merged, hence separable, and the loops above have ended
        raise UndecidedError("No class has two distinct points left, yet the classes are not separated.")
    return pair


def _merged(line: Line) -> bool:
    return len(line.clusters) == len({c.label for c in line.clusters})


def _merge(line: Line, pair: Pair) -> tuple[Line, Fold]:
    left, right = (line.clusters[k].position for k in pair)
    fold = merging_fold(line.arithmetic, left, right)
    return line.after(fold, merging=pair), fold


def _break_then_merge(line: Line, obstacle: Exception) -> tuple[Line, list[Fold]]:
    for broken in _first(breaking_folds(line), 64):
        try:
            after = line.after(broken)
            merged, fold = _merge(after, _required(leftmost_pair(after)))
        except (MergeConfusionError, UndecidedError):
            continue
        return merged, [broken, fold]
    raise UndecidedError(f"No break was found that separates the classes at this precision. {obstacle}", line.layer)


def _first(folds: Iterator[Fold], count: int) -> Iterator[Fold]:
    for _, fold in zip(range(count), folds, strict=False):
        yield fold
