"""Second-order forward differentiation over any kind of number.

A `Jet` carries a value, its gradient and its Hessian. The numbers inside may be floats, rationals, balls, algebraic
reals or sympy expressions: only + − × ÷ and one square root, which the caller supplies, are used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Jet:
    """A number with its first and second derivatives in d variables.

    Attributes:
        value: the number.
        gradient: d first derivatives.
        hessian: d rows of d second derivatives.

    >>> x, y = variables([3, 5])
    >>> (x * y * y).hessian
    ((0, 10), (10, 6))
    """

    value: Any
    gradient: tuple[Any, ...]
    hessian: tuple[tuple[Any, ...], ...]

    def __add__(self, other: Any) -> Jet:
        if not isinstance(other, Jet):
            return Jet(self.value + other, self.gradient, self.hessian)
        return Jet(
            self.value + other.value,
            tuple(a + b for a, b in zip(self.gradient, other.gradient, strict=True)),
            _matrix(lambda i, k: self.hessian[i][k] + other.hessian[i][k], len(self.gradient)),
        )

    def __neg__(self) -> Jet:
        return Jet(
            -self.value,
            tuple(-a for a in self.gradient),
            _matrix(lambda i, k: -self.hessian[i][k], len(self.gradient)),
        )

    def __sub__(self, other: Any) -> Jet:
        return self + (-other)

    def __mul__(self, other: Any) -> Jet:
        if not isinstance(other, Jet):
            return Jet(
                self.value * other,
                tuple(a * other for a in self.gradient),
                _matrix(lambda i, k: self.hessian[i][k] * other, len(self.gradient)),
            )
        u, v, du, dv = self.value, other.value, self.gradient, other.gradient
        return Jet(
            u * v,
            tuple(u * b + v * a for a, b in zip(du, dv, strict=True)),
            _matrix(
                lambda i, k: u * other.hessian[i][k] + v * self.hessian[i][k] + du[i] * dv[k] + du[k] * dv[i], len(du)
            ),
        )

    def __truediv__(self, other: Any) -> Jet:
        if not isinstance(other, Jet):
            return self * (1 / other)
        inverse = 1 / other.value
        square = inverse * inverse
        cube = square * inverse * 2
        return self * other.composed(inverse, -square, cube)

    def __radd__(self, other: Any) -> Jet:
        return self + other

    def __rsub__(self, other: Any) -> Jet:
        return (-self) + other

    def __rmul__(self, other: Any) -> Jet:
        return self * other

    def composed(self, value: Any, first: Any, second: Any) -> Jet:
        """φ of this jet, given φ, φ' and φ'' at its value."""
        du = self.gradient
        return Jet(
            value,
            tuple(first * a for a in du),
            _matrix(lambda i, k: first * self.hessian[i][k] + second * du[i] * du[k], len(du)),
        )

    def sqrt(self, root: Callable[[Any], Any]) -> Jet:
        """The square root, with the numbers' own ``root``."""
        y = root(self.value)
        first = 1 / (y + y)
        return self.composed(y, first, -first / (self.value + self.value))


def variables(point: Sequence[Any]) -> list[Jet]:
    """The d coordinates of a point as jets: value x_i, gradient e_i, Hessian 0, in the point's own numbers."""
    zero = point[0] - point[0]
    one = zero + 1
    d = len(point)
    none = tuple((zero,) * d for _ in range(d))
    return [Jet(x, tuple(one if i == k else zero for k in range(d)), none) for i, x in enumerate(point)]


def _matrix(entry: Callable[[int, int], Any], d: int) -> tuple[tuple[Any, ...], ...]:
    """A symmetric matrix from its lower triangle."""
    lower = [[entry(i, k) for k in range(i + 1)] for i in range(d)]
    return tuple(tuple(lower[max(i, k)][min(i, k)] for k in range(d)) for i in range(d))
