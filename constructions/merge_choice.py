"""Which two points to merge next: a choice in floating point, which only affects depth and precision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

#: Candidates for a layer's centre and height.
CENTRES = 16
#: Pairs of one class, and pairs of different classes, considered at a time.
PAIRS, OPPOSITES = 192, 10_000
#: Merges that leave the classes closer than this fraction of the best are not considered.
_RELATIVE_GAP = 0.1


@dataclass(frozen=True)
class MergeChooser:
    """How the next merge is chosen.

    Attributes:
        goal: ``"gap"``: keep the classes as far apart as possible; ``"fit"``: among merges that keep them apart, leave
            the labels closest to a linear function, so that they become linearly separable soon; ``"grow"``: the same,
            for layers that may raise the dimension instead of merging. None always gives the shallowest network.
        random: draws the candidates where there are too many.
    """

    goal: str
    random: np.random.Generator

    def centres(self, positions: Matrix, labels: NDArray[np.int_]) -> Iterator[tuple[Matrix, float]]:
        """Candidates (s, c): the middle, points around it, and midpoints of close pairs of different classes.

        Heights c range from the distance of the pair to the spread of all points, so that an outlier does not hide a
        narrow gap between classes.

        Args:
            positions: shape (m, k).
            labels: m class numbers.
        """
        middle = positions.mean(axis=0)
        spread = float(np.abs(positions - middle).max()) or 1.0
        i, j = np.triu_indices(len(positions), 1)
        opposites = self._some(np.column_stack([i, j])[labels[i] != labels[j]], OPPOSITES)
        distances = np.linalg.norm(positions[opposites[:, 0]] - positions[opposites[:, 1]], axis=1)
        close = np.argsort(distances, kind="stable")[:4]
        for number in range(CENTRES):
            if number % 2 == 0 or not len(close):
                noise = self.random.normal(size=len(middle)) * (0.5 * spread) if number else 0.0
                yield middle + noise, spread * float(2.0 ** self.random.uniform(-2, 1))
            else:
                k = close[number // 2 % len(close)]
                distance = max(float(distances[k]), 1e-12 * spread)
                height = distance * (2 * spread / distance) ** float(self.random.uniform(0, 1))
                yield positions[opposites[k]].mean(axis=0), height

    def best_pair(self, values: Matrix, labels: NDArray[np.int_]) -> tuple[float, float, tuple[int, int] | None]:
        """The best merge along a chord.

        Args:
            values: shape (m, D).
            labels: m class numbers.

        Returns:
            Its loss (smaller is better), the smallest distance it leaves between classes, and the pair of rows
            (None if every class is a single point).
        """
        i, j = np.triu_indices(len(values), 1)
        same = labels[i] == labels[j]
        pairs = self._some(np.column_stack([i[same], j[same]]), PAIRS)
        if not len(pairs):
            return 0.0, 0.0, None
        opposites = self._some(np.column_stack([i[~same], j[~same]]), OPPOSITES)
        apart = values[opposites[:, 0]] - values[opposites[:, 1]]
        chords = values[pairs[:, 0]] - values[pairs[:, 1]]
        chords /= np.maximum(np.linalg.norm(chords, axis=1, keepdims=True), 1e-300)
        gaps = np.sqrt(_squares_along(apart, chords).min(axis=0)) if len(apart) else np.ones(len(pairs))
        loss = -gaps
        if self.goal != "gap":
            loss = np.where(gaps < _RELATIVE_GAP * gaps.max(), np.inf, _fit_along(values, labels, chords))
        best = int(np.argmin(loss))
        return float(loss[best]), float(gaps[best]), (int(pairs[best, 0]), int(pairs[best, 1]))

    def _some(self, rows: NDArray[np.int_], count: int) -> NDArray[np.int_]:
        return rows if len(rows) <= count else rows[self.random.choice(len(rows), count, replace=False)]


def _squares_along(vectors: Matrix, units: Matrix) -> Matrix:
    """Squared lengths of the vectors (rows) after projecting along each unit vector (columns of the result)."""
    along = np.einsum("ab,cb->ac", vectors, units)  # small, and BLAS threads would only wait for each other
    lengths = np.einsum("ab,ab->a", vectors, vectors)[:, None]
    squares = np.maximum(lengths - along**2, 0.0)
    cancelled = squares < 1e-8 * lengths
    if cancelled.any():
        for a, b in np.argwhere(cancelled):
            rest = vectors[a] - along[a, b] * units[b]
            squares[a, b] = rest @ rest
    return squares


def _fit_along(values: Matrix, labels: NDArray[np.int_], chords: Matrix) -> Matrix:
    """Residual sums of squares of the labels about linear functions that are constant along each chord w.

    RSS + (wᵀf)²/(wᵀS⁻¹w), with f the unconstrained least-squares fit, RSS its residual and S the scatter matrix.
    """
    centred = values - values.mean(axis=0)
    targets = (labels[:, None] == np.unique(labels)).astype(float)
    targets -= targets.mean(axis=0)
    scatter = centred.T @ centred
    inverse = np.linalg.pinv(scatter + 1e-9 * np.trace(scatter) / len(scatter) * np.eye(len(scatter)))
    fit = inverse @ centred.T @ targets
    rest = float(((targets - centred @ fit) ** 2).sum())
    along = ((chords @ fit) ** 2).sum(axis=1) / np.maximum(np.einsum("ab,bc,ac->a", chords, inverse, chords), 1e-300)
    return np.asarray(rest + along)
