r"""Definitions 1 and 2 (Ni et al. 2024): sums of squares, their ratio SSR, and its linear lower bound LSSR.

With class means :math:`\bar x_c`, within-class scatter M and total scatter N (Proposition 2), the difference
:math:`N-M = w\,\delta\delta^{\mathsf T}`, :math:`\delta=\bar x_1-\bar x_2`, :math:`w=m_1m_2/(m_1+m_2)`, has rank one.
So the least eigenvalue of :math:`N^{-1}M` needs no eigenvalue solver: it is the *rational* number

.. math:: \mathrm{LSSR} = 1 - w\,\delta^{\mathsf T}N^{-1}\delta,

reached by the rational direction :math:`u^*=N^{-1}\delta`, Fisher's discriminant; every other eigenvalue is 1. Since
:math:`\delta` lies in the range of N, a singular N changes nothing: any solution of :math:`Nu=\delta` will do.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from flint import fmpq, fmpq_mat

from constructions.errors import EmptyInputError, InputError, ShapeError
from constructions.rational import to_rational

Sample = tuple[fmpq, ...]
Samples = tuple[Sample, ...]


@dataclass(frozen=True)
class LinearBound:
    """The LSSR of two classes and where it is reached.

    Attributes:
        value: LSSR, exact.
        direction: u* with SSR(u*ᵀX1, u*ᵀX2) = LSSR, d rationals, pointing from the mean of class 2 to that of class 1.
        within: M, d × d.
        total: N, d × d.
        rank: rank of N.
        unique: whether u* is the only minimiser up to a factor (and up to directions along which nothing varies).
    """

    value: fmpq
    direction: tuple[fmpq, ...]
    within: fmpq_mat
    total: fmpq_mat
    rank: int
    unique: bool


def as_samples(rows: Any) -> Samples:
    """Samples exactly as written, repetitions kept.

    Args:
        rows: shape (m, d), or (m,) for numbers: nested sequences, an array or a data frame.

    Raises:
        EmptyInputError: no sample, or samples without coordinates.
        ShapeError: rows of different lengths.
        NonFiniteError: NaN or an infinity.
    """
    values = rows.to_numpy() if hasattr(rows, "to_numpy") else rows
    samples = tuple(
        tuple(to_rational(x) for x in row) if _is_row(row) else (to_rational(row),)
        for row in (values.tolist() if hasattr(values, "tolist") else values)
    )
    if not samples or not samples[0]:
        raise EmptyInputError("Expected at least one sample with at least one coordinate.")
    widths = {len(row) for row in samples}
    if len(widths) > 1:
        raise ShapeError(f"Samples must have equal lengths, not {sorted(widths)}.")
    return samples


def two_classes(rows: Sequence[Any], labels: Sequence[Any]) -> tuple[Samples, Samples, tuple[Any, Any]]:
    """Split labelled rows into the samples of the two classes.

    Returns:
        Samples of the first class, of the second, and the two labels (sorted if they can be compared).

    Raises:
        ShapeError: not one label a row.
        InputError: not exactly two classes.
    """
    if len(rows) != len(labels):
        raise ShapeError(f"Expected one label a sample, not {len(labels)} labels for {len(rows)} samples.")
    names = list(dict.fromkeys(labels))
    if len(names) != 2:
        raise InputError(f"SSR compares two classes, not {len(names)}: {', '.join(map(str, names[:10]))}.")
    with suppress(TypeError):
        names.sort()
    first, second = ([row for row, label in zip(rows, labels, strict=True) if label == name] for name in names)
    return as_samples(first), as_samples(second), (names[0], names[1])


def mean(samples: Samples) -> Sample:
    """The mean of samples, exact."""
    return tuple(sum(column, fmpq(0)) / len(samples) for column in zip(*samples, strict=True))


def sum_of_squares(samples: Any) -> fmpq:
    """SS(X) = Σ‖x_i − x̄‖² (equation 4), exact.

    >>> sum_of_squares([[0, 0], [2, 0]])
    2
    """
    rows = as_samples(samples)
    centre = mean(rows)
    return sum(((x - c) ** 2 for row in rows for x, c in zip(row, centre, strict=True)), fmpq(0))


def sum_of_squares_ratio(first: Any, second: Any) -> fmpq:
    """SSR(X1, X2) = (SS(X1) + SS(X2))/SS([X1, X2]), Definition 1, exact and in [0, 1].

    Args:
        first: samples of the first class, one a row (or numbers, for d = 1).
        second: samples of the second class.

    Raises:
        InputError: all samples coincide, where the ratio is undefined.

    >>> sum_of_squares_ratio([[0], [1]], [[3], [4]])
    1/10
    """
    x1, x2 = as_samples(first), as_samples(second)
    _check_same_space(x1, x2)
    total = sum_of_squares(x1 + x2)
    if total == 0:
        raise InputError("SSR is undefined here: all samples coincide, so the total sum of squares is zero.")
    return (sum_of_squares(x1) + sum_of_squares(x2)) / total


def scatter(samples: Samples) -> fmpq_mat:
    """Σ (x_i − x̄)(x_i − x̄)ᵀ, d × d, exact."""
    centre, d = mean(samples), len(samples[0])
    centred = fmpq_mat(len(samples), d, [x - c for row in samples for x, c in zip(row, centre, strict=True)])
    return centred.transpose() * centred


def linear_bound(first: Any, second: Any) -> LinearBound:
    """LSSR(X1, X2), Definition 2 and Proposition 2, exact for any dimension and any class sizes.

    Args:
        first, second: samples of the two classes, shapes (m1, d) and (m2, d).

    Raises:
        InputError: all samples coincide, where every ratio is undefined.
        ShapeError: different dimensions.

    >>> bound = linear_bound([[0, 0], [1, 1]], [[0, 2], [1, 3]])
    >>> bound.value, bound.direction
    (0, (1/2, -1/2))
    """
    x1, x2 = as_samples(first), as_samples(second)
    _check_same_space(x1, x2)
    m, n = scatter(x1) + scatter(x2), scatter(x1 + x2)
    if all(x == 0 for x in n.entries()):
        raise InputError("LSSR is undefined: all samples coincide, so every ratio has a zero denominator.")
    difference = [a - b for a, b in zip(mean(x1), mean(x2), strict=True)]
    weight = fmpq(len(x1) * len(x2), len(x1) + len(x2))
    direction, rank = _solve(n, difference)
    value = 1 - weight * sum((a * b for a, b in zip(difference, direction, strict=True)), fmpq(0))
    if all(x == 0 for x in difference):  # M = N: every direction gives 1; take one along which something varies
        axis = next(k for k in range(n.nrows()) if n[k, k] != 0)
        direction = [fmpq(int(k == axis)) for k in range(n.nrows())]
        return LinearBound(fmpq(1), tuple(direction), m, n, rank, rank == 1)
    return LinearBound(value, tuple(direction), m, n, rank, True)


def project_samples(samples: Samples, direction: Sequence[Any]) -> tuple[fmpq, ...]:
    """The scalar products of samples with a direction of d numbers."""
    u = [to_rational(x) for x in direction]
    return tuple(sum((a * b for a, b in zip(u, row, strict=True)), fmpq(0)) for row in samples)


def _solve(matrix: fmpq_mat, right: Sequence[fmpq]) -> tuple[list[fmpq], int]:
    """A solution of matrix·u = right (which is in the range) with zeros off the pivots, and the rank."""
    d = matrix.nrows()
    augmented = fmpq_mat(d, d + 1, [x for k in range(d) for x in (*(matrix[k, j] for j in range(d)), right[k])])
    reduced, _ = augmented.rref()
    solution = [fmpq(0)] * d
    rank = 0
    for i in range(d):
        pivot = next((j for j in range(d) if reduced[i, j] != 0), None)
        if pivot is not None:
            solution[pivot] = reduced[i, d]
            rank += 1
    return solution, rank


def _is_row(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or (hasattr(value, "__len__") and not isinstance(value, str))


def _check_same_space(x1: Samples, x2: Samples) -> None:
    if len(x1[0]) != len(x2[0]):
        raise ShapeError(f"Both classes must have the same dimension, not {len(x1[0])} and {len(x2[0])}.")
