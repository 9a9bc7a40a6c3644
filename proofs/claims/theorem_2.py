"""Theorem 2: two classes, width 3, depth O(m)."""

from __future__ import annotations

from itertools import product

import sympy

from constructions.arithmetic import Dyadic
from constructions.line import Line
from constructions.lowering import lower
from constructions.points import LabeledPoints
from constructions.projection_merge import merge_two_classes
from proofs.checker import check
from proofs.claim import Claim, Finding, Step, conclude, resting_on
from proofs.claims.lemma_1 import CLAIM as LEMMA_1
from proofs.claims.proposition_4 import CLAIM as PROPOSITION_4
from proofs.identities import identity
from proofs.merge_arguments import repaired_steps


def foundation_steps() -> tuple[Step, ...]:
    """Why a line and its folds are enough."""
    return (
        resting_on(PROPOSITION_4, "different samples are different points of a line after one affine map."),
        resting_on(LEMMA_1, "a fold, which is affine, SP on the plane, affine, is one LN layer of width 3."),
    )


def affine_step(depth_left: int) -> Step:
    """Three collinear points with labels 0, 1, 0 need an LN layer."""
    a, b, w, c = sympy.symbols("a b w c")
    values = [w * x + c for x in (a, (a + b) / 2, b)]
    return Step(
        rf"The labels 0, 1, 0 of three points of a line (m = 3) are reached with {depth_left} LN layers.",
        depth_left >= 1 if sympy.expand(values[0] + values[2] - 2 * values[1]) == 0 else None,
        detail="an affine function has f(a) + f(b) = 2 f((a + b)/2), so it cannot be negative, positive, negative",
    )


def built_at_depth(m: int, bound: int) -> list[tuple[int, ...]]:
    """Labelings of 0, …, m − 1 whose network exceeds the depth or is not certified."""
    failures = []
    for labels in product((0, 1), repeat=m):
        points = LabeledPoints.of(list(range(m)), labels)
        line = Line.of([x[0] for x in points.points], labels, Dyadic(128))
        with line.arithmetic.work():
            sequence = merge_two_classes(line)
            net = lower((1,), sequence.folds, sequence.line, points.classes)
        if net.width > 3 or net.depth > max(0, bound) or not check(net, points):
            failures.append(labels)
    return failures


def _check(saved: int) -> Finding:
    """Depth at most m − saved."""
    p, q = sympy.symbols("p q")
    failures = {m: bad for m in range(1, 6) if (bad := built_at_depth(m, m - saved))}
    return conclude(
        *foundation_steps(),
        *repaired_steps(2),
        identity(
            r"Two points p < q, one a class, are told apart by the threshold $\frac{p+q}2$: their distances from it "
            "are opposite. (A constant labelling needs the read-out's bias only, depth 0.)",
            p - (p + q) / 2,
            -(q - (p + q) / 2),
        ),
        *((affine_step(3 - saved),) if saved > 2 else ()),
        Step(
            f"All labelings of 0, …, m − 1, m ≤ 5, are built at width 3 and depth at most max(0, m − {saved}) and "
            "certified.",
            not failures,
            "certified",
            detail=f"exceptions: {failures}" if failures else "",
            role="corroboration" if saved == 2 else "part",
        ),
        counterexample="m = 3 on a line, labels 0, 1, 0: depth 0 is an affine function" if saved > 2 else None,
    )


CLAIM = Claim(
    key="theorem-2",
    title="Theorem 2",
    where="Section 4.2",
    statement=(
        "For m samples with any labels from two classes there is an LN-Net of width 3 and O(m) LN layers that "
        "classifies them; depth m − 2 suffices."
    ),
    hypotheses=(
        "equal samples have equal labels",
        "both classes occur for the count m − 2; a constant labelling needs no layer (Algorithm 1 as printed would "
        "use m − 1)",
        "the printed proof rests on Proposition 5, which fails; the repaired algorithm has the same depth",
    ),
    check=lambda: _check(2),
    false_statement="Depth m − 3 suffices.",
    check_false=lambda: _check(3),
)
