"""Lemma 1, exact, for several d."""

import pytest
import sympy
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions.algebraic import algebraic
from constructions.arithmetic import Exact
from constructions.errors import InputError
from constructions.network import layer_normalization
from constructions.spherical_projection import INTEGER, LEMMA1, helmert_matrix, lemma1_maps

EXACT = Exact()


def dot(x, y):
    return sum((a * b for a, b in zip(x, y, strict=True)), algebraic(0))


@pytest.mark.parametrize("d", [2, 3, 4, 5, 8])
def test_q_is_orthogonal_with_the_lemmas_last_column(d):
    q = helmert_matrix(d)
    for i in range(d):
        assert q[i][d - 1] * q[i][d - 1] * d == 1
        assert q[i][d - 1] > 0
        for k in range(d):
            assert dot(q[i], q[k]) == (1 if i == k else 0)


@pytest.mark.parametrize("d", [3, 4])
def test_sp_is_phi2_ln_phi1(d):
    phi1, phi2 = lemma1_maps(d)
    points = [[(-1) ** k * (k + 1) for k in range(d - 1)], [0] * (d - 2) + [-3], [fmpq(1, k + 2) for k in range(d - 1)]]
    for x in ([algebraic(v) for v in point] for point in points):
        z = [dot(row, x) for row in phi1]
        normalized = layer_normalization(z, EXACT.enter, EXACT.sqrt)
        norm = dot(x, x).sqrt()
        for row, v in zip(phi2, x, strict=True):
            assert dot(row, normalized) == v / norm


@given(st.lists(st.integers(-9, 9), min_size=3, max_size=5).filter(any))
def test_the_lemma_in_sympy(x):
    """The same identity with no code of ours but the two matrices."""
    d = len(x) + 1
    phi1, phi2 = (sympy.Matrix([[v.to_sympy() for v in row] for row in phi]) for phi in lemma1_maps(d))
    z = phi1 * sympy.Matrix(x)
    centred = z - sympy.ones(d, 1) * sum(z) / d
    normalized = sympy.sqrt(d) * centred / sympy.sqrt(centred.dot(centred))
    difference = phi2 * normalized - sympy.Matrix(x) / sympy.sqrt(sum(v * v for v in x))
    assert sympy.simplify(sympy.expand(difference)) == sympy.zeros(d - 1, 1)


@pytest.mark.parametrize("frame", [LEMMA1, INTEGER], ids=lambda frame: frame.name)
def test_a_frame_makes_a_fold_of_an_ln(frame):
    """outlet·LN(inlet(p)) = gain·(u1·(p−s) + u2·c)/√((p−s)² + κc²), symbolically."""
    p, s, u1, u2 = sympy.symbols("p s u1 u2", real=True)
    c = sympy.symbols("c", positive=True)
    weights = [sympy.Rational(2, 5), sympy.Rational(7, 3), sympy.Rational(-1, 2), sympy.Rational(3, 4)]
    column, bias = frame.inlet(*(fmpq(int(w.p), int(w.q)) for w in weights[:2]))
    row = frame.outlet(*(fmpq(int(w.p), int(w.q)) for w in weights[2:]))
    column, bias, row = ([_sympy(v) for v in part] for part in (column, bias, row))
    h = [a * p + b for a, b in zip(column, bias, strict=True)]
    mean = sum(h) / 3
    deviation = sympy.sqrt(sum((v - mean) ** 2 for v in h) / 3)
    value = sum(r * (v - mean) for r, v in zip(row, h, strict=True)) / deviation
    gain = sympy.sqrt(_sympy(frame.gain_squared))
    expected = gain * (u1 * (p - s) + u2 * c) / sympy.sqrt((p - s) ** 2 + frame.kappa * c**2)
    expected = expected.subs(dict(zip((s, c, u1, u2), weights, strict=True)))
    assert sympy.simplify(sympy.expand(value**2 - expected**2)) == 0  # and the signs agree:
    assert all(abs(sympy.N((value - expected).subs(p, v), 40)) < 1e-30 for v in (-5, 0, sympy.Rational(1, 3), 9))


def _sympy(value):
    return value.to_sympy() if hasattr(value, "to_sympy") else sympy.Rational(int(value.p), int(value.q))


@pytest.mark.parametrize("d", [0, 1, -3])
def test_q_needs_two_dimensions(d):
    with pytest.raises(InputError, match="at least 2"):
        helmert_matrix(d)


@pytest.mark.parametrize("d", [2, 1])
def test_the_lemma_needs_three(d):
    with pytest.raises(InputError, match="at least 3"):
        lemma1_maps(d)
