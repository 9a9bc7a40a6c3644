"""Theorem 1: where f′_SSR(0) ≠ 0, an LN-Net with one LN layer has a smaller SSR than every linear map."""

from __future__ import annotations

from flint import arb

from constructions.sum_of_squares import linear_bound
from proofs.claim import Claim, Finding, Step, conclude, resting_on
from proofs.claims.lemma_1 import CLAIM as LEMMA_1
from proofs.claims.lemma_7 import CLAIM as LEMMA_7
from proofs.claims.lemma_9 import CLAIM as LEMMA_9
from proofs.lssr_break import break_lssr

Rows = list[list[int]]
_INSTANCES: tuple[tuple[str, Rows, Rows], ...] = (
    ("line", [[-1], [0], [0]], [[1], [3], [3]]),
    ("plane", [[0, 0], [1, 1], [2, 1]], [[1, 0], [3, 1], [4, 2]]),
    ("space", [[0, 0, 1], [1, 1, 3], [2, 5, 1], [0, 0, 2]], [[0, 2, 1], [1, 3, 1], [2, 2, -7], [1, 0, 0]]),
)
#: Only two places: every network maps them to two places (or one), and SSR of two places is what it was.
_TWO_PLACES = ("two places", [[0], [3]], [[3], [3]])


def _check(instances: tuple[tuple[str, Rows, Rows], ...], any_data: bool) -> Finding:
    steps = [
        resting_on(LEMMA_7, "SSR(ψ(t)) = LSSR + f′(0)·t + o(t)."),
        resting_on(LEMMA_9, "so some t* has SSR(ψ(t*)) < LSSR."),
        resting_on(LEMMA_1, "and the spherical projection in ψ(t*) is an LN on three neurons between linear maps."),
    ]
    failing = None
    for name, first, second in instances:
        broken = break_lssr(first, second)
        verdict = broken.verdict
        ok = bool(verdict) and (broken.statistics.derivative != 0 or any_data)
        if any_data and not verdict:
            ok = not _unbreakable(first, second)
            failing = f"X1 = {first}, X2 = {second}: SSR is {broken.bound.value} after every map that keeps them apart"
        shown = "-" if verdict.ratio is None else arb(verdict.ratio[1]).str(8, radius=False)
        steps.append(
            Step(
                f"{name}: X1 = {first}, X2 = {second}, f′(0) = "
                f"{arb(broken.statistics.derivative).str(6, radius=False)}: the "
                f"explicit network's SSR is at most {shown}, LSSR = {arb(broken.bound.value).str(8, radius=False)}.",
                ok,
                "proved" if any_data and not ok else "certified",
                role="corroboration",
            )
        )
    return conclude(*steps, counterexample=failing)


def _unbreakable(first: Rows, second: Rows) -> bool:
    """Two places a ≠ b: SSR depends on the counts alone, and equals LSSR."""
    places = {tuple(row) for row in (*first, *second)}
    moved = linear_bound([[7 * x[0] + 1] for x in first], [[7 * x[0] + 1] for x in second])
    return len(places) == 2 and moved.value == linear_bound(first, second).value


CLAIM = Claim(
    key="theorem-1",
    title="Theorem 1",
    where="Section 3.2, Appendix C.3, equations 12, 74, 116 to 118",
    statement=(
        r"If $f'_{\mathrm{SSR}}(0)\ne0$, there are linear $\varphi_1,\varphi_2$ such that "
        r"$\psi=\varphi_2\circ\mathrm{LN}\circ\varphi_1$ "
        r"has $\mathrm{SSR}(\psi(X_1),\psi(X_2))<\mathrm{LSSR}(X_1,X_2)$. (The paper composes from left to right.)"
    ),
    hypotheses=(
        "f′(0) ≠ 0, that is, T1 + T2 ≠ 0; then the class means differ and u* is unique up to a factor",
        "N is invertible (used by the definition of u*; see Proposition 2 for singular N)",
        "the condition is sufficient, not necessary: XOR has T1 + T2 = 0, and an LN layer brings its SSR to 0 "
        "(Figure 1)",
    ),
    check=lambda: _check(_INSTANCES, any_data=False),
    false_statement="The same for all X1 and X2, without the condition on f′(0).",
    check_false=lambda: _check((*_INSTANCES[:1], _TWO_PLACES), any_data=True),
)
