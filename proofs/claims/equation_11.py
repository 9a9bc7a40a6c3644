"""Equation (11): f_SSR(t) is said to be defined for every real t; two places can meet on the circle."""

from __future__ import annotations

import sympy
from flint import fmpq

from constructions.algebraic import Algebraic, algebraic
from proofs.claim import Claim, Finding, Step, amend, conclude
from proofs.identities import identity


def _image(t: fmpq, x: int) -> Algebraic:
    """g(tx) = (1 + tx)/√(1 + t²x²), exact."""
    return algebraic(1 + t * x) / algebraic(1 + (t * x) ** 2).sqrt()


def _printed(places: tuple[int, ...], scales: tuple[fmpq, ...]) -> Finding:
    collapsed = [t for t in scales if all(_image(t, x) == _image(t, places[0]) for x in places[1:])]
    shown = (
        f"projected samples at {places}, t = {collapsed[0]}: all images are equal and SSR is 0/0" if collapsed else None
    )
    return conclude(
        Step(
            f"As printed: SSR of the images is defined for every t ≠ 0, tried for projected samples at {places} "
            f"and t = "
            f"{', '.join(map(str, scales))}.",
            not collapsed,
            detail=shown or "",
        ),
        counterexample=shown,
    )


def _corrected() -> Finding:
    a, b = sympy.symbols("a b", positive=True)
    z = sympy.Symbol("z")
    return conclude(
        identity(
            r"$g(a)^2-g(b)^2=\frac{2(a-b)(1-ab)}{(1+a^2)(1+b^2)}$ for $g(z)=(1+z)/\sqrt{1+z^2}$: two points meet "
            r"only if they are "
            "equal or each other's inverse.",
            (1 + a) ** 2 / (1 + a**2) - (1 + b) ** 2 / (1 + b**2),
            2 * (a - b) * (1 - a * b) / ((1 + a**2) * (1 + b**2)),
        ),
        Step(
            "A point has one inverse only, so three distinct projected samples never all meet, and with three of "
            "them f_SSR(t) "
            "is defined for all t.",
            sympy.solve(a * z - 1, z) == [1 / a],
        ),
        Step(
            "Two distinct projected samples go to two values or to one: wherever f_SSR(t) is defined it is then "
            "the constant LSSR.",
            _image(fmpq(1, 3), 1) != _image(fmpq(1, 3), 4),
        ),
    )


CLAIM = Claim(
    key="equation-11",
    title="Equation (11)",
    where="Section 3.2, equations 11, 73",
    statement=(
        r"$f_{\mathrm{SSR}}(t)=\mathrm{SSR}(\tilde\psi(t;X_1),\tilde\psi(t;X_2))$ is defined for every real "
        r"t ≠ 0."
    ),
    hypotheses=("at least three distinct projections u*·x (missing)",),
    check=lambda: amend(
        _printed((1, 4), (fmpq(1), fmpq(-1, 2), fmpq(1, 2))),
        _corrected(),
        "At least three distinct projections u*·x. With two, a and b of one sign, f_SSR is undefined at t = "
        "±1/√(ab) and constant "
        "elsewhere.",
        verdict="needs-hypothesis",
    ),
    false_statement="It is defined for projected samples at 2 and 8 and t = 1/4.",
    check_false=lambda: _printed((2, 8), (fmpq(1, 4),)),
    expects="needs-hypothesis",
)
