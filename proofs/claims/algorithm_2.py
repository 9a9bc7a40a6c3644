"""Algorithm 2, the Parallelization Breaking Algorithm: after it Algorithm 1's next merge confuses nothing."""

from __future__ import annotations

from itertools import product

from constructions.arithmetic import Dyadic
from constructions.errors import MergeConfusionError, UndecidedError
from constructions.line import Line
from constructions.parallelization_breaking import breaking_fold
from constructions.projection_merge import leftmost_pair, merging_fold
from proofs.claim import Claim, Finding, Step, conclude
from proofs.claims.proposition_6 import CLAIM as PROPOSITION_6
from proofs.claims.proposition_7 import CLAIM as PROPOSITION_7

_POINTS = ((0, 1, 2, 3), (0, 1, 2, 3, 4))


def _confused(points: tuple[int, ...], labels: tuple[int, ...], breaking: bool) -> bool:
    """Whether one merge, with or without a break before it, may bring different classes together."""
    line = Line.of(list(points), list(labels), Dyadic(128))
    with line.arithmetic.work():
        if breaking:
            line = line.after(breaking_fold(line))
        pair = leftmost_pair(line)
        if pair is None:
            return False
        left, right = (line.clusters[k].position for k in pair)
        try:
            after = line.after(merging_fold(line.arithmetic, left, right), merging=pair)
        except (MergeConfusionError, UndecidedError):
            return True
    return breaking and len(after.clusters) != len(line.clusters) - 1


def _check(breaking: bool) -> Finding:
    confused = [
        (points, labels)
        for points in _POINTS
        for labels in product(range(3), repeat=len(points))
        if _confused(points, labels, breaking)
    ]
    return conclude(
        *PROPOSITION_7.check().steps,
        *PROPOSITION_6.check().steps,
        Step(
            "So the merge after a break brings exactly two points together, whatever the labels: all labelings of "
            "0, …, 3 and 0, …, 4 by three classes.",
            not confused,
            "certified",
            detail=f"confused: {len(confused)} of {sum(3 ** len(p) for p in _POINTS)}"
            + (f", e.g. {confused[0]}" if confused else ""),
            role="corroboration",
        ),
        counterexample=f"points and labels {confused[0]}" if confused else None,
    )


CLAIM = Claim(
    key="algorithm-2",
    title="Algorithm 2 (PBA)",
    where="Section 4.3",
    statement=(
        r"Replace $p_k$ by $u^{\mathsf T}\mathrm{SP}((p_k,1))$ with the u of Proposition 7. The next merge of "
        "Algorithm 1 then brings exactly two points together, so it never confuses classes, however many there are."
    ),
    hypotheses=("finitely many points",),
    check=lambda: _check(True),
    false_statement="The same without the break.",
    check_false=lambda: _check(False),
)
