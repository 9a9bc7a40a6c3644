"""Lemma 15: 1/x² is decreasing and convex for positive x."""

from __future__ import annotations

import sympy

from proofs.claim import Claim, Finding, Step, conclude
from proofs.identities import identity


def _check(exponent: int) -> Finding:
    """x ↦ x^exponent on x > 0."""
    x, a = sympy.symbols("x a", positive=True)
    f = x**exponent
    first, second = sympy.simplify(f.diff(x) * x ** (1 - exponent)), sympy.simplify(f.diff(x, 2) * x ** (2 - exponent))
    steps = [
        Step(rf"$f'(x)={sympy.latex(f.diff(x))}<0$: f is decreasing.", bool(first < 0)),
        Step(rf"$f''(x)={sympy.latex(f.diff(x, 2))}>0$: f is convex.", bool(second > 0)),
    ]
    if exponent == -2:
        steps.append(
            identity(
                r"Without calculus: $\frac1{x^2}-\frac1{a^2}+\frac{2(x-a)}{a^3}=\frac{(x-a)^2(2x+a)}{a^3x^2}\ge0$, "
                "so f lies above each of its tangents.",
                1 / x**2 - 1 / a**2 + 2 * (x - a) / a**3,
                (x - a) ** 2 * (2 * x + a) / (a**3 * x**2),
                role="corroboration",
            )
        )
    return conclude(*steps, counterexample=f"x = 1: f' = {f.diff(x).subs(x, 1)}, f'' = {f.diff(x, 2).subs(x, 1)}")


CLAIM = Claim(
    key="lemma-15",
    title="Lemma 15",
    where="Appendix E.1",
    statement=r"$f(x)=1/x^2$ is decreasing and convex on $x>0$.",
    hypotheses=("x > 0",),
    check=lambda: _check(-2),
    false_statement=r"$f(x)=x^2$ is decreasing and convex on $x>0$.",
    check_false=lambda: _check(2),
)
