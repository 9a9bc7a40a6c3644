"""On the line, one LN layer of any width has VC dimension exactly 3."""

from __future__ import annotations

from itertools import product

import sympy

from constructions.points import LabeledPoints
from constructions.wider_networks import build_wide
from proofs.checker import check
from proofs.claim import Claim, Finding, Step, conclude
from proofs.claims.and_or_layer import and_or_steps, splits
from proofs.identities import identity


def _check(most_changes: int) -> Finding:
    """At most this many sign changes, hence VC dimension most_changes + 1."""
    p, alpha, beta, gamma, big_a, big_b, c = sympy.symbols("p alpha beta gamma A B c")
    square = alpha * p**2 + 2 * beta * p + gamma
    difference = sympy.Poly((big_a * p + big_b) ** 2 - c**2 * square, p)
    n, scale, epsilon = sympy.symbols("n lambda epsilon", positive=True)
    s = sympy.Symbol("s")
    pa, pb, paa, pab, pbb = sympy.symbols("S_a S_b S_aa S_ab S_bb")
    failures = _uncertified()
    return conclude(
        identity(
            r"On $p\in R$ the n neurons are $a_ip+b_i$. Centred, their squares sum to a quadratic $Q(p)=\alpha "
            r"p^2+2\beta p+\gamma$, $\alpha=\sum a_i^2-\frac1n(\sum a_i)^2$ and so on, for any n; smoothing adds "
            "the constant nε.",
            (paa * p**2 + 2 * pab * p + pbb) - (pa * p + pb) ** 2 / n,
            (paa - pa**2 / n) * p**2 + 2 * (pab - pa * pb / n) * p + (pbb - pb**2 / n),
        ),
        Step(
            r"The output is $f(p)=\frac{Ap+B}{\sqrt{Q(p)}}+c$; a zero of f satisfies $(Ap+B)^2=c^2Q(p)$, a "
            r"polynomial equation of degree "
            f"at most 2. So f, continuous where Q > 0, changes sign at most {most_changes} times, unless the "
            f"equation is an identity.",
            difference.degree() <= most_changes,
            detail=f"degree {difference.degree()}",
        ),
        identity(
            r"If it is an identity with $c\ne0$, Q is the square of $(Ap+B)/c$ and f takes two values, with one "
            "jump where Q = 0; likewise if Q has a double zero $p_0$: there LN is undefined and f is a constant "
            "times the sign of $p-p_0$, plus c.",
            square.subs({alpha: big_a**2 / c**2, beta: big_a * big_b / c**2, gamma: big_b**2 / c**2}),
            ((big_a * p + big_b) / c) ** 2,
        ),
        identity(
            r"A zero at which f does not change sign is a double root: with $s=\sqrt Q$, $f=\frac{Ap+B}s+c$ times "
            r"$\frac{Ap+B}s-c$ is $\frac{(Ap+B)^2-c^2Q}Q$, and the second factor is −2c there (for c = 0, f has at "
            "most one zero). So samples on the threshold itself, counted with either class, do not help.",
            ((big_a * p + big_b) / s + c) * ((big_a * p + big_b) / s - c),
            ((big_a * p + big_b) ** 2 - c**2 * square) / square,
            relations=(s**2 - square,),
        ),
        Step(
            f"Four points with alternating labels have three changes, more than {most_changes}: no four points are "
            "shattered.",
            most_changes < 3,
        ),
        *and_or_steps(),
        Step(
            f"All labelings with up to {most_changes} changes are an AND or an OR of two half-lines, so "
            f"{most_changes + 1} points are shattered.",
            all(splits(n, first, 1) is not None for n in range(most_changes + 1) for first in (0, 1)),
        ),
        Step(
            r"With smoothing too: scaled by $\lambda\to\infty$ the half-lines' layer tends to the one without, "
            r"$\frac{\lambda h}{\sqrt{\lambda^2\lVert h\rVert^2+e}}\to\frac h{\lVert h\rVert}$, and off the ends of "
            "the half-lines all inequalities are strict, so finitely many points keep their labels for large λ.",
            sympy.limit(scale * p / sympy.sqrt(scale**2 * n**2 + epsilon), scale, sympy.oo) == p / n,
        ),
        Step(
            "All 8 labelings of 0, 1, 2 have certified networks of depth 1 and width 3.",
            not failures,
            "certified",
            role="corroboration",
        ),
        counterexample="0, 1, 2 labelled 0, 1, 0 has two changes and a certified network of depth 1"
        if most_changes < 2
        else None,
    )


def _uncertified() -> list[tuple[int, ...]]:
    """Labelings of 0, 1, 2 without a certified network of depth 1."""
    failures = []
    for labels in product((0, 1), repeat=3):
        points = LabeledPoints.of([0, 1, 2], labels)
        net = build_wide(points, 3, least_depth=1)
        if net.depth != 1 or not check(net, points):
            failures.append(labels)
    return failures


CLAIM = Claim(
    key="vc-dimension-one-layer",
    title="VC dimension of one layer on the line",
    where="lnnet",
    statement=(
        "For d = 1 and one LN layer of any width at least 3, with or without smoothing, the output changes sign at "
        "most twice; the VC dimension is exactly 3."
    ),
    hypotheses=("one output and a threshold", "points where LN is defined"),
    check=lambda: _check(2),
    false_statement="The output changes sign at most once (VC dimension 2).",
    check_false=lambda: _check(1),
)
