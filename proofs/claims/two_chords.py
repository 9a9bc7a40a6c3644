"""Two LN layers realise every labelling of a line with at most four changes: VC dimension at least 5."""

from __future__ import annotations

import sympy

from proofs.claim import Claim, Finding, Step, conclude
from proofs.claims.and_or_layer import and_or_steps, splits
from proofs.identities import identity


def _check(changes: int) -> Finding:
    """Every labelling with at most this many changes."""
    t, a, b, q, w, k = sympy.symbols("t a b q w k")
    x, y = (1 - t**2) / (1 + t**2), 2 * t / (1 + t**2)
    failures = [(n, first) for n in range(changes + 1) for first in (0, 1) if splits(n, first, 2) is None]
    return conclude(
        identity(
            "The first layer takes the line to the open upper half circle, one to one: "
            r"$q\mapsto(q,1)/\sqrt{1+q^2}$, of unit length ($w=\sqrt{1+q^2}$).",
            (q / w) ** 2 + (1 / w) ** 2 - 1,
            0,
            relations=(w**2 - 1 - q**2,),
        ),
        identity(
            r"With $t=\tan(\theta/2)$ the circle is $\left(\frac{1-t^2}{1+t^2},\frac{2t}{1+t^2}\right)$, and the "
            "line through the points t = a and t = b is "
            r"$\frac{1+ab}2+\frac{ab-1}2x-\frac{a+b}2y=\frac{(t-a)(t-b)}{1+t^2}$: two changes, anywhere.",
            (1 + a * b) / 2 + (a * b - 1) / 2 * x - (a + b) / 2 * y,
            (t - a) * (t - b) / (1 + t**2),
        ),
        *and_or_steps(),
        Step(
            f"The second layer is an AND or an OR of two such half-planes: labels with up to {changes} changes "
            "split into two patterns with at most two changes each.",
            not failures,
            detail=f"not split (changes, first label): {failures}"
            if failures
            else "checked for every number of changes",
        ),
        identity(
            "k runs: k − 5 folds that remove a run each (run folding), then two layers for the four changes left.",
            (k - 5) + 2,
            k - 3,
        ),
        counterexample=f"{failures[0][0]} changes cost {failures[0][0]} ends of runs, and two chords have 2 + 2"
        if failures
        else None,
    )


CLAIM = Claim(
    key="two-chords",
    title="Two chords",
    where="lnnet",
    statement=(
        "Two LN layers of width 3 realise every two-class labelling of a line with at most four changes; VC "
        "dimension at least 5 for L = 2, d = 1 (Corollary 3: 4), and depth at most k − 3 for k ≥ 5 runs."
    ),
    hypotheses=("two classes",),
    check=lambda: _check(4),
    false_statement="The same for five changes, by an AND or an OR of two chords.",
    check_false=lambda: _check(5),
)
