"""Traces against the algorithm's own clusters, the checker's verdicts, and plain float evaluation."""

import itertools
import math
import random

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions.arithmetic import Dyadic, Exact
from constructions.errors import DegenerateNormalizationError, InputError, MergeConfusionError, ShapeError
from constructions.line import Line
from constructions.lowering import lower
from constructions.network import Affine, LNNet
from constructions.points import LabeledPoints
from constructions.projection_merge import (
    leftmost_pair,
    merge_as_printed,
    merge_two_classes,
    merge_with_breaking,
    merging_fold,
)
from constructions.xor import figure1_network, xor_points
from lnnet.building import build_certified
from proofs.certificate import certify
from viz.enclosures import enclose
from viz.network_animation import network_motion
from viz.tracing import trace


def followed(labels, method, arithmetic, positions=None):
    """A network made of the method's folds, its points, and (clusters, runs) before every fold and at the end."""
    points = LabeledPoints.of([[k] for k in positions or range(len(labels))], labels)
    with arithmetic.work(), pytest.MonkeyPatch.context() as patch:
        line = Line.of([p for (p,) in points.points], points.labels, arithmetic)
        counts = [(len(line.clusters), line.runs)]
        original = Line.after

        def after(self, *arguments, **options):
            result = original(self, *arguments, **options)
            if result.layer == len(counts):
                counts.append((len(result.clusters), result.runs))
            return result

        patch.setattr(Line, "after", after)
        sequence = method(line)
        net = lower((fmpq(1),), sequence.folds, sequence.line, points.classes)
    return net, points, counts


@pytest.mark.parametrize("seed", range(4))
def test_clusters_and_runs_are_those_of_the_algorithm(seed):
    generator = random.Random(seed)
    labels = [0, 1, *(generator.randrange(2) for _ in range(18))]
    positions = generator.sample(range(10**6), 20)  # generic: nothing merges by coincidence
    net, points, counts = followed(labels, merge_two_classes, Dyadic(128), positions)
    states = trace(net, points).states
    assert [(state.count, state.runs) for state in states] == counts


def test_exact_merges_are_seen_as_merges():
    net, points, counts = followed([0, 1, 1, 0, 1, 0], merge_two_classes, Exact())
    way = trace(net, points)
    assert [state.count for state in way.states] == [count for count, _ in counts]
    assert not any(state.confused for state in way.states)


@pytest.mark.parametrize("seed", range(3))
def test_margin_is_the_certified_one(seed):
    generator = random.Random(seed)
    labels = [0, 1, *(generator.randrange(2) for _ in range(10))]
    net, points, _ = followed(labels, merge_two_classes, Dyadic(96))
    certificate = certify(net, points)
    way = trace(net, points)
    assert certificate.verdict == "certified"
    assert way.wrong == ()
    assert math.isclose(way.margin, math.log2(float(certificate.margin.p) / float(certificate.margin.q)), abs_tol=1e-4)


def test_a_wrong_label_is_seen():
    """Negative control: the checker refutes the same point."""
    net, points, _ = followed([0, 1, 1, 0, 1, 0], merge_two_classes, Dyadic(96))
    flipped = points.relabel([0, 1, 1, 0, 1, 1])
    assert trace(net, flipped).wrong == (certify(net, flipped).result.point,) == (5,)
    assert trace(net, flipped).margin == -math.inf


def counterexample():
    """The network of Algorithm 1 as printed on 0, 1, 2, 3, stopped right after the fold that confuses classes."""
    points = LabeledPoints.of([[0], [1], [2], [3]], [0, 1, 1, 1])
    arithmetic = Exact()
    line = Line.of([p[0] for p in points.points], points.labels, arithmetic)
    with pytest.raises(MergeConfusionError) as caught:
        merge_as_printed(line)
    left, right = (line.clusters[k].position for k in leftmost_pair(line))
    fold = merging_fold(arithmetic, left, right)
    separated = Line.of([fmpq(0), fmpq(1)], [0, 1], arithmetic)
    return lower((fmpq(1),), [fold], separated, points.classes), points, caught.value.points


def test_a_point_on_the_boundary_is_neither_right_nor_wrong():
    net = LNNet((Affine.of([[1]], [-1]),), (0, 1))
    way = trace(net, [[0], [1], [3]], [0, 1, 1])
    assert (way.wrong, way.unsettled, way.margin) == ((), (1,), -math.inf)


