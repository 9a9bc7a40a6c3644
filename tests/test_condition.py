"""The condition against finite differences in mpmath, and what it promises."""

import random
from dataclasses import replace

import mpmath
import pytest
from exact_evaluation import margin, outputs, real
from flint import fmpq
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import hostile_points

from constructions.algebraic import Algebraic, algebraic
from constructions.network import Affine, LNNet
from constructions.points import LabeledPoints
from constructions.rational import round_to_bits
from lnnet import build_certified, certify
from proofs.checker import check
from proofs.condition import bits_lost, bits_lost_at

#: A relative change of one weight, and digits that resolve its square.
TINY, DIGITS = fmpq(1, 10**60), 400


def random_points(m, classes, seed, dimension=2):
    generator = random.Random(seed)
    rows = [[fmpq(generator.randrange(1 << 20), 1 << 20) for _ in range(dimension)] for _ in range(m)]
    return LabeledPoints.of(rows, [generator.randrange(classes) for _ in range(m)])


def changed(value):
    return value * algebraic(1 + TINY) if isinstance(value, Algebraic) else value * (1 + TINY)


def variants(net):
    """The network with every weight and bias in turn changed by a relative TINY."""
    for number, layer in enumerate(net.layers):
        for i in range(layer.outputs):
            for k in range(layer.inputs + 1):
                weight, bias = [list(row) for row in layer.weight], list(layer.bias)
                if k < layer.inputs:
                    weight[i][k] = changed(weight[i][k])
                else:
                    bias[i] = changed(bias[i])
                other = Affine(tuple(map(tuple, weight)), tuple(bias))
                if other != layer:
                    semantics = "exact" if net.semantics == "exact" else "dyadic"
                    layers = (*net.layers[:number], other, *net.layers[number + 1 :])
                    yield replace(net, layers=layers, semantics=semantics)


def by_differences(net, points, k):
    """log2 of the sum of all |changes of the margin|, over TINY and the margin."""

    def of(some):
        return margin(some, outputs(some, points.points[k], DIGITS), points.labels[k])

    with mpmath.workdps(DIGITS):
        here = of(net)
        total = mpmath.fsum(abs(of(other) - here) for other in variants(net)) / real(TINY)
        return float(mpmath.log(total / here, 2))


@pytest.mark.parametrize(
    ("classes", "options"),
    [
        (2, {"method": "pma"}),
        (3, {"method": "chord"}),
        (2, {"method": "double"}),
        (2, {"method": "shallow"}),
        (4, {"method": "wide", "width": 5, "depth": 3}),
        (2, {"method": "pma", "arithmetic": "exact"}),
        (2, {"method": "pma", "arithmetic": "float32"}),
        (2, {"method": "pma", "epsilon": "1/2"}),
        (2, {"method": "double", "depth": 7}),
        (2, {"method": "pma", "depth": 9}),
    ],
)
def test_the_condition_is_the_sum_of_all_sensitivities(classes, options):
    points = random_points(7, classes, seed=4)
    if options["method"] == "double":  # more than five runs, or nothing is merged
        points = LabeledPoints.of([k * k + 7 * k for k in range(7)], [k % 2 for k in range(7)])
    built = build_certified(points, **options)
    net = built.network
    assert net.depth > 0
    expected = [by_differences(net, points, k) for k in range(len(points))]
    for k, value in enumerate(expected):
        assert bits_lost_at(net, points, [k]) == pytest.approx(value, abs=0.01)
    assert built.certificate.bits_lost == pytest.approx(max(expected), abs=0.01)  # few points: all are looked at
    assert built.condition == built.certificate.condition == built.certificate.bits_lost / net.depth


@given(hostile_points(max_points=5, max_classes=3), st.sampled_from(["pma", "chord"]))
def test_hostile_points(points, method):
    built = build_certified(points, method=method)
    lost = built.certificate.bits_lost
    if len(points.classes) == 1:
        assert lost is None
        return
    assert lost >= 0
    assume(lost < 300)  # else the differences need more digits
    assert lost == pytest.approx(max(by_differences(built.network, points, k) for k in range(len(points))), abs=0.01)


@given(st.integers(4, 20), st.integers(2, 4), st.integers(0, 10**6))
def test_nothing_of_the_checkers_precision_is_in_it(m, classes, seed):
    points = random_points(m, classes, seed)
    net = build_certified(points, method="pma").network
    values = [bits_lost_at(net, points, range(m), bits=bits) for bits in (16, 100, 777)]
    assert values[0] == pytest.approx(values[1], abs=0.005)
    assert values[0] == pytest.approx(values[2], abs=0.005)


@given(st.integers(4, 16), st.sampled_from(["pma", "double", "shallow"]), st.integers(0, 10**6))
def test_weights_rounded_to_a_few_bits_more_still_work(m, method, seed):
    """p = bits lost + 4: the margins move by a sixteenth to first order, so the rounded network is right as well."""
    points = random_points(m, 2, seed)
    built = build_certified(points, method=method)
    assume(len(points.classes) == 2)
    net = built.network
    lost = bits_lost_at(net, points, range(m))
    bits = int(lost) + 5
    layers = tuple(
        Affine(
            tuple(tuple(round_to_bits(w, bits) for w in row) for row in layer.weight),
            tuple(round_to_bits(b, bits) for b in layer.bias),
        )
        for layer in net.layers
    )
    assert check(replace(net, layers=layers), points).outcome == "certified"


def test_scales_do_not_matter():
    points = random_points(12, 2, seed=1)
    net = build_certified(points, method="pma").network
    lost = bits_lost(net, points, check(net, points))
    first, *middle, last = net.layers
    scaled = replace(net, layers=(times(first, fmpq(1, 1000)), *middle, times(last, fmpq(7))))
    assert bits_lost(scaled, points, check(scaled, points)) == pytest.approx(lost, abs=0.005)


def times(layer, factor):
    return Affine(tuple(tuple(w * factor for w in row) for row in layer.weight), tuple(b * factor for b in layer.bias))


def test_a_thousand_idle_layers_cost_ten_bits_at_most():
    """Each adds the rounding of one output of LN: the sum grows linearly, its logarithm by log2(1000) at most."""
    points = random_points(6, 2, seed=4)
    net = build_certified(points, method="pma").network
    padded = net.padded(net.depth + 1000)
    plain, idle = (bits_lost_at(n, points, range(6)) for n in (net, padded))
    assert plain < idle < plain + 10


def test_where_there_is_no_condition():
    points = LabeledPoints.of([0, 1, 2], [0, 1, 0])
    net = build_certified(points).network
    refuted = certify(net, points.relabel([1, 1, 0]))
    assert (refuted.verdict, refuted.bits_lost, refuted.condition) == ("refuted", None, None)
    single = certify(LNNet((Affine.of([[1]], [0]),), ("a",), readout="argmax"), [1], ["a"])
    assert (single.verdict, single.bits_lost, single.condition) == ("certified", None, None)
    flat = certify(LNNet((Affine.of([[1]], [0]),), (0, 1)), [1], [1])
    assert (flat.bits_lost, flat.condition) == (0.0, None)
