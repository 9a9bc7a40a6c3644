"""LNNet: shapes, evaluation in every arithmetic, padding, arrays."""

import math
from fractions import Fraction

import numpy as np
import pytest
from exact_evaluation import outputs
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions.algebraic import algebraic
from constructions.arithmetic import Exact, arithmetic_named
from constructions.errors import InputError, NonFiniteError, ShapeError
from constructions.network import Affine, LNNet
from constructions.points import LabeledPoints
from constructions.xor import figure1_network
from lnnet import build, certify

TWO_LAYERS = (Affine.of([[1, 2], [3, -1], [0, "1/3"]], [1, 0, 2]), Affine.of([[1, 0, -1]], ["1/7"]))


def test_depth_width_dimension_parameters():
    net = LNNet(TWO_LAYERS, ("a", "b"))
    assert (net.depth, net.width, net.dimension, net.parameters) == (1, 3, 2, 9 + 4)
    flat = LNNet((Affine.of([[1, 2]], [0]),), (0, 1))
    assert (flat.depth, flat.width, flat.parameters) == (0, 0, 3)


@pytest.mark.parametrize("name", ["exact", "dyadic", "mpf", "float64"])
@pytest.mark.parametrize("point", [(0, 0), (1, -2), ("1/3", 0.5)])
def test_evaluation_in_every_arithmetic(name, point):
    net = LNNet(TWO_LAYERS, (0, 1), epsilon="1/10")
    exact = LabeledPoints.of([point], [0]).points[0]
    (expected,) = outputs(net, exact)
    arithmetic = arithmetic_named(name)
    with arithmetic.work():
        (value,) = net.outputs(point, arithmetic)
        assert abs(float(value) - float(expected)) < 1e-14
        assert net.predict(point, arithmetic) == int(expected > 0)
    assert abs(float(net.outputs(point)[0]) - float(expected)) < 1e-14


def test_states_hold_every_step():
    net = figure1_network()
    states = net.states((0, 1), Exact())
    assert len(states) == 2
    before, after = states[0]
    assert sum(after[1:], after[0]) == 0
    assert sum((x * x for x in after[1:]), after[0] * after[0]) == 3  # |LN| = √n
    assert states[1][0] is states[1][1]
    centred = [x - sum(before[1:], before[0]) / 3 for x in before]
    assert all(x * after[0] == centred[0] * y for x, y in zip(centred, after, strict=True))


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=6, unique=True), st.data())
def test_padding_keeps_the_function(places, data):
    labels = data.draw(st.lists(st.integers(0, 1), min_size=len(places), max_size=len(places)))
    net = build(places, labels)
    if net.depth == 0:
        with pytest.raises(InputError, match="at least one LN"):
            net.padded(2)
        return
    padded = net.padded(net.depth + 3)
    assert (padded.depth, padded.width) == (net.depth + 3, net.width)
    assert certify(padded, places, labels)
    for p in [*places, Fraction(1, 3)]:
        point = LabeledPoints.of([p], [0]).points[0]
        assert all(abs(a - b) < 1e-60 for a, b in zip(outputs(net, point), outputs(padded, point), strict=True))


def test_padding_that_cannot_be():
    net = build([0, 1, 2], [0, 1, 0])
    assert net.padded(net.depth) is net
    for depth in (0, -1, 1 << 40):
        with pytest.raises(InputError):
            net.padded(depth)
    with pytest.raises(InputError, match="epsilon = 0"):
        LNNet(TWO_LAYERS, (0, 1), epsilon=1).padded(2)


@pytest.mark.parametrize(
    ("layers", "options", "error"),
    [
        ((), {}, ShapeError),
        ((TWO_LAYERS[0],), {}, ShapeError),
        ((TWO_LAYERS[1], TWO_LAYERS[1]), {}, ShapeError),
        (TWO_LAYERS, {"classes": (0, 1, 2)}, ShapeError),
        (TWO_LAYERS, {"classes": (0, 0)}, InputError),
        (TWO_LAYERS, {"classes": ()}, InputError),
        (TWO_LAYERS, {"readout": "argmax"}, ShapeError),
        (TWO_LAYERS, {"readout": "maximum"}, InputError),
        (TWO_LAYERS, {"readout": ["threshold"]}, InputError),
        (TWO_LAYERS, {"epsilon": -1}, InputError),
        (TWO_LAYERS, {"epsilon": float("nan")}, NonFiniteError),
        (TWO_LAYERS, {"semantics": "bfloat16"}, InputError),
        (TWO_LAYERS, {"semantics": "float64"}, InputError),  # 1/3 is no float
        ((Affine.of([[algebraic(2).sqrt()]], [0]),), {}, InputError),  # algebraic, not dyadic
    ],
)
def test_networks_that_are_none(layers, options, error):
    with pytest.raises(error):
        LNNet(layers, **{"classes": (0, 1), **options})


