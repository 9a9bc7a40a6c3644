"""Appendix C.4: without bias SP is said to collapse the samples; it only keeps their signs, and that can be enough."""

from __future__ import annotations

from constructions.sum_of_squares import linear_bound, sum_of_squares, sum_of_squares_ratio
from proofs.claim import Claim, Finding, Step, amend, conclude


def _signs(samples: tuple[int, ...]) -> list[int]:
    """SP(t·w·x) for w = 1, t = 1: x/|x|."""
    return [x // abs(x) for x in samples]


def _set(samples: tuple[int, ...]) -> str:
    return "{" + ", ".join(map(str, samples)) + "}"


def _printed(first: tuple[int, ...], second: tuple[int, ...]) -> Finding:
    total = sum_of_squares(_signs(first) + _signs(second))
    return conclude(
        Step(
            "As printed: with b = 0 all images coincide, SS = 0.",
            total == 0,
            detail=f"X1 = {_set(first)}, X2 = {_set(second)}: "
            f"SP gives {_signs(first)} and {_signs(second)}, SS = {total}",
        ),
        counterexample=None
        if total == 0
        else f"X1 = {_set(first)}, X2 = {_set(second)}, w = 1: the images are ±1, SS = {total}",
    )


def _corrected() -> Finding:
    first, second = (-2, -1), (1, 5)
    before, after = linear_bound(first, second).value, sum_of_squares_ratio(_signs(first), _signs(second))
    same = (1, 2), (3, 7)
    return conclude(
        Step(
            r"With b = 0, $\mathrm{SP}(twx)=\operatorname{sign}(tx)\,w$ for x ≠ 0 (and undefined at x = 0): "
            r"scaling by |tx| cancels.",
            _signs((3, -4)) == [1, -1],
        ),
        Step("If all x have one sign, all images coincide.", sum_of_squares(_signs(same[0]) + _signs(same[1])) == 0),
        Step(
            f"If the classes differ in sign, SSR drops to 0: X1 = {_set(first)}, X2 = {_set(second)}.",
            after == 0 < before,
            detail=f"LSSR = {before}, SSR of the signs = {after}",
        ),
    )


CLAIM = Claim(
    key="appendix-c4-zero-bias",
    title="Appendix C.4, zero bias",
    where="Appendix C.4",
    statement=(
        r"If b = 0, then $\hat x=w/\lVert w\rVert$ for all samples and SS of the images is 0; therefore b ≠ "
        r"0 is required."
    ),
    hypotheses=("x ≠ 0 for all samples, else SP(0) is undefined",),
    check=lambda: amend(
        _printed((-1,), (1,)),
        _corrected(),
        "With b = 0 an image is sign(tx)·w/‖w‖. The images coincide only if all projected samples have the same "
        "sign; otherwise "
        "b = 0 is admissible and may even bring SSR to 0.",
    ),
    false_statement="SS of the images is 0 for X1 = {−2, 3}, X2 = {1, −5}.",
    check_false=lambda: _printed((-2, 3), (1, -5)),
    expects="repaired",
)
