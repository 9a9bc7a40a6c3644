"""Symbolic sums over coordinates, against sums over actual coordinates."""

import sympy
from hypothesis import given
from hypothesis import strategies as st

from proofs.index_sums import IJ, IK, JK, XI, XJ, XK, d, sum_over_i, sum_over_j_and_k

EXPONENTS = st.tuples(*[st.integers(0, 2)] * 3, *[st.integers(0, 1)] * 3)
#: A vector with sum 0 and sum of squares 4: the normalised coordinates of some point of R^4.
HAT = [sympy.Integer(1), sympy.Integer(-1), sympy.Integer(1), sympy.Integer(-1)]
POWERS = {sympy.Symbol(f"p_{n}"): sum(x**n for x in HAT) for n in range(3, 9)}


@given(EXPONENTS, st.integers(0, 3))
def test_monomials(exponents, i):
    a, b, c, ij, ik, jk = exponents
    monomial = XI**a * XJ**b * XK**c * IJ**ij * IK**ik * JK**jk
    total = sum(
        monomial.subs({XI: HAT[i], XJ: HAT[j], XK: HAT[k], IJ: int(i == j), IK: int(i == k), JK: int(j == k)})
        for j in range(4)
        for k in range(4)
    )
    assert sum_over_j_and_k(monomial).subs({XI: HAT[i], d: 4, **POWERS}) == total


@given(st.integers(0, 6))
def test_sums_over_one_index(exponent):
    assert sum_over_i(3 * XI**exponent).subs({d: 4, **POWERS}) == 3 * sum(x**exponent for x in HAT)
