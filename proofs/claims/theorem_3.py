"""Theorem 3: any number of classes, width 3, depth at most 2m."""

from __future__ import annotations

from itertools import product

import sympy

from constructions.arithmetic import Dyadic
from constructions.line import Line
from constructions.lowering import lower
from constructions.points import LabeledPoints
from constructions.projection_merge import merge_with_breaking
from proofs.checker import check
from proofs.claim import Claim, Finding, Step, conclude
from proofs.claims.algorithm_2 import CLAIM as ALGORITHM_2
from proofs.claims.proposition_9 import CLAIM as PROPOSITION_9
from proofs.claims.theorem_2 import foundation_steps
from proofs.identities import identity
from proofs.merge_arguments import printed_confusion


def _check(breaking: bool) -> Finding:
    """With Algorithm 2 before every merge, or Algorithm 1 alone."""
    m, k = sympy.symbols("m K")
    steps = [
        *foundation_steps(),
        *(ALGORITHM_2.check().steps if breaking else ()),
        *(() if breaking else (_alone(),)),
        identity(
            r"m − K merges, each with one break before it: depth $2(m-K)=2m-2K\le2m$.",
            2 * m - 2 * (m - k),
            2 * k,
        ),
    ]
    if breaking:
        failures = _failures()
        steps += [
            Step(
                "All labelings of 0, …, 3 by three classes are built this way, at depth at most 2(m − K), and "
                "certified.",
                not failures,
                "certified",
                detail="; ".join(map(str, failures)),
                role="corroboration",
            ),
            Step(
                "Twice too deep: Proposition 9 at n = 2 (width 3) needs m − K layers and no break.",
                PROPOSITION_9.check().verdict == "holds",
                role="corroboration",
            ),
        ]
    return conclude(*steps, counterexample="points 0, 1, 2, 3 labelled 0, 1, 2, 0: 1 and 2 merge with 0 and 3")


def _alone() -> Step:
    """Algorithm 1 without Algorithm 2."""
    confusion = printed_confusion((0, 1, 2, 3), (0, 1, 2, 0))
    return Step(
        "Algorithm 1 alone merges only points of one class, for any number of classes.",
        confusion is None,
        detail=f"0, 1, 2, 3 labelled 0, 1, 2, 0: {confusion}",
    )


def _failures() -> list[tuple[int, ...]]:
    failures = []
    for labels in product(range(3), repeat=4):
        points = LabeledPoints.of(list(range(4)), labels)
        line = Line.of([x[0] for x in points.points], labels, Dyadic(256))
        with line.arithmetic.work():
            sequence = merge_with_breaking(line)
            net = lower((1,), sequence.folds, sequence.line, points.classes)
        if net.depth > 2 * (4 - len(set(labels))) or net.width > 3 or not check(net, points):
            failures.append(labels)
    return failures


CLAIM = Claim(
    key="theorem-3",
    title="Theorem 3",
    where="Section 4.3",
    statement=(
        "For m samples with any labels from any number K of classes there is an LN-Net of width 3 and O(m) LN "
        "layers (at most 2m, indeed 2(m − K)) that classifies them."
    ),
    hypotheses=(
        "equal samples have equal labels",
        "read 'any label assignment' for the printed 'any binary label assignment', which repeats Theorem 2; the "
        "section, the proof and the summary treat several classes",
    ),
    check=lambda: _check(True),
    false_statement="Algorithm 1 alone, without Algorithm 2, classifies any number of classes.",
    check_false=lambda: _check(False),
)
