import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions.arithmetic import Exact
from constructions.network import LNNet
from constructions.points import LabeledPoints
from constructions.rational import to_rational
from constructions.wedges import Wedges, best_factor, margins, wedges
from proofs.checker import check
from proofs.interval_filter import (
    Intervals,
    add,
    certified_margins,
    enclose_balls,
    exactly,
    multiply,
    root,
    square,
    subtract,
)

numbers = st.floats(-1e6, 1e6, allow_nan=False) | st.sampled_from([0.0, 5e-324, -5e-324, 1e-300, 1e308, -1e308])


def interval(x, width):
    return Intervals(np.array([x]), np.array([x + abs(width)]))


def contains(box, value):
    return to_rational(float(box.lower[0])) <= value <= to_rational(float(box.upper[0]))


@given(numbers, numbers, numbers, numbers, st.fractions(0, 1, max_denominator=9), st.fractions(0, 1, max_denominator=9))
def test_every_operation_contains_the_exact_result(x, y, w, v, s, t):
    """Rationals drawn from both intervals: their exact sum, difference, product and square lie in the results."""
    first, second = interval(x, w), interval(y, v)
    if not np.isfinite([*first.upper, *second.upper]).all():
        return
    a, b = (
        to_rational(float(box.lower[0])) * (1 - to_rational(u)) + to_rational(float(box.upper[0])) * to_rational(u)
        for box, u in ((first, s), (second, t))
    )
    with np.errstate(all="ignore"):
        results = ((add, a + b), (subtract, a - b), (multiply, a * b))
        for operation, exact in results:
            box = operation(first, second)
            if np.isfinite([*box.lower, *box.upper]).all():
                assert contains(box, exact), operation.__name__
        box = square(first)
        if np.isfinite(box.upper).all():
            assert contains(box, a * a)
            assert box.lower[0] >= 0


@given(st.fractions(0, 10**9))
def test_root_contains_the_exact_root(q):
    low = float(q)
    box = root(Intervals(np.nextafter([low], -np.inf), np.nextafter([low], np.inf)))
    below, above = (to_rational(float(end[0])) for end in box)
    assert below >= 0
    assert below * below <= to_rational(q) <= above * above


def test_balls_are_enclosed():
    with ctx.workprec(200):
        balls = [arb(2).sqrt(), arb(1) / 3, arb(0), arb("1.5 +/- 0.25")]
        box = enclose_balls([balls])
        for k, ball in enumerate(balls):
            assert ball > arb(float(box.lower[0, k]))
            assert ball < arb(float(box.upper[0, k]))
    assert not np.isfinite(enclose_balls([[arb("nan")]])).all()


layer = st.lists(st.integers(-40, 40), min_size=3, max_size=3)


@given(
    st.lists(st.tuples(layer, layer, st.booleans()), min_size=1, max_size=4),
    st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=5, unique=True),
    st.data(),
)
def test_certified_means_the_checker_certifies(rows, points, data):
    """The same layers as networks: what the filter certifies the checker certifies, with no smaller margin."""
    first, second = (np.array([row[k] for row in rows], float) for k in (0, 1))
    layers = wedges(first / 8, second / 8, np.array([row[2] for row in rows]))
    labels = np.array(
        [data.draw(st.lists(st.integers(0, 1), min_size=len(points), max_size=len(points))) for _ in rows]
    )
    bounds = certified_margins(layers, exactly(np.array(points, float)), labels)
    for k in range(len(rows)):
        net = LNNet(layers.affines(k), (0, 1))
        labelled = LabeledPoints.of(points, labels[k].tolist())
        if bounds[k] > 0:
            verdict = check(net, labelled)
            assert verdict.outcome == "certified"
            assert to_rational(float(bounds[k])) <= verdict.margin * fmpq(1000001, 1000000)
        elif not np.isnan(bounds[k]) and bounds[k] < -1e-9:
            assert check(net, labelled).outcome == "refuted"


def test_wide_inputs_certify_nothing():
    layers = wedges(np.array([[1.0, 0.0, 1.0]]), np.array([[0.0, 1.0, 1.0]]), np.array([False]))
    narrow, wide = (Intervals(np.array([[1 - w, 1 - w]]), np.array([[1 + w, 1 + w]])) for w in (1e-9, 3.0))
    labels = np.array([[1]])
    assert certified_margins(layers, narrow, labels)[0] > 0.4
    assert not certified_margins(layers, wide, labels)[0] > 0
    assert not certified_margins(layers, narrow, 1 - labels)[0] > 0
    corner = exactly(np.array([[-1.0, -1.0]]))  # both functions vanish: LN is undefined
    for label in (0, 1):
        assert not certified_margins(layers, corner, np.array([[label]]))[0] > 0
    huge = wedges(np.full((1, 3), 1e300), np.full((1, 3), 1e300), np.array([False]))
    assert not certified_margins(huge, exactly(np.array([[1e300, 1e300]])), labels)[0] > 0


def test_an_output_on_both_sides_certifies_neither_label():
    """h1 = x + 1 straddles 0 while h2 = 1: the AND is open, and so are both labels, though LN is defined."""
    layers = wedges(np.array([[1.0, 0.0, 1.0]]), np.array([[0.0, 1.0, 1.0]]), np.array([False]))
    box = Intervals(np.array([[-1.1, 0.0]]), np.array([[-0.9, 0.0]]))
    for label in (0, 1):
        bound = certified_margins(layers, box, np.array([[label]]))[0]
        assert bound < 0


def test_tiny_spreads_are_left_open():
    """The same directions, scaled by 2^−10 and by 2^−420, where a processor might flush differences to zero."""
    labels = np.array([[1]])
    for scale, decided in ((2.0**-10, True), (2.0**-420, False)):
        forms = np.array([[scale, 0.0, scale]])
        layers = wedges(forms, forms[:, [1, 0, 2]], np.array([False]))
        assert bool(certified_margins(layers, exactly(np.array([[1.0, 1.0]])), labels)[0] > 0.4) == decided


def test_a_square_reaches_down_to_zero():
    assert square(Intervals(np.array([-1.0]), np.array([2.0]))).lower[0] == 0
    assert square(Intervals(np.array([-3.0]), np.array([-2.0]))).lower[0] == pytest.approx(4)


def test_margins_are_those_of_the_definition():
    """(h1 + h2)/|h| at (3, 4) is 7/5."""
    assert margins(np.array([3.0]), np.array([4.0]), np.array([False]))[0] == pytest.approx(0.4)
    assert margins(np.array([3.0]), np.array([4.0]), np.array([True]))[0] == pytest.approx(2.4)
    assert margins(np.zeros(1), np.zeros(1), np.array([True]))[0] in (0.0, 1.0)
    factor, least = best_factor(np.array([[1.0, 2.0]]), np.array([[1000.0, 2000.0]]), np.array([False]))
    assert 1 / 2048 <= factor[0] <= 1 / 512
    assert least[0] > 0.3


def test_a_batch_is_exact():
    """Weights go into a network as the floats they are."""
    layers = Wedges(
        np.array([[[0.1], [0.2], [0.3]]]), np.array([[1.0, 2.0, 4.0]]), np.array([1.0, -1.0, 0.0]), np.ones(1)
    )
    before, after = layers.affines(0)
    assert before.weight[0][0] == to_rational(0.1)
    assert after.bias == (1,)
    assert LNNet((before, after), (0, 1)).outputs([0], Exact())
