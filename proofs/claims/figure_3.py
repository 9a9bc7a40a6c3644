"""Figure 3: the same step with a third class is a confusion."""

from __future__ import annotations

from itertools import product

from proofs.claim import Claim, Finding, Step, conclude
from proofs.merge_arguments import printed_confusion

_POINTS = (0, 1, 2, 3, 5)


def _check(classes: int) -> Finding:
    """Confusions in the very first fold, of labels 0, y2, y3, 0, y5 with y2, y3 ≠ 0, for a number of classes."""
    first_layer = []
    for y2, y3, y5 in product(range(1, classes), range(1, classes), range(classes)):
        labels = (0, y2, y3, 0, y5)
        error = printed_confusion(_POINTS, labels)
        if error is not None and error.layer == 1:
            first_layer.append(labels)
    return conclude(
        Step(
            f"With {classes} classes some recolouring of 2 and 3 makes the first fold merge points of different "
            "classes.",
            bool(first_layer),
            "proved-bounded",
            detail=f"points {_POINTS}; confused at layer 1: {first_layer[:4]}",
        ),
        Step(
            "With two classes it cannot: no point between 1 and its nearest partner 4 has its label, so 2 and 3 agree.",
            all(y2 == y3 for y2, y3 in product(range(1, 2), repeat=2)),
        ),
        counterexample=f"all labelings 0, y2, y3, 0, y5 by {classes} classes: none is confused in the first fold",
    )


CLAIM = Claim(
    key="figure-3",
    title="Figure 3",
    where="Section 4.3",
    statement="Recolouring x3 of Figure 2 makes the fold merge x2 and x3 of different classes; it takes a third class.",
    hypotheses=("at least three classes: x3 red means neither x1's nor x2's class",),
    check=lambda: _check(3),
    false_statement="Two classes suffice for such a confusion in the first fold.",
    check_false=lambda: _check(2),
)
