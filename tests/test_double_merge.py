import itertools

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import hostile_points

from constructions.arithmetic import Dyadic, Exact, Mpf
from constructions.double_merge import double_merge_network, merge_twice
from constructions.errors import InputError, UndecidedError, UnrepresentableError
from constructions.line import Line
from constructions.look_choice import best_looks
from constructions.points import LabeledPoints
from constructions.sight import first_sight, later_sight
from lnnet import build, build_certified
from lnnet.methods import METHODS
from proofs.checker import check
from proofs.checker_mpmath import check_with_mpmath


def promised(m):
    return max(1, -(-(m - 1) // 2))


@st.composite
def labelled_lines(draw, most=9):
    positions = draw(st.lists(st.fractions(-9, 9, max_denominator=5), min_size=1, max_size=most, unique=True))
    labels = draw(st.lists(st.integers(0, 1), min_size=len(positions), max_size=len(positions)))
    return LabeledPoints.of(positions, labels)


@given(labelled_lines())
def test_half_as_deep_as_theorem_2(points):
    net = double_merge_network(points)
    assert net.width == 3
    assert net.depth <= promised(len(points))
    assert check(net, points).outcome == "certified"
    assert check_with_mpmath(net, points).outcome == "certified"


@given(st.data())
def test_points_that_floating_point_cannot_tell_apart(data):
    """Scales from 10^6 down to 10^-24 in one set: the pairs of the proof take over, and the depth is the same."""
    count = data.draw(st.integers(6, 12))
    numbers = st.builds(lambda n, k: fmpq(n, 10**k), st.integers(-(10**6), 10**6), st.sampled_from([0, 8, 30]))
    positions = sorted(set(data.draw(st.lists(numbers, min_size=count, max_size=count))))
    labels = data.draw(st.lists(st.integers(0, 1), min_size=len(positions), max_size=len(positions)))
    if data.draw(st.booleans()):
        labels = [k % 2 for k in range(len(positions))]
    points = LabeledPoints.of(positions, labels)
    net = double_merge_network(points, arithmetic=Dyadic(4096))
    assert net.depth <= promised(len(points))
    assert check(net, points).outcome == "certified"


def test_one_cluster_among_far_points():
    """Seven points within 10^-19 and one far off: undecided with few bits, certified with enough."""
    points = LabeledPoints.of([*(fmpq(k, 10**20) for k in range(7)), 1], [k % 2 for k in range(8)])
    with pytest.raises(UndecidedError, match="raise the precision"):
        double_merge_network(points, arithmetic=Dyadic(128))
    net = double_merge_network(points)
    assert net.depth == 4
    assert check(net, points).outcome == "certified"
    exact = double_merge_network(points, arithmetic=Exact())
    assert check(exact, points).outcome == "certified"


def test_a_point_out_of_sight_is_noticed():
    """V = Y − 1/2 is negative at the far end of the conic, where U/V would name the opposite point."""
    arithmetic = Exact()
    sight = later_sight([[fmpq(1), fmpq(0), fmpq(0)], [fmpq(0), fmpq(1), fmpq(-1, 2)]], arithmetic)
    image = sight.image(arithmetic)
    assert image(arithmetic.enter(fmpq(0))) == 0
    with pytest.raises(UndecidedError, match="half-plane"):
        image(arithmetic.enter(fmpq(9)))


@pytest.mark.parametrize("m", [6, 7, 8, 9, 11, 13, 15])
def test_alternating_labels_on_uneven_points(m):
    """The labelling with most runs: m − 1 changes, where one fold a layer would need m − 3."""
    points = LabeledPoints.of([fmpq(k * k + 7 * k, 3) for k in range(m)], [k % 2 for k in range(m)])
    net = double_merge_network(points)
    assert 2 < net.depth <= promised(m)  # less where a look happens to hide a whole run
    assert check(net, points).outcome == "certified"
    assert check(net, points.relabel([1, *points.labels[1:]])).outcome == "refuted"


def test_sixty_alternating_points():
    """Far more pairs of chords than are tried; the depth is a half of what Theorem 2 says, or less."""
    points = LabeledPoints.of(range(60), [k % 2 for k in range(60)])
    net = double_merge_network(points)
    assert net.depth <= promised(60) == 30
    assert check(net, points).outcome == "certified"


@pytest.mark.parametrize("depth", [2, 3])
def test_depth_l_shatters_any_2l_plus_1_points(depth):
    m = 2 * depth + 1
    positions = [fmpq(k) ** 2 for k in range(m)]
    for labels in itertools.product((0, 1), repeat=m):
        points = LabeledPoints.of(positions, labels)
        net = double_merge_network(points).padded(depth)
        assert (net.depth, net.width) == (depth, 3)
        assert check(net, points).outcome == "certified", labels


def test_exact_weights_merge_exactly():
    points = LabeledPoints.of(range(7), [0, 1, 0, 1, 0, 1, 0])
    net = double_merge_network(points, arithmetic=Exact())
    assert (net.depth, net.semantics) == (3, "exact")
    assert check(net, points).outcome == "certified"


@settings(max_examples=5)
@given(labelled_lines(most=7))
def test_other_arithmetics(points):
    for arithmetic in (Exact(), Mpf(128)):
        assert check(double_merge_network(points, arithmetic=arithmetic), points).outcome == "certified"


def test_merge_twice_removes_two_clusters_and_confuses_nothing():
    arithmetic = Dyadic(128)
    for labels in itertools.product((0, 1), repeat=7):
        line = Line.of([fmpq(k - 3, 2) for k in range(7)], labels, arithmetic)
        if line.runs < 6:
            with pytest.raises(InputError, match="at least 6 runs"):
                merge_twice(line)
            continue
        with arithmetic.work():
            _, after = merge_twice(line)
        assert len(after.clusters) <= 5
        count = [sum(c.label == name for c in line.clusters) for name in (0, 1)]
        assert all(1 <= sum(c.label == name for c in after.clusters) <= count[name] for name in (0, 1))


def test_the_pairs_of_the_proof_are_always_usable():
    """Six runs or more: first and last point with their neighbours of the same label are among the candidates."""
    for m in (6, 7, 8):
        t = np.linspace(-1, 1, m)
        conic = np.stack([t, np.ones(m), np.sqrt(1 + t * t)], axis=1)
        for labels in itertools.product((False, True), repeat=m):
            if sum(a != b for a, b in itertools.pairwise(labels)) >= 5:
                assert best_looks(conic, np.array(labels), 1.0)[0].gap > 1e-3


def test_slopes_are_those_of_the_network():
    """A sight's map agrees with the layers run neuron by neuron in exact arithmetic."""
    arithmetic = Exact()
    head = first_sight([[fmpq(1), fmpq(-1, 2)], [fmpq(0), fmpq(1)]], arithmetic)
    nxt = later_sight([[fmpq(1), fmpq(2), fmpq(3)], [fmpq(-1), fmpq(1), fmpq(4)]], arithmetic)
    from constructions.network import Affine, LNNet

    net = LNNet((head.layer, nxt.layer, Affine.of([[1, 0, 0]], [0])), (0, 1), semantics="exact")
    for p in (fmpq(-2), fmpq(1, 3), fmpq(5)):
        states = net.states([p], arithmetic)
        for sight, value in ((head, head.slope([arithmetic.enter(p)])), (nxt, None)):
            if value is None:
                value = nxt.image(arithmetic)(head.slope([arithmetic.enter(p)]))
            n = states[0 if sight is head else 1][0]
            u = (n[0] - n[1]) / arithmetic.enter(2).sqrt()
            v = (n[0] + n[1] - n[2] - n[2]) / arithmetic.enter(6).sqrt()
            assert abs(float(u / v) - float(value)) < 1e-12


def test_dyadic_sight_reads_back_its_rounded_weights():
    """With 8-bit weights the forms differ from those asked for, and the map is that of the weights."""
    arithmetic = Dyadic(8)
    with arithmetic.work():
        rows = [[arithmetic.enter(fmpq(k, 7)) for k in row] for row in ((1, 2, 3), (-1, 1, 4))]
        sight = later_sight(rows, arithmetic)
        q = fmpq(1, 3)
        got = sight.image(arithmetic)(arithmetic.enter(q))
    z = np.array([float(q.p) / float(q.q) + 1, -float(q.p) / float(q.q) + 1, -2.0])
    outputs = z / np.sqrt((z**2).mean())
    weight = np.array([[int(w.p) / int(w.q) for w in row] for row in sight.layer.weight])
    n = weight @ outputs + np.array([int(b.p) / int(b.q) for b in sight.layer.bias])
    assert float(got) == pytest.approx(3 * (n[0] - n[1]) / (n[0] + n[1] - 2 * n[2]), rel=1e-12)
    assert float(got) != pytest.approx((1 + 2 * 3 + 3) / 11, rel=1e-6)


def test_bad_input():
    with pytest.raises(InputError, match="two classes"):
        double_merge_network(LabeledPoints.of([0, 1, 2], [0, 1, 2]))
    with pytest.raises(UndecidedError):
        double_merge_network(LabeledPoints.of([[0, 1], [0, 2], [1, 3]], [0, 1, 0]), direction=(1, 0))


@given(hostile_points(max_points=12, max_classes=2), st.sampled_from(["dyadic", "exact", "mpf"]))
def test_as_a_build_method(points, arithmetic):
    """K = 1 and 2, in space, with weights that are found automatically; both checkers."""
    built = build_certified(points, method="double", arithmetic=arithmetic)
    assert built.certificate.verdict == "certified"
    assert built.network.depth <= -(-(len(points) - 1) // 2)
    assert built.network.width in (0, 3)
    assert built.network.dimension == points.dimension
    assert check_with_mpmath(built.network, points).outcome == "certified"


@given(labelled_lines(most=14), st.sampled_from(["float64", "float32"]))
def test_float_weights_are_certified_or_refused(points, arithmetic):
    try:
        built = build_certified(points, method="double", arithmetic=arithmetic)
    except (UndecidedError, UnrepresentableError):
        return
    assert built.network.semantics == arithmetic
    second = check_with_mpmath(built.network, points).outcome
    assert built.certificate.verdict == second
    if len(points) <= 7:  # float32 resolves small well-spread sets
        assert second == "certified"


def test_the_method_agrees_with_the_construction():
    """The same layers on the line, whether entered through the plane or directly."""
    m = 11
    labels = [k % 2 for k in range(m)]
    plane = LabeledPoints.of([(k * k, 5 - k) for k in range(m)], labels)
    net = build(plane, method="double", projection=[1, 0])
    assert 2 < net.depth <= promised(m)
    assert check(net, plane).outcome == "certified"
    assert all(row[1] == 0 for row in net.layers[0].weight)
    assert check(net, plane.relabel([1, *labels[1:]])).outcome == "refuted"
    line = LabeledPoints.of([k * k for k in range(m)], labels)
    assert double_merge_network(line).depth == net.depth


@pytest.mark.parametrize("depth", [5, 9])
def test_the_method_pads(depth):
    for labels in ([k % 2 for k in range(9)], [0, 0, 1], [0], [0, 1, 0, 1, 0]):
        built = build_certified(range(len(labels)), labels, method="double", depth=depth)
        assert (built.certificate.verdict, built.network.depth) == ("certified", depth)


def test_the_method_takes_two_classes():
    with pytest.raises(InputError, match="at most 2 classes, not 3"):
        build([0, 1, 2], [0, 1, 2], method="double")
    with pytest.raises(InputError, match="two classes, not 3"):
        METHODS["double"].on_line(Line.of([fmpq(k) for k in range(3)], [0, 1, 2], Dyadic(128)))
