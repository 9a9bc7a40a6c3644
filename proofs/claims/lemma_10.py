"""Lemma 10: parallel chords of a sphere force equal scalar products."""

from __future__ import annotations

from typing import Any

import sympy

from proofs.claim import Claim, Finding, Step, conclude
from proofs.identities import identity

# Scalar products of x_i, x_s, x_t and of the fourth point x_j = x_i + k (x_t − x_s); unit vectors, any dimension.
K, IS, IT, ST = sympy.symbols("k is it st")
_GRAM: dict[tuple[str, str], Any] = {("i", "s"): IS, ("i", "t"): IT, ("s", "t"): ST}


def _product(a: str, b: str) -> Any:
    """Scalar product of two of the points i, s, t."""
    return sympy.Integer(1) if a == b else _GRAM.get((a, b), _GRAM.get((b, a)))


def _with_j(other: str) -> Any:
    """x_j · x_other."""
    return _product("i", other) + K * (_product("t", other) - _product("s", other))


def _check(left: tuple[str, str], right: tuple[str, str]) -> Finding:
    """Whether x_left · x_right holds for the two given pairs of points, on the condition |x_j| = 1."""

    def product(a: str, b: str) -> Any:
        if "j" in (a, b):
            return _with_j(b if a == "j" else a)
        return _product(a, b)

    length = sympy.expand(1 + 2 * K * (IT - IS) + K**2 * (2 - 2 * ST))  # |x_i + k(x_t − x_s)|²
    difference = sympy.expand(product(*left) - product(*right))
    quotient, remainder = sympy.div(sympy.Poly(2 * K * difference, K), sympy.Poly(length - 1, K))
    follows = sympy.expand(remainder.as_expr()) == 0
    witness = None if follows else _witness(difference, length)
    return conclude(
        identity(
            r"$x_j=x_i+k(x_t-x_s)$ is a unit vector exactly when $2k\,(x_i\cdot x_t-x_i\cdot x_s)+k^2(2-2x_s\cdot "
            "x_t)=0$.",
            length - 1,
            2 * K * (IT - IS) + K**2 * (2 - 2 * ST),
        ),
        Step(
            rf"Twice k times $x_{left[0]}\cdot x_{left[1]}-x_{right[0]}\cdot x_{right[1]}$ is a multiple of "
            r"$|x_j|^2-1$; since $k\ne0$, the two products are equal. They are cosines, so the central angles agree.",
            follows,
            detail=f"quotient {quotient.as_expr()}, remainder {sympy.factor(remainder.as_expr())}",
        ),
        counterexample=witness,
    )


def _witness(difference: Any, length: Any) -> str:
    """Exact planar unit vectors with parallel chords for which the products differ."""
    points = {"i": (1, 0), "s": (0, 1), "t": (sympy.Rational(3, 5), sympy.Rational(4, 5))}

    def dot(a: str, b: str) -> Any:
        return sum(u * v for u, v in zip(points[a], points[b], strict=True))

    values = {IS: dot("i", "s"), IT: dot("i", "t"), ST: dot("s", "t")}
    k = next(root for root in sympy.solve(length.subs(values) - 1, K) if root != 0)
    x_j = tuple(a + k * (c - b) for a, b, c in zip(points["i"], points["s"], points["t"], strict=True))
    return f"x_i = (1, 0), x_s = (0, 1), x_t = (3/5, 4/5), x_j = {x_j}: difference {difference.subs(values).subs(K, k)}"


CLAIM = Claim(
    key="lemma-10",
    title="Lemma 10",
    where="Appendix D.5, equations 148 to 150",
    statement=(
        r"If $x_i\ne x_j$, $x_s\ne x_t$ lie on the unit sphere and $x_ix_j\parallel x_sx_t$, then $x_j\cdot "
        r"x_s=x_i\cdot x_t$: $\angle x_jOx_s=\angle x_iOx_t$. (The other pairing, $x_j\cdot x_t=x_i\cdot x_s$, "
        "which the proof of Proposition 9 uses without saying so, holds as well: replace s by t.)"
    ),
    hypotheses=("the chords are not points, so that k ≠ 0",),
    check=lambda: conclude(*_check(("j", "s"), ("i", "t")).steps, *_check(("j", "t"), ("i", "s")).steps),
    false_statement=r"Parallel chords force $x_i\cdot x_j=x_s\cdot x_t$ (equal lengths).",
    check_false=lambda: _check(("j", "i"), ("s", "t")),
)
