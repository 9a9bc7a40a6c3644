"""Definition 2: LSSR is an infimum over linear maps; as printed it ranges over maps that leave SSR undefined."""

from __future__ import annotations

from collections.abc import Callable

from flint import fmpq

from constructions.errors import InputError
from constructions.sum_of_squares import linear_bound, project_samples, scatter, sum_of_squares_ratio
from proofs.claim import Claim, Finding, Step, amend, conclude
from proofs.linear_bound_check import is_positive_semidefinite

Samples = list[list[int]]
#: Generic, XOR, separable by a coordinate, unequal sizes, singular N, one sample a class.
_INSTANCES: tuple[tuple[Samples, Samples], ...] = (
    ([[0, 0], [1, 2], [4, 1]], [[3, 3], [5, 0], [2, 2]]),
    ([[0, 0], [1, 1]], [[0, 1], [1, 0]]),
    ([[0, 5], [0, 7]], [[1, -3], [1, 100]]),
    ([[0, 1, 2], [3, 1, 0]], [[1, 1, 1], [2, 5, 1], [4, 4, 0]]),
    ([[0, 0], [1, 2], [5, 10]], [[3, 6], [9, 18]]),
    ([[1, 2]], [[3, 5]]),
)


def _printed() -> Finding:
    try:
        sum_of_squares_ratio([[0], [0]], [[0], [0]])
        defined = True
    except InputError:
        defined = False
    return conclude(
        Step(
            r"As printed: every linear $\varphi$ on $\mathbb R^d$ has a ratio "
            r"$\mathrm{SSR}(\varphi(X_1),\varphi(X_2))$.",
            defined,
            detail="φ = 0 is linear and sends all samples to one place, where the ratio is 0/0.",
        ),
        counterexample="φ = 0 (and any φ that sends all samples to one place): SSR(φ(X1), φ(X2)) = 0/0.",
    )


def _check(value: Callable[[Samples, Samples], fmpq]) -> Finding:
    steps = [
        Step(
            "Over the maps that do not merge all samples the set of ratios is not empty (the identity is one of them, "
            "unless the samples coincide) and bounded below by 0 (Definition 1), so the infimum exists.",
            all(0 <= sum_of_squares_ratio(*pair) <= 1 for pair in _INSTANCES),
        )
    ]
    failing = None
    for first, second in _INSTANCES:
        claimed, bound = value(first, second), linear_bound(first, second)
        x1, x2 = (tuple(tuple(fmpq(v) for v in row) for row in part) for part in (first, second))
        m, n = scatter(x1) + scatter(x2), scatter(x1 + x2)
        line = [tuple((v,) for v in project_samples(part, bound.direction)) for part in (x1, x2)]
        lower, reached = is_positive_semidefinite(m - n * claimed), sum_of_squares_ratio(*line) >= claimed
        attained = sum_of_squares_ratio(*line) == claimed
        if not (lower and attained) and failing is None:
            failing = f"X1 = {first}, X2 = {second}: claimed {claimed}, infimum {bound.value}"
        steps.append(
            Step(
                f"It is a minimum: X1 = {first}, X2 = {second} has LSSR = {claimed} exactly, a lower bound because "
                r"$M-\mathrm{LSSR}\cdot N$ is positive semidefinite, and reached by the direction "
                f"({', '.join(str(x) for x in bound.direction)}).",
                lower and reached and attained,
                role="corroboration",
            )
        )
    return conclude(*steps, counterexample=failing)


def _amended(value: Callable[[Samples, Samples], fmpq]) -> Finding:
    corrected = _check(value)
    if corrected.verdict == "refuted":
        return corrected
    repair = (
        r"The infimum ranges over linear maps with $SS([\varphi(X_1),\varphi(X_2)])\ne0$ (used silently in Appendix B)."
    )
    return amend(_printed(), corrected, repair, verdict="needs-hypothesis")


CLAIM = Claim(
    key="definition-2",
    title="Definition 2",
    where="Section 3.1, equation 6",
    statement=(
        r"$\mathrm{LSSR}(X_1,X_2)=\inf_\varphi\mathrm{SSR}(\varphi(X_1),\varphi(X_2))$ over all linear (affine) maps "
        r"$\varphi$ on $\mathbb R^d$."
    ),
    hypotheses=("not all samples coincide", "φ does not send all samples to one place (missing in the definition)"),
    check=lambda: _amended(lambda first, second: linear_bound(first, second).value),
    false_statement="The infimum is always the SSR of the samples themselves.",
    check_false=lambda: _amended(sum_of_squares_ratio),
    expects="needs-hypothesis",
)
