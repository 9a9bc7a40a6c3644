"""Corollary 1: LN is not linear."""

from __future__ import annotations

from flint import fmpq

from constructions.algebraic import Algebraic, algebraic
from proofs.claim import Claim, Finding, Step, conclude
from proofs.lssr_break import break_lssr


def _ln(h: tuple[int, ...]) -> tuple[Algebraic, ...]:
    mean = fmpq(sum(h), len(h))
    centred = [fmpq(x) - mean for x in h]
    sigma = algebraic(sum((x * x for x in centred), fmpq(0)) / len(h)).sqrt()
    return tuple(algebraic(x) / sigma for x in centred)


def _same(a: tuple[Algebraic, ...], b: tuple[Algebraic, ...]) -> bool:
    return all(x == y for x, y in zip(a, b, strict=True))


def _check(linear: bool) -> Finding:
    h = (0, 1, 3)
    doubled = tuple(2 * x for x in h)
    once, twice = _ln(h), _ln(doubled)
    additive = _same(tuple(x + x for x in once), twice)
    axes = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    scaled = all(_same(_ln(axis), _ln(tuple(2 * x for x in axis))) for axis in axes)
    broken = break_lssr([[-1], [0], [0]], [[1], [3], [3]])
    return conclude(
        Step(f"LN(2h) = LN(h) at h = {h}: LN is invariant under scaling.", _same(once, twice)),
        Step(
            f"LN(2h) {'=' if linear else '≠'} 2 LN(h) there, so LN is {'' if linear else 'not '}linear.",
            additive == linear,
            detail=f"LN(h) = ({', '.join(f'{float(x):.6f}' for x in once)}); decided in exact arithmetic",
        ),
        Step(
            "Not affine either: for f(h) = Ah + b, f(2h) = f(h) means Ah = 0. That holds for the three unit "
            "vectors, so A = 0 "
            "and f would be constant; but LN(1, 0, 0) ≠ LN(0, 1, 0).",
            scaled and not _same(_ln(axes[0]), _ln(axes[1])),
        ),
        Step(
            "The paper's own route: an affine LN would make every LN-Net affine, so none could get below LSSR "
            "(Proposition 1); "
            f"one does, with SSR at most {float(broken.verdict.ratio[1].p) / float(broken.verdict.ratio[1].q):.6f} < "
            f"{broken.bound.value}."
            if broken.verdict.ratio
            else "The paper's own route.",
            bool(broken.verdict),
            "certified",
            role="corroboration",
        ),
        counterexample=f"h = {h}" if linear else None,
    )


CLAIM = Claim(
    key="corollary-1",
    title="Corollary 1",
    where="Section 3.2",
    statement="LN is a nonlinear transformation.",
    hypotheses=("at least two neurons; for one, LN is nowhere defined",),
    check=lambda: _check(False),
    false_statement="LN is linear.",
    check_false=lambda: _check(True),
)
