"""A fold is what its layer does, in every arithmetic."""

from fractions import Fraction

import pytest
import sympy
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions.algebraic import algebraic
from constructions.arithmetic import Dyadic, Exact, arithmetic_named
from constructions.fold import Fold
from constructions.line import Line
from constructions.lowering import lower
from constructions.projection_merge import merging_fold
from constructions.spherical_projection import INTEGER, LEMMA1

numbers = st.fractions(min_value=-4, max_value=4, max_denominator=8)


def by_hand(fold, p):
    """gain·(u1·(p−s) + u2·c)/√((p−s)² + kappa·c²) in sympy."""
    s, c, u1, u2 = (sympy.Rational(int(v.p), int(v.q)) for v in (fold.shift, fold.scale, fold.u1, fold.u2))
    p = sympy.Rational(p.numerator, p.denominator)
    gain = sympy.sqrt(sympy.Rational(int(fold.frame.gain_squared.p), int(fold.frame.gain_squared.q)))
    return gain * (u1 * (p - s) + u2 * c) / sympy.sqrt((p - s) ** 2 + fold.frame.kappa * c**2)


@given(numbers, numbers, numbers.filter(lambda c: c > 0), numbers, numbers, st.sampled_from([LEMMA1, INTEGER]))
def test_the_ball_of_the_image_contains_it(p, s, c, u1, u2, frame):
    fold = Fold(*(fmpq(x.numerator, x.denominator) for x in (s, c, u1, u2)), frame)
    exact = by_hand(fold, p)
    for bits in (8, 60):
        arithmetic = Dyadic(bits)
        with arithmetic.work():
            image = fold.mapping(arithmetic)(arithmetic.enter(fmpq(p.numerator, p.denominator)))
            assert image.overlaps(arb(str(sympy.N(exact, 80)))) or image.contains(arb(str(sympy.N(exact, 80))))
    algebraic_fold = Fold(*(algebraic(x) for x in (s, c, u1, u2)), frame)
    image = algebraic_fold.mapping(Exact())(algebraic(p))
    assert sympy.simplify(image.to_sympy() - exact) == 0


@given(st.lists(numbers, min_size=2, max_size=2, unique=True).map(sorted))
def test_a_merging_fold_merges_and_is_even_about_the_middle(pair):
    left, right = (algebraic(x) for x in pair)
    fold = merging_fold(Exact(), left, right)
    image = fold.mapping(Exact())
    assert image(left) == image(right)
    assert image(left) * image(left) * 2 == 1  # both land on 1/√2
    assert image((left + right) / 2) == 1
    assert image(left - 1) < image(left)
    assert image(left - 1) == image(right + 1)


@pytest.mark.parametrize("name", ["exact", "dyadic", "mpf", "float64", "float32"])
def test_the_layer_of_a_network_is_the_fold(name):
    """Positions after a fold are those that the lowered network computes, to the arithmetic's accuracy."""
    arithmetic = arithmetic_named(name)
    points = [0, 1, Fraction(5, 2), 4]
    with arithmetic.work():
        line = Line.of(points, [0, 1, 0, 0], arithmetic)
        fold = merging_fold(arithmetic, line.clusters[0].position, line.clusters[2].position)
        after = line.after(fold)
        net = lower((fmpq(1),), [fold], after, (0, 1))
    image, one = fold.mapping(Exact()), net.layers[0].weight[0][0]
    assert one == fold.frame.inlet(fold.shift, fold.scale)[0][0]  # the line enters unscaled
    for p in points:
        hidden = net.states([p], Exact())[0][1]
        read = sum(
            (algebraic(w) * x for w, x in zip(fold.frame.outlet(fold.u1, fold.u2), hidden, strict=True)), algebraic(0)
        )
        assert abs(float(read) - float(image(algebraic(p)))) < 1e-14
        with arithmetic.work():  # and the line that the algorithm went on with holds that very place
            positions = [float(c.position) for c in after.clusters]
        assert min(abs(x - float(read)) for x in positions) < 1e-6
