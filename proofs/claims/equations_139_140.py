"""Equations (139) and (140): the angle of a point after the projection, whose formula has the wrong function."""

from __future__ import annotations

from itertools import pairwise

import sympy

from proofs.claim import Claim, Finding, Step, amend, conclude
from proofs.identities import identity


def _angle(function: type[sympy.Function], positions: tuple[int, ...]) -> Finding:
    """For p_i = −1, p_j = 1 (so q = p): the ordinate is sin γ, and γ falls as p grows."""
    failing, angles = None, []
    for p in positions:
        angle, ordinate = function(sympy.Integer(p)), 1 / sympy.sqrt(1 + sympy.Integer(p) ** 2)
        angles.append(angle)
        if sympy.simplify(sympy.sin(angle) - ordinate) != 0 and failing is None:
            failing = (
                f"p_i = −1, p_j = 1, p = {p}: γ = {angle}, sin γ = {sympy.sin(angle)}, but the ordinate is {ordinate}"
            )
    falling = all((a - b).is_positive for a, b in pairwise(angles))
    return conclude(
        Step(
            f"sin γ is the ordinate of the projected point, at p = {positions}.", failing is None, detail=failing or ""
        ),
        Step("γ decreases as p grows.", falling, detail=", ".join(map(str, angles))),
        counterexample=failing,
    )


def _printed() -> Finding:
    return _angle(sympy.atan, (-1, 0, 1, 2))


def _corrected() -> Finding:
    p, pi, pj, r = sympy.symbols("p p_i p_j r")
    q = (2 * p - pi - pj) / (pj - pi)
    x, y = p - (pi + pj) / 2, (pj - pi) / 2
    z = sympy.Symbol("z", real=True)
    angle = sympy.acot(z) + sympy.pi * sympy.Heaviside(-z, 0)  # the branch in (0, π)
    return conclude(
        identity(
            r"h = (p − (p_i + p_j)/2, (p_j − p_i)/2), so cot γ = h₁/h₂ = (2p − p_i − p_j)/(p_j − p_i) =: q.", x / y, q
        ),
        identity(
            r"The ordinate of h/‖h‖ is $1/\sqrt{1+q^2}$ (squared; both are positive for p_j > p_i), the sine of "
            r"the angle in (0, π) "
            "with cotangent q.",
            y**2 / (x**2 + y**2),
            1 / (1 + q**2),
        ),
        Step(
            r"$\gamma=\operatorname{arccot}q\in(0,\pi)$ has derivative $-1/(1+q^2)<0$ in q, and q grows with p.",
            bool(sympy.simplify(sympy.diff(sympy.acot(z), z) + 1 / (1 + z**2)) == 0)
            and angle.subs(z, -1) == 3 * sympy.pi / 4,
        ),
        identity(
            r"(140): $p^{(l+1)}=\sin\gamma=1/\sqrt{1+q^2}$; its square falls with q for q > 0, that is γ < π/2: "
            r"the derivative is "
            r"$-2q/(1+q^2)^2$.",
            sympy.diff(1 / (1 + r**2), r),
            -2 * r / (1 + r**2) ** 2,
        ),
        *_angle(_Arccot, (-1, 0, 1, 2)).steps,
    )


class _Arccot(sympy.Function):
    """arccot with values in (0, π)."""

    @classmethod
    def eval(cls, q: sympy.Expr) -> sympy.Expr:
        return sympy.pi / 2 - sympy.atan(q)


CLAIM = Claim(
    key="equations-139-140",
    title="Equations (139)–(140)",
    where="Appendix D.2",
    statement=(
        r"$\gamma_k=\arctan\frac{2p_k-p_i-p_j}{p_j-p_i}$ is the angle of $x_k$, decreases with $p_k$, and "
        r"$p_k^{(l+1)}=\sin\gamma_k$."
    ),
    hypotheses=("p_i < p_j",),
    check=lambda: amend(
        _printed(),
        _corrected(),
        r"$\gamma_k=\operatorname{arccot}\frac{2p_k-p_i-p_j}{p_j-p_i}\in(0,\pi)$; the arctangent of this fraction "
        r"increases with "
        r"$p_k$ and has the wrong sine. The monotonicity that is concluded from (139) and (140) is that of the "
        r"arccotangent.",
    ),
    false_statement="The arctangent is right at least for points right of the middle, p = 1 and p = 2.",
    check_false=lambda: _angle(sympy.atan, (1, 2)),
    expects="repaired",
)
