"""Proposition 7: Algorithm 2 finds a direction without parallelograms."""

from __future__ import annotations

from itertools import combinations
from math import comb

import sympy
from flint import fmpq

from constructions.arithmetic import Dyadic
from constructions.line import Line
from constructions.parallelization_breaking import breaking_fold, has_parallelogram
from proofs.claim import Claim, Finding, Step, conclude
from proofs.identities import identity


def circle_steps(lowest: int) -> tuple[Step, ...]:
    """No four different points of the circle with ordinates above ``lowest`` (0 or −1) form a parallelogram."""
    mx, my, vx, vy, wx, wy = sympy.symbols("M_x M_y v_x v_y w_x w_y")
    half = [sympy.Rational(*t) for t in ((0, 1), (1, 1), (1, 2), (-1, 2), (2, 1), (1, 3), (3, 1), (2, 3), (3, 2))]
    points = [((1 - t**2) / (1 + t**2), 2 * t / (1 + t**2)) for t in half] + [(-1, 0), (0, -1)]
    inside = [p for p in points if p[1] > lowest or lowest < 0]
    found = [
        four
        for four in combinations(inside, 4)
        if any(
            all(four[0][a] + four[k][a] == sum(four[n][a] for n in {1, 2, 3} - {k}) for a in (0, 1)) for k in (1, 2, 3)
        )
    ]
    return (
        identity(
            r"Two chords of the unit circle with a common midpoint M, $x=M\pm v$ and $M\pm w$: $|M+v|=|M-v|$ makes "
            r"$M\cdot v=0$, likewise $M\cdot w=0$; then $M_y\,(v_xw_y-v_yw_x)=v_x(M\cdot w)-w_x(M\cdot v)=0$.",
            my * (vx * wy - vy * wx),
            vx * (mx * wx + my * wy) - wx * (mx * vx + my * vy),
        ),
        Step(
            "Since $M_y>0$ for points of the open upper half circle, v and w are parallel; both have length "
            r"$\sqrt{1-|M|^2}$, so $w=\pm v$: the chords are the same. Four different points form no parallelogram.",
            not found,
            detail=f"exact points tried: {len(inside)}; parallelograms: {found or 'none'}",
        ),
    )


def _check(lowest: int) -> Finding:
    m, p, q, z1, z2, r = sympy.symbols("m p q z_1 z_2 r")
    return conclude(
        *circle_steps(lowest),
        identity(
            r"SP keeps points $(p,1)$, $(q,1)$ apart for $p\ne q$: their determinant is $p-q\ne0$, so they lie on "
            "different rays.",
            sympy.Matrix([[p, 1], [q, 1]]).det(),
            p - q,
        ),
        identity(
            r"With $z=\tilde p_i+\tilde p_j-\tilde p_s-\tilde p_t\ne0$ the bad $u=(1,t)$ satisfy $z_1+tz_2=0$: at "
            "most one t, $t=-z_1/z_2$ (none if $z_2=0$).",
            z1 + (-z1 / z2) * z2,
            0,
        ),
        identity(
            r"There are $\binom m2$ pairs and $3\binom m4$ ways to make two pairs of four points: finitely many bad "
            "t (the paper's $m^2+m^4$ is generous), so some $u=(1,t)$ merges nothing and leaves no parallelogram.",
            3 * sympy.binomial(m, 4).expand(func=True),
            m * (m - 1) * (m - 2) * (m - 3) / 8,
            detail=f"m = 10: at most {comb(10, 2) + 3 * comb(10, 4)} bad t",
        ),
        identity(
            r"The paper's own sets, (143) to (147): for $z\ne0$ the bad u with $u^{\mathsf T}z=0$ form one line, the "
            r"multiples $r(-z_2,z_1)$; finitely many lines through 0 do not cover $R^2$, because each meets the line "
            "$u=(1,t)$ at most once.",
            r * (-z2) * z1 + r * z1 * z2,
            0,
        ),
        Step(
            "Algorithm 2 finds such a u for 0, …, m − 1, m ≤ 8 (every sum of positions told apart by balls).",
            all(_broken(n) for n in range(4, 9)),
            "certified",
            role="corroboration",
        ),
        counterexample="(1, 0) + (−1, 0) = (0, 1) + (0, −1) on the full circle",
    )


def _broken(n: int) -> bool:
    line = Line.of([fmpq(k) for k in range(n)], list(range(n)), Dyadic(128))
    with line.arithmetic.work():
        return not has_parallelogram(line.after(breaking_fold(line)))


CLAIM = Claim(
    key="proposition-7",
    title="Proposition 7",
    where="Section 4.3, Appendix D.4, equations 142 to 147",
    statement=(
        r"Four different points of the open upper half circle form no parallelogram; hence some $u\in R^2$ (here: "
        r"all but finitely many $u=(1,t)$) makes $\hat p_k=u^{\mathsf T}\mathrm{SP}((p_k,1))$ different for "
        r"different $p_k$ and $\hat p_i+\hat p_j\ne\hat p_s+\hat p_t$ for all different i, j, s, t."
    ),
    hypotheses=("finitely many points",),
    check=lambda: _check(0),
    false_statement="Four different points of the full circle form no parallelogram.",
    check_false=lambda: _check(-1),
)
