"""Proposition 6: a confusion needs a parallelogram."""

from __future__ import annotations

import sympy

from constructions.errors import MergeConfusionError
from proofs.claim import Claim, Finding, Step, conclude
from proofs.identities import identity
from proofs.merge_arguments import meeting_step, printed_confusion


def _check(sign: int) -> Finding:
    """A confusion of s and t forces p_s + sign·p_t = p_i + sign·p_j."""
    ps, pt, pi, pj = sympy.symbols("p_s p_t p_i p_j")
    examples = [((0, 1, 2, 3), (0, 1, 2, 0)), ((0, 1, 2, 3), (0, 1, 1, 1)), ((0, 2, 3, 5, 9), (0, 1, 2, 0, 1))]
    forced = [_sum_of(points, printed_confusion(points, labels), sign) for points, labels in examples]
    return conclude(
        meeting_step(),
        identity(
            r"With $2s=p_i+p_j$, points of different labels that meet are different, so $p_s+p_t=p_i+p_j$.",
            (ps + pt - 2 * ((pi + pj) / 2)),
            ps + pt - pi - pj,
        ),
        Step(
            r"The four points are different: if $p_s=p_i$, then $p_t=p_j$, and s, t would share the label of i and j.",
            sympy.solve(pi + pt - pi - pj, pt) == [pj],
        ),
        Step(
            "In confusions of Algorithm 1 as printed "
            f"$p_s{'+' if sign > 0 else '-'}p_t=p_i{'+' if sign > 0 else '-'}p_j$ for some pair i, j of equal "
            "labels.",
            all(forced),
            detail="the printed algorithm run exactly on three confused examples",
            role="corroboration" if sign > 0 else "part",
        ),
        counterexample="0, 1, 2, 3 labelled 0, 1, 2, 0: 1 and 2 meet, and 1 − 2 ≠ 0 − 3",
    )


def _sum_of(points: tuple[int, ...], error: MergeConfusionError | None, sign: int) -> bool:
    """Whether the first-layer confusion found pairs with other two points at the given sign."""
    if error is None or error.layer != 1:
        return False
    s, t = (points[k] for k in error.points)
    rest = [p for p in points if p not in (s, t)]
    return any(s + sign * t == a + sign * b for a in rest for b in rest if a < b)


CLAIM = Claim(
    key="proposition-6",
    title="Proposition 6",
    where="Section 4.3 and Appendix D.3",
    statement=(
        "If a fold of Algorithm 1 that merges i and j also merges points s, t with different labels, then the four "
        "points are different and $p_i+p_j=p_s+p_t$: a (degenerate) parallelogram in $P^{(l)}$."
    ),
    hypotheses=(
        "points at one place have one label",
        "(the paper projects X^(l+1); by its own definitions that is X^(l))",
    ),
    check=lambda: _check(1),
    false_statement=r"The four points satisfy $p_i-p_j=p_s-p_t$.",
    check_false=lambda: _check(-1),
)
