"""Lemma 9: a function with nonzero derivative at 0 takes a smaller value nearby."""

from __future__ import annotations

import sympy

from proofs.claim import Claim, Finding, Step, conclude
from proofs.identities import identity


def _check(direction: int) -> Finding:
    """``direction``: −1 for x* = −sign(B)·δ/2 as in the paper, +1 for the other side."""
    size, delta = sympy.symbols("size delta", positive=True)
    steps = []
    for sign in (1, -1):
        slope = sign * size
        point = direction * sign * delta / 2
        epsilon = size / 2
        drop = sympy.expand(slope * point + epsilon * sympy.Abs(point))
        steps.append(
            identity(
                f"B {'>' if sign > 0 else '<'} 0: with x* = {'−' if direction < 0 else ''}sign(B)δ/2 and ε = |B|/2, "
                "f(x*) ≤ A + Bx* + ε|x*| = A − |B|δ/4 < A.",
                drop,
                -size * delta / 4,
            )
        )
    steps.append(
        Step("0 < |x*| < δ, where the definition of the derivative bounds f.", bool((delta / 2 < delta) is sympy.true))
    )
    value = direction * sympy.Rational(1, 4)
    steps.append(
        Step("f(x) = x: f(x*) < f(0) at x* of the recipe with δ = 1/2.", bool(value < 0), role="corroboration")
    )
    return conclude(*steps, counterexample=None if value < 0 else "f(x) = x: f(1/4) = 1/4 > 0 = f(0)")


CLAIM = Claim(
    key="lemma-9",
    title="Lemma 9",
    where="Appendix C.2, equations 113 to 115",
    statement=(
        "If f is differentiable at 0 and f′(0) = B ≠ 0, some x* has f(x*) < f(0); x* = −Bδ/(2|B|) for small δ will do."
    ),
    hypotheses=("differentiability at 0 is enough",),
    check=lambda: _check(-1),
    false_statement="x* = +Bδ/(2|B|) will do.",
    check_false=lambda: _check(1),
)
