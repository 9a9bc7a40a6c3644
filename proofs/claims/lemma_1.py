"""Lemma 1: SP is LN between two linear maps."""

from __future__ import annotations

import sympy

from proofs.claim import Claim, Finding, Step, conclude
from proofs.helmert import orthogonality, sympy_maps
from proofs.identities import identity


def _check(factor_squared: int | None) -> Finding:
    """With the scaling d^(−1/2) of the lemma (None), or with φ2 multiplied by the root of a number."""
    d, r, x = sympy.symbols("d r x", positive=True)
    scale = 1 if factor_squared is None else sympy.sqrt(factor_squared)
    samples = [(3, 4), (-1, 0), (2, -7)], [(1, 2, 2), (0, 0, -5)]
    wrong = next((s for group in samples for s in group if not _instance(s, factor_squared)), None)
    return conclude(
        *orthogonality(),
        identity(
            r"$z=Q\binom x0$ is centred (its sum is $\sqrt d\,e_d^{\mathsf T}\binom x0=0$) and as long as x, "
            r"because Q is "
            r"orthogonal; so $\mathrm{LN}(z)=\sqrt d\,z/r$ with $r=\lVert x\rVert$: the variance is $r^2/d$, and "
            r"$(1/\sqrt{r^2/d})^2=(\sqrt d/r)^2$.",
            1 / (r**2 / d),
            d / r**2,
        ),
        identity(
            r"$\varphi_2$ turns this into $d^{-1/2}\sqrt d\,(I\;0)Q^{\mathsf T}Q\binom x0/r=x/r$, coordinate by "
            r"coordinate; this is "
            r"$\mathrm{SP}(x)$.",
            (d * (scale**2 if factor_squared else 1) / d) * x**2 / r**2,
            x**2 / r**2,
        ),
        Step(
            "Both sides are undefined exactly at x = 0: z has equal coordinates only if it is 0, being centred.",
            sympy.solve([sympy.Symbol("z1") - sympy.Symbol("z2"), sympy.Symbol("z1") + sympy.Symbol("z2")])
            == {sympy.Symbol("z1"): 0, sympy.Symbol("z2"): 0},
        ),
        Step(
            "On rational points of R² and R³, evaluated in radicals with the exact matrices: φ2(LN(φ1(x))) = x/‖x‖.",
            wrong is None,
            role="corroboration",
        ),
        counterexample=None if wrong is None else f"x = {wrong}",
    )


def _instance(point: tuple[int, ...], factor_squared: int | None) -> bool:
    """φ2(LN(φ1(x))) = x/‖x‖ at one point, in radicals."""
    phi1, phi2 = sympy_maps(len(point) + 1)
    z = phi1 * sympy.Matrix(point)
    mean = sum(z) / len(z)
    centred = z - sympy.ones(len(z), 1) * mean
    sigma = sympy.sqrt(sympy.nsimplify(sympy.expand((centred.T * centred)[0] / len(z))))
    factor = sympy.sqrt(factor_squared or 1)
    length = sympy.sqrt(sum(v * v for v in point))
    difference = factor * (phi2 * centred) / sigma - sympy.Matrix(point) / length
    return all(sympy.radsimp(sympy.expand(entry)) == 0 for entry in difference)


CLAIM = Claim(
    key="lemma-1",
    title="Lemma 1",
    where="Section 4.1, Appendix C.1, equations 13, 75 to 77",
    statement=(
        r"On $\mathbb R^{d-1}\setminus\{0\}$, $\mathrm{SP}=\hat\varphi_2\circ\mathrm{LN}\circ\hat\varphi_1$ with "
        r"linear "
        r"$\hat\varphi_1(x)=Q\binom I0x$, $\hat\varphi_2(z)=d^{-1/2}(I\;0)Q^{\mathsf T}z$ and LN on $\mathbb "
        r"R^d$, $d\ge3$. (The paper "
        r"writes compositions from left to right.)"
    ),
    hypotheses=("x ≠ 0, where neither side is defined", "d ≥ 3 is stated; d = 2 works too, with SP = sign on R"),
    check=lambda: _check(None),
    false_statement=r"The same without the factor $d^{-1/2}$ (shown for d = 3, where it would be off by √3).",
    check_false=lambda: _check(3),
)
