"""Own claim: Appendix C.4's n dimensions do no more than a fold of the line, so two suffice."""

from __future__ import annotations

import sympy

from proofs.claim import Claim, Finding, Step, conclude
from proofs.identities import identity


def _check(dimension_matters: bool) -> Finding:
    x, t, s, c = sympy.symbols("x t s c", positive=True)
    w_k, b_k, v_k = sympy.symbols("w_k b_k v_k")
    omega, xi, beta, vw, vb = sympy.symbols("omega xi beta vw vb")  # w·w, w·b, b·b, v·w, v·b
    shift = -xi / (t * omega)
    height_squared = (beta - xi**2 / omega) / (t**2 * omega)
    norm = identity(
        r"$\lVert twx+b\rVert^2=t^2\lVert w\rVert^2[(x-s)^2+c^2]$ with $s=-\frac{w\cdot b}{t\lVert w\rVert^2}$ and "
        r"$c^2=\frac{\lVert b\rVert^2\lVert w\rVert^2-(w\cdot b)^2}{t^2\lVert w\rVert^4}\ge0$ (Cauchy–Schwarz), "
        r"in any dimension n.",
        t**2 * omega * ((x - shift) ** 2 + height_squared),
        t**2 * omega * x**2 + 2 * t * xi * x + beta,
    )
    line = identity(
        r"$v\cdot(twx+b)=t(v\cdot w)(x-s)+[\,v\cdot b-\tfrac{(v\cdot w)(w\cdot b)}{\lVert w\rVert^2}]$, affine in "
        r"x: $u_1(x-s)+u_2c$ "
        "up to a common factor.",
        t * vw * (x - shift) + (vb - vw * xi / omega),
        t * vw * x + vb,
    )
    fold = identity(
        r"Conversely the fold $(u_1(x-s)+u_2c)/\sqrt{(x-s)^2+c^2}$ is the case n = 2, w = (1, 0), b = (−s, c), v "
        r"= (u1, u2).",
        (x - s) ** 2 + c**2,
        (1 * x - s) ** 2 + (0 * x + c) ** 2,
    )
    term = identity(
        "All of these are sums over coordinates, term by term.",
        v_k * (t * w_k * x + b_k),
        t * v_k * w_k * x + v_k * b_k,
    )
    # n = 3, w = (1, 0, 0), b = (0, 3, 4)/5, v = (1, 2, −1) against n = 2 with v = (1, 2/5): the same function of x.
    three = (1 * x + 2 * sympy.Rational(3, 5) - sympy.Rational(4, 5)) ** 2 / (x**2 + 1)
    two = (x + sympy.Rational(2, 5)) ** 2 / (x**2 + 1)
    same = sympy.simplify(three - two) == 0
    return conclude(
        norm,
        line,
        fold,
        term,
        Step(
            "n = 3, w = (1, 0, 0), b = (0, 3, 4)/5, v = (1, 2, −1) "
            + ("does something that" if dimension_matters else "is the same function as")
            + " n = 2, w = (1, 0), b = (0, 1), v = (1, 2/5)"
            + (" cannot do." if dimension_matters else "."),
            same != dimension_matters,
        ),
        counterexample="v·SP(xw + b) = (x + 2/5)/√(x² + 1) in both" if dimension_matters and same else None,
    )


CLAIM = Claim(
    key="appendix-c4-plane",
    title="Two dimensions suffice in Appendix C.4",
    where="lnnet",
    statement=(
        r"For every n, w, b, v and t, $x\mapsto v\cdot\mathrm{SP}(twx+b)$ is a fold "
        r"$(u_1(x-s)+u_2c)/\sqrt{(x-s)^2+c^2}$ of the line "
        "up to a factor: a layer on n + 1 neurons that sees the samples through u* does what one on 3 neurons does."
    ),
    hypotheses=("w ≠ 0, t ≠ 0, and w, b linearly independent (c > 0); else the layer gives signs only",),
    check=lambda: _check(False),
    false_statement="n = 3 gives functions that n = 2 does not.",
    check_false=lambda: _check(True),
)
