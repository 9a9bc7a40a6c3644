"""Equations (81) to (84): the steps from LN on the centred hyperplane to SP."""

from __future__ import annotations

import sympy

from proofs.claim import Claim, Finding, Step, conclude
from proofs.helmert import orthogonality
from proofs.identities import identity


def _check(radius_squared: sympy.Expr) -> Finding:
    """``radius_squared``: the claimed ‖LN(z)‖² in (82), d in the paper."""
    size = sympy.Symbol("n", integer=True, positive=True)
    q, x = sympy.MatrixSymbol("Q", size, size), sympy.MatrixSymbol("x", size, 1)
    d, r, z = sympy.symbols("d r z", positive=True)
    wrong = sympy.simplify(radius_squared - d) != 0
    return conclude(
        *orthogonality(),
        Step(
            r"(81): $\lVert Qy\rVert^2=y^{\mathsf T}Q^{\mathsf T}Qy=y^{\mathsf T}y$ for $y=\binom x0$, in any size.",
            bool((q * x).T * (q * x) == x.T * (q.T * q) * x),
        ),
        identity(
            r"(82): for centred z of length r, $\mathrm{LN}(z)=z/\sqrt{r^2/d}=\sqrt d\,z/r$; squared, coordinate "
            r"by coordinate.",
            z**2 / (r**2 / d),
            radius_squared * z**2 / r**2,
        ),
        identity(
            r"(83): $d^{-1/2}(I\;0)Q^{\mathsf T}$ maps it to $d^{-1/2}\sqrt d\,(I\;0)\binom x0/r=x/r$; squared.",
            (1 / d) * radius_squared * z**2 / r**2,
            z**2 / r**2,
        ),
        Step("(84) is (83) with the two linear maps named.", not wrong),
        counterexample="z = (1, −1, 0): LN(z) = √(3/2)·z has length √3, not 1" if wrong else None,
    )


CLAIM = Claim(
    key="equations-81-84",
    title="Equations (81)–(84)",
    where="Appendix C.1",
    statement=(
        r"$\lVert z\rVert=\lVert x\rVert$ for $z=Q\binom x0$; $\mathrm{LN}(z)=\sqrt d\,z/\lVert z\rVert$; hence "
        r"$\hat\varphi_2(\mathrm{LN}(\hat\varphi_1(x)))=x/\lVert x\rVert$."
    ),
    hypotheses=("x ≠ 0",),
    check=lambda: _check(sympy.Symbol("d", positive=True)),
    false_statement=r"$\mathrm{LN}(z)=z/\lVert z\rVert$, as footnote 4's normalisation of SP might suggest.",
    check_false=lambda: _check(sympy.Integer(1)),
)
