r"""Sums over coordinates for a symbolic number d of coordinates: how Lemma 12 is proved for every d at once.

Polynomials in :math:`\hat x_i,\hat x_j,\hat x_k` and the deltas :math:`\delta_{ij},\delta_{ik},\delta_{jk}` are summed
over j and k (or i) with :math:`\sum_l1=d`, :math:`\sum_l\hat x_l=0` and :math:`\sum_l\hat x_l^2=d`. Higher power sums
stay symbols, so an answer free of them is an identity.
"""

from __future__ import annotations

from typing import Any

import sympy

d, s = sympy.symbols("d sigma", positive=True)
XI, XJ, XK = sympy.symbols("x_i x_j x_k")
IJ, IK, JK = sympy.symbols("delta_ij delta_ik delta_jk")
_VARIABLES = (XI, XJ, XK, IJ, IK, JK)


def power_sum(exponent: int) -> Any:
    """Σ over all coordinates of x̂ to a power: known up to 2, a symbol beyond."""
    return {0: d, 1: sympy.Integer(0), 2: d}.get(exponent, sympy.Symbol(f"p_{exponent}"))


def sum_over_j_and_k(expression: Any) -> Any:
    """Σ_j Σ_k of a polynomial in the six symbols; the result is a polynomial in x̂_i."""
    total = sympy.Integer(0)
    for (a, b, c, ij, ik, jk), factor in _terms(expression):
        parent = {"i": "i", "j": "j", "k": "k"}
        for equal, one, other in ((ij, "i", "j"), (ik, "i", "k"), (jk, "j", "k")):
            if equal:
                first, second = _root(parent, one), _root(parent, other)
                parent[max(first, second)] = min(first, second)
        exponents: dict[str, int] = {}
        for name, exponent in (("i", a), ("j", b), ("k", c)):
            root = _root(parent, name)
            exponents[root] = exponents.get(root, 0) + exponent
        term = factor * XI ** exponents.pop("i")
        for exponent in exponents.values():
            term *= power_sum(exponent)
        total += term
    return sympy.expand(total)


def sum_over_i(expression: Any) -> Any:
    """Σ_i of a polynomial in x̂_i."""
    return sympy.expand(sum(factor * power_sum(monomial[0]) for monomial, factor in _terms(expression)))


def derivative(expression: Any) -> Any:
    r"""∂/∂x_k of an expression in x̂_i, x̂_j and σ, by the chain rule.

    From :math:`\partial_k\mu=1/d` and :math:`\partial_k\sigma=\hat x_k/d`:
    :math:`\partial_k\hat x_i=(\delta_{ik}-1/d-\hat x_i\hat x_k/d)/\sigma`.
    """
    inner = (IK - 1 / d - XI * XK / d) / s, (JK - 1 / d - XJ * XK / d) / s, XK / d
    return sympy.expand(sum(expression.diff(v) * w for v, w in zip((XI, XJ, s), inner, strict=True)))


def _terms(expression: Any) -> list[tuple[tuple[int, ...], Any]]:
    return list(sympy.Poly(sympy.expand(expression), *_VARIABLES).terms())


def _root(parent: dict[str, str], name: str) -> str:
    while parent[name] != name:
        name = parent[name]
    return name
