"""Proposition 2: LSSR is the least eigenvalue of N⁻¹M; and it is rational, because N − M has rank one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

from constructions.sum_of_squares import linear_bound
from proofs.claim import Claim, Finding, Step, as_arguments, conclude
from proofs.identities import identity
from proofs.linear_bound_check import as_fmpq, check_linear_bound, eigenvalues

#: Equal class sizes, N invertible; the last has coinciding means.
_INSTANCES = (
    ([[0, 0], [1, 2], [4, 1]], [[3, 3], [5, 0], [2, 2]]),
    ([[0, 0, 1], [1, 1, 3], [2, 5, 1], [0, 0, 2]], [[0, 2, 1], [1, 3, 1], [2, 2, -7], [1, 0, 0]]),
    ([[0], [1]], [[4], [5]]),
    ([[0, 0], [1, 1]], [[0, 1], [1, 0]]),
)


def _check(chosen: Callable[[list[Any]], Any]) -> Finding:
    w = sympy.Symbol("w", positive=True)
    p_i, p_j, q_i, q_j, s, delta_v, nv = sympy.symbols("p_i p_j q_i q_j s delta_v nv")
    steps = [
        *as_arguments(
            _scatter_step(),
            identity(
                r"With $s=\delta^{\mathsf T}N^{-1}\delta$ and $\lambda^*=1-ws$: $v^{\mathsf T}(M-\lambda^*N)v="
                r"w\,[s\cdot v^{\mathsf T}Nv-(\delta^{\mathsf T}v)^2]$ for every v.",
                (nv - w * delta_v**2) - (1 - w * s) * nv,
                w * (s * nv - delta_v**2),
            ),
            identity(
                r"The bracket is $\lVert p\rVert^2\lVert q\rVert^2-(p\cdot q)^2\ge0$ for $p=L^{\mathsf T}v$, "
                r"$q=L^{-1}\delta$, "
                r"$N=LL^{\mathsf T}$: by Lagrange a sum of squares, $\tfrac12\sum_{ij}(p_iq_j-p_jq_i)^2$, term by "
                r"term in any "
                "dimension. So M − λ*N is positive semidefinite.",
                p_i**2 * q_j**2 + p_j**2 * q_i**2 - 2 * p_i * q_i * p_j * q_j,
                (p_i * q_j - p_j * q_i) ** 2,
            ),
            Step(
                r"$\mathrm{SSR}(WX_1,WX_2)=\operatorname{tr}(WMW^{\mathsf T})/\operatorname{tr}(WNW^{\mathsf "
                r"T})$, since "
                r"$\lVert Wy\rVert^2=\operatorname{tr}(W\,yy^{\mathsf T}\,W^{\mathsf T})$ for every centred sample y "
                r"(all sizes). So "
                "λ* is a lower bound, row by row of W.",
                _trace_identity(),
            ),
            identity(
                r"It is reached at $u^*=N^{-1}\delta$, where $v^{\mathsf T}Nv=\delta^{\mathsf T}v=s$: the bracket is "
                r"$s\cdot s-s^2=0$.",
                s * s - s**2,
                sympy.Integer(0),
            ),
            identity(
                r"λ* is an eigenvalue of $N^{-1}M=I-w\,N^{-1}\delta\delta^{\mathsf T}$ with eigenvector u* (its "
                r"coefficient: "
                r"$1-w\,\delta^{\mathsf T}N^{-1}\delta$); on $\delta^{\mathsf T}v=0$ the matrix is the identity. So "
                r"the others are 1, "
                "and λ* ≤ 1 is the least.",
                1 - w * s,
                1 - w * delta_v.subs(delta_v, s),
            ),
        ),
    ]
    failing = None
    for first, second in _INSTANCES:
        bound = linear_bound(first, second)
        check_linear_bound(first, second, bound)
        values = eigenvalues(bound.within, bound.total)
        claimed = chosen(values)
        agrees = claimed.is_Rational and as_fmpq(claimed) == bound.value
        if not agrees and failing is None:
            failing = f"X1 = {first}, X2 = {second}: eigenvalues {values}, LSSR = {bound.value}"
        steps.append(
            Step(
                f"X1 = {first}, X2 = {second}: eigenvalues of N⁻¹M {values}, LSSR = {bound.value} by definiteness "
                f"of M − λN.",
                agrees,
                role="corroboration",
            )
        )
    return conclude(*steps, counterexample=failing)


def _scatter_step() -> Step:
    """N − M = w δδᵀ, entry (k, l), for any class sizes: average of z_k z_l plus the product of the means' offsets."""
    m1, m2, a1, a2, b1, b2, c1, c2 = sympy.symbols("m1 m2 a1 a2 b1 b2 c1 c2")
    mean_k, mean_l = (m1 * a1 + m2 * a2) / (m1 + m2), (m1 * b1 + m2 * b2) / (m1 + m2)
    # Entry (k, l): samples (a_c + z_k, b_c + z_l), z of mean 0 and average product c_c in class c.
    total = m1 * (c1 + (a1 - mean_k) * (b1 - mean_l)) + m2 * (c2 + (a2 - mean_k) * (b2 - mean_l))
    within = m1 * c1 + m2 * c2
    return identity(
        r"$N-M=w\,\delta\delta^{\mathsf T}$ with $\delta=\bar x_1-\bar x_2$ and $w=m_1m_2/(m_1+m_2)$ (m/2 for "
        r"equal sizes), "
        "entry by entry for all samples.",
        total - within,
        m1 * m2 / (m1 + m2) * (a1 - a2) * (b1 - b2),
    )


def _trace_identity() -> bool:
    n, d = sympy.symbols("n d", integer=True, positive=True)
    w, y = sympy.MatrixSymbol("W", n, d), sympy.MatrixSymbol("y", d, 1)
    return bool((w * y).T * (w * y) == y.T * w.T * w * y) and bool((w * y) * (w * y).T == w * y * y.T * w.T)


CLAIM = Claim(
    key="proposition-2",
    title="Proposition 2",
    where="Section 3.2, Appendix B.2, equations 9, 10, 23, 24, 54 to 63",
    statement=(
        r"If N is invertible, $\mathrm{LSSR}(X_1,X_2)$ is the least eigenvalue λ* of $N^{-1}M$, reached by its "
        r"eigenvector "
        r"u*. (What the paper does not say: $\lambda^*=1-\tfrac m2\,\delta^{\mathsf T}N^{-1}\delta$ is rational, "
        r"$u^*=N^{-1}\delta$ is Fisher's discriminant, and all other eigenvalues are 1.)"
    ),
    hypotheses=(
        "N is invertible (stated); not needed: δ lies in the range of N, and any solution of Nu = δ serves as u*",
        "equal class sizes; for others x̄ must be the mean of all samples (see footnote-3)",
    ),
    check=lambda: _check(lambda values: values[0]),
    false_statement="LSSR is the largest eigenvalue of N⁻¹M.",
    check_false=lambda: _check(lambda values: values[-1]),
)
