"""One fold removes a whole run of equal labels: depth k − 2 for k runs."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import sympy

from proofs.claim import Claim, Finding, Step, conclude
from proofs.identities import identity

X = sympy.Symbol("x")


def _involution(first: tuple[Any, Any], second: tuple[Any, Any]) -> tuple[Any, Any, Any]:
    """A, B, C of the projective involution A·xy − B·(x + y) + C = 0 that swaps both pairs."""
    (a, b), (c, d) = first, second
    top = (c + d) - (a + b)
    middle = c * d - a * b
    bottom = c * d * (a + b) - a * b * (c + d)
    return top, middle, bottom


def _check(nested: bool) -> Finding:
    """Pairs (a2, α), (a1, β) with a1 < a2 < α < β (nested), or (a1, α), (a2, β) (interlaced)."""
    a1 = sympy.Symbol("a_1")
    g1, g2, g3 = sympy.symbols("g_1 g_2 g_3", positive=True)  # gaps: a1 < a2 < α < β
    a2, alpha, beta = a1 + g1, a1 + g1 + g2, a1 + g1 + g2 + g3
    pairs = ((a2, alpha), (a1, beta)) if nested else ((a1, alpha), (a2, beta))
    top, middle, bottom = _involution(*pairs)
    quadratic = top * X**2 - 2 * middle * X + bottom
    values = [sympy.factor(quadratic.subs(X, v)) for v in (a1, a2, alpha, beta)]
    signs = [_sign(v, (g1, g2, g3)) for v in values]
    q, p, q0 = sympy.symbols("q p q_0")
    turning = sympy.expand(middle**2 - top * bottom)
    bracket = (q0**2 - 1) * (q + p) + 2 * q0 * (1 - q * p)
    return conclude(
        identity(
            r"A fold with apex $q_0$, $f(q)=\frac{q_0q+1}{\sqrt{1+q^2}}$, takes q and p to values of equal size "
            "exactly when $(q_0^2-1)(q+p)+2q_0(1-qp)=0$ or q = p.",
            (q0 * q + 1) ** 2 * (1 + p**2) - (q0 * p + 1) ** 2 * (1 + q**2),
            (q - p) * bracket,
        ),
        identity(
            "That is the projective involution with fixed points $x_0=q_0$, the apex, and $x_1=-1/q_0$, where f "
            r"changes sign. Conversely any fixed points $x_0\ne x_1$ of the line come from some s, c: "
            "$(x_0-s)(x_1-s)=-c^2$ with s between them.",
            bracket,
            -q0 * (2 * (q * p + q0 * (-1 / q0)) - (q + p) * (q0 - 1 / q0)),
        ),
        Step(
            r"The involution that swaps $a_2\leftrightarrow\alpha$ and $a_1\leftrightarrow\beta$ has one fixed "
            r"point in $(a_2,\alpha)$ and the other one outside $[a_1,\beta]$: its quadratic has one sign at "
            r"$a_1,a_2$ and the other at $\alpha,\beta$.",
            signs[0] == signs[1] != 0 and signs[2] == signs[3] == -signs[0],
            detail="; ".join(f"F({n}) = {v}" for n, v in zip(("a1", "a2", "α", "β"), values, strict=True)),
        ),
        identity(
            r"The involution is $y=\frac{Bx-C}{Ax-B}$, with slope $-\frac{B^2-AC}{(Ax-B)^2}$.",
            sympy.diff((sympy.Symbol("B") * X - sympy.Symbol("C")) / (sympy.Symbol("A") * X - sympy.Symbol("B")), X),
            (sympy.Symbol("A") * sympy.Symbol("C") - sympy.Symbol("B") ** 2)
            / (sympy.Symbol("A") * X - sympy.Symbol("B")) ** 2,
        ),
        Step(
            r"$B^2-AC>0$: the mirror image reverses order, so that of $[a_1,a_2]$ is $[\alpha,\beta]$ and that of "
            r"$(a_2,\alpha)$ is itself.",
            _sign(turning, (g1, g2, g3)) == 1,
            detail=f"B² − AC = {sympy.factor(turning)}",
        ),
        identity(
            r"It does swap the pairs: $A\,a_1\beta-B(a_1+\beta)+C=0$ and $A\,a_2\alpha-B(a_2+\alpha)+C=0$.",
            sum((top * u * v - middle * (u + v) + bottom) ** 2 for u, v in pairs),
            0,
        ),
        Step(
            r"Runs $B_1=[a_1,a_2]$, $B_2\subset(a_2,\alpha)$, $B_3$, …, with α between $B_2$ and $B_3$ and β "
            r"between α and $B_4$: $B_1$ meets only points in $(\alpha,\beta)$, where only its own class is; $B_2$ "
            r"only points in $(a_2,\alpha)$, where only $B_2$ is; what lies right of β would meet points left of "
            "$a_1$, where there are none. No classes are confused.",
            signs[0] == signs[1] != 0 and _sign(turning, (g1, g2, g3)) == 1,
        ),
        Step(
            "Ordered by distance from the apex the line now reads $B_2$; then $B_1$ with $B_3$, one class; then "
            "$B_4$, …: k − 1 runs. Two runs are separable, so k runs need at most k − 2 layers, whatever m is.",
            all(_after_fold(k) == k - 1 for k in range(3, 40)),
        ),
        counterexample=f"interlaced pairs: {'; '.join(map(str, values))}" if not nested else None,
    )


def _sign(value: Any, positive: tuple[Any, ...]) -> int:
    """The sign of a product of positive gaps; 0 if it is not decided by the signs of its coefficients."""
    coefficients = sympy.Poly(sympy.expand(value), *positive).coeffs()
    if all(c.is_positive for c in coefficients):
        return 1
    return -1 if all(c.is_negative for c in coefficients) else 0


def _after_fold(k: int) -> int:
    """Runs of alternating labels after B1 has joined B3, counted from the apex outwards."""
    labels = [n % 2 for n in range(k)]
    order = [labels[1], labels[0], *labels[2:]]
    return 1 + sum(a != b for a, b in pairwise(order))


CLAIM = Claim(
    key="run-folding",
    title="Run folding",
    where="lnnet",
    statement=(
        "Two classes in k ≥ 3 runs of equal labels along a line: one LN layer of width 3 lays the first run onto "
        "the third and folds the second onto itself only. So k − 2 layers suffice, however many points there are."
    ),
    hypotheses=("two classes", "k ≥ 3 runs"),
    check=lambda: _check(True),
    false_statement="The same with the interlaced pairs a1 ↔ α, a2 ↔ β (which would keep the order of the first run).",
    check_false=lambda: _check(False),
)
