"""All labelings of points on a line at once: a trie whose edges are label decisions and whose nodes are folds.

A state is a line of clusters of which only the outer ones have a label yet: at either end up to two runs, of
different classes; the points between them are undecided. Points are decided from the left end, one at a time. A
point that continues the inner run joins it. A point of the outer run's class calls for a fold (`choice`), which lays
the outer run onto it and turns the line round, so that the other end is next: working at both ends in turn keeps the
far points from crowding. When no point is undecided, the at most four runs that are left are folded to two.

Every fold takes one run off, so a labelling with k runs costs k − 2 layers. Labelings with the same decisions
share their folds, and half of all decisions are among the last ones: the work is O(2^m) folds of few clusters, not
O(m 2^m). All states with the same undecided points are one batch of numpy arrays, and every operation is elementwise,
so a labelling walked alone gets bit for bit the same folds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from proofs.shattering.choice import bending, choose
from proofs.shattering.enclosure import Floats, Folds, image

Labelings = NDArray[np.int64]


class Recorder(Protocol):
    """What is kept of the folds on the way, one entry a state: anything that can be indexed and joined."""

    def after(self, folds: Folds) -> Self:
        """With one more fold each."""

    def take(self, kept: NDArray[np.bool_]) -> Self:
        """The selected entries."""

    def join(self, others: Sequence[Self]) -> Self:
        """Entries of several batches, one after the other."""


R = TypeVar("R", bound=Recorder)


@dataclass(frozen=True)
class Batch(Generic[R]):
    """States with the same undecided points.

    Attributes:
        undecided: numbers of the undecided points from left to right.
        left, right: how many runs (0 to 2) are known at either end.
        lower, upper: shape (left + len(undecided) + right, n): enclosures of all clusters from left to right.
        labels: n labelings as bits, bit k for point k, 0 where undecided.
        first, last: labels of the outermost runs.
        depth: folds so far.
        record: what is kept of them.
        target: the labelling each state is to reach, where only some labelings are wanted.
    """

    undecided: tuple[int, ...]
    left: int
    right: int
    lower: Floats
    upper: Floats
    labels: Labelings
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    depth: NDArray[np.int64]
    record: R
    target: Labelings | None = None

    def take(self, kept: NDArray[np.bool_]) -> Batch[R]:
        """The selected states."""
        if kept.all():
            return self
        return replace(
            self,
            lower=self.lower[:, kept],
            upper=self.upper[:, kept],
            labels=self.labels[kept],
            first=self.first[kept],
            last=self.last[kept],
            depth=self.depth[kept],
            record=self.record.take(kept),
            target=None if self.target is None else self.target[kept],
        )


@dataclass(frozen=True)
class Leaves(Generic[R]):
    """Labelings that are decided and folded to at most two runs.

    Attributes:
        labels: n labelings as bits.
        lower, upper: shape (1 or 2, n): enclosures of the runs.
        first: label of the left one.
        depth: number of folds.
        record: what was kept of them.
    """

    labels: Labelings
    lower: Floats
    upper: Floats
    first: NDArray[np.int64]
    depth: NDArray[np.int64]
    record: R


def walk(
    order: Sequence[int],
    lower: Floats,
    upper: Floats,
    record: R,
    *,
    chosen: Labelings | None = None,
    fixed: int = 0,
    values: int = 0,
) -> Iterator[Leaves[R]]:
    """Labelings of m points in which the leftmost has label 0 (the others are their complements).

    Args:
        order: numbers of the points from left to right along the line.
        lower, upper: shape (m,): enclosures of their positions, sorted.
        record: an empty recorder, for one state or for as many as are chosen.
        chosen: the n labelings that are wanted, as bits, instead of all. They share nothing.
        fixed: points whose label is prescribed, as bits.
        values: those labels.
    """
    if values >> order[0] & 1:
        return
    zeros = np.zeros(1 if chosen is None else len(chosen), np.int64)
    low, high = (np.repeat(bound[:, None], len(zeros), axis=1) for bound in (lower, upper))
    root = Batch(tuple(order), 0, 0, low, high, zeros, zeros, zeros, zeros, record, chosen)
    waiting: dict[tuple[tuple[int, ...], int, int], list[Batch[R]]] = {(root.undecided, 0, 0): [root]}
    with np.errstate(all="ignore"):
        while waiting:
            key = max(waiting, key=lambda k: len(k[0]))
            batch = _joined(waiting.pop(key))
            if not batch.undecided:
                yield from _finish(batch)
                continue
            for child in _decide(batch, fixed, values):
                if len(child.labels):
                    waiting.setdefault((child.undecided, child.left, child.right), []).append(child)


def _decide(batch: Batch[R], fixed: int, values: int) -> Iterator[Batch[R]]:
    """Give the leftmost undecided point either label."""
    point = batch.undecided[0]
    bit = np.int64(1 << point)
    if batch.left == 0:
        is_root = batch.right == 0
        for label in (0,) if is_root else (0, 1):
            child = replace(batch, undecided=batch.undecided[1:], left=1, first=np.full_like(batch.first, label))
            yield _allowed(replace(child, labels=batch.labels | bit * label), point, fixed, values)
        return
    outer = replace(batch, labels=batch.labels | bit * batch.first)
    other = replace(batch, labels=batch.labels | bit * (1 - batch.first))
    outer, other = (_allowed(b, point, fixed, values) for b in (outer, other))
    if batch.left == 1:
        yield _absorbed(outer, 0)
        yield replace(other, undecided=batch.undecided[1:], left=2)
    else:
        yield _absorbed(other, 1)
        if len(outer.labels):
            yield _folded(outer)


def _allowed(batch: Batch[R], point: int, fixed: int, values: int) -> Batch[R]:
    if batch.target is not None:
        return batch.take((batch.labels >> point & 1) == (batch.target >> point & 1))
    if fixed >> point & 1:
        return batch.take((batch.labels >> point & 1) == (values >> point & 1))
    return batch


def _absorbed(batch: Batch[R], run: int) -> Batch[R]:
    """The leftmost undecided point continues a run."""
    lower, upper = _hulled(batch.lower, batch.upper, run)
    return replace(batch, undecided=batch.undecided[1:], lower=lower, upper=upper)


def _folded(batch: Batch[R]) -> Batch[R]:
    """The leftmost undecided point meets the outer run; the line is turned round."""
    lower, upper, folds = _fold(batch.lower, batch.upper)
    return replace(
        batch,
        undecided=batch.undecided[:0:-1],
        left=batch.right,
        right=2,
        lower=lower,
        upper=upper,
        first=batch.last,
        last=1 - batch.first,
        depth=batch.depth + 1,
        record=batch.record.after(folds),
    )


def _fold(lower: Floats, upper: Floats) -> tuple[Floats, Floats, Folds]:
    """Bring cluster 0 to cluster 2; the result reads k−1, …, 3, {0, 2}, 1 from left to right."""
    folds = choose(lower, upper)
    low, high = image(folds, lower, upper)
    low = np.concatenate([low[:2:-1], np.minimum(low[0:1], low[2:3]), low[1:2]])
    high = np.concatenate([high[:2:-1], np.maximum(high[0:1], high[2:3]), high[1:2]])
    return low, high, folds


def _hulled(lower: Floats, upper: Floats, k: int) -> tuple[Floats, Floats]:
    """Clusters k and k + 1 as one."""
    low, high = np.minimum(lower[k], lower[k + 1])[None], np.maximum(upper[k], upper[k + 1])[None]
    return np.concatenate([lower[:k], low, lower[k + 2 :]]), np.concatenate([upper[:k], high, upper[k + 2 :]])


def _finish(batch: Batch[R]) -> Iterator[Leaves[R]]:
    """Everything is decided: join the inner runs where they are of one class, and fold to at most two runs."""
    if batch.left and batch.right:
        inner_left = batch.first if batch.left == 1 else 1 - batch.first
        inner_right = batch.last if batch.right == 1 else 1 - batch.last
        same = inner_left == inner_right
        joined, apart = batch.take(same), batch.take(~same)
        lower, upper = _hulled(joined.lower, joined.upper, batch.left - 1)
        parts = [replace(joined, lower=lower, upper=upper), apart]
    else:
        parts = [batch]
    for part in parts:
        if len(part.labels):
            first = part.first if part.left else (part.last if part.right == 1 else 1 - part.last)
            yield _folded_to_two(part, first)


def _folded_to_two(batch: Batch[R], first: NDArray[np.int64]) -> Leaves[R]:
    """Fold at most four alternating runs until two are left; a line without any fold is bent once."""
    lower, upper, depth, record = batch.lower, batch.upper, batch.depth, batch.record
    while len(lower) > 2:
        if len(lower) == 4:
            first = 1 - first
        lower, upper, folds = _fold(lower, upper)
        record, depth = record.after(folds), depth + 1
    unbent = depth == 0
    if unbent.any():  # all are: such labelings have at most two runs and share no batch with others
        folds = bending(lower, upper)
        lower, upper = image(folds, lower, upper)
        record = record.after(folds)
    return Leaves(batch.labels, lower, upper, first, depth, record)


def _joined(batches: list[Batch[R]]) -> Batch[R]:
    if len(batches) == 1:
        return batches[0]
    head = batches[0]
    return replace(
        head,
        lower=np.concatenate([b.lower for b in batches], axis=1),
        upper=np.concatenate([b.upper for b in batches], axis=1),
        labels=np.concatenate([b.labels for b in batches]),
        first=np.concatenate([b.first for b in batches]),
        last=np.concatenate([b.last for b in batches]),
        depth=np.concatenate([b.depth for b in batches]),
        record=head.record.join([b.record for b in batches[1:]]),
        target=None if head.target is None else np.concatenate([b.target for b in batches if b.target is not None]),
    )
