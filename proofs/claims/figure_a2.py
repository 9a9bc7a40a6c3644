"""Figure A2 (equations 139 and 140): the angle of a point after spherical projection."""

from __future__ import annotations

import sympy

from proofs.claim import Claim, Finding, Step, amend, conclude
from proofs.identities import identity


def _with_angle(tangent_is_q: bool) -> Finding:
    """γ = arctan q (as the text reads) or γ = arccot q, with q = (2p_k − p_i − p_j)/(p_j − p_i)."""
    q, w = sympy.symbols("q w", positive=True)  # w = √(1 + q²)
    pk, pi, pj = sympy.symbols("p_k p_i p_j")
    # sin and cos of an angle whose tangent (or cotangent) is q
    sine, cosine = (q / w, 1 / w) if tangent_is_q else (1 / w, q / w)
    slope = sympy.diff(sympy.atan(q) if tangent_is_q else sympy.acot(q), q)
    return conclude(
        identity(
            r"$h_k=\left(p_k-\frac{p_i+p_j}2,\ \frac{p_j-p_i}2\right)$ lies on the ray of $(q,1)$ with "
            r"$q=\frac{2p_k-p_i-p_j}{p_j-p_i}$.",
            (pk - (pi + pj) / 2) / ((pj - pi) / 2),
            (2 * pk - pi - pj) / (pj - pi),
        ),
        Step(
            r"γ, the angle of $x_k=(q,1)/\sqrt{1+q^2}$ with the axis, decreases in $p_k$.",
            bool(sympy.simplify(slope).subs(q, 1) < 0),
            detail=f"dγ/dq = {sympy.simplify(slope)}",
        ),
        Step(
            r"(140): the next position, the ordinate $1/\sqrt{1+q^2}$, is $\sin\gamma$.",
            sympy.simplify(sine - 1 / w) == 0,
            detail=f"sin γ = {sine}, cos γ = {cosine}",
        ),
        Step(
            r"$\gamma_i=3\pi/4$ and $\gamma_j=\pi/4$ for the merging pair, $q=\mp1$, as case 1 of the proof uses.",
            (sympy.atan(1) == sympy.pi / 4) and not tangent_is_q,
            detail="arctan(−1) = −π/4" if tangent_is_q else "arccot(∓1) = 3π/4, π/4 on (0, π)",
        ),
        counterexample="p_k = p_i (q = −1): arctan q = −π/4 and sin γ = −1/√2, but the point goes to +1/√2"
        if tangent_is_q
        else None,
    )


CLAIM = Claim(
    key="figure-a2",
    title="Figure A2",
    where="Appendix D.2",
    statement=(
        r"$\gamma_k=\arctan\frac{2p_k-p_i-p_j}{p_j-p_i}$ (139, as the text reads) decreases in $p_k$ and "
        r"$p_k^{(l+1)}=\sin\gamma_k$ (140)."
    ),
    hypotheses=("p_i < p_j",),
    check=lambda: amend(
        _with_angle(True),
        _with_angle(False),
        r"Read arccot with values in (0, π) (or π/2 − arctan) for arctan: everything said about γ is then right.",
    ),
    false_statement="The formulas as printed, with arctan.",
    check_false=lambda: _with_angle(True),
    expects="repaired",
)