def test_confusion_is_shown_as_such():
    net, points, pair = counterexample()
    way = trace(net, points)
    assert way.states[0].confused == ()
    assert way.states[1].confused == (pair,) == ((0, 3),)
    assert way.layers[0].event == "CONFUSION: points 0 and 3 coincide"
    assert way.layers[0].accents == ("confusion", "merge", "merge", "confusion")


def test_breaks_are_shown_as_such():
    net, points, _ = followed([0, 1, 2, 0, 2, 1], merge_with_breaking, Dyadic(128))
    events = [layer.event for layer in trace(net, points).layers]
    assert all(event.startswith("break: nothing merges") for event in events[::2])
    assert all(event.startswith("merges") for event in events[1::2])


def test_padding_is_shown_as_such():
    net, points, _ = followed([0, 1, 0], merge_two_classes, Dyadic(96))
    events = [layer.event for layer in trace(net.padded(net.depth + 2), points).layers]
    assert events[-2:] == ["changes nothing (padding)"] * 2
    assert trace(net.padded(net.depth + 2), points).wrong == ()


@pytest.mark.parametrize("seed", range(3))
def test_layers_are_drawn_as_in_figure_2(seed):
    """A line at a height, outputs on the unit circle and on the rays of the inputs."""
    generator = random.Random(seed)
    labels = [0, 1, *(generator.randrange(2) for _ in range(8))]
    net, points, _ = followed(labels, merge_two_classes, Dyadic(96))
    for layer in trace(net, points).layers:
        assert layer.line
        heights = [y for _, y in layer.before]
        assert max(heights) - min(heights) < 1e-9
        assert 0 < heights[0] < 1 + 1e-9
        reach = max(abs(x) for x, _ in layer.before)  # as large as fits: tangent to the circle or as wide as allowed
        assert math.isclose(heights[0], 1) or math.isclose(reach, 2.2)
        for (x, y), (u, v) in zip(layer.before, layer.after, strict=True):
            assert math.isclose(math.hypot(u, v), 1, abs_tol=1e-9)
            assert math.isclose(x * v, y * u, abs_tol=1e-9)
            assert x * u + y * v > 0


def test_read_offs_order_the_points_as_the_next_line():
    net, points, _ = followed([0, 1, 1, 0, 1, 0, 0, 1], merge_two_classes, Dyadic(96))
    way = trace(net, points)
    for layer, state in zip(way.layers, way.states[1:], strict=True):
        u, v = layer.read
        read = np.array([x * u + y * v for x, y in layer.after])
        read = (read - read.min()) / np.ptp(read)
        assert np.allclose(read, state.positions, atol=1e-9)


def test_cuts_are_where_the_read_out_changes():
    net, points, _ = followed([0, 1, 2, 0, 2, 1], merge_with_breaking, Dyadic(128))
    way = trace(net, points)
    assert len(way.cuts) == 2
    for position, group in zip(way.states[-1].positions, way.groups, strict=True):
        owner = way.cuts[0][1]
        for place, _, after in way.cuts:
            owner = after if position > place else owner
        assert owner == group


def wide_network(neurons, epsilon, seed=0, inputs=4):
    generator = random.Random(seed)

    def affine(rows, columns):
        return Affine.of(
            [[generator.randint(-9, 9) for _ in range(columns)] for _ in range(rows)],
            [generator.randint(-9, 9) for _ in range(rows)],
        )

    layers = (affine(neurons, inputs), affine(neurons, neurons), affine(3, neurons))
    return LNNet(layers, ("a", "b", "c"), "argmax", epsilon)


@pytest.mark.parametrize(("neurons", "epsilon"), [(3, fmpq(0)), (5, fmpq(0)), (6, fmpq(1, 10)), (2, fmpq(1, 2))])
def test_any_network_agrees_with_float_evaluation(neurons, epsilon):
    net = wide_network(neurons, epsilon)
    generator = random.Random(7)
    rows = [[generator.randint(-9, 9) for _ in range(4)] for _ in range(12)]
    points = LabeledPoints.of(rows, [net.predict(row) for row in rows])
    way = trace(net, points)
    assert way.wrong == ()
    outputs = [net.outputs(p) for p in points.points]
    gaps = [v[g] - max(x for k, x in enumerate(v) if k != g) for v, g in zip(outputs, way.groups, strict=True)]
    assert np.allclose(way.outputs, np.array(gaps) / max(gaps))
    for layer in way.layers:
        assert all(math.hypot(*place) <= 1 + 1e-9 for place in layer.after)
        assert not layer.line or neurons == 2
    if neurons == 3:
        assert all(math.isclose(math.hypot(*p), 1) for layer in way.layers for p in layer.after)


