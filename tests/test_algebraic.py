"""Exact reals: structure, equality against sympy, and never a wrong answer."""

import random
from fractions import Fraction

import mpmath
import pytest
import sympy
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions import algebraic as module
from constructions.algebraic import ZERO, Algebraic, algebraic, compare
from constructions.errors import InputError, UndecidedError

ROOT2, ROOT3, ROOT5, ROOT6, ROOT29 = (algebraic(n).sqrt() for n in (2, 3, 5, 6, 29))


@st.composite
def expressions(draw, depth=4):
    """The same number twice: as `Algebraic` and as a sympy expression."""
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        value = draw(st.fractions(min_value=-5, max_value=5, max_denominator=6))
        return algebraic(value), sympy.Rational(value.numerator, value.denominator)
    a, b = draw(expressions(depth - 1))
    kind = draw(st.sampled_from(["add", "sub", "mul", "div", "sqrt", "sqrt"]))
    if kind == "sqrt":
        if mpmath.mpf(sympy.N(b, 30)) < 0:
            a, b = -a, -b
        return a.sqrt(), sympy.sqrt(b)
    c, d = draw(expressions(depth - 1))
    if kind == "div":
        if abs(sympy.N(d, 30)) < 1e-20:
            return a, b
        return a / c, b / d
    return {"add": (a + c, b + d), "sub": (a - c, b - d), "mul": (a * c, b * d)}[kind]


def contains(ball: arb, expression: sympy.Expr) -> bool:
    with ctx.workprec(400):
        return bool(ball.overlaps(arb(str(sympy.N(expression, 110)))))


@given(expressions())
def test_balls_contain_the_number(pair):
    number, expression = pair
    for bits in (20, 64, 200):
        with ctx.workprec(bits):
            assert contains(number.ball(), expression)


@given(expressions(3), expressions(3))
def test_comparison_agrees_with_sympy(first, second):
    (a, x), (b, y) = first, second
    difference = sympy.N(x - y, 60)
    if abs(difference) > 1e-40:
        assert compare(a, b) == (1 if difference > 0 else -1)
    else:
        equal = sympy.minimal_polynomial(x - y, sympy.Symbol("z")) == sympy.Symbol("z")
        assert (compare(a, b) == 0) == equal


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (lambda: ROOT2 * ROOT3, lambda: ROOT6),
        (lambda: (5 + 2 * ROOT6).sqrt(), lambda: ROOT2 + ROOT3),
        (lambda: (3 - 2 * ROOT2).sqrt(), lambda: ROOT2 - 1),
        (lambda: 1 / (ROOT2 - 1), lambda: ROOT2 + 1),
        (lambda: (ROOT2 + ROOT3) * (ROOT3 - ROOT2), lambda: algebraic(1)),
        (  # Shanks's identity
            lambda: (11 + 2 * ROOT29).sqrt() + (16 - 2 * ROOT29 + 2 * (55 - 10 * ROOT29).sqrt()).sqrt(),
            lambda: ROOT5 + (22 + 2 * ROOT5).sqrt(),
        ),
        (lambda: algebraic(8).sqrt(), lambda: 2 * ROOT2),
        (lambda: (1 + ROOT5) / 2 * ((1 + ROOT5) / 2), lambda: (1 + ROOT5) / 2 + 1),
    ],
)
def test_hidden_equalities_are_proved_by_the_separation_bound(left, right):
    a, b = left(), right()
    z = sympy.Symbol("z")
    assert sympy.minimal_polynomial(a.to_sympy() - b.to_sympy(), z) == z
    assert a == b
    assert not a < b
    assert a <= b
    assert (a - b).sign() == 0


@pytest.mark.parametrize("bits", [60, 200, 1000, 3000, 6000])
def test_near_equality_is_not_equality(bits):
    tiny = algebraic(Fraction(1, 2**bits))
    assert ROOT2 * ROOT3 + tiny > ROOT6
    assert ROOT6 - tiny < ROOT2 * ROOT3
    assert ROOT2 * ROOT3 + tiny != ROOT6


def sum_of_roots(order):
    total = algebraic(0)
    for n in order:
        total = total + algebraic(n).sqrt()
    return total


def test_undecided_is_honest(monkeypatch):
    primes = [n for n in range(2, 200) if sympy.isprime(n)][:45]
    a = sum_of_roots(primes)
    b = sum_of_roots(reversed(primes))  # equal, but by a law the rules do not know, and of degree up to 2^90
    monkeypatch.setattr(module, "MAX_BITS", 1 << 13)
    with pytest.raises(UndecidedError, match="8192 bits"):
        compare(a, b)
    with pytest.raises(UndecidedError):
        bool(a == b)
    assert a + algebraic(Fraction(1, 2**5000)) > b  # apart, though beyond the bits where equality is suspected


