"""Lemma 11: the shifts b that force a coincidence lie in a hypersurface."""

from __future__ import annotations

from typing import Any

import sympy

from proofs.claim import Claim, Finding, Step, amend, conclude
from proofs.identities import identity


def polynomial(i: Any, s: Any, j: Any, t: Any) -> Any:
    """(153): [(h_i·h_s)]²|h_j|²|h_t|² − [(h_j·h_t)]²|h_i|²|h_s|² for column vectors."""
    return i.dot(s) ** 2 * j.dot(j) * t.dot(t) - j.dot(t) ** 2 * i.dot(i) * s.dot(s)


def _printed() -> Finding:
    """For every n ≥ 1, the line included."""
    x = sympy.Symbol("x")
    h = [sympy.Matrix([a + x]) for a in (0, 1, 2, 3)]
    return conclude(
        Step(
            "On the line (n = 1) the bad shifts of 0, 1, 2, 3 lie in the zero set of a nonzero polynomial.",
            sympy.expand(polynomial(*h)) != 0,
            detail="every b > 0 makes both cosines 1, and the polynomial (153) vanishes identically",
        ),
        counterexample="n = 1, p = 0, 1, 2, 3: all b > 0 are bad (all angles are 0), a set of dimension n",
    )


def plane_steps(*, distinct: bool) -> tuple[Step, ...]:
    """The polynomial is not identically zero for n ≥ 2."""
    js, ts, lam = sympy.Matrix(sympy.symbols("j1:4")), sympy.Matrix(sympy.symbols("t1:4")), sympy.Symbol("lambda")
    i = sympy.Matrix(sympy.symbols("i1:4"))
    u, v, x, y2 = sympy.symbols("u v x y2")
    inner = (u + x) * (v + x) + y2
    solutions = sympy.solve([u * v, u + v - 1], [u, v])
    return (
        identity(
            "Four points span at most three dimensions, so take n = 3. If they are not all on one line, the lines "
            "$p_ip_s$ and $p_jp_t$ differ and share at most one point, so some O inside the segment $p_ip_s$ is "
            r"off the line $p_jp_t$. Then $h_s=-\lambda h_i$, and (153) is "
            r"$|h_i|^2|h_s|^2\,(|h_j|^2|h_t|^2-(h_j\cdot h_t)^2)$, a Lagrange sum of squares.",
            polynomial(i, -lam * i, js, ts),
            lam**2 * i.dot(i) ** 2 * sum(m**2 for m in js.cross(ts)),
            detail="|h_j|²|h_t|² − (h_j·h_t)² = |h_j × h_t|² > 0, as O is off the line of p_j and p_t",
        ),
        identity(
            "If all lie on one line, put $p_i=0$, $p_s=1$, $p_j=u$, $p_t=v$ on an axis of the plane and b = (x, y) "
            r"on the circle $h_i\cdot h_s=x(x+1)+y^2=0$: then $h_j\cdot h_t=uv+(u+v-1)x$.",
            inner.subs(y2, -x * (x + 1)),
            u * v + (u + v - 1) * x,
        ),
        Step(
            r"This vanishes on the whole circle only for $uv=0$ and $u+v=1$, that is $\{p_j,p_t\}=\{p_i,p_s\}$, "
            "which is excluded. So (153) is a nonzero polynomial in b, and the bad shifts lie in its zero set.",
            distinct and sorted(solutions) == [(0, 1), (1, 0)],
            detail=f"u, v = {solutions}",
        ),
    )


def _corrected(*, distinct: bool = True) -> Finding:
    b1, b2 = sympy.symbols("b1 b2")
    h = [sympy.Matrix([a + b1, b2]) for a in (0, 1, 0, 1)]
    return conclude(
        *plane_steps(distinct=distinct),
        counterexample=None
        if distinct
        else f"p_j = p_i, p_t = p_s: the polynomial is {sympy.expand(polynomial(*h))}, every b is bad",
    )


CLAIM = Claim(
    key="lemma-11",
    title="Lemma 11",
    where="Appendix D.5, equations 151 to 154",
    statement=(
        r"For four different points of $R^n$ the b with $\cos\angle(p_i+b,p_s+b)=\cos\angle(p_j+b,p_t+b)$ lie in a "
        "hypersurface: the zero set of a nonzero polynomial."
    ),
    hypotheses=(
        "n ≥ 2 (missing in the paper: on the line all cosines are ±1)",
        "p_i, p_j, p_s, p_t are different",
        "(the paper's proof treats the pairing i, t and j, s, which is the statement for the other order of names)",
    ),
    check=lambda: amend(
        _printed(), _corrected(), "n ≥ 2, that is LN on at least three neurons.", verdict="needs-hypothesis"
    ),
    false_statement="For n ≥ 2 without the hypothesis that the four points are different.",
    check_false=lambda: _corrected(distinct=False),
    expects="needs-hypothesis",
)
