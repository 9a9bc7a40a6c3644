"""Corollary 4: if λ* is simple, the optimal WᵀW is a positive multiple of u*u*ᵀ."""

from __future__ import annotations

import sympy
from flint import fmpq, fmpq_mat

from constructions.sum_of_squares import LinearBound, linear_bound
from proofs.claim import Claim, Finding, Step, as_arguments, conclude
from proofs.identities import identity

_X1, _X2 = [[0, 0], [1, 2], [4, 1]], [[3, 3], [5, 0], [2, 2]]


def _check(extra: fmpq) -> Finding:
    """``extra``: weight of a second direction in WᵀW, 0 in the corollary."""
    bound = linear_bound(_X1, _X2)
    u = fmpq_mat(2, 1, list(bound.direction))
    kernel = bound.within - bound.total * bound.value
    other = fmpq_mat(2, 1, [-u[1, 0], u[0, 0]])
    p_i, p_j, c, k = sympy.symbols("p_i p_j c k")
    ratio = _ratio(bound, [u, other], [fmpq(1), extra])
    return conclude(
        *as_arguments(
            identity(
                r"$\mathrm{SSR}(WX)=\lambda^*$ exactly if $\sum_kw_k^{\mathsf T}(M-\lambda^*N)w_k=0$ over the rows of "
                r"W; every term is "
                r"at least 0 (Proposition 2), so all vanish. The terms are $w\sum_{i<j}(p_iq_j-p_jq_i)^2$; they "
                r"vanish exactly if p is "
                r"a multiple of q, e.g. $p=cq$,",
                (p_i * (c * p_j) - p_j * (c * p_i)) ** 2,
                sympy.Integer(0),
            ),
            Step(
                r"which means $w_k=c_ku^*$: p = Lᵀw, q = L⁻¹δ and N = LLᵀ give w = c·N⁻¹δ. So $W=c\,u^{*\mathsf "
                r"T}$ and "
                r"$W^{\mathsf T}W=\lVert c\rVert^2u^*u^{*\mathsf T}$ with $C=\lVert c\rVert^2>0$.",
                _rank_one_product(),
            ),
            identity(
                "Conversely every C > 0 is optimal: SSR does not change under scaling.",
                (k**2 * c) / (k**2 * p_i),
                c / p_i,
            ),
        ),
        Step(
            f"X1 = {_X1}, X2 = {_X2}: M − λ*N has rank 1 = d − 1, its kernel is u* = "
            f"{[str(x) for x in bound.direction]}.",
            kernel.rank() == 1 and all(x == 0 for x in (kernel * u).entries()),
            role="corroboration",
        ),
        Step(
            f"WᵀW = u*u*ᵀ + {extra}·vvᵀ, v orthogonal to u*, is optimal there.",
            ratio == bound.value,
            detail=f"SSR = {ratio}, LSSR = {bound.value}",
        ),
        counterexample=None if ratio == bound.value else f"SSR = {ratio} > LSSR = {bound.value}",
    )


def _rank_one_product() -> bool:
    n, d = sympy.symbols("n d", integer=True, positive=True)
    c, u = sympy.MatrixSymbol("c", n, 1), sympy.MatrixSymbol("u", d, 1)
    return bool((c * u.T).T * (c * u.T) == u * c.T * c * u.T)


def _ratio(bound: LinearBound, directions: list[fmpq_mat], weights: list[fmpq]) -> fmpq:
    """tr(WMWᵀ)/tr(WNWᵀ) for WᵀW = Σ weight·v vᵀ."""
    sums = []
    for form in (bound.within, bound.total):
        parts = [(v.transpose() * form * v)[0, 0] * w for v, w in zip(directions, weights, strict=True)]
        sums.append(sum(parts, fmpq(0)))
    return sums[0] / sums[1]


CLAIM = Claim(
    key="corollary-4",
    title="Corollary 4",
    where="Appendix B.3, equations 64 to 69",
    statement=(
        r"If the least eigenvalue λ* of $N^{-1}M$ has u* as its only eigenvector (up to a factor), W is optimal "
        r"exactly if "
        r"$W^{\mathsf T}W=C\,u^*u^{*\mathsf T}$, $C>0$."
    ),
    hypotheses=(
        "N invertible; λ* is simple exactly if the class means differ, or d = 1",
        "the proof ends with any nonzero real C; only C > 0, as stated, makes C·u*u*ᵀ of the form WᵀW",
    ),
    check=lambda: _check(fmpq(0)),
    false_statement="Adding a second, orthogonal direction to WᵀW keeps W optimal.",
    check_false=lambda: _check(fmpq(1)),
)
