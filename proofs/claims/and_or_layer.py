"""One LN layer of width 3 is an AND or an OR of two half-spaces; so depth 1 has VC dimension at least 2d + 1."""

from __future__ import annotations

from itertools import product

import sympy

from proofs.claim import Claim, Finding, Step, conclude
from proofs.identities import identity

T, D = sympy.Symbol("t"), sympy.Symbol("d", integer=True, positive=True)


def splits(changes: int, first: int, budget: int) -> str | None:
    """Whether labels with this many changes are an AND or OR of two patterns with at most ``budget`` changes each.

    AND: every run of zeros is cut out by one of the two patterns; an inner run costs two changes, a run at an end one.
    OR is the same for runs of ones.

    Args:
        changes: number of changes of label along the points.
        first: the first label.
        budget: changes that one half-space can make.
    """
    labels = [(first + n) % 2 for n in range(changes + 1)]
    for name, cut in (("AND", 0), ("OR", 1)):
        costs = [(n > 0) + (n < changes) for n, label in enumerate(labels) if label == cut]
        ends, inner = [c for c in costs if c == 1], [c for c in costs if c == 2]
        for one_end, one_inner in product(range(len(ends) + 1), range(len(inner) + 1)):
            one = one_end + 2 * one_inner
            if one <= budget and sum(costs) - one <= budget:
                return name
    return None


def and_or_steps() -> tuple[Step, ...]:
    """The layer computes AND and OR."""
    h1, h2 = sympy.symbols("h1 h2")
    return (
        identity(
            r"$(h_1+h_2)^2-\lVert h\rVert^2=2h_1h_2$.",
            (h1 + h2) ** 2 - (h1**2 + h2**2),
            2 * h1 * h2,
        ),
        Step(
            r"AND: $(h_1+h_2)/\lVert h\rVert>1$ exactly when $h_1,h_2>0$. Both positive: the sum is positive and "
            r"its square exceeds $\lVert h\rVert^2$. Otherwise $h_1h_2\le0$ and the square does not exceed it, or "
            "both are ≤ 0 and the sum is ≤ 0.",
            all(
                _exceeds_one(a, b) == (a > 0 and b > 0)
                for a, b in product((-3, -1, 0, 1, 2), repeat=2)
                if (a, b) != (0, 0)
            ),
            detail="the three cases cover all h ≠ 0; evaluated exactly at 24 sign patterns and sizes",
        ),
        Step(
            r"OR: $(h_1+h_2)/\lVert h\rVert>-1$ exactly when $h_1>0$ or $h_2>0$, for $h\ne0$: the same for −h, with "
            r"≥ (there $(h_1+h_2)/\lVert h\rVert\ge1$ exactly when both are ≥ 0).",
            all(
                (not _at_least_one(-a, -b)) == (a > 0 or b > 0)
                for a, b in product((-3, -1, 0, 1, 2), repeat=2)
                if (a, b) != (0, 0)
            ),
        ),
    )


def _exceeds_one(a: int, b: int) -> bool:
    return a + b > 0 and (a + b) ** 2 > a * a + b * b


def _at_least_one(a: int, b: int) -> bool:
    return a + b > 0 and (a + b) ** 2 >= a * a + b * b


def _check(more: int) -> Finding:
    """VCdim ≥ 2d + more at depth 1."""
    failures = [
        (d, changes, first)
        for d in range(1, 31)
        for changes in range(2 * d + more)
        for first in (0, 1)
        if splits(changes, first, d) is None
    ]
    return conclude(
        *and_or_steps(),
        Step(
            r"A half-space realises along the moment curve $(t,t^2,\dots,t^d)$ any labels with at most d changes: a "
            "polynomial with its roots at the changes.",
            all(sympy.degree(sympy.prod(T - n for n in range(d)), T) == d for d in range(1, 8)),
        ),
        Step(
            "Labels with c changes: cut out the runs of the first run's label (AND for 0, OR for 1). That run "
            "costs one change, inner ones two, so a share of the runs costs s for every s from 0 to c: $2k$ by k "
            r"inner runs, $2k+1$ with the first one as well. With $s=\lceil c/2\rceil$ both shares cost at most d "
            rf"for all $c\le 2d+{more - 1}$, so 2d + {more} points of the curve are shattered.",
            sympy.ceiling((2 * D + more - 1) / sympy.Integer(2)) - D == 0,
            detail=f"⌈(2d + {more - 1})/2⌉ − d = {sympy.ceiling((2 * D + more - 1) / sympy.Integer(2)) - D}",
        ),
        Step(
            f"All numbers of changes up to 2d + {more - 1} and both first labels split, d ≤ 30.",
            not failures,
            "proved-bounded",
            detail=f"not split (d, changes, first label): {failures[:3]}" if failures else "",
            role="corroboration",
        ),
        counterexample=f"d, changes, first label = {failures[0]}" if failures else None,
    )


CLAIM = Claim(
    key="and-or-layer",
    title="AND and OR in one layer",
    where="lnnet",
    statement=(
        r"For affine $h=(h_1,h_2)\ne0$: $\frac{h_1+h_2}{\lVert h\rVert}>1\Leftrightarrow h_1,h_2>0$ and "
        r"$>-1\Leftrightarrow h_1>0$ or $h_2>0$. So one LN layer of width 3 computes AND and OR of two half-spaces, "
        "and depth 1 has VC dimension at least 2d + 1 on $R^d$ (Corollary 3: 3)."
    ),
    hypotheses=("no point with h = 0",),
    check=lambda: _check(1),
    false_statement="Depth 1 by AND and OR of two half-spaces shatters 2d + 2 points of the moment curve.",
    check_false=lambda: _check(2),
)
