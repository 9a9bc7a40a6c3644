"""The arithmetics: order, grouping, rounding, cuts."""

from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions.algebraic import algebraic
from constructions.arithmetic import FLOAT32, FLOAT64, Dyadic, Exact, Mpf, arithmetic_named
from constructions.errors import InputError, UnrepresentableError
from constructions.rational import to_rational

EVERY = ("exact", "dyadic", "mpf", "float64", "float32")
places = st.lists(st.integers(-50, 50).map(lambda n: Fraction(n, 7)), min_size=1, max_size=8)


def rational(value):
    return fmpq(value.numerator, value.denominator)


@pytest.mark.parametrize("name", EVERY)
@given(places)
def test_groups_are_sorted_and_equal_places_share_one(name, values):
    arithmetic = arithmetic_named(name)
    with arithmetic.work():
        groups = arithmetic.groups([arithmetic.enter(rational(v)) for v in values])
    distinct = sorted(set(values))
    assert [{values[k] for k in group} for group in groups] == [{v} for v in distinct]
    assert sorted(k for group in groups for k in group) == list(range(len(values)))


@pytest.mark.parametrize("name", EVERY)
@given(places.filter(lambda x: len(set(x)) > 1))
def test_a_cut_falls_strictly_between(name, values):
    low, high = sorted(set(values))[:2]
    arithmetic = arithmetic_named(name)
    with arithmetic.work():
        cut = arithmetic.between(arithmetic.enter(rational(low)), arithmetic.enter(rational(high)))
    cut = cut.value if name == "exact" else cut
    assert low < Fraction(int(cut.p), int(cut.q)) < high


@given(st.integers(0, 400), st.integers(1, 9), st.booleans())
def test_exact_cuts_between_neighbours(bits, numerator, irrational):
    """Gaps of a last place or less, at which the bounds of a ball round onto each other."""
    low = algebraic(2).sqrt() if irrational else algebraic(numerator)
    high = low + algebraic(Fraction(1, 2**bits))
    cut = Exact().between(low, high)
    assert low < cut < high
    assert cut.value is not None


@given(st.fractions(min_value=-(10**6), max_value=10**6), st.integers(2, 70))
def test_rounded_weights_are_short(value, bits):
    for arithmetic in (Dyadic(bits), Mpf(bits)):
        weight = arithmetic.round(rational(value))
        mantissa = abs(int(weight.p))
        while mantissa and mantissa % 2 == 0:
            mantissa //= 2
        assert mantissa.bit_length() <= bits
        assert abs(Fraction(int(weight.p), int(weight.q)) - value) <= abs(value) / 2**bits


@pytest.mark.parametrize(("arithmetic", "largest", "smallest"), [(FLOAT64, 1024, -1022), (FLOAT32, 128, -126)])
def test_floats_outside_the_normal_range_are_refused(arithmetic, largest, smallest):
    assert arithmetic.round(fmpq(1) * 2 ** (largest - 1)) == 2 ** (largest - 1)
    assert arithmetic.round(fmpq(1, 2**-smallest)) == fmpq(1, 2**-smallest)
    assert arithmetic.round(fmpq(0)) == 0
    for value in (fmpq(2**largest), fmpq(2**largest - 1), fmpq(1, 2 ** (1 - smallest))):
        with pytest.raises(UnrepresentableError, match=arithmetic.name):
            arithmetic.round(value)


@given(*[st.fractions(min_value=-8, max_value=8, max_denominator=50)] * 2, st.fractions(min_value="1/50", max_value=8))
def test_a_dyadic_fold_has_the_weights_of_its_layer(shift, u, scale):
    """Rounding happens to the layer's own entries; the fold is read back from them exactly."""
    arithmetic = Dyadic(40)
    with arithmetic.work():
        fold = arithmetic.fold(*(arithmetic.enter(rational(x)) for x in (shift, scale, u)), arithmetic.enter(fmpq(1)))
    _, bias = fold.frame.inlet(fold.shift, fold.scale)
    row = fold.frame.outlet(fold.u1, fold.u2)
    for weight in (*bias, *row):
        assert arithmetic.round(weight) == weight
    assert abs(Fraction(int(fold.shift.p), int(fold.shift.q)) - shift) < Fraction(1, 2**30)


@given(st.integers(0, 60), st.integers(-5, 5))
def test_distinct_close_and_hull(bits, place):
    arithmetic = Dyadic(64)
    with arithmetic.work():
        left = arithmetic.enter(fmpq(place) + fmpq(1, 3))
        right = left + arb(2) ** -bits
        size = abs(left) + abs(right)
        assert arithmetic.distinct(left, right) == (arb(2) ** -bits > size * arb(2) ** -32)
        assert arithmetic.close(left, right) == (arb(2) ** -bits < size * arb(2) ** -48)
        hull = arithmetic.hull([left, right])
        assert hull.contains(left)
        assert hull.contains(right)
    assert not Exact().close(algebraic(0), algebraic(Fraction(1, 2**999)))
    assert Exact().distinct(algebraic(0), algebraic(Fraction(1, 2**999)))


def test_overlapping_balls_are_one_group():
    arithmetic = Dyadic(64)
    wide = [arb(0, 1), arb(1.5, 1), arb(5, 1), arb(2, 0.25)]
    assert [set(g) for g in arithmetic.groups(wide)] == [{0, 1, 3}, {2}]


def test_the_working_precision_is_restored():
    with ctx.workprec(77):
        for name in EVERY:
            with arithmetic_named(name).work():
                pass
        assert ctx.prec == 77


@pytest.mark.parametrize(
    ("name", "bits"),
    [("decimal", None), ("exact", 64), ("float64", 53), ("dyadic", 1), ("mpf", 0), ("dyadic", 1 << 30)],
)
def test_unknown_or_senseless(name, bits):
    with pytest.raises(InputError):
        arithmetic_named(name, bits)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("value", ["1/3", 0.1, 7, Fraction(-2, 9)])
def test_positions_enter_exactly_or_enclosed(name, value):
    arithmetic = arithmetic_named(name)
    exact = to_rational(value)
    with arithmetic.work():
        position = arithmetic.enter(exact)
        middle = arithmetic.middle(position)
    if name == "exact":
        assert position.value == exact
    else:
        assert abs(middle - exact) <= abs(exact) / 2**60
