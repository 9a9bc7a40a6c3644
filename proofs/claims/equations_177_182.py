"""Equations 177 to 182: the sums on the way to Lemma 12, each for symbolic d."""

from __future__ import annotations

from typing import Any

import sympy

from proofs.claim import Claim, Finding, Step, conclude
from proofs.claims.lemma_12 import frobenius_norm_squared
from proofs.identities import identity
from proofs.index_sums import XI, XJ, XK, d, s, sum_over_i, sum_over_j_and_k

_CUBIC = 3 * XI * XJ * XK + XI + XJ + XK


def _check(last: Any) -> Finding:
    """The printed sums; ``last`` is the constant of equation 181's second numerator 4x̂² + last."""
    coordinate = (XI**2 + 2) / (d * s**4) - (4 * XI**2 + last) / (d**2 * s**4)
    pieces: list[Step] = [
        identity(
            r"(178): $\sum_{jk}(3\hat x_i\hat x_j\hat x_k+\hat x_i+\hat x_j+\hat x_k)^2/(d^4\sigma^4)=10\hat "
            r"x_i^2/(d^2\sigma^4)+2/(d^2\sigma^4)$.",
            sum_over_j_and_k(_CUBIC**2 / (d**4 * s**4)),
            (10 * XI**2 + 2) / (d**2 * s**4),
        ),
        identity(
            r"(179): $\sum_j\left[\hat x_i^2/(d^2\sigma^4)-\frac{2\hat x_i}{d^3\sigma^4}(3\hat x_i\hat x_j^2+2\hat "
            r"x_j+\hat x_i)\right]=\hat x_i^2/(d\sigma^4)-8\hat x_i^2/(d^2\sigma^4)$.",
            _over_j(XI**2 / (d**2 * s**4) - 2 * XI * (3 * XI * XJ**2 + 2 * XJ + XI) / (d**3 * s**4)),
            XI**2 / (d * s**4) - 8 * XI**2 / (d**2 * s**4),
        ),
        identity(
            r"(180): $2\sum_j\left[\hat x_j^2/(d^2\sigma^4)-\frac{2\hat x_j}{d^3\sigma^4}(3\hat x_i^2\hat x_j+2\hat "
            r"x_i+\hat x_j)\right]=2/(d\sigma^4)-12\hat x_i^2/(d^2\sigma^4)-4/(d^2\sigma^4)$.",
            _over_j(2 * XJ**2 / (d**2 * s**4) - 4 * XJ * (3 * XI**2 * XJ + 2 * XI + XJ) / (d**3 * s**4)),
            2 / (d * s**4) - (12 * XI**2 + 4) / (d**2 * s**4),
        ),
        identity(
            rf"(181): $\lVert\nabla^2\hat x_i\rVert_F^2=\frac{{\hat x_i^2+2}}{{d\sigma^4}}-\frac{{4\hat "
            rf"x_i^2+{last}}}{{d^2\sigma^4}}$.",
            frobenius_norm_squared(),
            coordinate,
            detail=f"computed: {sympy.factor(frobenius_norm_squared())}",
        ),
        identity(
            r"(182): the sum over i is $\frac3{\sigma^4}-\frac6{d\sigma^4}=\frac3{d\sigma^4}(d-2)$.",
            sum_over_i(coordinate),
            3 * (d - 2) / (d * s**4),
        ),
    ]
    return conclude(*pieces, counterexample=f"‖∇²x̂_i‖² = {sympy.factor(frobenius_norm_squared())}")


def _over_j(expression: Any) -> Any:
    """Σ_j: the sum over j and k of something without k, divided by d."""
    return sympy.expand(sum_over_j_and_k(expression) / d)


CLAIM = Claim(
    key="equations-177-182",
    title="Equations 177 to 182",
    where="Appendix E.1",
    statement=(
        r"The sums 178 to 180, $\lVert\nabla^2\hat x_i\rVert_F^2=\frac{\hat x_i^2+2}{d\sigma^4}-\frac{4\hat "
        r"x_i^2+2}{d^2\sigma^4}$ (181), and their total $\frac{3}{d\sigma^4}(d-2)$ (182)."
    ),
    hypotheses=("σ > 0",),
    check=lambda: _check(2),
    false_statement=r"(181) with $4\hat x_i^2+1$ in place of $4\hat x_i^2+2$.",
    check_false=lambda: _check(1),
)
