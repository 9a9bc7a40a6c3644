"""Corollary 3: the VC dimension of width 3 and depth L is at least L + 2."""

from __future__ import annotations

from itertools import product

import sympy

from constructions.arithmetic import Dyadic
from constructions.line import Line
from constructions.lowering import lower
from constructions.network import LNNet
from constructions.points import LabeledPoints
from constructions.projection_merge import merge_two_classes
from proofs.checker import check
from proofs.claim import Claim, Finding, Step, conclude
from proofs.claims.theorem_2 import affine_step, foundation_steps
from proofs.identities import identity
from proofs.merge_arguments import repaired_steps


def _network(labels: tuple[int, ...], depth: int) -> tuple[LNNet, LabeledPoints]:
    """A network of exactly this depth ≥ 1 for 0, …, m − 1."""
    points = LabeledPoints.of(list(range(len(labels))), labels)
    arithmetic = Dyadic(128)
    line = Line.of([x[0] for x in points.points], labels, arithmetic)
    with arithmetic.work():
        sequence = merge_two_classes(line)
        folds, end = list(sequence.folds), sequence.line
        if not folds:  # an order-preserving bend of the line
            zero, one = arithmetic.enter(0), arithmetic.enter(1)
            folds = [arithmetic.fold(zero, one, one, zero)]
            end = end.after(folds[0])
        net = lower((1,), folds, end, points.classes)
    return net.padded(depth), points


def _check(extra: int) -> Finding:
    """VCdim ≥ L + extra."""
    a, b = sympy.symbols("a b")
    centred = [a, b, -a - b]
    variance = sum(v**2 for v in centred) / 3
    failures = []
    for depth in (1, 2, 3):
        for labels in product((0, 1), repeat=depth + 2):
            net, points = _network(labels, depth)
            if net.depth != depth or net.width != 3 or not check(net, points):
                failures.append((depth, labels))
    return conclude(
        *foundation_steps(),
        *repaired_steps(2),
        identity(
            "Fewer folds than L are padded: LN(LN(h)) = LN(h), because LN's outputs have mean 0 and variance "
            r"$\frac13\sum_iv_i^2/\sigma^2=1$. So every labelling of m = L + 2 points is reached at depth exactly L "
            "≥ 1, constant labelings by the read-out's bias.",
            sum(v**2 / variance for v in centred) / 3,
            1,
        ),
        *((affine_step(3 - extra),) if extra > 2 else ()),
        Step(
            "L = 0: an affine function on the line shatters two points, L + 2 (and no three).",
            affine_step(0).holds is False and extra == 2,
        ),
        Step(
            "L = 1, 2, 3: networks of exactly that depth and width 3 for all labelings of 0, …, L + 1 are certified.",
            not failures,
            "certified",
            detail=f"{sum(2 ** (n + 2) for n in (1, 2, 3))} networks"
            + (f"; failures {failures[:3]}" if failures else ""),
            role="corroboration",
        ),
        counterexample="L = 0 on the line: three points with labels 0, 1, 0" if extra > 2 else None,
    )


CLAIM = Claim(
    key="corollary-3",
    title="Corollary 3",
    where="Section 4.2",
    statement=r"The LN-Nets of width 3 and depth L (L LN layers) on $R^d$ have VC dimension at least L + 2.",
    hypotheses=(
        "depth counts LN layers (footnote 6), although Definition 3 and Theorem 2's proof number L affine maps and "
        "L − 1 LNs",
        "all weights are free",
    ),
    check=lambda: _check(2),
    false_statement="The VC dimension is at least L + 3 for every L ≥ 0 and d ≥ 1.",
    check_false=lambda: _check(3),
)
