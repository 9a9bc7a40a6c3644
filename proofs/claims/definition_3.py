"""Definition 3: an LN-Net is a function only where no LN meets a vector of equal coordinates."""

from __future__ import annotations

import sympy

from constructions.errors import LNNetError
from constructions.network import Affine, LNNet
from constructions.points import LabeledPoints
from proofs.checker import check
from proofs.claim import Claim, Finding, Step, amend, conclude
from proofs.identities import identity, is_zero


def _domain(h: tuple[int, ...], allowed: bool) -> Step:
    """LN at a vector is defined if its centred coordinates do not all vanish."""
    mean = sympy.Rational(sum(h), len(h))
    defined = any(x != mean for x in h)
    return Step(
        f"LN is defined at h = {h}.", defined if allowed else not defined, detail=f"centred: {[x - mean for x in h]}"
    )


def _everywhere(points: tuple[tuple[int, ...], ...]) -> Finding:
    steps = [_domain(h, True) for h in points]
    bad = next((h for h, step in zip(points, steps, strict=True) if not step.holds), None)
    return conclude(
        Step("As printed: the network is defined for all inputs, whatever the parameters.", bad is None),
        *steps,
        counterexample=None if bad is None else f"W = 0, b = {bad}: every input meets LN at {bad}, which is 0/0.",
    )


def _corrected() -> Finding:
    h = sympy.symbols("h1:4")
    a, b, k = sympy.Symbol("a", positive=True), sympy.Symbol("b"), sympy.Symbol("k", positive=True)
    mean = sum(h) / 3
    moved = [a * x + b for x in h]
    p, q = sympy.symbols("p q")
    half = (p + q) / 2
    net = LNNet((Affine.of([[0], [0], [0]], [1, 1, 1]), Affine.of([[1, 0, 0]], [0])), (0, 1))
    try:
        check(net, LabeledPoints.of([[0]], [0]))
        reported = False
    except LNNetError:
        reported = True
    return conclude(
        identity(
            "Centring after h ↦ a·h + b·1 is a times centring h, so for a > 0 LN is unchanged: the formula is a "
            "function of "
            "the centred direction alone (three coordinates shown; the same two lines for any number).",
            sympy.Matrix([x - sum(moved) / 3 for x in moved]),
            sympy.Matrix([a * (x - mean) for x in h]),
        ),
        identity(
            r"Where the centred vector z is not 0, $\lVert\sqrt d\,z/\lVert z\rVert\rVert^2=d$: defined, on the "
            r"sphere of "
            r"radius $\sqrt d$ (with $k=\lVert z\rVert$).",
            sympy.Symbol("d") * k**2 / k**2,
            sympy.Symbol("d"),
        ),
        Step(
            r"One neuron: the centred vector is $h-h=0$ for every h, so LN on R^1 is never defined.",
            is_zero(p - p),
        ),
        identity(
            r"Two neurons: $(p-\mu)^2=\sigma^2$, so LN takes only the two values $\pm(1,-1)$, and is undefined on "
            r"p = q.",
            (p - half) ** 2,
            ((p - half) ** 2 + (q - half) ** 2) / 2,
        ),
        identity(
            "h = Wx + b is constant exactly when its centred part vanishes, a linear system in x: the domain of "
            "a first "
            "layer is the complement of an affine subspace (empty for a suitable b).",
            sympy.Matrix([x - mean for x in (h[0], h[0], h[0])]).subs({h[1]: h[0], h[2]: h[0]}),
            sympy.zeros(3, 1),
        ),
        Step("lnnet's checker reports such an input instead of a verdict.", reported, role="corroboration"),
    )


CLAIM = Claim(
    key="definition-3",
    title="Definition 3",
    where="Section 3.2, equation 8",
    statement=(
        r"An LN-Net $h^{(l)}=W^{(l)}x^{(l-1)}+b^{(l)}$, $x^{(l)}=\mathrm{LN}(h^{(l)})$ for $l<L$, is a function on "
        r"$\mathbb R^d$; it has L linear layers and $L-1$ LN layers."
    ),
    hypotheses=("no h⁽ˡ⁾ with l < L has all coordinates equal (missing)", "widths d_l ≥ 3 for anything but signs"),
    check=lambda: amend(
        _everywhere(((1, 2, 3), (0, 0, 0))),
        _corrected(),
        "f is defined at x if no LN meets a vector of equal coordinates on the way; in particular every width d_l with "
        "l < L must be at least 2, and at least 3 for more than a sign.",
        verdict="needs-hypothesis",
    ),
    false_statement="LN is defined at every vector except 0.",
    check_false=lambda: _everywhere(((1, 2, 3), (1, 1, 1))),
    expects="needs-hypothesis",
)
