"""Lemma 6: an orthogonal Q makes every (x, 0) sum to zero."""

from __future__ import annotations

import sympy

from proofs.claim import Claim, Finding, Step, conclude
from proofs.helmert import matrices_agree, orthogonality
from proofs.identities import identity


def _check(q: sympy.Matrix | None) -> Finding:
    """For the Helmert matrix of any size (None), or for one given orthogonal matrix."""
    if q is None:
        k, x_k = sympy.symbols("k x_k")
        return conclude(
            *orthogonality(),
            identity(
                r"So $z_1+\dots+z_d=\sum_{k<d}(\text{sum of column }k)\,x_k=0$ for every x, term by term.",
                (k - k) * x_k,
                sympy.Integer(0),
            ),
            matrices_agree(),
        )
    x = sympy.Matrix([*sympy.symbols(f"x1:{q.rows}"), 0])
    total = sympy.expand(sum(q * x))
    return conclude(
        Step("Q is orthogonal.", q.T * q == sympy.eye(q.rows)),
        Step("Q(x, 0) sums to zero for every x.", total == 0, detail=f"the sum is {total}"),
        counterexample=None if total == 0 else f"Q = {q.tolist()}: the sum is {total}",
    )


CLAIM = Claim(
    key="lemma-6",
    title="Lemma 6",
    where="Appendix C.1, equations 78 to 80",
    statement=(
        r"There is an orthogonal $Q\in\mathbb R^{d\times d}$ such that $z=Q\binom x0$ satisfies $z_1+\dots+z_d=0$ "
        r"for every "
        r"$x\in\mathbb R^{d-1}$."
    ),
    hypotheses=("d ≥ 2",),
    check=lambda: _check(None),
    false_statement="Q = I does.",
    check_false=lambda: _check(sympy.eye(3)),
)
