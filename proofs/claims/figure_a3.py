"""Figure A3: the three cases of Lemma 11's proof, and the sign of b."""

from __future__ import annotations

import sympy

from proofs.claim import Claim, Finding, Step, amend, conclude
from proofs.claims.lemma_11 import polynomial

# One configuration a case: (p_i, p_j, p_s, p_t).
_SPACE = ((0, 0, 0), (0, 1, 0), (0, 0, 1), (2, 0, 0))
_PLANE = ((0, 0), (1, 2), (1, -1), (4, 0))
_LINE = ((0, 0), (1, 0), (2, 0), (3, 0))


def _opposite(points: tuple[tuple[int, ...], ...], sign: int) -> tuple[bool, str]:
    """Cases 1 and 2 with b = sign · (p_i + p_t)/2: is the angle between h_i and h_t π, and the other one not?"""
    i, j, s, t = (sympy.Matrix(p) for p in points)
    b = sign * (i + t) / 2
    hi, hj, hs, ht = (p + b for p in (i, j, s, t))
    straight = hi.dot(ht) < 0 and hi.dot(ht) ** 2 == hi.dot(hi) * ht.dot(ht)
    bent = hj.dot(hs) ** 2 < hj.dot(hj) * hs.dot(hs)
    nonzero = polynomial(hi, ht, hj, hs) != 0
    return bool(straight and bent and nonzero), f"b = {tuple(b)}: h_i = {tuple(hi)}, h_t = {tuple(ht)}"


def _cases(sign: int) -> Finding:
    space, plane = _opposite(_SPACE, sign), _opposite(_PLANE, sign)
    i, j, s, t = (sympy.Matrix(p) for p in _LINE)
    centre, radius = (i + t) / 2, sympy.Rational(3, 2)
    origin = centre + radius * sympy.Matrix([sympy.Rational(3, 5), sympy.Rational(4, 5)])  # on the circle over p_i p_t
    b = sign * origin
    hi, hj, hs, ht = (p + b for p in (i, j, s, t))
    right = hi.dot(ht) == 0 and hj.dot(hs) != 0
    return conclude(
        Step(
            f"Case 1, not coplanar: b = {'−' if sign < 0 else ''}(p_i + p_t)/2 makes ∠h_iOh_t = π and ∠h_jOh_s < π.",
            space[0],
            detail=f"points {_SPACE}, {space[1]}",
        ),
        Step("Case 2, coplanar, not collinear: likewise.", plane[0], detail=f"points {_PLANE}, {plane[1]}"),
        Step(
            "Case 3, collinear: O on the circle over p_ip_t but not on that over p_jp_s makes ∠h_iOh_t = π/2 and "
            "∠h_jOh_s ≠ π/2.",
            bool(right),
            detail=f"points {_LINE}, b = {tuple(b)}: h_i·h_t = {hi.dot(ht)}, h_j·h_s = {hj.dot(hs)}",
        ),
        counterexample=f"points {_SPACE} (p_i, p_j, p_s, p_t), {space[1]}: the angle is not π" if sign > 0 else None,
    )


CLAIM = Claim(
    key="figure-a3",
    title="Figure A3",
    where="Appendix D.5",
    statement=(
        "In the three cases of Lemma 11's proof the b given there, $b=(p_i+p_t)/2$ in case 1, makes exactly one of "
        "the angles special."
    ),
    hypotheses=("h = p + b (equation 151)",),
    check=lambda: amend(
        _cases(1),
        _cases(-1),
        "b = −(p_i + p_t)/2, and in the other cases minus the point of the segment or circle: the new origin is −b, "
        "not b, when h = p + b. (Case 3 must also keep b off the four points.)",
    ),
    false_statement="The cases with b itself as the new origin, as printed.",
    check_false=lambda: _cases(1),
    expects="repaired",
)
