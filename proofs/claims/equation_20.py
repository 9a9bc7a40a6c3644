"""Equation 20: H(f; x), and whether H = 0 characterises linear maps."""

from __future__ import annotations

import sympy

from proofs.claim import Claim, Finding, Step, amend, conclude
from proofs.claims.lemma_12 import frobenius_norm_squared
from proofs.identities import identity
from proofs.index_sums import d, s, sum_over_i


def _printed() -> Finding:
    """H(f; x) = 0 if and only if f is linear."""
    x, y, a, b, c = sympy.symbols("x y a b c")
    h = sympy.Symbol("h", positive=True)
    ratio = sympy.simplify((2 * h / sympy.sqrt((2 * h) ** 2)) / (h / sympy.sqrt(h**2)))  # LN(2h, −2h) over LN(h, −h)
    return conclude(
        Step(
            r"$H\ge0$, and H = 0 for affine maps: all second derivatives vanish.",
            all(sympy.diff(a * x + b * y + c, u, v) == 0 for u in (x, y) for v in (x, y)),
        ),
        Step(
            r"H(f; x) = 0 at a point makes f affine: $f(x)=x^3$ at $x=0$.",
            sympy.diff(x**3, x, 2).subs(x, 0) != 0,
            detail=f"f''(0) = {sympy.diff(x**3, x, 2).subs(x, 0)}, but f is not affine near 0",
        ),
        Step(
            r"H = 0 wherever f is defined makes f affine: LN on $R^2$.",
            sum_over_i(frobenius_norm_squared()).subs(d, 2) != 0 or ratio == 2,
            detail=f"H(LN) = {sum_over_i(frobenius_norm_squared()).subs(d, 2)} for d = 2, but LN(h, −h) = ±(1, −1) "
            f"with the sign of h: doubling h multiplies LN by {ratio}, where an affine map with LN(−x) = −LN(x) "
            "would double",
        ),
        counterexample=(
            "LN on R² has H = 0 at every point of its domain {x₁ ≠ x₂} and takes only the values (1, −1) and (−1, "
            "1); pointwise, f(x) = x³ has H(f; 0) = 0"
        ),
    )


def _corrected() -> Finding:
    """H(f; ·) = 0 on a connected open set if and only if f is affine there."""
    x, y = sympy.symbols("x y")
    a, b, c = sympy.symbols("a b c")
    quadratic = a * x**2 / 2 + b * x * y + c * y**2 / 2
    return conclude(
        identity(
            "H is a sum of squares of the second derivatives, so H = 0 means they all vanish; for a quadratic form "
            "$H=a^2+2b^2+c^2$.",
            sum(sympy.diff(quadratic, u, v) ** 2 for u in (x, y) for v in (x, y)),
            a**2 + 2 * b**2 + c**2,
        ),
        identity(
            r"If they vanish on a ball, Taylor's formula along a segment, $f(p+tw)=f(p)+t\,\nabla "
            r"f(p)w+\int_0^t(t-r)\,w^{\mathsf T}\nabla^2f(p+rw)w\,dr$, has no last term: f is affine on the ball, "
            "and by overlapping balls on a connected open set.",
            sum(_taylor_remainder(n) for n in range(2, 7)),
            0,
            detail="Taylor's formula with this remainder, checked on all monomials up to degree 6",
        ),
        identity(
            r"For $d\ge3$ LN has $H=(3-6/d)/\sigma^4>0$ everywhere: it is affine near no point.",
            sum_over_i(frobenius_norm_squared()) * s**4,
            3 - 6 / d,
        ),
    )


def _taylor_remainder(n: int) -> sympy.Expr:
    """A square that vanishes if f(t) = f(0) + t f'(0) + ∫₀ᵗ (t − r) f''(r) dr holds for f = tⁿ."""
    t, r = sympy.symbols("t r", positive=True)
    return sympy.expand(sympy.integrate((t - r) * n * (n - 1) * r ** (n - 2), (r, 0, t)) - t**n) ** 2


def _check() -> Finding:
    return amend(
        _printed(),
        _corrected(),
        "H(f; ·) = 0 throughout a connected open set exactly when f is affine on it (and on each component of the "
        "domain, with its own affine map).",
    )


CLAIM = Claim(
    key="equation-20",
    title="Equation 20",
    where="Section 5.1",
    statement=r"$H(f;x)=\sum_i\lVert\nabla^2y_i\rVert_F^2\ge0$ vanishes if and only if f is linear (affine).",
    hypotheses=("f is twice differentiable",),
    check=_check,
    false_statement="The statement as printed: H(f; x) = 0 at a point, or wherever f is defined, makes f affine.",
    check_false=_printed,
    expects="repaired",
)
