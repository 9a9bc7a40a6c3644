"""Proposition 9: wider networks classify any labels, one merge a layer."""

from __future__ import annotations

from itertools import product

import sympy

from constructions.points import LabeledPoints
from constructions.wider_networks import build_wide
from proofs.checker import check
from proofs.claim import Claim, Finding, Step, conclude
from proofs.claims.lemma_10 import CLAIM as LEMMA_10
from proofs.claims.lemma_11 import plane_steps
from proofs.identities import identity

_SETS = (
    ((0, 0), (1, 1), (2, 0), (1, 3), (3, 3)),
    ((0, 0, 0), (1, 1, 1), (2, 2, 2), (0, 1, 0), (1, 0, 2)),
    ((0,), (1,), (2,), (3,)),
)


def _merge_steps() -> tuple[Step, ...]:
    k, c, p, t, lower, number = sympy.symbols("k c p t b k_0")
    x1, x2, lam = sympy.symbols("b_1 b_2 ell")
    return (
        identity(
            r"No third point lies on a chord's line: $|x_i+k(x_j-x_i)|^2-1=(2-2x_i\cdot x_j)\,k(k-1)$ vanishes for "
            "k = 0, 1 only.",
            1 + 2 * k * (c - 1) + k**2 * (2 - 2 * c) - 1,
            (2 - 2 * c) * k * (k - 1),
        ),
        identity(
            r"SP keeps $p_i+b\ne p_j+b$ apart unless they are parallel. With an axis along $p_j-p_i$ they are "
            r"$(b_1,b_2,\dots)$ and $(\ell+b_1,b_2,\dots)$: a minor is $-\ell b_2$, a nonzero polynomial in b for n "
            "≥ 2.",
            sympy.Matrix([[x1, x2], [lam + x1, x2]]).det(),
            -lam * x2,
        ),
        Step(
            "Finitely many proper zero sets do not cover $R^n$ (the product of the polynomials is not zero), so "
            "some rational b is good: projecting along the chord merges i and j and nothing else; m − K merges "
            "leave one point a class.",
            sympy.expand((-lam * x2) * (-lam * x1)) != 0,
            detail="a product of nonzero polynomials is nonzero: Q[b] has no zero divisors",
        ),
        identity(
            r"K points, kept apart along a line, get K labels by $\operatorname{argmax}_k(kp+b_k)$ with "
            "$b_{k+1}=b_k-t_k$: consecutive logits differ by $p-t_k$.",
            ((number + 1) * p + (lower - t)) - (number * p + lower),
            p - t,
        ),
    )


def _alternation(width: int) -> Step:
    """Whether some network of this width gives 0, 1, 2 the labels 0, 1, 0."""
    if width > 2:
        points = LabeledPoints.of([0, 1, 2], [0, 1, 0])
        found = bool(check(build_wide(points, width), points))
        return Step(f"Some network of width {width} gives 0, 1, 2 the labels 0, 1, 0.", found, role="corroboration")
    h1, h2 = sympy.symbols("h1 h2")
    half = (h1 - h2) / 2
    square = sympy.simplify(half**2 / ((half**2 + half**2) / 2))
    return Step(
        "Some network of width 2 gives 0, 1, 2 the labels 0, 1, 0.",
        square != 1,
        detail=f"on two neurons LN takes the values ±(1, −1) only (its square is {square}), so after the first LN the "
        "network is a function of one sign: at most one change of label along a line",
    )


def _check(narrowest: int) -> Finding:
    """For every width n + 1 ≥ narrowest."""
    failures = []
    for points in _SETS:
        for labels in product(range(2), repeat=len(points)):
            labelled = LabeledPoints.of(points, labels)
            net = build_wide(labelled, max(narrowest, len(points[0]) + 2))
            if not check(net, labelled) or net.depth > len(points) - len(set(labels)):
                failures.append((points, labels))
    return conclude(
        *LEMMA_10.check().steps,
        *plane_steps(distinct=True),
        *_merge_steps(),
        _alternation(narrowest),
        Step(
            "Built at depth at most m − K and certified: all two-class labelings of three point sets, collinear ones "
            "included.",
            not failures,
            "certified",
            detail="; ".join(map(str, failures[:3])),
            role="corroboration",
        ),
        counterexample="width 2: labels 0, 1, 0 at 0, 1, 2" if narrowest <= 2 else None,
    )


CLAIM = Claim(
    key="proposition-9",
    title="Proposition 9",
    where="Appendix D.5, equations 155 to 163",
    statement=(
        r"For every $n\ge2$ an LN-Net of width $n+1$ and depth O(m) (m − K merges) classifies any m samples with "
        "any labels from K classes. At n = 2 this is width 3, so already there one merge a layer suffices for any "
        "number of classes."
    ),
    hypotheses=(
        "n ≥ 2: LN acts on at least three neurons",
        "the input reaches R^(n−1) without merging points (Proposition 4)",
    ),
    check=lambda: _check(3),
    false_statement="The same for width 2.",
    check_false=lambda: _check(2),
)
