"""A tilted fold means the same in every arithmetic: the read-off (u1, u2) is that of Lemma 1's frame."""

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions.arithmetic import Exact, arithmetic_named

SMALL = st.integers(-9, 9)


def _values(name, shift, scale, u1, u2, points):
    arithmetic = arithmetic_named(name) if name == "float64" else arithmetic_named(name, 80)
    with arithmetic.work():
        fold = arithmetic.fold(arithmetic.enter(shift), arithmetic.enter(scale), u1, u2)
        images = [arithmetic.middle(fold.mapping(arithmetic)(arithmetic.enter(p))) for p in points]
        return [int(x.p) / int(x.q) for x in images]


@pytest.mark.parametrize("name", ["dyadic", "float64", "mpf"])
@given(shift=SMALL, scale=st.integers(1, 9), u1=SMALL, u2=SMALL)
def test_folds_agree_up_to_a_factor(name, shift, scale, u1, u2):
    if u1 == u2 == 0:
        return
    points = [fmpq(p) for p in (-7, -2, 0, 1, 5)]
    exact = Exact()
    fold = exact.fold(fmpq(shift), fmpq(scale), fmpq(u1), fmpq(u2))
    expected = [float(fold.mapping(exact)(exact.enter(p))) for p in points]
    found = _values(name, fmpq(shift), fmpq(scale), fmpq(u1), fmpq(u2), points)
    k = max(range(len(points)), key=lambda i: abs(expected[i]))
    factor = found[k] / expected[k]
    assert factor > 0
    assert found == pytest.approx([factor * x for x in expected], rel=1e-9, abs=1e-9 * abs(found[k]))
