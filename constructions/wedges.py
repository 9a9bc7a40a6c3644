r"""Last layers in batches: ANDs and ORs of two affine functions, with float64 weights taken as the numbers they are.

The same one layer as in `half_spaces`, for many labelings at a time: arrays in, arrays out, and every row is the last
layer of a network of its own. Everything here chooses weights; nothing needs to be exact but the weights themselves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from constructions.network import Affine
from constructions.spherical_projection import INTEGER, lemma1_maps

Floats = NDArray[np.float64]

#: The columns span the zero-sum plane: φ1 of Lemma 1, rounded.
_PLANE: Floats = np.array([[float(x) for x in row] for row in lemma1_maps(3)[0]])
_READ: Floats = np.array([[float(x) for x in row] for row in lemma1_maps(3)[1]]).sum(axis=0)
_GAIN = float(np.sqrt(1.5))
_ROOT = float(np.sqrt(INTEGER.kappa))


class Wedges(NamedTuple):
    """N last layers: x ↦ read·LN(weight·x + bias) + offset, with LN on three neurons.

    Attributes:
        weight: (N, 3, k).
        bias: (N, 3).
        read: (3,).
        offset: (N,): −1 for an AND, 1 for an OR.
    """

    weight: Floats
    bias: Floats
    read: Floats
    offset: Floats

    def affines(self, number: int) -> tuple[Affine, Affine]:
        """One of the layers, exactly, as the affine maps before and after its LN."""
        return (
            Affine.of(self.weight[number], self.bias[number]),
            Affine.of([self.read], [self.offset[number]]),
        )


def wedges(first: Floats, second: Floats, union: NDArray[np.bool_]) -> Wedges:
    """ANDs, or ORs where ``union`` holds, of affine functions with the constant last, shape (N, k + 1) each."""
    rows = _PLANE[:, :1] * first[:, None, :] + _PLANE[:, 1:] * second[:, None, :]
    return Wedges(rows[:, :, :-1], rows[:, :, -1], _READ, np.where(union, 1.0, -1.0))


def margins(first: Floats, second: Floats, union: NDArray[np.bool_]) -> Floats:
    """Distance of (h1 + h2)/‖h‖ from its threshold (arrays that broadcast; 0 at the corner)."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        read = (first + second) / np.hypot(first, second) + np.where(union, 1.0, -1.0)
    return np.nan_to_num(np.abs(read), nan=0.0, posinf=0.0)


def conic_wedges(angles: Floats, labels: NDArray[np.int_]) -> Wedges:
    """For labelings of points on a conic, the last layers that separate them with two chords.

    Of the two ways, an OR of the arcs of label 1 and an AND around those of label 0, the one with the larger margin.

    Args:
        angles: m angles (radians) on the circle, of points of the ellipse X² + 3Y² = 3/2 (`chains`).
        labels: (N, m) zeros and ones that change two or four times around it.

    Returns:
        Layers on the three outputs of the LN before.
    """
    order = np.argsort(angles, kind="stable")
    around, marks = angles[order], labels[:, order]
    middle = (
        around + (np.roll(around, -1) - around + np.where(np.arange(len(around)) == len(around) - 1, 2 * np.pi, 0)) / 2
    )
    change = marks != np.roll(marks, -1, axis=1)
    ends, points = _place(middle), _place(angles)  # once and whole: the same bits whatever the labelings
    first, second = np.zeros((2, len(labels), 3))
    union = np.zeros(len(labels), bool)
    for count in (2, 4):
        rows = np.flatnonzero(change.sum(axis=1) == count)
        if len(rows):
            cuts = np.nonzero(change[rows])[1].reshape(-1, count)
            before = marks[rows, cuts[:, 0]]
            first[rows], second[rows], union[rows] = _chords(ends[cuts], before, points)
    return wedges(_on_neurons(first), _on_neurons(second), union)


def _chords(ends: Floats, before: NDArray[np.int_], points: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Two forms in (X, Y, 1) for every row of two or four ends of arcs; ``before`` is the label before the first."""
    count = len(ends)
    best = np.full(count, -1.0)
    first, second = np.zeros((2, count, 3))
    union = np.zeros(count, bool)
    for label in (1, 0):
        rolled = np.where((before == label)[:, None, None], np.roll(ends, -1, axis=1), ends)
        one = _arc(rolled[:, 0], rolled[:, 1]) * (1 if label else -1)
        two = _arc(rolled[:, -2], rolled[:, -1]) * (1 if label else -1)
        values = [form[:, :1] * points[:, 0] + form[:, 1:2] * points[:, 1] + form[:, 2:] for form in (one, two)]
        factor, least = best_factor(values[0], values[1], np.full(count, bool(label)))
        better = least > best
        best[better], union[better] = least[better], bool(label)
        first[better] = one[better]
        second[better] = (two * factor[:, None])[better]
    return first, second, union


def best_factor(first: Floats, second: Floats, union: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """For every row the power of two by which to scale the second function, and the least margin it leaves.

    Args:
        first, second: values of the two functions at m points, shape (N, m).
        union: N.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.log2(np.median(np.abs(first), axis=1) / np.median(np.abs(second), axis=1))
    middle = np.round(np.nan_to_num(ratio, nan=0.0, posinf=0.0, neginf=0.0)).astype(int)
    factors = np.ldexp(1.0, middle[:, None] + np.arange(-3, 4))
    read = margins(first[:, None], factors[:, :, None] * second[:, None], union[:, None, None]).min(axis=2)
    choice = read.argmax(axis=1)
    rows = np.arange(len(choice))
    return factors[rows, choice], read[rows, choice]


def _place(angles: Floats) -> Floats:
    return np.stack([_GAIN * np.cos(angles), _GAIN / _ROOT * np.sin(angles)], axis=1)


def _arc(start: Floats, end: Floats) -> Floats:
    """Forms in (X, Y, 1), positive on the arc from one place up (counterclockwise) to another."""
    (x1, y1), (x2, y2) = start.T, end.T
    forms = np.stack([y2 - y1, x1 - x2, x2 * y1 - x1 * y2], axis=1)
    return forms / np.sqrt(forms[:, :1] ** 2 + forms[:, 1:2] ** 2)  # type: ignore[no-any-return]


def _on_neurons(forms: Floats) -> Floats:
    """Forms in (X, Y, 1) as functions of the outputs o = X·(1, −1, 0) + Y·(1, 1, −2) of the LN before, and 1."""
    x, y, constant = forms.T
    return np.stack([(x + y) / 2, (y - x) / 2, np.zeros_like(x), constant], axis=1)
