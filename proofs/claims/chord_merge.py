"""One fold a merge for any number of classes: the chord's normal instead of the vertical."""

from __future__ import annotations

import sympy

from proofs.claim import Claim, Finding, Step, conclude
from proofs.claims.lemma_11 import plane_steps
from proofs.identities import identity


def _check(nearest: int) -> Finding:
    """All points but the first lie at q ≥ nearest, where q = −1 is the first and q = 1 its neighbour."""
    a, r, w, q, v, u1, u2 = sympy.symbols("a r w q v u1 u2", positive=True)
    # r = √2, w = √(1 + a²): the circle points of q = −1 and q = a are (−1, 1)/r and (a, 1)/w.
    relations = (r**2 - 2, w**2 - 1 - a**2)
    normal = (w - r, r * a + w)  # (u1, u2), up to a factor
    apex = normal[0] / normal[1]
    seven = {a: 7, r: sympy.sqrt(2), w: 5 * sympy.sqrt(2)}
    value = sympy.nsimplify(sympy.simplify(apex.subs(seven)))
    return conclude(
        identity(
            r"Shift by $s=\frac{p_1+p_2}2$ and scale by $c=\frac{p_2-p_1}2$: $p_1,p_2$ go to $q=\mp1$ and every "
            r"other point to $q>1$, the partner $p_r$ to $q=a\ge1$. Read off along the normal $u=(w-\sqrt2,\ "
            r"\sqrt2a+w)$, $w=\sqrt{1+a^2}$, of the chord: $p_1$ and $p_r$ meet, "
            r"$u\cdot\left[\frac{(-1,1)}{\sqrt2}-\frac{(a,1)}{w}\right]=0$.",
            normal[0] * (-1 / r - a / w) + normal[1] * (1 / r - 1 / w),
            0,
            relations=relations,
        ),
        identity(
            r"The fold $f(q)=\frac{u_1q+u_2}{\sqrt{1+q^2}}$ has slope $\frac{u_1-u_2q}{(1+q^2)^{3/2}}$: it "
            r"increases up to the apex $q^*=u_1/u_2$ and decreases from there ($v=\sqrt{1+q^2}$).",
            u1 / v - (u1 * q + u2) * q / v**3,
            (u1 - u2 * q) / v**3,
            relations=(v**2 - 1 - q**2,),
        ),
        identity(
            r"The apex lies below 1: $u_2-u_1=\sqrt2\,(a+1)>0$.",
            normal[1] - normal[0],
            r * (a + 1),
        ),
        Step(
            rf"Every point but $p_1$ has $q\ge{nearest}$, beyond the apex, so their order is kept and only $p_1$ "
            "and $p_r$ meet, whatever the labels.",
            bool(value <= nearest),
            detail=f"e.g. a = 7: apex q* = {value}",
        ),
        Step(
            "A leftmost point without partner is finished; start from the right end, or fold across it: for two "
            "points of one class all (s, c) but those on finitely many curves merge them alone (Lemma 11 at n = 2). "
            "So m − K folds suffice.",
            all(step.holds for step in plane_steps(distinct=True)),
        ),
        counterexample=f"partner at a = 7 and a point at q = {value / 2}: it lies below the apex {value} and is folded"
        if nearest < 1
        else None,
    )


CLAIM = Claim(
    key="chord-merge",
    title="Chord merge",
    where="lnnet",
    statement=(
        "Fold with the shift and scale of the two leftmost points, read off along the normal of the chord from the "
        "first point to the next one of its class: exactly these two meet and the order of all others is kept. "
        "Hence depth at most m − K at width 3 for any number K of classes: Algorithm 2 is never needed."
    ),
    hypotheses=("different points on a line",),
    check=lambda: _check(1),
    false_statement="The same if the points between may lie anywhere at q ≥ 0.",
    check_false=lambda: _check(0),
)
