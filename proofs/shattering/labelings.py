"""Labelings as text and as bits, and which of them stand for all.

Point k's label is the k-th character. With two classes a labelling and its complement need the same folds; only the
sign of the read-out differs. With K classes the same holds for all renamings of the classes, so one labelling of each
partition of the points into at most K parts is enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, perm

from constructions.errors import InputError

#: Classes are written as single digits.
MAX_CLASSES = 10
#: A labelling of two classes is a signed 64-bit integer.
MAX_POINTS = 62


def parse_labelling(text: str, count: int, classes: int) -> tuple[int, ...]:
    """The labels that a text spells.

    Args:
        text: one digit a point.
        count: number m of points.
        classes: number K of classes; digits are below it.

    Raises:
        InputError: another length, or another character.

    >>> parse_labelling("0110", 4, 2)
    (0, 1, 1, 0)
    """
    if len(text) != count:
        raise InputError(f"Expected a labelling of {count} points, one digit each, not {len(text)}: {text[:80]!r}.")
    allowed = "0123456789"[:classes]
    if stray := sorted(set(text) - set(allowed)):
        raise InputError(
            f"A labelling for {classes} classes has digits {allowed[0]} to {allowed[-1]}, not {stray[0]!r}."
        )
    return tuple(int(digit) for digit in text)


def from_bits(bits: int, count: int) -> tuple[int, ...]:
    """The labels of m points, bit k for point k."""
    return tuple(bits >> k & 1 for k in range(count))


def to_bits(labels: tuple[int, ...]) -> int:
    """Two-class labels as bits."""
    return sum(label << k for k, label in enumerate(labels))


def to_text(labels: tuple[int, ...]) -> str:
    """One digit a point."""
    return "".join(map(str, labels))


def representatives(count: int, classes: int) -> Iterator[tuple[int, ...]]:
    """One labelling a partition of m points into at most K parts: a new class is always the next number.

    >>> [to_text(x) for x in representatives(3, 3)]
    ['000', '001', '010', '011', '012']
    """

    def extend(prefix: tuple[int, ...], used: int) -> Iterator[tuple[int, ...]]:
        if len(prefix) == count:
            yield prefix
            return
        for label in range(min(used + 1, classes)):
            yield from extend((*prefix, label), max(used, label + 1))

    return extend((), 0)


def number_of_representatives(count: int, classes: int) -> int:
    """Partitions of m points into at most K parts (a sum of Stirling numbers of the second kind)."""
    row = [1] + [0] * classes
    for _ in range(count):
        row = [0] + [row[k - 1] + k * row[k] for k in range(1, classes + 1)]
    return sum(row)


def multiplicity(labels: tuple[int, ...], classes: int) -> int:
    """How many labelings a representative stands for: the ways to name its parts."""
    return perm(classes, len(set(labels)))


def with_more_runs(count: int, runs: int) -> int:
    """Two-class labelings of m points on a line, up to complement, with more than the given number of runs."""
    return sum(comb(count - 1, k - 1) for k in range(runs + 1, count + 1))
