"""Proposition 1: a linear network does not get below LSSR, where its SSR is defined at all."""

from __future__ import annotations

import sympy
from flint import fmpq

from constructions.errors import InputError
from constructions.sum_of_squares import linear_bound, project_samples, sum_of_squares_ratio
from proofs.claim import Claim, Finding, Step, amend, as_arguments, conclude

_X1, _X2 = ((0, 0), (1, 2), (4, 1)), ((3, 3), (5, 0))


def _affine_composition() -> bool:
    """(W2, b2) after (W1, b1) is (W2 W1, W2 b1 + b2), for symbolic sizes: sympy's matrix algebra expands both sides."""
    n, k, d = sympy.symbols("n k d", integer=True, positive=True)
    w2, w1 = sympy.MatrixSymbol("W2", n, k), sympy.MatrixSymbol("W1", k, d)
    x, b1, b2 = sympy.MatrixSymbol("x", d, 1), sympy.MatrixSymbol("b1", k, 1), sympy.MatrixSymbol("b2", n, 1)
    nested = sympy.expand(w2 * (w1 * x + b1) + b2)
    flat = (w2 * w1) * x + (w2 * b1 + b2)
    return bool(sympy.expand(flat) == nested)


def _printed() -> Finding:
    try:
        sum_of_squares_ratio([(0,)] * 3, [(0,)] * 2)
        defined = True
    except InputError:
        defined = False
    return conclude(
        Step("As printed: SSR of the output is defined for every linear network.", defined, detail="φ₁ = 0 gives 0/0."),
        counterexample="φ = 0: all outputs coincide and SSR is 0/0.",
    )


def _check(strict: bool) -> Finding:
    bound = linear_bound(_X1, _X2)
    line = [
        [(v,) for v in project_samples(tuple(tuple(fmpq(v) for v in row) for row in part), bound.direction)]
        for part in (_X1, _X2)
    ]
    best = sum_of_squares_ratio(*line)
    return conclude(
        *as_arguments(
            Step(
                r"A composition of affine maps is affine: $W_2(W_1x+b_1)+b_2=(W_2W_1)x+(W_2b_1+b_2)$ for all sizes, "
                r"and so by "
                "induction for any number of layers. So the network is one of the maps of Definition 2, unless it "
                "merges all samples.",
                _affine_composition(),
            ),
        ),
        Step(
            f"The bound is {'never reached' if strict else 'reached'} by a linear network.",
            (best > bound.value) if strict else (best == bound.value),
            detail=f"X1 = {_X1}, X2 = {_X2}: x ↦ u*·x has SSR = {best}, LSSR = {bound.value}",
        ),
        counterexample=f"X1 = {_X1}, X2 = {_X2}, φ(x) = u*·x" if strict else None,
    )


def _amended(strict: bool) -> Finding:
    corrected = _check(strict)
    if corrected.verdict == "refuted":
        return corrected
    repair = r"True for every linear network with $SS([\hat\varphi(X_1),\hat\varphi(X_2)])\ne0$."
    return amend(_printed(), corrected, repair, verdict="needs-hypothesis")


CLAIM = Claim(
    key="proposition-1",
    title="Proposition 1",
    where="Section 3.1, equation 7",
    statement=(
        r"For a linear neural network $\hat\varphi$ (a composition of affine layers), "
        r"$\mathrm{SSR}(\hat\varphi(X_1),\hat\varphi(X_2))\ge\mathrm{LSSR}(X_1,X_2)$."
    ),
    hypotheses=("the network does not send all samples to one place (missing)",),
    check=lambda: _amended(False),
    false_statement="The inequality is strict.",
    check_false=lambda: _amended(True),
    expects="needs-hypothesis",
)
