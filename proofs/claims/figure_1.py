"""Figure 1: XOR by one spherical projection."""

from __future__ import annotations

import sympy

from constructions.xor import figure1_network, xor_points
from proofs.checker import check
from proofs.claim import Claim, Finding, Step, conclude

_POINTS = {(0, 0): 0, (1, 1): 0, (0, 1): 1, (1, 0): 1}


def _ordinates(height: sympy.Expr, turn: int) -> dict[int, set[sympy.Expr]]:
    """Final ordinates of each class: rotate by turn·45°, move to y = height, project onto the circle and onto x = 0."""
    root = sympy.sqrt(2) / 2
    result: dict[int, set[sympy.Expr]] = {0: set(), 1: set()}
    for (x, y), label in _POINTS.items():
        abscissa = root * (x - turn * y)
        result[label].add(sympy.radsimp(height / sympy.sqrt(abscissa**2 + height**2)))
    return result


def _check(turn: int) -> Finding:
    half = sympy.Rational(1, 2)
    steps = []
    for height in (half, -half):
        values = _ordinates(height, turn)
        low, high = ((min(v), max(v)) for v in (values[1], values[0]))
        apart = bool(high[0] > low[1] or low[0] > high[1])
        steps.append(
            Step(
                f"With the line y = {height} the classes end in disjoint intervals of the vertical axis.",
                apart,
                detail=f"class 0 at {sorted(values[0])}, class 1 at {sorted(values[1])}",
            )
        )
    zero = [abs(x - turn * y) for (x, y) in _POINTS]
    return conclude(
        *steps,
        Step(
            "The line must not pass through the origin: at y = 0 the point with abscissa 0 has no projection (zero "
            "bias).",
            0 in zero,
        ),
        Step(
            "The LN-Net of these steps (Lemma 1) classifies XOR.",
            bool(check(figure1_network(), xor_points())),
            "certified",
            role="corroboration",
        ),
        counterexample=f"rotating clockwise: {_ordinates(half, turn)}" if turn < 0 else None,
    )


CLAIM = Claim(
    key="figure-1",
    title="Figure 1",
    where="Section 4.1",
    statement=(
        "Rotating the XOR points by 45° counter-clockwise, moving them vertically to y = ±1/2, projecting onto the "
        r"unit circle and onto the vertical axis brings class 0 to ±1 and class 1 to $\pm1/\sqrt3$: XOR needs one "
        "LN layer."
    ),
    hypotheses=("the rotation is counter-clockwise (clockwise the classes interleave)", "the line's height is not 0"),
    check=lambda: _check(1),
    false_statement="The same with a clockwise rotation.",
    check_false=lambda: _check(-1),
)