def test_enclosures_contain_exact_values():
    """On rational points the first affine map's balls contain the exact, centred outputs' norm."""
    net = wide_network(4, fmpq(0))
    points = LabeledPoints.of([[1, 2, 3, 4], [0, -1, 5, 2]], ["a", "b"])
    layer = enclose(net, points, 64)[0]
    for k, point in enumerate(points.points):
        h = [
            sum((w * x for w, x in zip(row, point, strict=True)), b)
            for row, b in zip(net.layers[0].weight, net.layers[0].bias, strict=True)
        ]
        mean = sum(h, fmpq(0)) / 4
        assert layer.mean[k].contains(mean)
        assert sum((row[k] * row[k] for row in layer.before[1:]), layer.before[0][k] ** 2).contains(
            sum(((x - mean) ** 2 for x in h), fmpq(0))
        )


def test_data_of_two_dimensions_keep_their_shape():
    way = trace(figure1_network(), xor_points())
    (a, b, c, d) = way.data
    assert math.isclose(math.dist(a, b), math.dist(c, d))
    assert math.isclose(math.dist(a, d), math.dist(b, c))
    assert way.direction == pytest.approx((math.sqrt(0.5), -math.sqrt(0.5)))


def test_unusable_input():
    net = figure1_network()
    with pytest.raises(InputError, match="not among"):
        trace(net, [[0, 0]], [7])
    with pytest.raises(ShapeError, match="2 coordinates"):
        trace(net, [[0, 0, 0]], [0])
    flat = LNNet((Affine.of([[1], [1]], [0, 0]), Affine.of([[1, 1]], [0])), (0, 1))
    with pytest.raises(DegenerateNormalizationError, match="LN layer 1"):
        trace(flat, [[1]], [0])


@pytest.mark.parametrize("points", [[[5]], [[5, 5]], [[1, 2, 3]]])
def test_a_single_point_of_a_single_class(points):
    net = LNNet((Affine.of([[1] * len(points[0])], [0]),), ("only",), "argmax")
    way = trace(net, points, ["only"])
    assert way.margin is None
    assert way.states[0].count == 1


def test_huge_and_tiny_numbers():
    scale = fmpq(2) ** 2000
    net = LNNet((Affine.of([[scale], [-scale], [0]], [1, 2, 5]), Affine.of([[1, 0, 0]], [0])), (0, 1))
    way = trace(net, [[1 / scale], [-10 / scale]], [0, 0])
    assert all(math.isfinite(x) for layer in way.layers for place in (*layer.before, *layer.after) for x in place)


def test_points_that_a_layer_maps_to_one_place():
    """The first output of LN is 0 for all these points, up to an irrational rounding error."""
    net = LNNet(
        (Affine.of([["1/3", "1/7"], ["-1/3", "-1/7"], [0, 0]], [1, -1, 0]), Affine.of([[1, 1, 1]], [1])), (0, 1)
    )
    way = trace(net, [["1/3", 1], ["2/7", 5], [-9, "1/11"]], [1, 1, 1])
    assert way.states[1].count == 1
    assert way.wrong == ()


def test_positions_are_accurate_relative_to_their_extent():
    """All points lie within 2^-300 of each other, far from 0, and still in the right proportion."""
    tiny = fmpq(1) / fmpq(2) ** 300
    net = LNNet((Affine.of([[1]], [-1]),), (0, 1))
    way = trace(net, [[fmpq(1, 3) + k * tiny] for k in (0, 1, 4)], [0, 0, 0])
    assert way.states[0].positions == pytest.approx((0, 0.25, 1))


@st.composite
def labelled(draw):
    dimension = draw(st.integers(1, 3))
    rows = draw(st.lists(st.tuples(*[st.integers(-4, 4)] * dimension), min_size=2, max_size=7, unique=True))
    return rows, [draw(st.integers(0, 2)) for _ in rows]


@given(labelled(), st.sampled_from(["pma", "pma-pba", "chord"]))
def test_built_networks_are_drawn_right(sample, method):
    rows, labels = sample
    built = build_certified(rows, labels, method=method)
    way = trace(built.network, built.certificate.points)
    assert (way.wrong, way.unsettled) == ((), ())
    assert not any(state.confused for state in way.states)
    assert way.states[-1].runs in (None, len(set(labels)))
    for layer in way.layers:
        assert all(math.isclose(math.hypot(*place), 1, abs_tol=1e-9) for place in layer.after)
    motion = network_motion(way, 400)
    for first, second in itertools.pairwise(motion.segments):
        assert np.allclose(first.move(1.0), second.move(0.0), atol=1e-9)
