"""Proposition 5: which layers merge points."""

from __future__ import annotations

import sympy

from proofs.claim import Claim, Finding, Step, amend, conclude
from proofs.identities import identity
from proofs.merge_arguments import (
    CONFUSED_LABELS,
    CONFUSED_POINTS,
    COUNTEREXAMPLE,
    printed_confusion,
    repaired_steps,
    three_points_step,
)


def _projection_keeps_order() -> Step:
    """SP does not merge points of a horizontal line off the origin."""
    q, w = sympy.symbols("q w")
    return identity(
        r"SP merges no two points $(q,1)$ of a line at height $c>0$ (scaled to 1): the slope of $q/\sqrt{1+q^2}$ is "
        r"$(1+q^2)^{-3/2}>0$. (With $w=\sqrt{1+q^2}$: $(w-q\cdot q/w)/w^2=1/w^3$.)",
        (w - q * q / w) / w**2 - 1 / w**3,
        0,
        relations=(w**2 - 1 - q**2,),
    )


def _printed() -> Finding:
    error = printed_confusion(CONFUSED_POINTS, CONFUSED_LABELS)
    return conclude(
        _projection_keeps_order(),
        three_points_step(),
        Step(
            "Every linear map after an SP merges only points of one class on 0, 1, 2, 3 labelled 0, 1, 1, 1.",
            error is None,
            detail=f"{error} The proof's case 2 (one point left of p_j, the other not) takes the left one to be higher "
            "than p_j; that forgets points left of p_i that have left P, as 0 here. Its case 3 (both left of p_j), "
            "said never to happen, does: for 0, 1, 2 labelled 0, 1, 0 the points 0 and 1 are of different classes and "
            "both left of p_j = 2 (they do not merge, though).",
        ),
        counterexample=COUNTEREXAMPLE if error is not None else None,
    )


def _corrected(classes: int) -> Finding:
    return conclude(
        _projection_keeps_order(),
        *repaired_steps(classes),
        counterexample="labels 0, 1, 2, 0 at 0, 1, 2, 3" if classes > 2 else None,
    )


CLAIM = Claim(
    key="proposition-5",
    title="Proposition 5",
    where="Section 4.2, Appendix D.2, equation 141",
    statement=(
        r"In the network of Algorithm 1 neither the first map, nor SP, nor the maps $\varphi_l^{(2)}$ merge points, "
        r"and the maps $\varphi_l^{(1)}$, $l\ge2$, merge only points of one class."
    ),
    hypotheses=("two classes",),
    check=lambda: amend(
        _printed(),
        _corrected(2),
        "True of Algorithm 1 with the rightmost pair once the leftmost point's class is finished. As printed it "
        "needs at least four points to fail. (The range of l is 2 to L in the statement, 2 to L − 1 and 1 to L in "
        "the proof.)",
    ),
    false_statement="The corrected statement for three classes.",
    check_false=lambda: _corrected(3),
    expects="repaired",
)