@pytest.mark.parametrize(
    ("weight", "bias"),
    [([], []), ([[]], [0]), ([[1], [1, 2]], [0, 0]), ([[1]], []), ([["x"]], [0]), ([[float("inf")]], [0])],
)
def test_affine_maps_that_are_none(weight, bias):
    with pytest.raises(InputError):
        Affine.of(weight, bias)


@pytest.mark.parametrize("number", [1, 0.1, "1", True, None])
def test_affine_maps_hold_exact_numbers_only(number):
    """Python numbers would be divided inexactly by whoever factors the matrix."""
    with pytest.raises(InputError, match=r"Affine\.of"):
        Affine(((number,),), (fmpq(0),))
    with pytest.raises(InputError, match=r"Affine\.of"):
        Affine(((fmpq(1),),), (number,))


def test_plain_arguments_become_exact_and_immutable():
    net = LNNet([Affine.of([[1.5]], [0])], ["a", "b"], epsilon=0.5)
    assert net.epsilon == fmpq(1, 2)
    assert isinstance(net.layers, tuple)
    assert isinstance(net.classes, tuple)
    with pytest.raises(AttributeError):
        net.epsilon = fmpq(0)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("value", "float32", "float64"),
    [
        (1, True, True),
        (2**127, True, True),
        (2**128, False, True),
        (Fraction(1, 2**149), True, True),
        (Fraction(1, 2**150), False, True),
        (Fraction(2**24 + 1), False, True),
        (Fraction(2**53 + 1), False, False),
        (Fraction(1, 2**1074), False, True),
        (Fraction(1, 2**1075), False, False),
        (Fraction(3, 2**1074), False, True),
        (2**1024, False, False),
        (2**1024 - 2**971, False, True),  # the largest double
        (2**1024 - 2**970, False, False),
        (Fraction(1, 3), False, False),
    ],
)
def test_float_semantics_mean_floats(value, float32, float64):
    layer = Affine.of([[value]], [0])
    for semantics, allowed in (("float32", float32), ("float64", float64)):
        if allowed:
            LNNet((layer,), (0, 1), semantics=semantics)
        else:
            with pytest.raises(InputError, match="not a float"):
                LNNet((layer,), (0, 1), semantics=semantics)


def test_arrays_hold_the_nearest_floats():
    net = LNNet((Affine.of([["1/3", "0.1"]], [algebraic(2).sqrt()]),), (0, 1), semantics="exact")
    ((weight, bias),) = net.to_numpy()
    assert weight.tolist() == [[1 / 3, 0.1]]
    assert bias.tolist() == [math.sqrt(2)]
    ((weight, bias),) = net.to_numpy(np.float32)
    assert (weight.dtype, bias.dtype) == (np.float32, np.float32)
    assert weight.tolist() == [[float(np.float32("0.333333333")), float(np.float32("0.1"))]]


@given(st.integers(2**24, 2**25 - 1), st.integers(-170, 60), st.sampled_from([1, -1]))
def test_float32_is_rounded_once(mantissa, exponent, direction):
    """Just off the middle of two float32 neighbours, where rounding to float64 first falls on the wrong one."""
    value = (Fraction(mantissa | 1) + direction * Fraction(1, 2**40)) * Fraction(2) ** exponent
    ((weight, _),) = LNNet((Affine.of([[value]], [0]),), (0, 1)).to_numpy(np.float32)
    found = Fraction(float(weight[0, 0]))
    below, above = (Fraction(float(np.nextafter(weight[0, 0], np.float32(s) * np.inf))) for s in (-1, 1))
    assert abs(found - value) <= min(abs(below - value), abs(above - value))


def test_numbers_beyond_float_are_an_error():
    with pytest.raises(NonFiniteError, match="overflows"):
        LNNet((Affine.of([["1e400"]], [0]),), (0, 1)).to_numpy()


def test_points_of_another_dimension():
    with pytest.raises(ShapeError, match="2 coordinates"):
        LNNet(TWO_LAYERS, (0, 1)).predict([1])


def test_display():
    net = figure1_network()
    assert repr(net) == "LNNet(R^2 -> 2 classes, depth 1, width 3, 13 parameters, exact)"
    assert "<table" in net._repr_html_()
    assert "LN" in net._repr_latex_()
    strange = LNNet((Affine.of([[1]], [0]),), ("<script>", "&"))
    assert "<script>" not in strange._repr_html_()


def test_targets_are_class_numbers_in_the_networks_order():
    net = build([0, 1, 2], ["b", "a", "c"])
    assert [net.classes[k] for k in net.targets(LabeledPoints.of([5, 6, 7], ["c", "c", "a"]))] == ["c", "c", "a"]
    with pytest.raises(InputError, match="'d'"):
        net.targets(LabeledPoints.of([0], ["d"]))
    with pytest.raises(ShapeError, match="1 coordinates"):
        net.targets(LabeledPoints.of([[0, 1]], ["a"]))
