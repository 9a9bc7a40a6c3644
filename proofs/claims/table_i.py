"""Table I: can its numbers come from the data it describes? Row (a) is finite, so every possible sample is tried."""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb, fmpq

from constructions.sum_of_squares import linear_bound, sum_of_squares_ratio
from constructions.table1_data import REGIMES, SIZE, table1_samples
from proofs.claim import Claim, Finding, Step, conclude

_HALF_UNIT = fmpq(1, 20000)  # four printed decimals


def _check(printed: tuple[str, str]) -> Finding:
    ssr, lssr = (fmpq(int(x.replace(".", "")), 10 ** len(x.split(".")[1])) for x in printed)
    candidates = list(_with_ratio(ssr))
    found = sorted({bound for *_, bound in candidates})
    fits = [c for c in candidates if abs(c[2] - lssr) <= _HALF_UNIT]
    span = f"{_short(found[0])} and {_short(found[-1])}" if found else "none"
    pairs = [(fmpq(int(r.printed[0][2:]), 10**4), fmpq(int(r.printed[1][2:]), 10**4)) for r in REGIMES]
    return conclude(
        Step("In every row LSSR ≤ SSR ≤ 1, as Definition 2 requires.", all(b <= a <= 1 for a, b in pairs)),
        _formula_step(),
        Step(
            f"Row (a): some sample of {SIZE} coins a class, X1 = (X, X), X2 = (X, 1 − X), has SSR = {printed[0]} "
            f"and LSSR = "
            f"{printed[1]} to four decimals. All {SIZE + 1}² pairs of counts are tried.",
            bool(fits),
            "proved-bounded",
            detail=f"{len(candidates)} pairs of counts have SSR = {printed[0]}; their LSSR lies between {span}",
        ),
        counterexample=None
        if fits
        else f"Row (a): with {SIZE} samples a class, SSR = {printed[0]} forces LSSR between {span}; "
        f"printed is {printed[1]}.",
    )


def _with_ratio(ssr: fmpq) -> Iterator[tuple[int, int, fmpq]]:
    """(ones in class 1, ones in class 2, LSSR) of the samples whose SSR rounds to a value."""
    low, high = ssr - _HALF_UNIT, ssr + _HALF_UNIT
    for n1 in range(SIZE + 1):
        for n2 in range(SIZE + 1):
            # Sums of squares times m: within the classes 2·(n1(m−n1) + n2(m−n2)), between |(n1−n2, n1+n2−m)|²/2.
            s1, s2 = n1 * (SIZE - n1), n2 * (SIZE - n2)
            within, between = 4 * (s1 + s2), (n1 - n2) ** 2 + (n1 + n2 - SIZE) ** 2
            if within + between and low.q * within >= low.p * (within + between):
                ratio = fmpq(within, within + between)
                if low <= ratio <= high:
                    yield n1, n2, _bound(n1, n2)


def _bound(n1: int, n2: int) -> fmpq:
    """LSSR = 1/(1 + (m/2) δᵀM⁻¹δ) for M = ((a, b), (b, a)), all times m."""
    s1, s2 = n1 * (SIZE - n1), n2 * (SIZE - n2)
    a, b = s1 + s2, s1 - s2
    d1, d2 = n1 - n2, n1 + n2 - SIZE
    quadratic = fmpq(a * d1 * d1 - 2 * b * d1 * d2 + a * d2 * d2, 2 * (a * a - b * b))
    return 1 / (1 + quadratic)


def _formula_step() -> Step:
    n1, n2 = 116, 138
    first = [[1, 1]] * n1 + [[0, 0]] * (SIZE - n1)
    second = [[1, 0]] * n2 + [[0, 1]] * (SIZE - n2)
    return Step(
        f"The closed form used for counts agrees with LSSR computed from {n1} and {n2} ones.",
        linear_bound(first, second).value == _bound(n1, n2),
        role="corroboration",
        detail=f"LSSR = {_bound(n1, n2)}, SSR = {sum_of_squares_ratio(first, second)}",
    )


def _short(value: fmpq) -> str:
    return str(arb(value).str(5, radius=False))


def _attainable() -> tuple[str, str]:
    """A false pair of values: the SSR of our own sample with the LSSR 1."""
    first, second = table1_samples("a", seed=2)
    return _short(sum_of_squares_ratio(first, second))[:6], "1.0000"


CLAIM = Claim(
    key="table-i",
    title="Table I",
    where="Appendix A",
    statement=(
        "SSR and LSSR of 256 samples a class: (a) XOR 0.9963, 0.9929; (b) 0.9929, 0.9859; (c) 0.2304, 0.1312; "
        "(d) 0.7536, "
        "0.2157, for the distributions described."
    ),
    hypotheses=("row (a): X takes 0 and 1, X1 = (X, X), X2 = (X, 1 − X), 256 samples of each class",),
    check=lambda: _check(REGIMES[0].printed),
    false_statement="Row (a) with LSSR = 1.0000 beside an SSR below 1 (which only coinciding means could give).",
    check_false=lambda: _check(_attainable()),
    expects="refuted",
)
