r"""Chains of general layers that end in two chords of the conic.

A *chain* is a sequence of layers given by their linear forms (`sight`), the first from R^d. It puts every point on the
conic, and one more layer (`half_spaces`) separates any labelling that changes at most four times around it. So a single
chain realises some m⁴/12 labelings of m points, and a few hundred chains found at random (nothing about them needs
to be trusted) often realise all 2^m.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from constructions.arithmetic import Dyadic
from constructions.errors import InputError, ShapeError
from constructions.half_spaces import float_of
from constructions.network import Affine, LNNet
from constructions.points import LabeledPoints
from constructions.rational import to_rational
from constructions.sight import first_sight, later_sight
from constructions.spherical_projection import INTEGER
from constructions.wedges import conic_wedges

Forms = tuple[tuple[fmpq, ...], tuple[fmpq, ...]]

_ARITHMETIC = Dyadic(53)
_GAIN = float_of(INTEGER.gain_squared) ** 0.5
_ROOT = INTEGER.kappa**0.5


@dataclass(frozen=True)
class Chain:
    """The forms U, V of every layer but the last, with the constants last.

    Attributes:
        forms: for the first layer two rows of d + 1 rationals, on (x, 1); for later ones of three, on (X, Y, 1), where
            (X, Y) is the place on the ellipse X² + 3Y² = 3/2 of the integer frame.
    """

    forms: tuple[Forms, ...]

    def __post_init__(self) -> None:
        if not self.forms:
            raise ShapeError("A chain must have at least one layer.")
        for number, rows in enumerate(self.forms):
            width = len(self.forms[0][0]) if number == 0 else 3
            if len(rows) != 2 or any(len(row) != width for row in rows) or width < 2:
                raise ShapeError(f"Layer {number} of a chain must have two rows of {width} numbers.")

    @classmethod
    def of(cls, matrices: Sequence[Sequence[Sequence[object]]]) -> Chain:
        """From anything number-like, exactly: one 2 × (d+1) matrix, then 2 × 3 matrices."""
        exact = tuple(tuple(tuple(to_rational(x) for x in row) for row in matrix) for matrix in matrices)
        return cls(exact)  # type: ignore[arg-type]

    @cached_property
    def arrays(self) -> list[NDArray[np.float64]]:
        """The forms in floating point."""
        return [np.array([[float_of(x) for x in row] for row in rows]) for rows in self.forms]

    @cached_property
    def layers(self) -> tuple[Affine, ...]:
        """The affine maps of three neurons that compute the forms (entries of up to 48 bits exactly)."""
        with _ARITHMETIC.work():
            entered = [[[_ARITHMETIC.enter(w) for w in row] for row in rows] for rows in self.forms]
            first, *rest = entered
            sights = (first_sight(first, _ARITHMETIC), *(later_sight(rows, _ARITHMETIC) for rows in rest))
        return tuple(sight.layer for sight in sights)


def conic_angles(matrices: Sequence[NDArray[np.float64]], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where chains put points, as angles (radians) on the circle; floating point, to search and to choose.

    Args:
        matrices: one array a layer, of shape (..., 2, d+1) and then (..., 2, 3): many chains at once.
        points: (m, d).

    Returns:
        Shape (..., m).
    """
    vector = np.concatenate([points, np.ones((len(points), 1))], axis=1)
    angle = np.zeros(len(points))
    for number, matrix in enumerate(matrices):
        if number:
            x, y = _GAIN * np.cos(angle), _GAIN / _ROOT * np.sin(angle)
            vector = np.stack([x, y, np.ones_like(x)], axis=-1)
        uv = vector @ np.swapaxes(matrix, -1, -2)
        angle = np.arctan2(_ROOT * uv[..., 1], uv[..., 0])
    return angle


def chain_labelings(
    matrices: Sequence[NDArray[np.float64]], points: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Every labelling, but the constant ones, that chains realise with two chords, in floating point.

    Args:
        matrices: one array a layer, of shape (B, 2, d+1) and then (B, 2, 3).
        points: (m, d), m ≤ 62.

    Returns:
        Two arrays with a row a chain and a column for every choice of two or four cuts. The first holds labelings
        as numbers: bit k − 1 is the label of point k, point 0 has label 0 (else all labels are exchanged). The second
        holds the narrowest gap cut, in radians.
    """
    m = len(points)
    angles = conic_angles(matrices, points)
    order = np.argsort(angles, axis=1)
    place = np.take_along_axis(angles, order, axis=1)
    gaps = np.diff(np.concatenate([place, place[:, :1] + 2 * np.pi], axis=1), axis=1)
    before = np.cumsum(np.int64(1) << order.astype(np.int64), axis=1)  # the points up to each, as bits
    labelings, narrowest = [], []
    for count in (2, 4):
        cuts = np.array(list(combinations(range(m), count)), dtype=int).reshape(-1, count)
        masks = np.bitwise_xor.reduce(before[:, cuts], axis=2)
        labelings.append(np.where(masks & 1, masks ^ ((1 << m) - 1), masks) >> 1)
        narrowest.append(gaps[:, cuts].min(axis=2, initial=np.inf))
    return np.concatenate(labelings, axis=1), np.concatenate(narrowest, axis=1)


def chain_network(chain: Chain, points: LabeledPoints) -> LNNet:
    """The network of a chain and two chords, of one layer more than the chain.

    Args:
        chain: the layers before the last.
        points: points of R^d with labels 0 and 1.

    Returns:
        A dyadic network of width 3. Certify it: the chords are chosen in floating point.

    Raises:
        ShapeError: points of another dimension.
        InputError: other labels, or labels that change more than four times around the conic.
    """
    if points.dimension + 1 != len(chain.forms[0][0]):
        raise ShapeError(f"The chain takes {len(chain.forms[0][0]) - 1} coordinates, not {points.dimension}.")
    if not set(points.labels) <= {0, 1}:
        raise InputError(f"Expected labels 0 and 1, not {points.classes}.")
    places = np.array([[float_of(x) for x in point] for point in points.points])
    angles = conic_angles(chain.arrays, places)
    labels = np.array(points.labels)
    marks = labels[np.argsort(angles, kind="stable")]
    changes = int((marks != np.roll(marks, -1)).sum())
    if changes > 4:
        raise InputError(f"The labels change {changes} times around the conic; two chords allow 4.")
    ending = conic_wedges(angles, labels[None]).affines(0) if changes else _constant(1 if marks[0] else -1)
    return LNNet((*chain.layers, *ending), (0, 1))


def _constant(value: int) -> tuple[Affine, Affine]:
    identity = Affine.of([[int(i == j) for j in range(3)] for i in range(3)], [0] * 3)
    return identity, Affine.of([[0] * 3], [value])
