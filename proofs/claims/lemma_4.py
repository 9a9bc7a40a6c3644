"""Lemma 4: scaling to unit length is a bijection between the N-unit vectors and the unit vectors."""

from __future__ import annotations

from itertools import product

import sympy

from proofs.claim import Claim, Finding, Step, conclude
from proofs.identities import identity

_HOMOGENEOUS = r"A quadratic form is homogeneous: $q(ku)=k^2q(u)$"


def _check(form: sympy.Matrix | None) -> Finding:
    """The argument for an arbitrary positive definite N (None), or for one given N."""
    k, a, s = sympy.symbols("k a s", positive=True)
    size = sympy.Symbol("d", integer=True, positive=True)
    i, j = sympy.symbols("i j", integer=True)
    n, u = sympy.IndexedBase("N"), sympy.IndexedBase("u")
    term = n[i, j] * u[i] * u[j]
    scaled = term.subs({u[i]: k * u[i], u[j]: k * u[j]}, simultaneous=True)
    kernel = _null_vector(form)
    return conclude(
        identity(
            f"{_HOMOGENEOUS}, term by term in the sum over i, j = 1, …, {size}; so with $a^2=u^{{\\mathsf T}}Nu>0$ "
            r"and $k=1/a$ the vector $u/a$ satisfies $v^{\mathsf T}Nv=1$.",
            scaled.subs(k, 1 / a),
            term / a**2,
        ),
        identity(
            r"Forth after back: $v=u/a$ has length $1/a$ because $u\cdot u=1$, and dividing by it returns u.",
            (u[i] / a) / (1 / a),
            u[i],
        ),
        identity(
            r"Back after forth: for $v^{\mathsf T}Nv=1$ and $s=\lVert v\rVert$, $u=v/s$ has $u^{\mathsf T}Nu=1/s^2$, "
            "and dividing u by 1/s returns v.",
            (u[i] / s) / (1 / s),
            u[i],
        ),
        Step(
            r"Both maps are defined everywhere: $v\ne0$ since $v^{\mathsf T}Nv=1$, and $u^{\mathsf T}Nu>0$ since N is "
            "positive definite.",
            kernel is None,
            detail="" if kernel is None else f"u = {list(kernel)} has uᵀNu = 0, so it is no image.",
        ),
        counterexample=None if kernel is None else f"N = {form}, u = {list(kernel)}",
    )


def _null_vector(form: sympy.Matrix | None) -> tuple[int, ...] | None:
    """A nonzero vector of small integers with uᵀNu ≤ 0, if there is one."""
    if form is None:
        return None
    for u in product((0, 1, -1), repeat=form.rows):
        column = sympy.Matrix(u)
        if any(u) and (column.T * form * column)[0] <= 0:
            return u
    return None


CLAIM = Claim(
    key="lemma-4",
    title="Lemma 4",
    where="Appendix B.1, equations 45 to 48",
    statement=(
        r"For positive definite N, $v\mapsto v/\lVert v\rVert$ is a bijection from $\{v: v^{\mathsf T}Nv=1\}$ onto "
        r"$\{u: u^{\mathsf T}u=1\}$, with inverse $u\mapsto u/\sqrt{u^{\mathsf T}Nu}$."
    ),
    hypotheses=("N is positive definite (Proposition 2 supposes it invertible, and it is a sum of squares)",),
    check=lambda: _check(None),
    false_statement="The same for the singular N = diag(1, 0).",
    check_false=lambda: _check(sympy.diag(1, 0)),
)
