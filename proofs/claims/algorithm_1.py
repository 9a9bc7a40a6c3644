"""Algorithm 1, the Projection Merge Algorithm, as printed and repaired."""

from __future__ import annotations

from itertools import product

from flint import fmpq

from constructions.arithmetic import Exact
from constructions.line import Line
from constructions.projection_merge import merge_two_classes
from proofs.claim import Claim, Finding, Step, amend, conclude
from proofs.merge_arguments import (
    CONFUSED_LABELS,
    CONFUSED_POINTS,
    COUNTEREXAMPLE,
    printed_confusion,
    repaired_steps,
    three_points_step,
)


def _printed() -> Finding:
    error = printed_confusion(CONFUSED_POINTS, CONFUSED_LABELS)
    four = [labels for labels in product((0, 1), repeat=4) if printed_confusion(CONFUSED_POINTS, labels)]
    return conclude(
        three_points_step(),
        Step(
            "Algorithm 1 as printed merges only points of one class on 0, 1, 2, 3 labelled 0, 1, 1, 1.",
            error is None,
            detail=f"{error} Of the 16 labelings of 0, 1, 2, 3 these are confused: {four}.",
        ),
        counterexample=COUNTEREXAMPLE if error is not None else None,
    )


def _corrected(classes: int) -> Finding:
    bad = []
    for m in (2, 3, 4):
        for labels in product((0, 1), repeat=m):
            sequence = merge_two_classes(Line.of([fmpq(k) for k in range(m)], list(labels), Exact()), complete=True)
            if len(sequence.line.clusters) != len(set(labels)) or len(sequence.folds) > m - len(set(labels)):
                bad.append(labels)
    return conclude(
        *repaired_steps(classes),
        Step(
            "In exact arithmetic the repaired algorithm merges every labelling of 0, …, m − 1, m ≤ 4, down to one "
            "point a class in at most m − K folds.",
            not bad,
            "proved-bounded",
            role="corroboration",
        ),
        counterexample="labels 0, 1, 2, 0 at 0, 1, 2, 3: merging 0 and 3 also merges 1 and 2" if classes > 2 else None,
    )


CLAIM = Claim(
    key="algorithm-1",
    title="Algorithm 1 (PMA)",
    where="Section 4.2",
    statement=(
        "From m different points of two classes on a line, repeatedly fold about the midpoint of the leftmost point "
        "of P and its nearest partner of the same class; drop points without partner from P. This ends after at "
        "most m − 2 folds, each of which merges only points of one class."
    ),
    hypotheses=("both classes occur (for a single class m − 1 merges, none of them needed)",),
    check=lambda: amend(
        _printed(),
        _corrected(2),
        "Once the class of the leftmost point is finished, always take the two rightmost points: all mirror images "
        "then lie to the right of every point. Same depth, at most m − 2.",
    ),
    false_statement="The repaired algorithm works for three classes as well.",
    check_false=lambda: _corrected(3),
    expects="repaired",
)
