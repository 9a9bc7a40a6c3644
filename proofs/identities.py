"""Identities decided by algebra, as steps of an argument.

A rational function with rational coefficients vanishes identically exactly when the expanded numerator of its
normal form does, so `is_zero` decides; it never samples. Expressions with roots are first made rational: name
each root by a symbol and give its defining polynomial as a relation.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from proofs.claim import Role, Step


def is_zero(expression: Any, relations: Iterable[Any] = ()) -> bool | None:
    """Whether a rational function vanishes identically, or on the common zeros of some relations.

    Args:
        expression: a sympy expression, rational in its symbols (no roots, no functions), or a sympy matrix of such.
        relations: polynomials that vanish. With relations, False is returned only if the remainder is a nonzero
            constant; otherwise a nonzero remainder leaves it open.

    Returns:
        True, False, or None if it is not decided.
    """
    import sympy

    if hasattr(expression, "shape"):
        answers = [is_zero(entry, relations) for entry in expression]
        return False if False in answers else None if None in answers else True
    expression = sympy.sympify(expression)
    if any(not power.exp.is_Integer for power in expression.atoms(sympy.Pow)) or expression.atoms(sympy.Function):
        return None
    numerator = sympy.fraction(sympy.together(expression))[0]
    numerator = sympy.expand(numerator)
    relations = list(relations)
    if numerator == 0 or not relations:
        return bool(numerator == 0)
    symbols = sorted(set().union(numerator.free_symbols, *(r.free_symbols for r in relations)), key=str)
    if not symbols:
        return False
    basis = sympy.groebner(relations, *symbols, order="grevlex")
    remainder = basis.reduce(numerator)[1]
    if remainder == 0:
        return True
    return False if remainder.is_number else None


def identity(
    text: str,
    left: Any,
    right: Any,
    *,
    relations: Iterable[Any] = (),
    detail: str = "",
    role: Role = "part",
) -> Step:
    """A step that two rational functions are identical (modulo relations), decided by algebra.

    >>> import sympy
    >>> a, b = sympy.symbols("a b")
    >>> identity("binomial", (a + b) ** 2, a**2 + 2 * a * b + b**2).holds
    True
    """
    return Step(text, is_zero(left - right, relations), "proved", detail, role)
