"""LSSR checked without the formula that found it: by definiteness, and by the eigenvalues of N⁻¹M."""

from __future__ import annotations

from typing import Any

from flint import fmpq, fmpq_mat

from constructions.errors import InputError, LNNetError
from constructions.sum_of_squares import LinearBound, as_samples, project_samples, scatter, sum_of_squares_ratio


def check_linear_bound(first: Any, second: Any, bound: LinearBound) -> None:
    """Verify that a value is LSSR: M − value·N is positive semidefinite, and the direction reaches the value.

    For every W, SSR(WX1, WX2) = tr(WMWᵀ)/tr(WNWᵀ), so semidefiniteness is the lower bound and the direction shows
    that it is attained. Exact; of order d³.

    Raises:
        LNNetError: the value is not LSSR.
    """
    x1, x2 = as_samples(first), as_samples(second)
    m, n = scatter(x1) + scatter(x2), scatter(x1 + x2)
    if not is_positive_semidefinite(m - n * bound.value):
        raise LNNetError(f"{bound.value} is no lower bound of SSR under linear maps.")
    line = [tuple((x,) for x in project_samples(part, bound.direction)) for part in (x1, x2)]
    if sum_of_squares_ratio(*line) != bound.value:
        raise LNNetError(f"The direction does not reach {bound.value}.")


def is_positive_semidefinite(matrix: fmpq_mat) -> bool:
    """Whether a symmetric rational matrix is positive semidefinite, by exact symmetric elimination.

    >>> is_positive_semidefinite(fmpq_mat(2, 2, [1, 1, 1, 1])), is_positive_semidefinite(fmpq_mat(2, 2, [0, 1, 1, 2]))
    (True, False)
    """
    d = matrix.nrows()
    rest = [[matrix[i, j] for j in range(d)] for i in range(d)]
    while rest:
        pivot = rest[0][0]
        if pivot < 0 or (pivot == 0 and any(x != 0 for x in rest[0])):
            return False
        if pivot == 0:
            rest = [row[1:] for row in rest[1:]]
        else:
            head = rest[0]
            rest = [[x - row[0] / pivot * y for x, y in zip(row[1:], head[1:], strict=True)] for row in rest[1:]]
    return True


def eigenvalues(within: fmpq_mat, total: fmpq_mat) -> list[Any]:
    """The eigenvalues of N⁻¹M with multiplicity, exact, as sympy numbers in ascending order.

    Raises:
        InputError: N is singular.
    """
    import sympy

    if total.rank() < total.nrows():
        raise InputError("N is singular, so N⁻¹M does not exist; linear_bound needs no inverse.")
    z = sympy.Symbol("z")
    coefficients = (total.solve(within)).charpoly().coeffs()
    polynomial = sympy.Poly([sympy.Rational(int(c.p), int(c.q)) for c in reversed(coefficients)], z)
    return list(sympy.real_roots(polynomial))


def as_fmpq(value: Any) -> fmpq:
    """A sympy rational as an exact rational."""
    return fmpq(int(value.p), int(value.q))
