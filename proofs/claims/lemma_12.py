"""Lemma 12: the nonlinearity of LN, for every number of coordinates."""

from __future__ import annotations

from typing import Any

import sympy
from flint import arb

from constructions.network import layer_normalization
from proofs.claim import Claim, Finding, Step, conclude
from proofs.identities import identity
from proofs.index_sums import IJ, IK, JK, XI, XJ, XK, d, derivative, s, sum_over_i, sum_over_j_and_k
from proofs.nonlinearity import nonlinearity, nonlinearity_of_layer_norm

_FIRST = (IJ - 1 / d - XI * XJ / d) / s
_HESSIAN = (3 * XI * XJ * XK + XI + XJ + XK - d * (IJ * XK + IK * XJ + JK * XI)) / (d**2 * s**2)


def hessian_steps() -> tuple[Step, ...]:
    """The Hessian of x̂_i, derived for symbolic d."""
    return (
        Step(
            r"$\partial_j\sigma=\hat x_j/d$: from $\sigma^2=\frac1d\sum_l(x_l-\mu)^2$ and $\sum_l(x_l-\mu)=0$.",
            sympy.expand(sum_over_j_and_k(2 * XJ * (IJ - 1 / d) / d) / d - 2 * XI / d) == 0,
            detail="(2/d) Σ_l x̂_l (δ_lj − 1/d) = 2 x̂_j/d",
        ),
        identity(
            r"So $\partial_j\hat x_i=\frac1\sigma(\delta_{ij}-\frac1d-\frac{\hat x_i\hat x_j}d)$.",
            (IJ - 1 / d) / s - XI * (XJ / d) / s,
            _FIRST,
        ),
        identity(
            r"Differentiating once more, $\partial_k\partial_j\hat x_i=\frac1{d^2\sigma^2}\left[3\hat x_i\hat "
            r"x_j\hat x_k+\hat x_i+\hat x_j+\hat x_k-d(\delta_{ij}\hat x_k+\delta_{ik}\hat x_j+\delta_{jk}\hat "
            r"x_i)\right]$.",
            derivative(_FIRST),
            _HESSIAN,
        ),
    )


def frobenius_norm_squared() -> Any:
    """‖∇²x̂_i‖² for symbolic d."""
    return sum_over_j_and_k(_HESSIAN**2)


def second_route(factor: Any) -> Step:
    """Forward differentiation of LN itself, with balls, against factor(d)/σ⁴."""
    points = [(0, 1), (0, 1, 3), (1, 5, 2, -4), (2, 0, 0, 7, 1), (1, 2, 3, 5, 8, 13, 21)]
    agrees = True
    for point in points:
        ball = nonlinearity(
            lambda x, sqrt: layer_normalization(x, arb, sqrt), [arb(v) for v in point], lambda v: v.sqrt()
        )
        n = len(point)
        expected = arb(factor(n).p) / factor(n).q / (3 - arb(6) / n) if n > 2 else arb(0)
        agrees &= bool(ball.overlaps(expected * arb(nonlinearity_of_layer_norm(point))))
    return Step(
        "Second-order automatic differentiation of LN in ball arithmetic agrees at points of 2 to 7 coordinates.",
        agrees,
        "certified",
        role="corroboration",
    )


def _check(factor: Any) -> Finding:
    total = sum_over_i(frobenius_norm_squared())
    return conclude(
        *hessian_steps(),
        identity(
            r"Summing the squares over i, j, k with $\sum\hat x=0$, $\sum\hat x^2=d$ gives "
            rf"$({sympy.latex(factor(d))})/\sigma^4$.",
            total,
            factor(d) / s**4,
            detail=f"H = {sympy.factor(total)}",
        ),
        second_route(lambda n: sympy.Rational(factor(sympy.Integer(n)))),
        counterexample=f"H = {sympy.factor(total)} for all d",
    )


CLAIM = Claim(
    key="lemma-12",
    title="Lemma 12",
    where="Appendix E.1, equations 166 to 182",
    statement=(
        r"$H(\mathrm{LN};x)=\sum_i\lVert\nabla^2\hat x_i\rVert_F^2=\dfrac{3-6/d}{\sigma^4}$; it vanishes for d = 2."
    ),
    hypotheses=("σ > 0: the coordinates are not all equal (so d ≥ 2)",),
    check=lambda: _check(lambda n: 3 - 6 / n),
    false_statement=r"$H(\mathrm{LN};x)=(3-4/d)/\sigma^4$.",
    check_false=lambda: _check(lambda n: 3 - 4 / n),
)
