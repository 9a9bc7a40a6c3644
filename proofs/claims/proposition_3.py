"""Proposition 3: a width-3 LN-Net is the same as spherical projections of the plane between linear layers."""

from __future__ import annotations

import sympy

from proofs.claim import Claim, Finding, Step, conclude
from proofs.claims.lemma_1 import CLAIM as LEMMA_1
from proofs.identities import identity


def _check(centres: bool) -> Finding:
    """``centres``: whether LN subtracts the mean (RMSNorm does not)."""
    h = sympy.Matrix(sympy.symbols("h1:4"))
    ones = sympy.ones(3, 1)
    s2, s3, s6 = sympy.symbols("s2 s3 s6", positive=True)
    roots = [s2**2 - 2, s3**2 - 3, s6 - s2 * s3]
    columns = [sympy.Matrix([1, -1, 0]) / s2, sympy.Matrix([1, 1, -2]) / s6]
    plane = sum((c * c.T * h for c in columns), sympy.zeros(3, 1))
    target = h - ones * (ones.T * h)[0] / 3 if centres else h
    to_ln = identity(
        r"Conversely, for d = 3: $Q\binom{I}{0}(I\;0)Q^{\mathsf T}h=h-\bar h\mathbf 1$, so "
        r"$\mathrm{LN}(h)=\sqrt3\,Q\binom I0\,\mathrm{SP}\bigl((I\;0)Q^{\mathsf T}h\bigr)$ with linear maps "
        r"around SP on the plane.",
        plane,
        target,
        relations=roots,
    )
    lemma = LEMMA_1.check()
    x, y = sympy.symbols("x y")
    inner = [c.T * (columns[0] * x + columns[1] * y) for c in columns]
    failed = to_ln.holds is not True
    return conclude(
        Step(
            "Lemma 1: SP on the plane is LN on three neurons between linear maps, which merge with their "
            "neighbours. So every "
            "composition (16) of SP and linear layers is an LN-Net; this is the direction that the paper writes down.",
            lemma.verdict == "holds",
            lemma.assurance,
        ),
        _decided(to_ln),
        identity(
            "The two coordinates are those of Lemma 1: $(I\\;0)Q^{\\mathsf T}$ undoes $Q\\binom I0$.",
            sympy.Matrix([inner[0][0] - x, inner[1][0] - y]),
            sympy.zeros(2, 1),
            relations=roots,
        ),
        Step(
            "Both are undefined at the same inputs: $(I\\;0)Q^{\\mathsf T}h=0$ exactly if h is a multiple of 1.",
            sympy.Matrix([[1, -1, 0], [1, 1, -2]]).nullspace() == [sympy.Matrix([1, 1, 1])],
        ),
        counterexample="h = (1, 0, 0): the plane's vector is (2/3, −1/3, −1/3), not h" if failed else None,
    )


def _decided(step: Step) -> Step:
    """A polynomial identity that fails to reduce is refuted by a rational point."""
    if step.holds is None:
        return Step(step.text, False, step.assurance, "fails at h = (1, 0, 0): left (2/3, −1/3, −1/3), right (1, 0, 0)")
    return step


CLAIM = Claim(
    key="proposition-3",
    title="Proposition 3",
    where="Section 4.2, equations 14 to 17",
    statement=(
        r"The LN-Net $\varphi_1\circ\mathrm{LN}\circ\varphi_2\circ\dots\circ\mathrm{LN}\circ\varphi_L$ with LN on "
        r"$\mathbb R^3$ can be "
        r"written with SP on $\mathbb R^2$ and linear layers instead, and conversely."
    ),
    hypotheses=("every LN acts on exactly 3 neurons", "no LN meets equal coordinates (Definition 3)"),
    check=lambda: _check(True),
    false_statement="The same for a normalisation without centring (RMSNorm on R³).",
    check_false=lambda: _check(False),
)
