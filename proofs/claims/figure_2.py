"""Figure 2: one step of Algorithm 1 on five points."""

from __future__ import annotations

from fractions import Fraction

import sympy

from proofs.claim import Claim, Finding, Step, conclude
from proofs.identities import identity
from proofs.merge_arguments import meeting_step


def squared_heights(positions: tuple[Fraction, ...], i: int, j: int) -> list[Fraction]:
    """Squares of the next positions when i and j merge (all next positions are positive)."""
    s, c = (positions[i] + positions[j]) / 2, (positions[j] - positions[i]) / 2
    return [c**2 / ((p - s) ** 2 + c**2) for p in positions]


def _check(third: Fraction) -> Finding:
    """The five points 0, 1, third, 3, 5 with the first and fourth merging."""
    positions = (Fraction(0), Fraction(1), third, Fraction(3), Fraction(5))
    values = squared_heights(positions, 0, 3)
    p, h = sympy.symbols("p h")
    return conclude(
        meeting_step(),
        identity(
            r"Shifting by $s=\frac{p_1+p_4}2$ and lifting to $c=\frac{p_4-p_1}2$ puts $h_1,h_4$ at $(\mp c,c)$: "
            r"angles 3π/4 and π/4, both at height $1/\sqrt2$.",
            (p - (p + h) / 2) ** 2,
            ((h - p) / 2) ** 2,
        ),
        Step("p1 and p4 meet at 1/√2.", values[0] == values[3] == Fraction(1, 2), detail=f"squared heights {values}"),
        Step(
            "p2 and p3 meet too, above them: the figure's points satisfy p2 + p3 = p1 + p4.",
            values[1] == values[2] and values[1] > values[0],
            detail=f"p2 + p3 = {positions[1] + third}, p1 + p4 = {positions[0] + positions[3]}",
        ),
        Step("p5 stays alone, lowest of all.", values[4] < values[0] and values.count(values[4]) == 1),
        counterexample=f"positions {[str(v) for v in positions]}: squared heights {[str(v) for v in values]}",
    )


CLAIM = Claim(
    key="figure-2",
    title="Figure 2",
    where="Section 4.2",
    statement=(
        "For five points with p2 + p3 = p1 + p4 one step of Algorithm 1 merges {1, 4} and {2, 3} and leaves 5 "
        "alone; p5 < p_{1,4} < p_{2,3}."
    ),
    hypotheses=("p2 + p3 = p1 + p4, a coincidence the figure draws without saying so (here 0, 1, 2, 3, 5)",),
    check=lambda: _check(Fraction(2)),
    false_statement="The same for p3 = 5/2, without the coincidence.",
    check_false=lambda: _check(Fraction(5, 2)),
)
