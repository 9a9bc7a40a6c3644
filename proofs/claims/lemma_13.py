"""Lemma 13: the nonlinearity of LN-G is the sum over its groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from flint import arb

from proofs.claim import Claim, Finding, Step, conclude
from proofs.claims.lemma_12 import frobenius_norm_squared, hessian_steps
from proofs.identities import identity
from proofs.index_sums import d, s, sum_over_i
from proofs.nonlinearity import group_variances, nonlinearity, normalize_in_groups

_POINTS = [((0, 1, 3, 1, 1, 5), 2), ((0, 1, 5, 2), 2), ((1, 2, 4, 0, 0, 3, 7, 8, 1), 3), ((1, 0, 2, 4, 9, 3, 3, 5), 2)]


def _check(factor: Callable[[Any, Any], Any]) -> Finding:
    """H = Σ_i factor(c, d)/σ_i⁴, with c the size of a group."""
    c, n = sympy.symbols("c d", positive=True)
    block = sum_over_i(frobenius_norm_squared()).subs(d, c) * s**4
    wrong = []
    for point, groups in _POINTS:
        size = len(point) // groups
        ball = _by_differentiation(point, groups)
        value = sympy.Rational(factor(sympy.Integer(size), sympy.Integer(len(point))))
        claimed = sum((arb(value.p) / value.q / arb(v) ** 2 for v in group_variances(point, groups)), arb(0))
        if not ball.overlaps(claimed):
            wrong.append(f"x = {point}, g = {groups}: H = {ball.str(8)}, claimed {claimed.str(8)}")
    return conclude(
        *hessian_steps(),
        identity(
            "An output of group i is a function of that group's coordinates alone, so its derivatives by others "
            "vanish: its Hessian is zero outside one c × c block (185), and that block is LN's on R^c.",
            sympy.Function("psi")(*sympy.symbols("z_1 z_2")).diff(sympy.Symbol("w")),
            0,
        ),
        Step(
            "Differentiating LN-G at exact points, every entry outside the block is exactly 0.",
            all(_blocks(len(point), groups) for point, groups in _POINTS),
            "tested",
            role="corroboration",
        ),
        identity(
            r"By Lemma 12 on $R^c$ a group contributes $(3-6/c)/\sigma_i^4$; the sum over the groups is (183).",
            block,
            sympy.expand(factor(c, n)),
            detail=f"per group: {sympy.factor(block)}/σ_i⁴",
        ),
        Step(
            "Second-order automatic differentiation of LN-G in ball arithmetic agrees.",
            not wrong,
            "certified",
            detail="; ".join(wrong),
            role="corroboration",
        ),
        counterexample="; ".join(wrong) or None,
    )


def _by_differentiation(point: tuple[int, ...], groups: int) -> arb:
    """H of LN-G as a ball, by forward differentiation."""
    return nonlinearity(  # type: ignore[no-any-return]
        lambda x, sqrt: normalize_in_groups(x, groups, arb, sqrt), [arb(v) for v in point], lambda v: v.sqrt()
    )


def _blocks(n: int, groups: int) -> bool:
    """Whether every second derivative across groups vanishes identically (as an exact zero, not as a small number)."""
    from proofs.jets import variables

    outputs = normalize_in_groups(
        variables([sympy.Integer((7 * k * k + k) % 11) for k in range(n)]),
        groups,
        lambda q: sympy.Rational(int(q.p), int(q.q)),
        lambda jet: jet.sqrt(sympy.sqrt),
    )
    size = n // groups
    return all(
        y.hessian[a][b] == 0
        for row, y in enumerate(outputs)
        for a in range(n)
        for b in range(n)
        if not (a // size == b // size == row // size)
    )


CLAIM = Claim(
    key="lemma-13",
    title="Lemma 13",
    where="Appendix E.1, equations 183 to 187",
    statement=(
        r"LN-G with g groups of c = d/g coordinates and variances $\sigma_i^2$ has "
        r"$H=\sum_{i=1}^g\dfrac{3-6/c}{\sigma_i^4}$."
    ),
    hypotheses=("g divides d", "every group's variance is positive (c ≥ 2, and no group is constant)"),
    check=lambda: _check(lambda c, n: 3 - 6 / c),
    false_statement=r"$H=\sum_i(3-6/d)/\sigma_i^4$, with d in place of the group's size.",
    check_false=lambda: _check(lambda c, n: 3 - 6 / n),
)
