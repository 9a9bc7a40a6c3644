r"""Averages over m samples as algebra, for every m at once.

The average :math:`\frac1m\sum_i p(x_i)` of a polynomial is linear in p, so it is known from the averages of the
powers. With x = mean + z, those of z are the central moments: 1, 0, σ², μ3, …. An identity between polynomials in
these symbols is one for all m and all samples.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy


@dataclass(frozen=True)
class Class:
    """A class of numbers, given by its moments.

    Attributes:
        mean, variance, third: sympy symbols; the variance is σ² (1/m), the third central moment μ3.
    """

    mean: Any
    variance: Any
    third: Any

    @classmethod
    def numbered(cls, c: int) -> Class:
        """The symbols of class c."""
        mean = sympy.Symbol(f"xbar{c}", real=True)
        return cls(mean, sympy.Symbol(f"v{c}", nonnegative=True), sympy.Symbol(f"mu3_{c}", real=True))

    def average(self, polynomial: Any, x: Any) -> Any:
        """The average of a polynomial in x of degree at most 3.

        >>> c, x = Class.numbered(1), sympy.Symbol("x")
        >>> c.average((x - c.mean) ** 2, x)
        v1
        """
        z = sympy.Dummy("z")
        powers = sympy.Poly(sympy.expand(polynomial).subs(x, self.mean + z), z)
        moments = (sympy.Integer(1), sympy.Integer(0), self.variance, self.third)
        if powers.degree() >= len(moments):
            raise ValueError(f"Expected a polynomial of degree at most 3, not {powers.degree()}.")
        return sympy.expand(sum(c * moments[k] for (k,), c in powers.terms()))


def taylor_quotient(numerator: tuple[Any, Any], denominator: tuple[Any, Any]) -> tuple[Any, Any]:
    """Value and derivative at t = 0 of (n2 t² + n3 t³ + o(t³))/(d2 t² + d3 t³ + o(t³)), d2 ≠ 0."""
    (n2, n3), (d2, d3) = numerator, denominator
    return n2 / d2, (n3 * d2 - n2 * d3) / d2**2


def expanded_ratio(a1: Any, a2: Any, m1: Any, m2: Any) -> tuple[Any, Any, Class, Class]:
    """SSR of the values a0 + a1 x t + a2 x² t² + O(t³) to first order in t.

    Args:
        a1, a2: Taylor coefficients, the same for every sample.
        m1, m2: class sizes.

    Returns:
        SSR at t = 0, its derivative there, and the two classes whose moments they are in.
    """
    x, t = sympy.symbols("x t")
    classes = Class.numbered(1), Class.numbered(2)
    within, means = [sympy.Integer(0)] * 2, []
    for c, m in zip(classes, (m1, m2), strict=True):
        # Orders t² and t³ of y² and of y need no more than a1 and a2: a constant drops out of a sum of squares.
        square = sympy.expand((a1 * x * t + a2 * x**2 * t**2) ** 2)
        first, second = c.average(a1 * x, x), c.average(a2 * x**2, x)
        within[0] += m * (c.average(square.coeff(t, 2), x) - first**2)
        within[1] += m * (c.average(square.coeff(t, 3), x) - 2 * first * second)
        means.append((first, second))
    weight = m1 * m2 / (m1 + m2)
    gap = [a - b for a, b in zip(*means, strict=True)]
    between = weight * gap[0] ** 2, weight * 2 * gap[0] * gap[1]
    total = within[0] + between[0], within[1] + between[1]
    value, derivative = taylor_quotient((within[0], within[1]), total)
    return value, derivative, *classes


def taylor_terms(one: Class, two: Class) -> tuple[Any, Any, Any]:
    """T1, T2, T3 of equation (87)."""
    delta = one.mean - two.mean
    t1 = delta**2 * (one.third + two.third)
    t2 = delta * (one.variance - two.variance) * (delta**2 - (one.variance + two.variance))
    t3 = (2 * one.variance + 2 * two.variance + delta**2) ** 2
    return t1, t2, t3
