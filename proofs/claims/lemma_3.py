"""Lemma 3: for fixed eigenvectors of WᵀW, SSR is least when all weight lies on the best of them."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from flint import fmpq

from constructions.sum_of_squares import as_samples, project_samples, sum_of_squares, sum_of_squares_ratio
from proofs.claim import Claim, Finding, Step, as_arguments, conclude
from proofs.identities import identity

_X1, _X2 = as_samples([[0, 0], [1, 2], [4, 1]]), as_samples([[3, 3], [5, 0], [2, 2]])
#: An orthogonal basis (3, 4)/5, (−4, 3)/5 of the plane, and weights λ on it.
_BASIS = ((fmpq(3, 5), fmpq(4, 5)), (fmpq(-4, 5), fmpq(3, 5)))
_WEIGHTS = ((1, 0), (0, 1), (1, 1), (1, 5), (7, 2))


def _check(best: Callable[[list[fmpq]], fmpq]) -> Finding:
    lam, a, b, rho = sympy.symbols("lambda a b rho")
    n = sympy.Symbol("n", integer=True, positive=True)
    vectors = sympy.MatrixSymbol("u", n, 1), sympy.MatrixSymbol("y", n, 1)
    ratios = [
        sum_of_squares_ratio(*([(v,) for v in project_samples(part, axis)] for part in (_X1, _X2))) for axis in _BASIS
    ]
    claimed = best(ratios)
    values = [_weighted(weights) for weights in _WEIGHTS]
    failing = next((w for w, v in zip(_WEIGHTS, values, strict=True) if v < claimed), None)
    return conclude(
        *as_arguments(
            Step(
                r"$(y^{\mathsf T}u)(u^{\mathsf T}y)=y^{\mathsf T}(uu^{\mathsf T})y$ in any dimension, so with "
                r"$W^{\mathsf T}W=\sum\lambda_ju_ju_j^{\mathsf T}$ the sums of squares of WX are $\sum_j\lambda_ja_j$ "
                r"(within) and "
                r"$\sum_j\lambda_jb_j$ (total), where $a_j,b_j$ are those of the projections on $u_j$.",
                bool(
                    (vectors[1].T * vectors[0]) * (vectors[0].T * vectors[1])
                    == vectors[1].T * (vectors[0] * vectors[0].T) * vectors[1]
                ),
            ),
            identity(
                r"With $\rho$ the least of the $a_j/b_j$: "
                r"$\sum\lambda_ja_j-\rho\sum\lambda_jb_j=\sum\lambda_jb_j(a_j/b_j-\rho)$, term "
                r"by term. As $\lambda_j\ge0$ and $b_j>0$ every term is at least 0.",
                lam * a - rho * lam * b,
                lam * b * (a / b - rho),
            ),
            identity(
                r"Equality holds exactly if every term vanishes, that is, $\lambda_j=0$ wherever $a_j/b_j>\rho$; and "
                r"it is reached, "
                r"as with one $\lambda_j=1$.",
                (1 * a) / (1 * b),
                a / b,
            ),
        ),
        Step(
            f"X1 = {_show(_X1)}, X2 = {_show(_X2)}, axes (3, 4)/5 and (−4, 3)/5: no weights {_WEIGHTS} get below "
            f"{claimed}, "
            "and it is reached.",
            failing is None and min(values) == claimed,
            detail=f"ratios of the axes: {', '.join(map(str, ratios))}; weighted: {', '.join(map(str, values))}",
        ),
        counterexample=None if failing is None else f"weights {failing} give {_weighted(failing)} < {claimed}",
    )


def _weighted(weights: tuple[int, ...]) -> fmpq:
    """SSR of WX with W = √λ_j u_jᵀ, row by row, from sums of squares."""
    parts = [[project_samples(part, axis) for part in (_X1, _X2, _X1 + _X2)] for axis in _BASIS]
    sums = [[sum_of_squares([(v,) for v in line]) for line in part] for part in parts]
    within = sum((fmpq(w) * (s[0] + s[1]) for w, s in zip(weights, sums, strict=True)), fmpq(0))
    return within / sum((fmpq(w) * s[2] for w, s in zip(weights, sums, strict=True)), fmpq(0))


def _show(samples: tuple[tuple[fmpq, ...], ...]) -> str:
    return "{" + ", ".join("(" + ", ".join(map(str, row)) + ")" for row in samples) + "}"


CLAIM = Claim(
    key="lemma-3",
    title="Lemma 3",
    where="Appendix B.1, equations 30 to 44",
    statement=(
        r"For $W^{\mathsf T}W=\sum_j\lambda_ju_ju_j^{\mathsf T}$ with fixed orthonormal $u_j$, "
        r"$\min_\lambda\mathrm{SSR}(WX_1,WX_2)=\min_j\mathrm{SSR}(u_j^{\mathsf T}X_1,u_j^{\mathsf T}X_2)$, "
        r"reached exactly when "
        r"$\lambda_j=0$ for every j that is not a minimiser (and not all are 0)."
    ),
    hypotheses=("N is invertible, so that every u_j has a ratio (assumed from Proposition 2 on)",),
    check=lambda: _check(min),
    false_statement="The minimum over λ is the largest ratio of an axis.",
    check_false=lambda: _check(max),
)
