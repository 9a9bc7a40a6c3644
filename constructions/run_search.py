r"""Which fold to choose: candidates that lay gaps on gaps and runs on runs of their own class, scored in bulk.

The line is seen as runs of equal labels. A fold exchanges its points by a projective involution: with apex x and
second fixed point y, :math:`x+n\mapsto x-n/(1-2\kappa n)`, :math:`\kappa=1/(y-x)`. Two pairs of places determine it,
and many combinations of two pairs among the first runs of either end are evaluated at once. One parameter is still
free, the place of the circle between the two fixed points, :math:`s=x+\sigma` with
:math:`c^2=\sigma(y-x-\sigma)`; it is chosen so that the smallest gap left between different classes, relative to the
whole line, is largest.

The ends of the line get compressed beyond the resolution of floats. So a line is kept as the *distances between
neighbouring ends of runs*, and every difference is computed from them without cancellation. Nothing here is trusted:
the network made of the chosen folds is certified as what it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
#: Where in a gap another gap is aimed at, from edge to edge.
_AIMS = ((0.12, 0.88), (0.5, 0.5), (0.88, 0.12), (0.12, 0.12), (0.88, 0.88))
#: Relative difference below which the places of what was turned and what was not cannot be compared.
_BLUR = 2.0**-36
#: A fold that stretches more is ill-conditioned, and floats cannot tell what it does.
_STRETCH = 2.0**16
#: Where the apex is put when it is only to be inside a gap or a run.
_SELF = (0.1, 0.35)
#: What one bit of openness of a gap is worth, in runs.
_OPENNESS = 0.2
_TINY = np.finfo(float).tiny


@dataclass(frozen=True)
class Runs:
    """Intervals of equal labels from left to right.

    Attributes:
        steps: width of the first run, first gap, width of the second run, … (2k − 1).
        labels: class numbers, neighbours different (k).
    """

    steps: Array
    labels: Numbers

    def __len__(self) -> int:
        return len(self.labels)

    def mirrored(self) -> Runs:
        """The same runs seen from the other end."""
        return Runs(self.steps[::-1], self.labels[::-1])


@dataclass(frozen=True)
class Reach:
    """How far the search looks.

    Attributes:
        runs: number of runs among which pairs are formed.
        window: number of runs that a fold may touch.
        pairs: most pairs of pairs evaluated at once.
        finalists: of how many folds, at either end, the free parameter is optimised.
        floor: the least relative gap allowed is 2^−floor.
    """

    runs: int = 9
    window: int = 20
    pairs: int = 2500
    finalists: int = 8
    floor: float = 400.0


@dataclass(frozen=True)
class Choice:
    """A fold, and the runs after it.

    Attributes:
        end: number of the end of a run nearest to the apex (2i: start of run i, 2i + 1: its end).
        offset: from there to the apex, towards the far end of the line.
        sigma: from the apex to the point s, in the same direction.
        scale: c.
        reverse: whether the fold is at the right end, so that "towards the far end" means to the left.
        score: runs removed, plus what the shape of the remaining gaps is worth.
        gap: smallest gap between different classes afterwards, relative to the line, as a binary logarithm.
        after: the runs afterwards, from the apex on.
    """

    end: int
    offset: float
    sigma: float
    scale: float
    reverse: bool
    score: float
    gap: float
    after: Runs


def choices(runs: Runs, reach: Reach, generator: np.random.Generator) -> list[Choice]:
    """The best folds from either end that remove a run at least."""
    found: list[Choice] = []
    with np.errstate(all="ignore"):
        for reverse, view in ((False, runs), (True, runs.mirrored())):
            window = _Window(view, min(reach.window, len(view)))
            folds = window.folds(_pairs(view, min(reach.runs, len(view) - 1)), reach, generator)
            removed, gap = window.count(folds)
            score = np.where(removed > 0, removed + _OPENNESS * gap, -1e6)
            for k in np.argsort(-score, kind="stable")[: reach.finalists]:
                if removed[k] > 0:
                    found += window.stands(folds, int(k), float(score[k]), reverse)
    return [choice for choice in found if choice.gap > -reach.floor]


def _pairs(runs: Runs, count: int) -> Array:
    """Pairs of places that a useful fold may bring together; rows (end, offset, end, offset), the left place first."""
    labels, width = runs.labels, runs.steps[0::2]
    gap = runs.steps[1::2]
    found: list[tuple[float, float, float, float]] = []
    for j in range(count):
        found += [(2 * j + 1, f * gap[j], 2 * j + 1, (1 - f) * gap[j]) for f in _SELF]  # the apex in this gap
        if width[j] > 0:
            found += [(2 * j, f * width[j], 2 * j, (1 - f) * width[j]) for f in _SELF]  # in this run
        for i in range(j):
            if labels[i] == labels[j]:
                found.append((2 * i, width[i] / 2, 2 * j, width[j] / 2))
                if width[i] > 0 or width[j] > 0:
                    found += [(2 * i + 1, 0.0, 2 * j, 0.0), (2 * i, 0.0, 2 * j + 1, 0.0)]
            if labels[i] == labels[j + 1] and labels[i + 1] == labels[j]:
                found += [(2 * i + 1, f * gap[i], 2 * j + 1, g * gap[j]) for f, g in _AIMS]
        if j >= 2 and labels[0] == labels[j]:
            found += [(0, 0.0, 2 * j, 0.0), (0, 0.0, 2 * j + 1, 0.0)]
            found += [(0, 0.0, 2 * j + 1, 0.4 * gap[j]), (0, 0.0, 2 * j, -0.4 * gap[j - 1])]
    return np.array(found, dtype=float).reshape(-1, 4)


@dataclass(frozen=True)
class _Folds:
    """Candidates: apex at an end of a run plus an offset, and kappa."""

    end: Numbers
    offset: Array
    kappa: Array


class _Window:
    """The first runs of a line, with all distances between their ends."""

    def __init__(self, runs: Runs, size: int):
        self.runs, self.size = runs, size
        steps = runs.steps[: 2 * size - 1]
        count = 2 * size
        self.table = np.zeros((count, count))
        for i in range(count):
            self.table[i, i + 1 :] = np.cumsum(steps[i:])
            self.table[i, :i] = -np.cumsum(steps[:i][::-1])[::-1]

    def folds(self, pairs: Array, reach: Reach, generator: np.random.Generator) -> _Folds:
        """Every involution that exchanges both pairs of a pair of pairs."""
        if len(pairs) < 2:
            return _Folds(np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0))
        pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
        outer, inner = np.triu_indices(len(pairs), 1)
        if len(outer) > reach.pairs:
            middle = pairs[:, 0] + pairs[:, 2]  # pairs about one apex lay a whole row of gaps on gaps
            keep = np.abs(middle[outer] - middle[inner]) <= 1
            keep[generator.choice(len(outer), reach.pairs, replace=False)] = True
            outer, inner = outer[keep], inner[keep]
        base = pairs[inner, 0].astype(np.int64)
        small, large = self._fixed(pairs[inner], pairs[outer], base)
        apex, base = np.r_[small, large], np.r_[base, base]
        finite = np.isfinite(apex)
        rows = [np.r_[x, x][finite] for x in (inner, outer)]
        end = np.abs(self.table[base[finite]] - apex[finite, None]).argmin(axis=1)
        # Again from the end nearest to the apex: there the smaller fixed point is accurate to its own scale.
        offset, other = self._fixed(pairs[rows[0]], pairs[rows[1]], end)
        kappa, start = 1 / (other - offset), self.table[end, 0]
        valid = np.isfinite(offset) & np.isfinite(kappa) & (kappa != 0) & (offset > start)
        valid &= (kappa > 0) | (other < start)
        return _Folds(end[valid], offset[valid], kappa[valid])

    def _fixed(self, first: Array, second: Array, base: Numbers) -> tuple[Array, Array]:
        """Fixed points, the smaller first, of the involutions that exchange two pairs each; seen from ends of runs."""
        places = [
            self.table[base, rows[:, k].astype(np.int64)] + rows[:, k + 1] for rows in (first, second) for k in (0, 2)
        ]
        scale = np.maximum(np.abs(places).max(axis=0), _TINY)
        y, z, v, w = (x / scale for x in places)
        p, s, q, t = y * z, y + z, v * w, v + w
        gamma, alpha, beta = s - t, p - q, t * p - s * q  # gamma·yz − alpha·(y+z) − beta = 0 for both pairs
        root = np.sqrt(alpha * alpha + beta * gamma)
        sum_ = alpha + np.where(alpha >= 0, root, -root)
        return -beta / sum_ * scale, sum_ / gamma * scale

    def _laid(self, folds: _Folds) -> tuple[Array, Array, Array]:
        """Signed distances n of all ends from the apex; the same after the fold; how much the fold stretches there."""
        n = self.table[folds.end] - folds.offset[:, None]
        root = np.where(n < 0, 1 / (1 - 2 * folds.kappa[:, None] * n), 1.0)
        turned = np.where(n < 0, -n * root, 0.0)
        turned = np.maximum.accumulate(turned[:, ::-1], axis=1)[:, ::-1]  # rounding must not change an order
        return n, np.where(n < 0, turned, n), root

    def _ordered(self, n: Array, image: Array) -> tuple[Array, Numbers, Numbers, Numbers]:
        """Runs by their left ends after the fold: left places, numbers of left and right ends, order of the runs."""
        turned, across = n[..., 1::2] < 0, (n[..., 0::2] < 0) & (n[..., 1::2] >= 0)
        kept = np.where(across, image[..., 0::2] <= image[..., 1::2], ~turned)
        number = 2 * np.arange(self.size)
        low, high = np.where(kept, number, number + 1), np.where(kept, number + 1, number)
        floor = np.where(across, 0.0, np.minimum(image[..., 0::2], image[..., 1::2]))
        # Places that floats cannot tell apart keep the order that they are known to have.
        order = np.lexsort((np.where(turned, -number, number), floor))
        low, high, floor = (np.take_along_axis(x, order, axis=-1) for x in (low, high, floor))
        reach = np.take_along_axis(image, high, axis=-1)
        holder = np.where(reach >= np.maximum.accumulate(reach, axis=-1), np.arange(self.size), 0)
        high = np.take_along_axis(high, np.maximum.accumulate(holder, axis=-1), axis=-1)  # the rightmost end so far
        return floor, low, high, order

    def count(self, folds: _Folds) -> tuple[Numbers, Array]:
        """Runs removed (−1: classes meet, or the fold reaches beyond the window) and log2 of the least relative gap."""
        n, image, root = self._laid(folds)
        good = (root > 0).all(axis=1) & (root < _STRETCH).all(axis=1)
        if self.size < len(self.runs):
            good &= image[:, :-2].max(axis=1, initial=0.0) < n[:, -2]
        floor, low, high, order = self._ordered(n, image)
        labels = self.runs.labels[: self.size]
        names = labels[order]
        change = names[:, 1:] != names[:, :-1]
        gap = self._between(high[:, :-1], low[:, 1:], n, image, root)
        worst = np.where(change, gap, np.inf).min(axis=1, initial=np.inf)
        before = int((labels[1:] != labels[:-1]).sum())
        removed = np.where(good & (worst > 0), before - change.sum(axis=1), -1)
        reach = np.take_along_axis(image, high, axis=1)
        width = np.maximum(reach - floor, 0.0)
        one, other = width[:, :-1], width[:, 1:]
        openness = np.log2(np.maximum(gap * (one + gap + other) / ((one + gap) * (other + gap)), 2.0**-60))
        return removed, np.where(change, openness, 0.0).sum(axis=1) - self.openness()

    def openness(self) -> float:
        """Sum over the gaps of log2 of the cross-ratio of the four ends around them: 0 if runs are points."""
        width, gap = self.runs.steps[: 2 * self.size - 1 : 2], self.runs.steps[1 : 2 * self.size - 1 : 2]
        one, other = width[:-1], width[1:]
        return float(np.log2(gap * (one + gap + other) / ((one + gap) * (other + gap))).sum())

    def _between(self, left: Numbers, right: Numbers, n: Array, image: Array, root: Array) -> Array:
        """How far the image of one end is right of that of another, exactly if both were on one side of the apex."""

        def of(x: Array, ends: Numbers) -> Array:
            return np.take_along_axis(x, ends, axis=-1)

        plain = of(image, right) * (1 - _BLUR) - of(image, left)
        turned = of(n, left) < 0
        stretched = self.table[left, right] * of(root, left) * of(root, right)
        return np.where(turned == (of(n, right) < 0), np.where(turned, -stretched, stretched), plain)

    def stands(self, folds: _Folds, k: int, score: float, reverse: bool) -> list[Choice]:
        """One fold with the best places for the circle, evaluated on the whole line."""
        one = _Folds(folds.end[k : k + 1], folds.offset[k : k + 1], folds.kappa[k : k + 1])
        places, steps, labels = self._merged(one)
        distance = 1 / float(one.kappa[0])
        heights = np.unique(np.r_[places[:24], places[:: max(1, len(places) // 8)], abs(distance) / 2])
        part = np.clip(2 * heights[heights > 0] / abs(distance), 1e-150, 1.0)
        small = part**2 / 4 / (0.5 + 0.5 * np.sqrt(1 - part**2))
        sigma = np.r_[small * distance, (1 - small) * distance]
        scale = np.tile(abs(distance) * part / 2, 2)
        lengths = _bent_steps(places, steps, sigma[:, None], scale[:, None])
        total = lengths.sum(axis=1)
        gaps = np.log2(lengths[:, 1::2].min(axis=1, initial=np.inf) / total)
        best = [int(i) for i in np.argsort(-gaps)[:2] if np.isfinite(gaps[i])]
        end = int(one.end[0])
        number = 2 * len(self.runs) - 1 - end if reverse else end
        return [
            Choice(
                number,
                float(one.offset[0]),
                float(sigma[i]),
                float(scale[i]),
                reverse,
                score,
                float(gaps[i]),
                Runs(lengths[i] / total[i], labels),
            )
            for i in best
        ]

    def _merged(self, fold: _Folds) -> tuple[Array, Array, Numbers]:
        """Places n of the runs' ends after the fold, the steps between them, and the labels."""
        n, image, root = (x[0] for x in self._laid(fold))
        floor, low, high, order = self._ordered(n, image)
        labels = self.runs.labels[: self.size][order]
        first = np.flatnonzero(np.r_[True, labels[1:] != labels[:-1]])
        ends = np.stack([low[first], high[np.r_[first[1:], self.size] - 1]], axis=1).ravel()
        places, steps = image[ends], self._between(ends[:-1], ends[1:], n, image, root)
        if floor[0] == 0:  # the apex is inside a run
            places[0], steps[0] = 0.0, places[1]
        steps[0::2] = np.maximum(steps[0::2], 0.0)  # a width below the resolution
        if self.size < len(self.runs):
            rest = self.runs.steps[2 * self.size - 1 :]
            places = np.r_[places, places[-1] + np.cumsum(rest)]
            steps, labels = np.r_[steps, rest], np.r_[labels[first], self.runs.labels[self.size :]]
            return places, steps, labels
        return places, steps, labels[first]


def _bent_steps(places: Array, steps: Array, sigma: Array, scale: Array) -> Array:
    """Steps between the values 1 − cos δ, δ the angle on the circle from the apex, without cancellation."""
    q = (places - sigma) / scale
    delta = np.arctan2(places / scale, 1 - sigma / scale * q)
    between = np.arctan2(steps / scale, 1 + q[:, :-1] * q[:, 1:])
    return 2 * np.sin(between / 2) * np.sin((delta[:, :-1] + delta[:, 1:]) / 2)
