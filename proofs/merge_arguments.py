"""Arguments about Algorithm 1 that several claims share."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import sympy
from flint import fmpq

from constructions.arithmetic import Exact
from constructions.errors import MergeConfusionError
from constructions.line import Line
from constructions.projection_merge import merge_as_printed
from proofs.claim import Step
from proofs.identities import identity

#: The smallest example on which Algorithm 1 as printed merges points of different classes.
CONFUSED_POINTS, CONFUSED_LABELS = (0, 1, 2, 3), (0, 1, 1, 1)
COUNTEREXAMPLE = (
    "points 0, 1, 2, 3 with labels 0, 1, 1, 1: the leftmost point has no partner and leaves P; the fold that merges "
    "1 and 2 is even about 3/2 and also merges 0 and 3, of different classes"
)


def printed_confusion(points: Sequence[Any], labels: Sequence[Any]) -> MergeConfusionError | None:
    """The confusion that Algorithm 1 as printed runs into, in exact arithmetic; None if it does not."""
    try:
        merge_as_printed(Line.of([fmpq(p) for p in points], list(labels), Exact()))
    except MergeConfusionError as error:
        return error
    return None


def meeting_step() -> Step:
    """Which points a fold of Algorithm 1 brings together."""
    p, q, s, c = sympy.symbols("p q s c")
    return identity(
        r"The new position is $c/\sqrt{(p-s)^2+c^2}$; since $c>0$, p and q meet exactly when $(p-s)^2=(q-s)^2$, "
        "that is $(p-q)(p+q-2s)=0$: different points meet exactly when $p+q=2s=p_i+p_j$.",
        ((p - s) ** 2 + c**2) - ((q - s) ** 2 + c**2),
        (p - q) * (p + q - 2 * s),
    )


def three_points_step() -> Step:
    """No configuration of at most three different points can be confused."""
    pi, pj, pt = sympy.symbols("p_i p_j p_t")
    wrong = [
        (points, labels)
        for points in combinations(range(5), 3)
        for labels in product(range(3), repeat=3)
        if printed_confusion(points, labels)
    ]
    return Step(
        "A confusion needs four different positions: if $p_s+p_t=p_i+p_j$ with $p_s=p_i$, then $p_t=p_j$, and s "
        "and t have the label of i and j. So no example has three points.",
        sympy.expand((pi + pj) - pi - pj) == 0 and sympy.solve(pi + pt - pi - pj, pt) == [pj] and not wrong,
        detail="and Algorithm 1 as printed runs through on all 10 · 27 labelled triples of {0, …, 4}",
    )


def repaired_steps(classes: int) -> tuple[Step, ...]:
    """Why Algorithm 1 with its rightmost pair once the leftmost class is finished confuses no classes.

    Args:
        classes: number of classes; the first step needs two.
    """
    p, q, a, b, first = sympy.symbols("p q a b p_1")
    others = range(1, classes)
    unequal = [(u, v) for u in others for v in others if u != v]
    return (
        meeting_step(),
        identity(
            r"Leftmost point $p_1$ with nearest partner $p_j$: if $p+q=p_1+p_j$ with $p,q\ge p_1$, then "
            r"$p_j-p=q-p_1\ge0$, so both lie in $[p_1,p_j]$.",
            a - (first + a - q),
            q - first,
        ),
        Step(
            "Between $p_1$ and $p_j$ no point has $p_1$'s label, so with two classes all have the other one: "
            "whatever meets there has equal labels.",
            not unequal,
            detail=f"{classes} classes; unequal labels that can meet: {unequal or 'none'}",
        ),
        identity(
            "Once $p_1$ is alone in its class, merge the two rightmost points $a<b$: a point $p<a$ has its mirror "
            "image at $a+b-p=b+(a-p)>b$, where nothing is. Exactly a and b meet.",
            (a + b - p) - b,
            a - p,
        ),
        identity(
            "After that fold $p_1$ is still leftmost, because the new position decreases in $|p-s|$ and $p_1$ is "
            r"farthest: $(s-p_1)-(s-p)=p-p_1>0$, $(s-p_1)-(b-s)=a-p_1>0$ for $s=\frac{a+b}2$.",
            ((a + b) / 2 - first) - (b - (a + b) / 2),
            a - first,
        ),
        Step(
            "Every fold lowers the number of different points, and every class keeps one: from m points at most m − "
            "2 folds reach the two points of two classes, or m − K in general.",
            all(_folds_at_most(m) == m - 2 for m in range(2, 50)),
        ),
    )


def _folds_at_most(m: int) -> int:
    """Steps from m down to 2 when each lowers the count by at least one."""
    count, folds = m, 0
    while count > 2:
        count, folds = count - 1, folds + 1
    return folds
