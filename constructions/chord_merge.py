r"""Chord merge: one LN layer a merge, for any number of classes, and never a break.

Let :math:`p_1<p_2<\dots<p_n` and let :math:`p_r` be the next cluster with the label of :math:`p_1`. Shift the line to
:math:`s=(p_1+p_2)/2`, lift it to height c, project onto the circle, and read off along the *normal of the chord* from
:math:`\mathrm{SP}(p_1)` to :math:`\mathrm{SP}(p_r)`. The apex then has the angle :math:`(\theta_1+\theta_r)/2`; as
long as it exceeds :math:`\theta_2`, all of :math:`p_2,\dots,p_n` lie on one side of it: exactly p_1 and p_r meet, and
the others keep their order. With :math:`h=(p_2-p_1)/2` the condition is
:math:`3\arctan(c/h)<\pi+\arctan(c/d)`, d the distance from s to p_r; every :math:`c\le\sqrt3\,h` meets it. So m points
of K classes need at most m − K layers, where Theorem 3 of Ni et al. (2024) has 2m.

A class that is finished at one end does no harm: start from the other end, or fold across it, where only finitely many
c are bad. The freedom in c and in the end is spent on keeping different classes far apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from flint import fmpq

from constructions.arithmetic import Arithmetic
from constructions.errors import MergeConfusionError, UndecidedError
from constructions.fold import Fold
from constructions.line import Line
from constructions.projection_merge import FoldSequence
from constructions.rational import to_rational
from constructions.spherical_projection import INTEGER

#: Heights c that compete, as multiples of h; all below √3, so that the order is kept.
HEIGHTS = tuple(fmpq(x, 16) for x in (27, 24, 20, 16, 12, 8, 4))
#: How many of the best candidates are tried in the line's own arithmetic before giving up at this precision.
_TRIES = 24


@dataclass(frozen=True)
class _Candidate:
    """A merge of clusters ``near`` and ``far``, lifted at the midpoint of ``near`` and its neighbour ``next``.

    ``crowd`` clusters of near's class stand together: the fewer, the sooner a run disappears.
    """

    near: int
    next: int
    far: int
    height: fmpq
    crowd: int
    gap: float


def merge_by_chords(line: Line) -> FoldSequence:
    """Merge one pair of clusters a layer until every class occupies an interval.

    Args:
        line: any number of classes.

    Returns:
        At most n − K folds for n clusters of K classes.

    Raises:
        UndecidedError: the arithmetic cannot tell two positions apart.
    """
    folds = []
    while not line.separable:
        line, fold = merge_one_chord(line)
        folds.append(fold)
    return FoldSequence(tuple(folds), line)


def chord_fold(arithmetic: Arithmetic, near: Any, neighbour: Any, far: Any, height: fmpq) -> Fold:
    """The fold that merges two positions along the normal of their chord.

    Args:
        arithmetic: what positions are.
        near: the position at the end of the line that is folded inwards.
        neighbour: the next position; the circle stands above the midpoint of the two.
        far: the position that ``near`` is to meet, on the neighbour's side (or the neighbour itself).
        height: c as a multiple of half the distance between near and neighbour, below √3.

    Raises:
        UndecidedError: near and neighbour, or the ends of the chord, cannot be told apart.
    """
    half = arithmetic.enter(fmpq(1, 2))
    shift = (near + neighbour) * half
    width = neighbour - near if bool(neighbour > near) else near - neighbour
    if not bool(width > 0):
        raise UndecidedError("Two clusters are too close to tell apart at this precision.")
    scale = width * half * arithmetic.enter(height)
    ends = []
    for position in (near, far):
        offset = position - shift
        length = arithmetic.sqrt(offset * offset + scale * scale)
        ends.append((offset / length, scale / length))
    if far is neighbour:  # mirror images about the shift, which exact numbers could not prove of themselves
        ends[1] = -ends[0][0], ends[0][1]
    (x1, y1), (x2, y2) = ends
    u1, u2 = (y1 - y2, x2 - x1) if bool(far > near) else (y2 - y1, x1 - x2)
    if not bool(u1 * u1 + u2 * u2 > 0):
        raise UndecidedError("The ends of a chord are too close to tell apart at this precision.")
    if not arithmetic.exact:  # the integer frame sees an ellipse: its second axis is √κ times as long
        u2 = u2 * arithmetic.sqrt(arithmetic.enter(fmpq(INTEGER.kappa)))
    return arithmetic.fold(shift, scale, u1, u2)


def merge_one_chord(line: Line) -> tuple[Line, Fold]:
    """The line after the merge of one pair that leaves the widest gaps, and its fold; raises as `merge_by_chords`."""
    obstacle: Exception | None = None
    for tried, candidate in enumerate(sorted(_candidates(line), key=lambda c: (c.crowd, -c.gap))):
        if tried == _TRIES:
            break
        near, neighbour, far = (line.clusters[k].position for k in (candidate.near, candidate.next, candidate.far))
        try:
            fold = chord_fold(line.arithmetic, near, neighbour, far, candidate.height)
            return line.after(fold, merging=(candidate.near, candidate.far)), fold
        except (MergeConfusionError, UndecidedError) as error:
            obstacle = error
    raise UndecidedError(f"No chord merge keeps the classes apart at this precision. {obstacle}", line.layer)


def _candidates(line: Line) -> Iterator[_Candidate]:
    """Merges from either end, each with the relative gap (a float, for ranking only) that it leaves."""
    count = len(line.clusters)
    labels = [c.label for c in line.clusters]
    for order in (range(count), range(count - 1, -1, -1)):
        pair = _first_pair(order, labels)
        if pair is None:
            continue
        rank, other = pair
        near, neighbour, far = order[rank], order[rank + 1], order[other]
        crowd = next((k for k in range(rank, len(order)) if labels[order[k]] != labels[near]), len(order)) - rank
        offsets = _offsets(line, near, neighbour)
        for height in HEIGHTS:
            gap = _gap_left(offsets * int(height.q) / int(height.p), labels, near, far)
            yield _Candidate(near, neighbour, far, height, crowd, gap)


def _first_pair(order: range, labels: list[Any]) -> tuple[int, int] | None:
    """Ranks, in this order, of the first cluster that has a partner and of its nearest partner."""
    for rank, number in enumerate(order):
        for other in range(rank + 1, len(order)):
            if labels[order[other]] == labels[number]:
                return rank, other
    return None


def _offsets(line: Line, near: int, neighbour: int) -> np.ndarray:
    """Distances from the midpoint of two clusters in units of half their distance, the neighbour's side positive."""
    first, second = line.clusters[near].position, line.clusters[neighbour].position
    half = line.arithmetic.enter(fmpq(1, 2))
    middle, width = (first + second) * half, (second - first) * half
    if not (bool(width > 0) or bool(width < 0)):  # too close to tell apart
        return np.zeros(len(line.clusters))
    return np.array([_as_float(line.arithmetic, (c.position - middle) / width) for c in line.clusters])


def _as_float(arithmetic: Arithmetic, position: Any) -> float:
    if arithmetic.exact:
        return float(position)
    value = to_rational(arithmetic.middle(position))
    try:
        return int(value.p) / int(value.q)
    except OverflowError:
        return 1e300 if value > 0 else -1e300


def _gap_left(offsets: np.ndarray, labels: list[Any], near: int, far: int) -> float:
    """The smallest gap between different classes after the merge, relative to the whole line."""
    angles = np.arctan2(1.0, offsets)
    image = np.cos(angles - (angles[near] + angles[far]) / 2)
    image[near] = image[far]
    order = np.argsort(image)
    steps = np.diff(image[order])
    change = np.array([labels[a] != labels[b] for a, b in pairwise(order)])
    spread = image[order[-1]] - image[order[0]]
    return float(steps[change].min() / spread) if change.any() and spread > 0 else 1.0