@given(st.integers(0, 10**9))
def test_separation_bound_never_exceeds_a_nonzero_number(seed):
    generator = random.Random(seed)
    a = algebraic(0)
    for _ in range(3):
        a = a + generator.randint(-9, 9) * algebraic(Fraction(generator.randint(1, 30), generator.randint(1, 5))).sqrt()
    if generator.random() < 0.5:
        a = a / (generator.randint(1, 5) + ROOT3)
    value = sympy.N(a.to_sympy(), 200)
    if abs(value) > 1e-150:
        assert abs(value) > sympy.Rational(1, 2) ** module._separation_bits(a)


def test_rationals_stay_rationals():
    a, b = algebraic("1/3"), algebraic(2)
    for value, expected in ((a + b, fmpq(7, 3)), (a - b, fmpq(-5, 3)), (a * b, fmpq(2, 3)), (a / b, fmpq(1, 6))):
        assert value.value == expected
    assert algebraic("4/9").sqrt().value == fmpq(2, 3)
    assert (ROOT2 * ROOT2).value == 2
    assert (ROOT2 - ROOT2).value == 0
    assert (ROOT2 * 0).value == 0


def test_mixed_arithmetic_with_plain_numbers():
    assert 1 + ROOT2 - 1 == ROOT2
    assert 2 / ROOT2 == ROOT2
    assert 3 - ROOT2 > 1
    assert Fraction(1, 10) == "0.1" + ROOT2 * 0
    assert abs(1 - ROOT2) == ROOT2 - 1
    assert -ROOT2 < 0 < ROOT2
    assert ROOT2 != "text"
    assert ROOT2.__eq__(object()) is NotImplemented


def test_what_is_undefined():
    with pytest.raises(InputError, match="real square root"):
        algebraic(-1).sqrt()
    with pytest.raises(InputError, match="real square root"):
        (ROOT2 - 2).sqrt()
    with pytest.raises(ZeroDivisionError):
        ROOT2 / 0
    with pytest.raises(ZeroDivisionError):
        1 / (ROOT2 * ROOT3 - ROOT6)
    assert (ROOT2 * ROOT3 - ROOT6).sqrt() == ZERO
    with pytest.raises(TypeError, match="hashable"):
        hash(ROOT2)


@pytest.mark.parametrize(
    "grow", [lambda x: x + x, lambda x: x * x, lambda x: (x * x + 1).sqrt(), lambda x: x - 1 / (x + 1)]
)
def test_equality_of_shared_expressions_takes_no_exponential_time(grow):
    a, b = ROOT2 + 1, algebraic(2).sqrt() + 1
    for _ in range(38):
        a, b = grow(a), grow(b)
    assert a == b


def test_expressions_may_be_deep():
    x = ROOT2
    for _ in range(5000):
        x = 1 / (1 + x)
    golden = (ROOT5 - 1) / 2
    assert abs(float(x) - float(golden)) < 1e-15


def test_float_is_right_despite_cancellation():
    many = sum_of_roots(range(2, 40))
    assert float((many + Fraction(1, 2**300)) - sum_of_roots(range(2, 40))) == 2.0**-300
    assert float(algebraic("1/3")) == 1 / 3


def test_nodes_are_listed_once_and_after_their_arguments():
    x = (ROOT2 + 1) * (ROOT2 + 1)
    nodes = list(x.nodes())
    positions = {id(node): k for k, node in enumerate(nodes)}
    assert len(positions) == len(nodes)
    assert all(positions[id(a)] < positions[id(node)] for node in nodes for a in node.arguments)


@given(expressions())
def test_fold_and_sympy_keep_the_value(pair):
    number, expression = pair
    assert abs(sympy.N(number.to_sympy() - expression, 50)) < 1e-40
    operations = {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "div": lambda a, b: a / b,
        "sqrt": mpmath.sqrt,
    }
    with mpmath.workdps(60):
        value = number.fold(lambda q: mpmath.mpf(int(q.p)) / int(q.q), operations)
        assert mpmath.almosteq(value, mpmath.mpmathify(sympy.N(expression, 60)), abs_eps=mpmath.mpf(10) ** -20)


def test_display():
    assert repr(ROOT2) == "Algebraic(1.41421356237)"
    assert "sqrt{2}" in ROOT2._repr_latex_()


def test_an_undefined_number_never_compares():
    undefined = Algebraic("sqrt", (algebraic(-2),))  # what `sqrt` refuses to make
    with pytest.raises(UndecidedError):
        compare(undefined, ROOT2)
