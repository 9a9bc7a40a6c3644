"""Proposition 4: a projection to a line that keeps different points apart."""

from __future__ import annotations

import random
from itertools import combinations

import sympy

from constructions.points import LabeledPoints
from constructions.projection import project_by_powers
from proofs.claim import Claim, Finding, Step, conclude
from proofs.identities import identity


def _check(bad_values_a_pair: int) -> Finding:
    """Every pair excludes at most d − bad_values_a_pair values of t."""
    t, r = sympy.symbols("t r", positive=True)
    k, i = sympy.symbols("k i", integer=True, positive=True)
    step = (t - r) * t ** (k - 1 - i) * r**i - (t ** (k - i) * r**i - t ** (k - 1 - i) * r ** (i + 1))
    most = {}
    for d in range(2, 7):
        polynomial = sympy.Poly(
            sympy.prod(t - n for n in range(1, d)), t
        )  # a difference of two points, as a polynomial
        most[d] = len([n for n in range(1, 2 * d) if polynomial.eval(n) == 0])
    return conclude(
        Step(
            r"For $u=(1,t,\dots,t^{d-1})$ and $w=x_i-x_j\ne0$, $u^{\mathsf T}w$ is a nonzero polynomial of degree "
            r"at most d − 1 in t. Each root r splits off a factor, because $t^k-r^k=(t-r)\sum_{i<k}t^{k-1-i}r^i$ "
            "(telescoping), so it has at most d − 1 roots.",
            sympy.simplify(sympy.powsimp(sympy.expand(step))) == 0,
        ),
        Step(
            f"At most d − {bad_values_a_pair} values of t are bad for a pair.",
            all(count <= d - bad_values_a_pair for d, count in most.items()),
            detail=f"d: bad values of the pair with w = coefficients of (t − 1)···(t − d + 1): {most}",
        ),
        identity(
            r"Of the $\binom m2(d-1)+1$ integers $0,1,\dots$ one is good for all pairs: u is found, and is an "
            "integer vector.",
            sympy.Symbol("m") * (sympy.Symbol("m") - 1) / 2,
            sympy.binomial(sympy.Symbol("m"), 2).expand(func=True),
        ),
        Step(
            "The construction finds such a u on point sets with many parallel differences.",
            _construction_works(),
            "tested",
            role="corroboration",
        ),
        counterexample="d = 3, x_i − x_j = (2, −3, 1): both t = 1 and t = 2 are bad",
    )


def _construction_works() -> bool:
    generator = random.Random(4)
    for d in (1, 2, 3, 5):
        for _ in range(8):
            points = list({tuple(generator.randint(-2, 2) for _ in range(d)) for _ in range(12)})
            found = project_by_powers(LabeledPoints.of(points, [0] * len(points)))
            if any(a == b for a, b in combinations(found.positions, 2)):
                return False
    return True


CLAIM = Claim(
    key="proposition-4",
    title="Proposition 4",
    where="Section 4.2, Appendix D.1, equations 18, 134 to 138",
    statement=(
        r"For finitely many points of $R^d$ some u has $u^{\mathsf T}x_i\ne u^{\mathsf T}x_j$ whenever $x_i\ne "
        r"x_j$. Here made constructive: $u=(1,t,\dots,t^{d-1})$ for all but at most $(d-1)\binom m2$ values of t."
    ),
    hypotheses=("equal points carry equal labels (they stay together)",),
    check=lambda: _check(1),
    false_statement=r"At most $(d-2)$ values of t are bad for a pair of points.",
    check_false=lambda: _check(2),
)
