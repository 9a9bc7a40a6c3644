import random
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions.rational import to_rational
from proofs.ieee_rounding import FLOAT32, FLOAT64, FORMATS, Unbounded, affine_error, normalization_error
from tests.ieee_evaluations import chan, dot, machines, moments, normalized, tree, welford


@pytest.fixture(autouse=True)
def precise():
    with ctx.workprec(192), mpmath.workprec(300):
        yield


def real(x):
    """An mpmath or numpy number as an exact ball."""
    return arb(to_rational(x))


@given(st.fractions() | st.fractions().map(lambda q: q / 2**140), st.sampled_from(["float32", "float64"]))
def test_rounding_to_a_format_is_numpys(value, dtype):
    wide = Fraction(float(value))
    rounded = FORMATS[dtype].round(to_rational(wide))
    assert rounded == to_rational(np.dtype(dtype).type(float(wide)))


@given(st.integers(-(2**60), 2**60), st.integers(-1140, -1000))
def test_subnormal_float64_values_round_to_even(mantissa, exponent):
    value = Fraction(mantissa) * Fraction(2) ** exponent
    assert FLOAT64.round(to_rational(value)) == to_rational(float(value))  # Python rounds fractions correctly


@pytest.mark.parametrize("f", FORMATS.values(), ids=FORMATS)
def test_the_largest_value_and_the_first_that_overflows(f):
    huge = np.finfo(f.name).max
    step = fmpq(2) ** (f.largest - f.bits)
    assert f.round(to_rational(huge)) == to_rational(huge)
    assert f.round(to_rational(huge) + step / 2 - 1) == to_rational(huge)
    assert f.round(to_rational(huge) + step / 2) is None


def rows(rng, n):
    """Rows from harmless to ill-conditioned."""
    spread, centre = 2.0 ** rng.randint(-6, 6), rng.choice((0, 0, 1, -3, 30)) * rng.random()
    places = [1, *(rng.uniform(-1, 1) for _ in range(n - 2)), -1][:n]
    return [float(np.float32(spread * (centre + v))) for v in places]


@pytest.mark.parametrize("seed", range(40))
def test_affine_errors_stay_within_the_bound(seed):
    rng = random.Random(seed)
    n = rng.choice((1, 2, 3, 3, 5, 9))
    weights = [rng.choice((0.0, 1.0, -0.5, rng.uniform(-2, 2))) for _ in range(n)]
    weights, x, bias = ([float(np.float32(v)) for v in part] for part in (weights, rows(rng, n), rows(rng, 1)))
    nonzero = sorted(((w, v) for w, v in zip(weights, x) if w), key=lambda p: abs(mpmath.frexp(p[0])[0]) == 0.5)
    free = sum(abs(mpmath.frexp(w)[0]) == 0.5 for w, _ in nonzero)
    products = [real(w) * real(v) for w, v in nonzero]
    total = sum(products, real(bias[0]))
    bound = affine_error(FLOAT32, products, free, real(bias[0]) if bias[0] else None, total)
    worst = 0
    for m in machines("float32", seed):
        row, point, offset = ([m.dtype(v) for v in part] for part in (weights, x, bias))
        for _ in range(30):
            error = abs(real(dot(row, point, offset[0], m)) - total)
            assert error <= bound
            worst = max(worst, float(error / bound)) if bound > 0 else worst
    assert n < 3 or worst > 0.05  # the bound is not idle


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_normalization_errors_stay_within_the_bound(seed, dtype):
    rng = random.Random(seed)
    n = rng.choice((2, 3, 3, 3, 4, 7, 16))
    h = rows(rng, n)
    epsilon = to_rational(np.float32(rng.choice((0, 0, 1e-5, 0.25))))
    exact = [real(v) for v in h]
    mean = sum(exact, arb(0)) / n
    c = [v - mean for v in exact]
    s = (sum((v * v for v in c), arb(0)) / n + epsilon).sqrt()
    bound = normalization_error(FORMATS[dtype], exact, c, mean, s, epsilon)
    z = [v / s for v in c]
    allowed = [abs(v) * bound.scale + bound.shift + own for v, own in zip(z, bound.own)]
    for m in machines(dtype, seed):
        row = [m.dtype(v) for v in h]
        for _ in range(25):
            for v, w, room in zip(normalized(row, m.enter(epsilon), m), z, allowed):
                assert abs(real(v) - w) <= room
            # The outputs' mean meets the shared shift and their own errors, but not the scale: z sums to zero.
            total = sum((real(v) for v in normalized(row, m.enter(epsilon), m)), arb(0))
            assert abs(total) <= bound.shift * n + sum(bound.own, arb(0))


def test_every_algorithm_is_exercised_and_its_mean_and_variance_are_right():
    rng = random.Random(1)
    (m, *_) = machines("float64", 1)
    h = [np.float64(v) for v in rows(rng, 6)]
    for algorithm in (welford, chan):
        mean, squares = algorithm(h, m)
        assert mean == pytest.approx(np.mean(h))
        assert squares == pytest.approx(6 * np.var(h))
    assert tree(h, m) == pytest.approx(np.sum(h))
    assert moments(h, m)[1] == pytest.approx(np.var(h))


@pytest.mark.parametrize("h", [[1.0, 1.0, 1.0], [1e-20, 0.0, 0.0], [1e20, -1e20, 0.0], [1.0, 1.0, 1.0000001]])
def test_float32_rows_without_a_useful_bound_are_refused(h):
    exact = [real(np.float32(v)) for v in h]
    mean = sum(exact, arb(0)) / 3
    c = [v - mean for v in exact]
    s = (sum((v * v for v in c), arb(0)) / 3).sqrt()
    with pytest.raises(Unbounded):
        normalization_error(FLOAT32, exact, c, mean, s, fmpq(0))


def test_a_tenth_of_the_bound_would_not_hold():
    """The fuzz would notice a bound that is too small: a tenth of it is exceeded."""
    rng, exceeded = random.Random(3), 0
    for seed in range(30):
        h = rows(rng, 3)
        exact = [real(v) for v in h]
        mean = sum(exact, arb(0)) / 3
        c = [v - mean for v in exact]
        s = (sum((v * v for v in c), arb(0)) / 3).sqrt()
        bound = normalization_error(FLOAT32, exact, c, mean, s, fmpq(0))
        for m in machines("float32", seed):
            computed = normalized([m.dtype(v) for v in h], m.dtype(0), m)
            exceeded += any(
                abs(real(v) - w / s) > (abs(w / s) * bound.scale + bound.shift + own) / 10
                for v, w, own in zip(computed, c, bound.own)
            )
    assert exceeded > 5
