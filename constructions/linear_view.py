"""Exact linear views of a state, at a size that suits floating point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray

from constructions.arithmetic import Dyadic
from constructions.network import Affine
from constructions.rational import round_to_bits, to_rational

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class LinearView:
    """x ↦ rows·x + offsets with exact entries: how a state is read, at a size that suits floating point."""

    rows: tuple[tuple[fmpq, ...], ...]
    offsets: tuple[fmpq, ...]

    def see(self, vectors: Sequence[Sequence[Any]]) -> Matrix:
        """Images of states (exact, or balls), rounded."""
        if isinstance(vectors[0][0], fmpq):
            states = fmpq_mat([list(v) for v in vectors]) * fmpq_mat([list(row) for row in self.rows]).transpose()
            shifted = [[states[i, j] + b for j, b in enumerate(self.offsets)] for i in range(len(vectors))]
            return np.array([[_float(x) for x in row] for row in shifted])
        mids = np.array([[float(x.mid()) for x in v] for v in vectors])
        return np.asarray(mids @ to_floats(self.rows).T + to_floats([self.offsets]))

    def then(self, weight: Sequence[Sequence[fmpq]], bias: Sequence[fmpq], numbers: Dyadic) -> Affine:
        """The affine map weight·(view) + bias on the state itself, its entries rounded."""
        product = fmpq_mat([list(row) for row in weight]) * fmpq_mat([list(row) for row in self.rows])
        rows, columns = len(weight), len(self.rows[0])
        offsets = [
            b + sum((w * o for w, o in zip(row, self.offsets, strict=True)), fmpq(0))
            for row, b in zip(weight, bias, strict=True)
        ]
        return Affine(
            tuple(tuple(numbers.round(product[i, j]) for j in range(columns)) for i in range(rows)),
            tuple(numbers.round(b) for b in offsets),
        )


def identity_rows(d: int) -> list[list[fmpq]]:
    """The rows of the identity matrix."""
    return [[fmpq(int(i == j)) for j in range(d)] for i in range(d)]


def short(x: float, bits: int = 20) -> fmpq:
    """A float rounded to few bits, exactly."""
    return round_to_bits(to_rational(float(x)), bits)


def _float(x: fmpq) -> float:
    return int(x.p) / int(x.q)


def to_floats(rows: Sequence[Sequence[fmpq]]) -> Matrix:
    """Exact rows as a floating-point matrix."""
    return np.array([[_float(x) for x in row] for row in rows])
