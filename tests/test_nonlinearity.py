"""H(f; x): closed forms against differentiation, exact against balls, jets against sympy."""

import math
from fractions import Fraction

import pytest
import sympy
from flint import arb, fmpq
from hypothesis import assume, given
from hypothesis import strategies as st

from constructions.algebraic import algebraic
from constructions.errors import DegenerateNormalizationError, InputError, ShapeError
from constructions.network import Affine, LNNet
from constructions.xor import figure1_network
from lnnet.building import build
from proofs.jets import variables
from proofs.nonlinearity import (
    exact_nonlinearity_of_network,
    nonlinearity,
    nonlinearity_of_layer_norm,
    nonlinearity_of_network,
    nonlinearity_ratio,
    normalize_in_groups,
    ratio_table,
    smallest_ratio,
)


def by_differentiation(point, groups):
    def run(x, sqrt):
        return normalize_in_groups(x, groups, algebraic, sqrt)

    return nonlinearity(run, [algebraic(v) for v in point], lambda v: v.sqrt())


@given(st.lists(st.integers(-4, 4), min_size=3, max_size=6), st.integers(1, 3))
def test_lemmas_12_and_13_agree_with_exact_differentiation(point, groups):
    assume(len(point) % groups == 0)
    size = len(point) // groups
    assume(all(len(set(point[i : i + size])) > 1 for i in range(0, len(point), size)))
    closed = nonlinearity_of_layer_norm(point, groups)
    with_balls = nonlinearity(
        lambda x, sqrt: normalize_in_groups(x, groups, arb, sqrt), [arb(v) for v in point], lambda v: v.sqrt()
    )
    assert with_balls.contains(arb(closed))
    assert with_balls.rad() < 1e-6


@pytest.mark.parametrize(("point", "groups"), [((0, 1, 3), 1), ((0, 1, 5, 2), 2), ((1, 2, 4, 0, 0, 3), 2)])
def test_lemmas_12_and_13_exactly(point, groups):
    assert by_differentiation(point, groups) == algebraic(nonlinearity_of_layer_norm(point, groups))


def test_jets_agree_with_sympy():
    x, y = sympy.symbols("x y", positive=True)
    formula = sympy.sqrt(x * y + 1) / (x - 3 * y) - 2 / y
    at = {x: sympy.Rational(7, 2), y: sympy.Rational(1, 3)}
    a, b = variables([sympy.Rational(7, 2), sympy.Rational(1, 3)])
    jet = (a * b + 1).sqrt(sympy.sqrt) / (a - 3 * b) - 2 * (1 + b * 0) / b
    assert sympy.simplify(jet.value - formula.subs(at)) == 0
    for i, u in enumerate((x, y)):
        assert sympy.simplify(jet.gradient[i] - formula.diff(u).subs(at)) == 0
        for k, v in enumerate((x, y)):
            assert sympy.simplify(jet.hessian[i][k] - formula.diff(u, v).subs(at)) == 0


def test_an_affine_map_is_not_nonlinear():
    net = LNNet((Affine.of([[1, 2], [3, 4]], [5, 6]),), ("a", "b"), "argmax")
    assert nonlinearity_of_network(net, [1, 1]) == 0
    assert exact_nonlinearity_of_network(net, [1, 1]) == algebraic(0)


def test_a_whole_network_exactly_and_with_balls():
    net = figure1_network()
    exact = exact_nonlinearity_of_network(net, ["1/3", "1/5"])
    ball = nonlinearity_of_network(net, ["1/3", "1/5"], bits=200)
    assert ball.overlaps(exact.ball())
    # Figure 1's network is p ↦ (1/2)/√(p² + 1/4) at p = (x − y)/√2, and a read-out of slope ±1: H = f''(p)².
    p = (1 / 3 - 1 / 5) / math.sqrt(2)
    second = 0.5 * (2 * p * p - 0.25) / (p * p + 0.25) ** 2.5
    assert float(ball.mid()) == pytest.approx(second**2, rel=1e-12)


def test_a_deep_network_against_finite_differences():
    net = build([[0, 0], [0, 1], [1, 0], [1, 1], [3, 1]], [0, 1, 1, 0, 1])
    point, h = [0.3, 0.8], 1e-4

    def f(x, y):
        return float(net.outputs([Fraction(x), Fraction(y)])[0])

    x, y = point
    xx = (f(x + h, y) - 2 * f(x, y) + f(x - h, y)) / h**2
    yy = (f(x, y + h) - 2 * f(x, y) + f(x, y - h)) / h**2
    xy = (f(x + h, y + h) - f(x + h, y - h) - f(x - h, y + h) + f(x - h, y - h)) / (4 * h**2)
    assert float(nonlinearity_of_network(net, point).mid()) == pytest.approx(xx**2 + yy**2 + 2 * xy**2, rel=1e-4)


def test_the_ratio_and_its_infimum():
    assert nonlinearity_ratio([0, 1, 2, 0, 1, 2], 2) == smallest_ratio(6, 2) == 1
    assert nonlinearity_ratio([0, 1, 2, 0, 2, 4], 2) > 1
    assert nonlinearity_ratio([0, 1, 0, 1], 2) == 0  # pairs: LN-G is locally constant
    assert smallest_ratio(256, 64) == fmpq(64 * 128, 254)


@given(st.integers(3, 40))
def test_the_table_confirms_proposition_8(d):
    for row in ratio_table([d]):
        assert (row.smallest >= 1) == row.covered
        assert (row.smallest == 1) == (row.groups == 1 or (row.d, row.groups) == (6, 2))
        if 4 * row.groups == d:
            assert row.smallest > fmpq(d, 8)
            assert row.best


def test_errors():
    with pytest.raises(InputError, match="divide"):
        nonlinearity_of_layer_norm([1, 2, 3], 2)
    with pytest.raises(DegenerateNormalizationError):
        nonlinearity_of_layer_norm([1, 2, 5, 5], 2)
    with pytest.raises(InputError, match="at least 3"):
        nonlinearity_ratio([1, 2], 1)
    with pytest.raises(ShapeError):
        nonlinearity_of_network(figure1_network(), [1])
    net = LNNet((Affine.of([[1], [1], [-2]], [0, 0, 0]), Affine.of([[1, 0, 0]], [0])), ("a", "b"))
    with pytest.raises(DegenerateNormalizationError):
        nonlinearity_of_network(net, [0])
