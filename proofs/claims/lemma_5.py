"""Lemma 5: the least value of vᵀMv on vᵀNv = 1 is the least eigenvalue of N⁻¹M."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

from constructions.sum_of_squares import linear_bound
from proofs.claim import Claim, Finding, Step, as_arguments, conclude
from proofs.identities import identity
from proofs.linear_bound_check import as_fmpq, eigenvalues, is_positive_semidefinite

_INSTANCES = (
    ([[0, 0], [1, 2], [4, 1]], [[3, 3], [5, 0], [2, 2]]),
    ([[0, 0, 1], [1, 1, 3], [2, 5, 1], [0, 0, 2]], [[0, 2, 1], [1, 3, 1], [2, 2, -7], [1, 0, 0]]),
)


def _check(chosen: Callable[[list[Any]], Any]) -> Finding:
    lam, star, c, alpha, q = sympy.symbols("lambda lambda_star c alpha q")
    steps = [
        *as_arguments(
            identity(
                r"A minimum exists, as $\{v: v^{\mathsf T}Nv=1\}$ is compact for positive definite N. There "
                r"$Mv=\alpha Nv$ (Lagrange), "
                r"so α is an eigenvalue and $v^{\mathsf T}Mv=\alpha\,v^{\mathsf T}Nv=\alpha$.",
                alpha * q.subs(q, 1),
                alpha,
            ),
            identity(
                r"Without calculus: in an N-orthonormal eigenbasis $v=\sum c_kv_k$, $\sum c_k^2=1$ and "
                r"$v^{\mathsf T}Mv-\lambda^*=\sum_k(\lambda_k-\lambda^*)c_k^2\ge0$, term by term,",
                lam * c**2 - star * c**2,
                (lam - star) * c**2,
            ),
            identity(
                "with equality exactly if c_k = 0 wherever λ_k > λ*, that is, if v belongs to λ*: then the sum is "
                "λ*·Σc_k².",
                star * c**2 - star * c**2,
                sympy.Integer(0),
            ),
        ),
    ]
    failing = None
    for first, second in _INSTANCES:
        bound = linear_bound(first, second)
        values = eigenvalues(bound.within, bound.total)
        claimed = as_fmpq(chosen(values))
        below = is_positive_semidefinite(bound.within - bound.total * claimed)
        if not below and failing is None:
            failing = f"X1 = {first}, X2 = {second}: vᵀMv < {claimed}·vᵀNv at v = u*"
        steps.append(
            Step(
                f"X1 = {first}, X2 = {second}: M − {claimed}·N is positive semidefinite and singular.",
                below and (bound.within - bound.total * claimed).det() == 0,
                role="corroboration",
            )
        )
    return conclude(*steps, counterexample=failing)


CLAIM = Claim(
    key="lemma-5",
    title="Lemma 5",
    where="Appendix B.1, equations 49 to 53",
    statement=(
        r"$\min\{v^{\mathsf T}Mv : v^{\mathsf T}Nv=1\}$ is the least eigenvalue λ* of $N^{-1}M$; the minimisers "
        r"are its "
        r"eigenvectors with $v^{\mathsf T}Nv=1$."
    ),
    hypotheses=("M and N symmetric, N positive definite",),
    check=lambda: _check(lambda values: values[0]),
    false_statement="It is the largest eigenvalue.",
    check_false=lambda: _check(lambda values: values[-1]),
)
