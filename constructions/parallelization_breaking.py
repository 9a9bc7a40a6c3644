r"""Algorithm 2 (Ni et al. 2024), the Parallelization Breaking Algorithm, with a constructive Proposition 7.

A merge of two points of the line also merges every other pair with the same sum. The break
:math:`p\mapsto u^{\mathsf T}\mathrm{SP}((p,1))` destroys such coincidences: for all but finitely many
:math:`u=(1,t)` no two points merge and no four points :math:`\hat p_i+\hat p_j=\hat p_s+\hat p_t` remain
(a "parallelogram", possibly degenerate).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from flint import fmpq

from constructions.errors import MergeConfusionError, UndecidedError
from constructions.fold import Fold
from constructions.line import Line


def breaking_folds(line: Line, *, normalised: bool = True) -> Iterator[Fold]:
    """Candidate breaks u = (1, t) for t = 0, 1/2, −1/2, 1/3, …, never ending.

    Args:
        normalised: shift and scale the line to its own middle and half-width first; otherwise s = 0, c = 1 as
            printed.
    """
    arithmetic = line.arithmetic
    shift, scale = arithmetic.enter(fmpq(0)), arithmetic.enter(fmpq(1))
    if normalised and len(line.clusters) > 1:
        half = arithmetic.enter(fmpq(1, 2))
        first, last = line.clusters[0].position, line.clusters[-1].position
        shift, scale = (first + last) * half, (last - first) * half
    for t in small_rationals():
        yield arithmetic.fold(shift, scale, fmpq(1), t)


def breaking_fold(line: Line, *, tries: int = 200) -> Fold:
    """Algorithm 2's projection with the u of Proposition 7, found by trying small rationals.

    Args:
        tries: how many candidates to test before giving up.

    Returns:
        A fold that merges nothing and after which no four clusters form a parallelogram.

    Raises:
        UndecidedError: no candidate passed, because the arithmetic cannot tell sums of positions apart.
    """
    for _, fold in zip(range(tries), breaking_folds(line, normalised=False), strict=False):
        try:
            after = line.after(fold)
            if len(after.clusters) == len(line.clusters) and not has_parallelogram(after):
                return fold
        except (MergeConfusionError, UndecidedError):
            continue
    message = f"None of {tries} directions u = (1, t) breaks all parallelograms at this precision."
    raise UndecidedError(message, line.layer)


def has_parallelogram(line: Line) -> bool:
    """Whether p_i + p_j = p_s + p_t for some four distinct clusters (or the arithmetic cannot exclude it).

    Takes time of order n² log n for n clusters.
    """
    positions = [c.position for c in line.clusters]
    sums = [a + b for a, b in combinations(positions, 2)]
    # Two different pairs with one sum are disjoint: p_i + p_j = p_i + p_t would make p_j = p_t.
    return len(sums) > 1 and len(line.arithmetic.groups(sums)) < len(sums)


def small_rationals() -> Iterator[fmpq]:
    """0, then every nonzero rational of (−1, 1) once, by denominator."""
    yield fmpq(0)
    denominator = 2
    while True:
        for numerator in range(1, denominator):
            value = fmpq(numerator, denominator)
            if value.q == denominator:
                yield value
                yield -value
        denominator += 1
