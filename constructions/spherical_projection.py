r"""Lemma 1 (Ni et al. 2024): spherical projection is an LN between two linear maps.

On :math:`\mathbb R^{d-1}`, :math:`\mathrm{SP} = \varphi_2\circ\mathrm{LN}\circ\varphi_1` with
:math:`\varphi_1(x)=Q\binom{I}{0}x` and :math:`\varphi_2(z)=d^{-1/2}(I\;0)Q^{\mathsf T}z`, where Q is orthogonal with
last column :math:`1/\sqrt d`: the first d − 1 columns span the plane of zero-sum vectors, where LN only rescales.

For d = 3 the entries of Q are irrational. A network with rational weights uses another basis of the same
plane, orthogonal but not normalised; it projects onto an ellipse instead of the circle, which on the line is
again a fold. Both bases are a :class:`Frame`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from flint import fmpq

from constructions.algebraic import Algebraic, algebraic
from constructions.errors import InputError

ExactMatrix = tuple[tuple[Algebraic, ...], ...]


def helmert_matrix(d: int) -> ExactMatrix:
    """The orthogonal d × d matrix Q of Lemma 1, exact (a Helmert matrix, last column 1/√d).

    Column k < d is (1, …, 1, −k, 0, …, 0)/√(k(k+1)) with k ones.

    Args:
        d: number of rows and of columns.

    Raises:
        InputError: d < 2.
    """
    if d < 2:
        raise InputError(f"Argument 'd' must be at least 2, not {d}.")
    columns = [
        [algebraic(1 if i < k else -k if i == k else 0) / algebraic(k * (k + 1)).sqrt() for i in range(d)]
        for k in range(1, d)
    ]
    columns.append([1 / algebraic(d).sqrt()] * d)
    return tuple(tuple(column[i] for column in columns) for i in range(d))


@cache
def lemma1_maps(d: int) -> tuple[ExactMatrix, ExactMatrix]:
    """The matrices of φ1 (d × (d−1)) and φ2 ((d−1) × d) with SP = φ2 ∘ LN ∘ φ1 on R^(d−1).

    Raises:
        InputError: d < 3, where the lemma is not stated (for d = 2 LN takes two values only).

    >>> phi1, phi2 = lemma1_maps(3)
    >>> phi1[0][0] == 1 / algebraic(2).sqrt()
    True
    """
    if d < 3:
        raise InputError(f"Argument 'd' must be at least 3, not {d}.")
    q = helmert_matrix(d)
    phi1 = tuple(row[: d - 1] for row in q)
    phi2 = tuple(tuple(q[i][k] / algebraic(d).sqrt() for i in range(d)) for k in range(d - 1))
    return phi1, phi2


@dataclass(frozen=True)
class Frame:
    """An orthogonal basis (a, b) of the zero-sum plane in R^3 through which a fold enters an LN.

    The fold's plane vector (p − s, c) becomes (p − s)·a + c·b, up to a multiple of (1, 1, 1), which LN removes.

    Attributes:
        name: ``"lemma1"``, ``"integer"`` or ``"balanced"``.
        kappa: the squared length of b over that of a, the weight of c² in the fold's denominator.
        gain_squared: square of the factor that LN and read-off put in front of the fold.

    All frames realise ``p ↦ gain·(u1·(p−s) + u2·c)/√((p−s)² + kappa·c²)``.
    """

    name: str
    kappa: int
    gain_squared: fmpq

    @property
    def level(self) -> fmpq:
        """The u2 > 0 with which the rational frames read along b by powers of two, which multiply without rounding."""
        return fmpq(3 if self is BALANCED else 1)

    def inlet(self, shift: Any, scale: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Column and bias of the affine map p ↦ column·p + bias from the line into R^3."""
        if self is INTEGER:
            column = (fmpq(1), fmpq(-1), fmpq(0))
            return column, (3 * scale - shift, 3 * scale + shift, fmpq(0))
        if self is BALANCED:
            return (fmpq(1), fmpq(-1), fmpq(0)), (scale - shift, scale + shift, -2 * scale)
        phi1, _ = lemma1_maps(3)
        return tuple(row[0] for row in phi1), tuple(scale * row[1] - shift * row[0] for row in phi1)

    def outlet(self, u1: Any, u2: Any) -> tuple[Any, ...]:
        """The row that reads the fold's value off the three outputs of LN."""
        if self is INTEGER:
            return (u1 + u2) / 2, (u2 - u1) / 2, fmpq(0)
        if self is BALANCED:
            return u1 / 2 + u2 / 6, u2 / 6 - u1 / 2, -u2 / 3
        _, phi2 = lemma1_maps(3)
        return tuple(u1 * phi2[0][k] + u2 * phi2[1][k] for k in range(3))


#: Lemma 1 as stated: a = (1, −1, 0)/√2, b = (1, 1, −2)/√6, orthonormal, irrational.
LEMMA1 = Frame("lemma1", 1, fmpq(1))
#: Its rational sibling: a = (1, −1, 0), b = (1, 1, −2), where b is √3 times as long as a.
INTEGER = Frame("integer", 3, fmpq(3, 2))
#: The same basis with rows of mean zero, both into LN and out of it: what LN rounds in common then cancels.
BALANCED = Frame("balanced", 3, fmpq(3, 2))
