"""Lemma 8: f_SSR is differentiable at 0; its derivative depends on the choice of u*, its vanishing does not."""

from __future__ import annotations

import sympy

from constructions.sum_of_squares import as_samples, linear_bound, project_samples
from constructions.taylor_break import taylor_statistics
from proofs.claim import Claim, Finding, Step, amend, conclude
from proofs.claims.lemma_7 import CLAIM as LEMMA_7
from proofs.identities import identity
from proofs.moments import Class, taylor_terms

_X1, _X2 = ((-1,), (0,), (0,)), ((1,), (3,), (3,))


def _printed(factors: tuple[int, ...]) -> Finding:
    """Whether eigenvectors k·u* give the same derivative."""
    bound = linear_bound(_X1, _X2)
    found = {}
    for k in factors:
        line = [project_samples(as_samples(part), [k * x for x in bound.direction]) for part in (_X1, _X2)]
        found[k] = taylor_statistics(*line).derivative
    same = len(set(found.values())) == 1
    return conclude(
        Step(
            "As printed: f′(0) is determined by X1 and X2 alone.",
            same,
            detail="u* and its multiples are eigenvectors alike: "
            + ", ".join(f"{k}·u* gives f′(0) = {v}" for k, v in found.items()),
        ),
        counterexample=None
        if same
        else f"X1 = {{−1, 0, 0}}, X2 = {{1, 3, 3}}: f′(0) = {found[factors[0]]} for u*, "
        f"{found[factors[1]]} for {factors[1]}·u*.",
    )


def _corrected() -> Finding:
    k = sympy.Symbol("k", nonzero=True)
    one, two = Class.numbered(1), Class.numbered(2)
    t1, t2, t3 = taylor_terms(one, two)
    scaled = {}
    for c in (one, two):
        scaled.update({c.mean: k * c.mean, c.variance: k**2 * c.variance, c.third: k**3 * c.third})
    derivative = -2 * (t1 + t2) / t3
    lemma = LEMMA_7.check()
    same_means = {one.mean: two.mean}
    return conclude(
        Step(
            "Lemma 7: SSR(t) = LSSR + c·t + o(t) for a given u*, so f is differentiable at 0 with f′(0) = c. "
            "(Numerator and "
            "denominator are t² times analytic functions, the second not 0 after division by t², so f is even "
            "analytic there.)",
            lemma.verdict == "holds",
            lemma.assurance,
        ),
        identity(
            "f′(0) is homogeneous of degree 1 in u*: replacing u* by k·u* multiplies it by k (also if k < 0).",
            derivative.subs(scaled, simultaneous=True),
            k * derivative,
        ),
        identity(
            "If λ* is multiple, then λ* = 1 and the class means coincide (Corollary 5), so T1 = T2 = 0 and f′(0) "
            "= 0 whichever "
            "eigenvector is taken.",
            (t1 + t2).subs(same_means),
            sympy.Integer(0),
        ),
    )


CLAIM = Claim(
    key="lemma-8",
    title="Lemma 8",
    where="Appendix C.2, equations 110 to 112",
    statement=(
        r"$f_{\mathrm{SSR}}$ is differentiable at t = 0, and $f'_{\mathrm{SSR}}(0)$ is determined by X1 and "
        r"X2 alone."
    ),
    hypotheses=("N is invertible", "u* is normalised, sign included (missing)"),
    check=lambda: amend(
        _printed((1, -1, 2)),
        _corrected(),
        "f′(0) is determined by X1, X2 and u*; with u* scaled by k it is k times as large, so only whether it "
        "vanishes is "
        "determined by X1 and X2 (and that always is).",
        verdict="needs-hypothesis",
    ),
    false_statement="u* and −u* give the same f′(0).",
    check_false=lambda: _printed((1, -1)),
    expects="needs-hypothesis",
)
