"""The checker: its verdicts are true, and every enclosure encloses."""

import contextlib
import itertools
from fractions import Fraction
from unittest.mock import patch

import mpmath
import pytest
from exact_evaluation import layer_normalization, margin, outputs, real
from flint import arb, ctx, fmpq
from hypothesis import assume, example, given
from hypothesis import strategies as st

from constructions.algebraic import Algebraic, algebraic
from constructions.errors import DegenerateNormalizationError, InputError, ShapeError
from constructions.network import Affine, LNNet
from constructions.points import LabeledPoints
from lnnet import build
from proofs import checker
from proofs.checker import Ray, check, is_idle, rank_one
from proofs.checker_mpmath import check_with_mpmath

rationals = st.sampled_from(
    sorted({Fraction(n, d) for d in (1, 2, 3) for n in range(-9, 10)}, key=lambda x: (abs(x), x))
)


def q(value) -> fmpq:
    value = Fraction(value)
    return fmpq(value.numerator, value.denominator)


def matrices(rows, columns):
    return st.lists(st.lists(rationals, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


@st.composite
def affine_maps(draw, inputs, outputs):
    """Of rank one every other time, with zeros now and then."""
    if draw(st.booleans()):
        column, row = (draw(st.lists(rationals, min_size=n, max_size=n)) for n in (outputs, inputs))
        weight = [[a * b for b in row] for a in column]
    else:
        weight = draw(matrices(outputs, inputs))
    return Affine.of(weight, draw(st.lists(rationals, min_size=outputs, max_size=outputs)))


@st.composite
def networks(draw, max_depth=3):
    depth = draw(st.integers(0, max_depth))
    sizes = [draw(st.integers(1, 4)), *(draw(st.integers(2, 4)) for _ in range(depth))]
    classes = draw(st.sampled_from([("a", "b"), ("a",), ("a", "b", "c")]))
    readout = "threshold" if len(classes) == 2 and draw(st.booleans()) else "argmax"
    sizes.append(1 if readout == "threshold" else len(classes))
    layers = tuple(draw(affine_maps(n, k)) for n, k in itertools.pairwise(sizes))
    epsilon = draw(st.sampled_from([0, 0, "1e-5", 2]))
    return LNNet(layers, classes, readout, epsilon)


@st.composite
def balls(draw):
    """A ball and a rational inside."""
    middle, radius = (
        draw(rationals),
        draw(st.sampled_from([Fraction(0), Fraction(1, 2**40), Fraction(1, 8), Fraction(3)])),
    )
    part = draw(st.integers(-7, 7)) / Fraction(7)
    with ctx.workprec(200):
        ball = arb(q(middle)) + (arb(0, float(radius)) if radius else 0)
    return ball, middle + part * radius


def holds(ball, value) -> bool:
    """Whether a ball contains a number known to 100 digits (an unbounded ball contains everything)."""
    if not ball.is_finite():
        return True
    with ctx.workprec(500):
        return bool(ball.overlaps(arb(mpmath.nstr(value, 100)) + arb(0, 1e-90)))


@pytest.mark.parametrize("bits", [10, 64])
@given(balls(), balls(), balls())
def test_ball_operations_contain(bits, first, second, third):
    (a, x), (b, y), (c, z) = first, second, third
    with ctx.workprec(bits):
        found = {
            "sum": (a + b, x + y),
            "difference": (a - b, x - y),
            "product": (a * b, x * y),
            "opposite": (-a, -x),
            "minimum": (a.min(b), min(x, y)),
            "cube": (a**3, x**3),
            "with a rational": (a + q(y), x + y),
            "rational times": (q(y) * a, x * y),
            "dot": (checker._dot([a, b], [b, c], c), x * y + y * z + z),
        }
        if y:
            found["quotient"] = a / b, x / y
        roots = [a.sqrt(), a.rsqrt()] if x > 0 else []
        assert not arb(q(x)) < a.lower()
    with mpmath.workdps(120):
        for name, (ball, value) in found.items():
            assert holds(ball, real(q(value))), name
        for ball, power in zip(roots, (0.5, -0.5)):
            assert holds(ball, real(q(x)) ** power)


@pytest.mark.parametrize("bits", [12, 64])
@given(st.lists(rationals, min_size=2, max_size=4), st.data(), balls(), st.sampled_from(["0", "1/100000", "2"]))
@example([Fraction(1), Fraction(-1), Fraction(0)], None, (arb(0), Fraction(0)), "0")
def test_the_fused_rank_one_steps_contain(bits, column, data, ball_and_member, epsilon):
    """row·LN(a·p + b) for p in a ball: Ray.functional and Ray.vector against the neurons one by one."""
    n = len(column)
    if data is None:
        bias, row = [Fraction(3), Fraction(3), Fraction(0)], [Fraction(1, 2), Fraction(1, 2), Fraction(0)]
    else:
        bias, row = (data.draw(st.lists(rationals, min_size=n, max_size=n)) for _ in range(2))
        if data.draw(st.booleans()):  # a level read-off: orthogonal to the centred column
            mean = sum(column) / n
            row = [
                b * sum((a - mean) ** 2 for a in column) - (a - mean) * _product(column, bias)
                for a, b in zip(column, bias)
            ]
    ball, p = ball_and_member
    with mpmath.workdps(120):
        h = [real(q(a)) * real(q(p)) + real(q(b)) for a, b in zip(column, bias, strict=True)]
        normalized = layer_normalization(h, real(q(Fraction(epsilon))))
        try:
            with ctx.workprec(bits):
                ray = Ray([q(a) for a in column], [q(b) for b in bias], q(Fraction(epsilon)), 0)
                fused = ray.functional([q(w) for w in row])(ball)
                exact_input = ray.functional([q(w) for w in row])(q(p))
                vector = ray.vector()(ball)
        except DegenerateNormalizationError:
            assert normalized is None
            return
        assume(normalized is not None)
        value = mpmath.fdot([real(q(w)) for w in row], normalized)
        assert holds(fused, value)
        assert holds(exact_input, value)
        for enclosure, entry in zip(vector, normalized, strict=True):
            assert holds(enclosure, entry)


def _product(column, bias):
    """Scalar product of the centred vectors."""
    n = len(column)
    return sum(a * b for a, b in zip(column, bias)) - sum(column) * sum(bias) / n


@pytest.mark.parametrize("bits", [12, 64])
@given(st.data(), st.lists(balls(), min_size=2, max_size=4), st.sampled_from(["0", "1/100000", "2"]))
def test_the_plain_steps_contain(bits, data, pairs, epsilon):
    """Affine maps and LN neuron by neuron."""
    vector, members = [b for b, _ in pairs], [x for _, x in pairs]
    layer = data.draw(affine_maps(len(pairs), 3))
    with ctx.workprec(bits):
        after = checker._affine(layer)(vector)
        scalar = checker._scalar(layer.weight[0])(vector)
        line = checker._line([row[0] for row in layer.weight], layer.bias)(vector[0])
        normalized = None
        if not all(v.rad() == 0 for v in vector):  # equal exact entries raise, as tested below
            normalized = checker._normalize(q(Fraction(epsilon)), 0)(vector)
    with mpmath.workdps(120):
        x = [real(q(v)) for v in members]
        weight = [[real(w) for w in row] for row in layer.weight]
        for k, row in enumerate(weight):
            assert holds(after[k], mpmath.fdot(row, x) + real(layer.bias[k]))
            assert holds(line[k], row[0] * x[0] + real(layer.bias[k]))
        assert holds(scalar, mpmath.fdot(weight[0], x))
        expected = layer_normalization(x, real(q(Fraction(epsilon))))
        if normalized is not None and expected is not None:
            for enclosure, value in zip(normalized, expected, strict=True):
                assert holds(enclosure, value)


@given(networks(), st.data(), st.sampled_from([8, 64]))
def test_verdicts_are_true_and_the_checkers_agree(net, data, first_bits):
    points = data.draw(matrices(data.draw(st.integers(1, 3)), net.dimension))
    points = list(dict.fromkeys(map(tuple, points)))
    labelled = LabeledPoints.of(points, [data.draw(st.sampled_from(net.classes)) for _ in points])
    values = [outputs(net, point) for point in labelled.points]
    if None in values:
        for judge in (check, check_with_mpmath):
            with contextlib.suppress(DegenerateNormalizationError):
                assert judge(net, labelled, max_bits=256).outcome != "certified"
        return
    margins = [margin(net, value, label) for value, label in zip(values, labelled.labels, strict=True)]
    with patch.object(checker, "_FIRST_BITS", first_bits), patch.object(checker, "_MARGIN_BITS", 200):
        verdict, second = check(net, labelled, max_bits=2048), check_with_mpmath(net, labelled, max_bits=2048)
    if margins[0] is None:
        assert verdict.outcome == second.outcome == "certified"
        assert verdict.margin is None
        return
    tiny = mpmath.mpf(10) ** -60
    if min(margins) > tiny:
        assert verdict.outcome == second.outcome == "certified"
        assert 0 < real(verdict.margin) <= min(margins)
        if first_bits == 64:
            assert real(verdict.margin) > min(margins) * 0.999
            assert margins[verdict.tightest] < min(margins) * 1.001
        assert 0 < real(second.margin) <= min(margins)
    elif min(margins) < -tiny:
        assert verdict.outcome == second.outcome == "refuted"
        assert margins[verdict.point] < tiny
        assert margins[second.point] < tiny
    else:  # on the boundary, as far as 60 digits show
        assert verdict.outcome in ("refuted", "undecided")
        assert second.outcome in ("refuted", "undecided")


@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_rank_one_is_exact(rows, columns, data):
    layer = data.draw(affine_maps(columns, rows))
    factors = rank_one(layer)
    minors = [
        layer.weight[i][k] * layer.weight[j][l] - layer.weight[i][l] * layer.weight[j][k]
        for i in range(rows)
        for j in range(i)
        for k in range(columns)
        for l in range(k)  # noqa: E741
    ]
    assert (factors is not None) == all(minor == 0 for minor in minors)
    if factors is not None:
        column, row = factors
        assert [[a * b for b in row] for a in column] == [list(x) for x in layer.weight]


def threshold(*layers, epsilon=0, classes=(0, 1)):
    return LNNet(tuple(Affine.of(w, b) for w, b in layers), classes, epsilon=epsilon)


PLAIN = threshold(([[1]], [0]))


def test_zero_matrices_are_of_rank_one():
    assert rank_one(Affine.of([[0, 0], [0, 0]], [1, 2])) == ((0, 0), (0, 0))
    blind = threshold(([[0], [0], [0]], [1, 2, 4]), ([[0, 0, 0]], [1]))
    assert check(blind, LabeledPoints.of([5, 6], [1, 1]))
    with pytest.raises(DegenerateNormalizationError):
        check(threshold(([[0], [0]], [3, 3]), ([[1, 0]], [0])), LabeledPoints.of([5], [1]))


def test_the_boundary_itself_is_refuted():
    for label in (0, 1):
        for judge in (check, check_with_mpmath):
            assert judge(PLAIN, LabeledPoints.of([0], [label])).outcome == "refuted"
    tie = LNNet((Affine.of([[1], [1]], [0, 0]),), (0, 1), "argmax")
    for judge in (check, check_with_mpmath):
        assert judge(tie, LabeledPoints.of([3], [0])).outcome == "refuted"


@pytest.mark.parametrize("judge", [check, check_with_mpmath])
def test_undecided_at_the_limit_and_decided_beyond(judge):
    root2 = algebraic(2).sqrt()
    net = LNNet((Affine.of([[root2]], [-root2 + algebraic(Fraction(1, 2**300))]),), (0, 1), semantics="exact")
    one = LabeledPoints.of([1], [1])
    assert judge(net, one, max_bits=128).outcome == "undecided"
    assert judge(net, one, max_bits=128).bits == 128
    assert judge(net, one, max_bits=1024).outcome == "certified"
    assert judge(net, LabeledPoints.of([1], [0]), max_bits=1024).outcome == "refuted"


@pytest.mark.parametrize("judge", [check, check_with_mpmath])
def test_an_algebraic_boundary_is_never_decided_by_a_small_radius(judge):
    root2, root3, root6 = (algebraic(n).sqrt() for n in (2, 3, 6))
    net = LNNet((Affine.of([[root2 * root3]], [-root6]),), (0, 1), semantics="exact")
    for label in (0, 1):
        assert judge(net, LabeledPoints.of([1], [label]), max_bits=512).outcome in ("undecided", "refuted")


@pytest.mark.parametrize("judge", [check, check_with_mpmath])
def test_undefined_numbers_decide_nothing(judge):
    undefined = Algebraic("sqrt", (algebraic(-2),))  # not made by `sqrt`, which refuses
    net = LNNet((Affine.of([[undefined]], [5]),), (0, 1), semantics="exact")
    for label in (0, 1):
        assert judge(net, LabeledPoints.of([1], [label]), max_bits=256).outcome == "undecided"


@pytest.mark.parametrize("judge", [check, check_with_mpmath])
def test_equal_coordinates_into_an_ln(judge):
    meets = threshold(([[1, 0], [0, 1], [1, 0]], [0, 0, 0]), ([[1, 0, 0]], [1]))
    with pytest.raises(DegenerateNormalizationError, match="LN layer 1"):
        judge(meets, LabeledPoints.of([[2, 2]], [1]))
    pointed = threshold(([[1], [-1]], [-1, 1]), ([[1, 0]], [0]))
    with pytest.raises(DegenerateNormalizationError):
        judge(pointed, LabeledPoints.of([1], [1]))
    with pytest.raises(DegenerateNormalizationError):
        judge(threshold(([[1], [-1]], [-1, 1]), ([[1, 1]], [1])), LabeledPoints.of([1], [1]))
    assert judge(pointed, LabeledPoints.of([2], [1]))
    smoothed = threshold(([[1, 0], [0, 1], [1, 0]], [0, 0, 0]), ([[1, 0, 0]], [1]), epsilon="1e-5")
    assert judge(smoothed, LabeledPoints.of([[2, 2]], [1]))  # LN gives 0, the output is 1
    root2 = algebraic(2).sqrt()
    hidden = LNNet((Affine.of([[root2], [root2]], [0, 0]), Affine.of([[1, 0]], [9])), (0, 1), semantics="exact")
    assert judge(hidden, LabeledPoints.of([1], [1]), max_bits=256).outcome == "undecided"


@pytest.mark.parametrize("judge", [check, check_with_mpmath])
@pytest.mark.parametrize("constants", [1, 2])
def test_constant_layers_hide_no_undefined_ln(judge, constants):
    first = ([[1], [0], [0], [-1]], [0, 1, -1, 0])  # LN takes (1, 1, -1, -1) to itself, by way of irrational numbers,
    second = ([[1, 0, 0, 0], [0] * 4, [-1, 0, 0, 0]], [-1, 0, 1])  # and so the second LN meets zeros, but no ball is 0
    net = threshold(first, second, *[([[0] * 3] * 3, [1, 0, -1])] * constants, ([[1, 0, 0]], [0]))
    with contextlib.suppress(DegenerateNormalizationError):
        assert judge(net, LabeledPoints.of([1], [1]), max_bits=256).outcome == "undecided"
    assert judge(net, LabeledPoints.of([2], [1]))


@pytest.mark.parametrize("judge", [check, check_with_mpmath])
def test_epsilon_changes_verdicts(judge):
    layers = ([[1], [-1]], [0, 0]), ([[1, 0]], [Fraction(-1, 2)])
    point = LabeledPoints.of([Fraction(1, 10)], [1])
    assert judge(threshold(*layers), point)  # LN gives (1, −1)
    assert judge(threshold(*layers, epsilon=1), point).outcome == "refuted"  # about 0.0995


@pytest.mark.parametrize("judge", [check, check_with_mpmath])
def test_unusable_arguments(judge):
    with pytest.raises(ShapeError, match="takes 1 coordinates"):
        judge(PLAIN, LabeledPoints.of([[1, 2]], [0]))
    with pytest.raises(InputError, match="not among the network's classes"):
        judge(PLAIN, LabeledPoints.of([1], [7]))
    for bits in (1, 0, -5):
        with pytest.raises(InputError, match="max_bits"):
            judge(PLAIN, LabeledPoints.of([1], [1]), max_bits=bits)


def test_a_verdict_names_the_point_of_the_input():
    points = LabeledPoints.of([1, 1, 2, -3], [1, 1, 1, 1])
    verdict = check(PLAIN, points)
    assert verdict.outcome == "refuted"
    assert verdict.point == 2  # the third distinct point
    assert "Point 3 " in verdict.reason  # row 3 of the input
    assert "Point 3 " in check_with_mpmath(PLAIN, points).reason


def test_a_floor_must_be_reached_too():
    points = LabeledPoints.of([1, 2], [1, 1])
    assert check(PLAIN, points, floor=q("0.5"))
    assert check(PLAIN, points, floor=q(2)).outcome == "refuted"


def test_progress_is_reported_and_the_single_class_has_no_boundary():
    seen = []
    single = LNNet((Affine.of([[1]], [0]),), ("only",), "argmax")
    verdict = check(
        single, LabeledPoints.of([1, 2, 3], ["only"] * 3), watch=lambda done, total: seen.append((done, total))
    )
    assert seen == [(1, 3), (2, 3), (3, 3)]
    assert (verdict.outcome, verdict.margin) == ("certified", None)
    assert bool(verdict)


def test_the_working_precision_is_left_as_it_was():
    with ctx.workprec(77):
        check(PLAIN, LabeledPoints.of([1], [1]))
        assert ctx.prec == 77
    before = mpmath.iv.prec
    check_with_mpmath(PLAIN, LabeledPoints.of([1], [1]))
    assert mpmath.iv.prec == before


def test_identity_layers_cost_nothing():
    """LN of an output of LN is that output, so padding takes no precision; and other layers are not skipped."""
    points = LabeledPoints.of(range(9), [0, 1, 0, 0, 1, 1, 0, 1, 0])
    net = build(points, method="pma")
    plain, padded = check(net, points), check(net.padded(400), points)
    assert (padded.outcome, padded.bits, padded.margin) == ("certified", plain.bits, plain.margin)
    wrong = points.relabel([1, *points.labels[1:]])
    assert check(net.padded(400), wrong).outcome == "refuted"
    identity = Affine.of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 0])
    layers = (net.layers[0], identity, net.layers[-1])
    assert is_idle(LNNet(layers, (0, 1)), 1)
    for number in (0, 2):
        assert not is_idle(LNNet(layers, (0, 1)), number)
    square = LNNet((identity, identity, Affine.of([[1, 0, 0]], [0])), (0, 1))
    assert not is_idle(square, 0)  # what enters the first map is no output of an LN
    assert not is_idle(LNNet(layers, (0, 1), epsilon=fmpq(1, 2)), 1)


@given(
    st.integers(0, 2), st.integers(0, 3), st.sampled_from([fmpq(0), fmpq(2), fmpq(-1), fmpq(1, 3)]), st.integers(1, 3)
)
def test_almost_identity_layers_are_no_identity(row, column, value, layer):
    points = LabeledPoints.of([0, 1, 2, 5], [0, 1, 0, 1])
    net = build(points, method="pma", depth=6)
    layers = list(net.layers)
    number = net.depth - layer
    weight, bias = [list(r) for r in layers[number].weight], list(layers[number].bias)
    if column < 3:
        weight[row][column] = value
    else:
        bias[row] = value
    layers[number] = Affine.of(weight, bias)
    changed = LNNet(tuple(layers), net.classes)
    assert net.layers[number].outputs == net.layers[number].inputs == 3
    assert is_idle(changed, number) == (value == (row == column))
    with contextlib.suppress(DegenerateNormalizationError):
        assert check(changed, points).outcome == check_with_mpmath(changed, points).outcome
