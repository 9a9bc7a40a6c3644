"""Corollary 5: if λ* has k eigenvectors V, the optimal WᵀW are VCVᵀ; and k > 1 happens in one case only."""

from __future__ import annotations

import sympy
from flint import fmpq

from constructions.sum_of_squares import linear_bound, sum_of_squares_ratio
from proofs.claim import Claim, Finding, Step, as_arguments, conclude
from proofs.identities import identity
from proofs.linear_bound_check import eigenvalues

_XOR = ([[0, 0], [1, 1]], [[0, 1], [1, 0]])


def _check(diagonal_only: bool) -> Finding:
    """``diagonal_only``: claim that C must be diagonal in V = (e1, e2)."""
    n, k, d = sympy.symbols("n k d", integer=True, positive=True)
    a, v = sympy.MatrixSymbol("A", n, k), sympy.MatrixSymbol("V", d, k)
    bound = linear_bound(*_XOR)
    values = eigenvalues(bound.within, bound.total)
    row = (1, 1)  # WᵀW = ((1, 1), (1, 1)) is not diagonal
    image = [[(fmpq(sum(w * x for w, x in zip(row, sample, strict=True))),) for sample in part] for part in _XOR]
    ratio = sum_of_squares_ratio(*image)
    optimal = ratio == bound.value
    w, s = sympy.symbols("w s")
    return conclude(
        *as_arguments(
            Step(
                r"As for Corollary 4, W is optimal exactly if each of its rows lies in the kernel of M − λ*N, the "
                r"span of V: "
                r"$W=AV^{\mathsf T}$, so $W^{\mathsf T}W=V(A^{\mathsf T}A)V^{\mathsf T}$, in all sizes.",
                bool((a * v.T).T * (a * v.T) == v * a.T * a * v.T),
            ),
            Step(
                r"$C=A^{\mathsf T}A$ is positive semidefinite, every positive semidefinite C is of this form (C = "
                r"RᵀR), and it is not 0 "
                "because SS(WX) is not.",
                bool(a.T * a == (a.T * a).T),
            ),
            identity(
                r"When k > 1: all eigenvalues but λ* = 1 − w·s, $s=\delta^{\mathsf T}N^{-1}\delta$, equal 1 "
                r"(Proposition 2). A second "
                "eigenvector of λ* therefore needs λ* = 1, s = 0, so δ = 0 as N is definite: the class means "
                "coincide, k = d, and "
                "every W ≠ 0 is optimal.",
                (1 - w * s).subs(s, 0),
                sympy.Integer(1),
            ),
        ),
        Step(f"XOR is such a case: eigenvalues {values}.", values == [1, 1], role="corroboration"),
        Step(
            "XOR with V = (e1, e2) and W = (1, 1): "
            + ("W is not optimal, C being not diagonal." if diagonal_only else "optimal, with C = ((1, 1), (1, 1))."),
            optimal != diagonal_only,
            detail=f"SSR = {ratio}, LSSR = {bound.value}",
        ),
        counterexample=f"XOR, W = (1, 1): SSR = {ratio} = LSSR" if diagonal_only and optimal else None,
    )


CLAIM = Claim(
    key="corollary-5",
    title="Corollary 5",
    where="Appendix B.3, equations 70 to 72",
    statement=(
        r"If λ* has k linearly independent eigenvectors $V=[v_1,\dots,v_k]$, W is optimal exactly if $W^{\mathsf "
        r"T}W=VCV^{\mathsf T}$ "
        "with C positive semidefinite and not 0. (For two classes k is 1 or d; k = d > 1 exactly if the class "
        "means coincide.)"
    ),
    hypotheses=("N invertible",),
    check=lambda: _check(False),
    false_statement="C must be diagonal.",
    check_false=lambda: _check(True),
)
