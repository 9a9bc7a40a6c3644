import itertools
import json
import math
import random

import numpy as np
import pytest
from flint import fmpq

import viz
from constructions.errors import InputError, MergeConfusionError, ShapeError
from constructions.network import Affine
from constructions.network_file import save_network
from constructions.points import LabeledPoints
from constructions.projection_merge import merge_as_printed, merge_two_classes, merge_with_breaking
from constructions.sum_of_squares import linear_bound, sum_of_squares_ratio
from constructions.taylor_break import taylor_statistics
from constructions.xor import figure1_network, xor_points
from lnnet.building import build_certified
from lnnet.cli import main
from lnnet.methods import METHODS
from proofs.nonlinearity import nonlinearity_of_layer_norm
from tests.test_figures import assert_texts_apart
from viz.braid_plot import braid_knots, braid_scene
from viz.depth_plot import DepthRecord, depth_scene, measure_depths
from viz.figure_data import GAUSSIANS, table1_samples
from viz.figure_groups import GROUPS, group_nonlinearity, ratio_scene, sample_inputs
from viz.layer_plot import layer_scenes, weight_bits
from viz.point_plot import points_scene
from viz.scene import Label, Marker, Path
from viz.shattering_plot import shattering_scene
from viz.ssr_plot import ssr_curve, ssr_scene
from viz.tracing import trace


@pytest.fixture(scope="module")
def built():
    generator = random.Random(2)
    return build_certified(generator.sample(range(100), 12), [k % 3 for k in range(12)])


def test_depths_obey_the_theorems():
    methods = {"merge": merge_two_classes, "break": merge_with_breaking}
    for record in measure_depths(methods, [2, 5, 9]):
        assert record.depth <= (record.points - 2 if record.method == "merge" else 2 * record.points)


def test_depths_are_those_of_the_networks_that_are_built():
    """The method shallow ends in layers that are not folds; none of these labelings is separable, so depth 0 is out."""
    records = measure_depths({name: method.on_line for name, method in METHODS.items()}, [5, 10])
    depths = {(r.method, r.points): r.depth for r in records}
    assert len(depths) == 2 * len(METHODS)
    assert min(depths.values()) >= 1
    generator = random.Random(0)
    positions = generator.sample(range(5000), 5)
    labels = [0, 1, *(generator.randrange(2) for _ in range(3))]
    for name in ("pma", "chord", "shallow"):
        assert (
            build_certified(positions, labels, method=name, projection=[1]).certificate.network.depth == depths[name, 5]
        )


def test_a_confusing_method_is_recorded_as_failing():
    def confused(line):
        raise MergeConfusionError((0, 1), (0, 1), 1)

    (record,) = measure_depths({"confused": confused}, [4])
    assert record == DepthRecord("confused", 4, None)
    scene = depth_scene([record, DepthRecord("other", 4, 2)])
    assert scene.legend[0] == (0, "confused (fails on some)")
    assert {m.group for m in scene.of_type(Marker)} == {1}


def test_depths_are_reproducible():
    assert measure_depths({"m": merge_as_printed}, [6], seed=3) == measure_depths({"m": merge_as_printed}, [6], seed=3)


def test_depth_diagram_shows_every_record_and_the_bound():
    records = [DepthRecord("a", 5, 3), DepthRecord("b", 5, 1), DepthRecord("a", 9, 7)]
    scene = depth_scene(records)
    assert {(m.x, m.y, m.group) for m in scene.of_type(Marker)} == {(5, 3, 0), (9, 7, 0), (5, 1, 1)}
    (bound,) = [p for p in scene.of_type(Path) if p.role == "level"]
    assert all(y == x - 2 for x, y in bound.points)


def test_weight_bits_counts_mantissas():
    assert weight_bits(Affine.of([["5/8", 40]], [0])) == 3
    assert weight_bits(Affine.of([["1/3", 1]], [0])) is None
    assert weight_bits(figure1_network().layers[0]) is None


def test_layers_show_gap_bits_clusters_and_runs(built):
    way = trace(built.network, built.certificate.points)
    bits, counts = layer_scenes(built.network, way)
    gaps = {m.x: m.y for m in bits.of_type(Marker) if m.group == 0}
    assert gaps[0] == pytest.approx(-way.states[0].gap)
    assert max(m.y for m in bits.of_type(Marker) if m.group == 1) <= built.bits
    clusters = {m.x: m.y for m in counts.of_type(Marker) if m.group == 0}
    assert (clusters[0], clusters[way.depth]) == (12, way.states[-1].count)


def test_braid_threads_follow_the_order(built):
    way = trace(built.network, built.certificate.points)
    knots = braid_knots(way)
    for heights, state in zip(knots, way.states, strict=True):
        order = np.argsort(state.positions, kind="stable")
        steps = np.diff(np.array(heights)[order])
        assert (steps >= 0).all() or (steps <= 0).all()
        assert (min(heights), max(heights)) == (0, 1)
    for before, after in itertools.pairwise(knots):
        assert np.corrcoef(before, after)[0, 1] >= 0
    threads = [p for p in braid_scene(way).of_type(Path) if p.role == "thread"]
    assert len(threads) == 12
    assert all(len(thread.points) == way.depth + 1 for thread in threads)


@pytest.mark.parametrize("count", [12, 100])
def test_many_threads_are_not_hidden_by_their_markers(count):
    points = LabeledPoints.of(range(count), [k // (count // 4) % 2 for k in range(count)])
    way = trace(build_certified(points, method="pma").network, points)
    markers = braid_scene(way).of_type(Marker)
    assert len(markers) == count * (way.depth + 1 if count == 12 else 2)
    assert {m.x for m in markers} >= {0, way.depth}


def test_braid_by_position_keeps_distances(built):
    way = trace(built.network, built.certificate.points)
    for heights, state in zip(braid_knots(way, "position"), way.states, strict=True):
        direct, flipped = np.array(state.positions), 1 - np.array(state.positions)
        assert np.allclose(heights, direct) or np.allclose(heights, flipped)
    with pytest.raises(InputError, match="'by'"):
        braid_knots(way, "magic")


def test_shattering_histogram_draws_every_count():
    scene = shattering_scene({"depths": {"0": 10, "2": 54321}, "unrealised": {"0101": "why"}})
    tops = {path.points[0][0] + 0.4: path.points[2][1] for path in scene.of_type(Path)}
    assert tops == {0: 10, 2: 54321}
    assert [label.text for label in scene.of_type(Label)] == ["10", "54,321"]
    assert scene.title == "1 labelings are not certified"


@pytest.mark.parametrize("report", [{}, {"depths": {}}, {"depths": {"x": 1}}, {"depths": {"1": -1}}, [], {"depths": 3}])
def test_unusable_reports(report):
    with pytest.raises(InputError, match="shattering report"):
        shattering_scene(report)


def test_ssr_curve_meets_lssr_at_zero_with_the_slope_of_theorem_1():
    x, y = [-1.0, 0.0, 0.0], [1.0, 3.0, 3.0]
    at_zero, before, after = ssr_curve(x, y, [0.0, -1e-4, 1e-4])
    assert at_zero == pytest.approx(float(sum_of_squares_ratio(x, y).p) / float(sum_of_squares_ratio(x, y).q))
    slope = taylor_statistics([-1, 0, 0], [1, 3, 3]).derivative
    assert (after - before) / 2e-4 == pytest.approx(float(slope.p) / float(slope.q), rel=1e-4)


def test_ssr_diagram_shows_lssr_and_the_least_value():
    first, second = table1_samples("c")
    scene = ssr_scene(first, second)
    (level,) = [p for p in scene.of_type(Path) if p.role == "level"]
    bound = linear_bound(first, second).value
    assert level.points[0][1] == pytest.approx(float(bound.p) / float(bound.q))
    (curve,) = [p for p in scene.of_type(Path) if p.role == "curve"]
    (best,) = scene.of_type(Marker)
    assert best.y <= min(y for _, y in curve.points) + 1e-9
    assert best.y < level.points[0][1]


def test_ssr_of_equal_means_starts_at_one():
    """XOR: no linear map separates the means, so LSSR = 1."""
    (level,) = [p for p in ssr_scene([[0, 0], [1, 1]], [[0, 1], [1, 0]]).of_type(Path) if p.role == "level"]
    assert level.points[0][1] == 1


def test_table1_is_reproducible_and_in_the_papers_regimes():
    for panel in "abcd":
        first, second = table1_samples(panel)
        again, _ = table1_samples(panel)
        assert first.shape == second.shape == (256, 2)
        assert (first == again).all()
    ratios = {
        p: [
            float(v.p) / float(v.q)
            for v in (sum_of_squares_ratio(*table1_samples(p)), linear_bound(*table1_samples(p)).value)
        ]
        for p in "abcd"
    }
    assert all(value > 0.97 for p in "ab" for value in ratios[p])
    assert ratios["c"] == pytest.approx([0.2304, 0.1312], abs=0.03)
    assert ratios["d"] == pytest.approx([0.7536, 0.2157], abs=0.03)
    assert set(GAUSSIANS) == set("bcd")


@pytest.mark.parametrize("groups", [1, 2, 3])
def test_group_nonlinearity_is_the_exact_one(groups):
    generator = random.Random(groups)
    rows = [[generator.randint(-9, 9) for _ in range(12)] for _ in range(5)]
    exact = [nonlinearity_of_layer_norm(row, groups) for row in rows]
    assert np.allclose(group_nonlinearity(rows, groups), [float(h.p) / float(h.q) for h in exact])


def test_group_nonlinearity_refuses_nonsense():
    with pytest.raises(ShapeError):
        group_nonlinearity([[1, 2, 3]], 2)
    with pytest.raises(InputError):
        group_nonlinearity([[1, 1, 1]], 1)


def test_figure5_grows_until_groups_of_two():
    for kind in ("independent", "smooth"):
        medians = [float(np.median(group_nonlinearity(sample_inputs(kind), g))) for g in GROUPS]
        assert medians[-1] == 0
        assert medians[:-1] == sorted(medians[:-1])


def test_ratio_diagram_peaks_at_d_over_4():
    for m in ratio_scene((16, 64)).of_type(Marker):
        d = (16, 64)[m.group]
        assert m.y == pytest.approx(m.x * (d - 2 * m.x) / (d - 2))
        assert (m.accent == "merge") == (m.x == d / 4)


def test_data_keep_their_proportions():
    """Coordinates of very different sizes are not stretched."""
    points = LabeledPoints.of([[0, 0], [8, 0], [0, 2]], [0, 1, 0])
    built = build_certified(points)
    places = trace(built.network, points).data
    assert math.dist(places[0], places[1]) == pytest.approx(4 * math.dist(places[0], places[2]))


def test_points_of_any_dimension():
    assert points_scene(LabeledPoints.of([1, 5, 2], [0, 1, 0])).frame is None
    flat = points_scene(LabeledPoints.of([[0, 0], [3, 1]], ["a", "b"]))
    assert [(m.x, m.y) for m in flat.of_type(Marker)] == [(0, 0), (3, 1)]
    assert flat.legend == ((0, "a"), (1, "b"))
    line = points_scene(LabeledPoints.of([[k, 2 * k, 2 * k] for k in range(4)], [0] * 4))
    xs = sorted(m.x for m in line.of_type(Marker))
    assert np.allclose(np.diff(xs), 3)
    with pytest.raises(InputError, match="rescale"):
        points_scene(LabeledPoints.of([fmpq(10) ** 400, 0], [0, 1]))


def test_point_sets_have_a_rich_display():
    html = LabeledPoints.of([[0, "1/2"], [3, 1]], ["<b>", "c"])._repr_html_()
    assert "&lt;b&gt; (1), c (1)" in html
    assert "[0, 3] × [1/2, 1]" in html


@pytest.mark.parametrize("figure", ["points", "braid", "layers", "neurons", "ssr", "shattering"])
def test_draw_diagrams(figure, tmp_path):
    save_network(figure1_network(), tmp_path / "n.json")
    (tmp_path / "p.csv").write_text(
        "0,0,0\n0,1,1\n1,0,1\n1,1,0\n2,0,1\n" if figure == "ssr" else "0,0,0\n0,1,1\n1,0,1\n1,1,0\n"
    )
    (tmp_path / "r.json").write_text(json.dumps({"depths": {"1": 3}}))
    files = {"points": ["p.csv"], "ssr": ["p.csv"], "shattering": ["r.json"]}.get(figure, ["n.json", "p.csv"])
    target = tmp_path / "f.png"
    assert main(["draw", figure, *(str(tmp_path / f) for f in files), "-o", str(target), "--size", "column"]) == 0
    assert target.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("size", ["column", "notebook"])
def test_no_text_of_a_diagram_overlaps(built, size):
    net, points = built.network, built.certificate.points
    for picture in (
        viz.plot_points(points, size=size),
        viz.plot_braid(net, points, size=size),
        viz.plot_layers(net, points, size=size),
        viz.plot_neurons(net, points, size=size),
        viz.plot_ssr(*table1_samples("c"), size=size),
        viz.plot_ssr(*table1_samples("d"), size=size),
        viz.plot_shattering({"depths": {str(k): 10 ** (k % 6) for k in range(10)}}, size=size),
        viz.plot_shattering({"depths": {"0": 2, "1": 30000, "2": 1234567}}, size=size),
        viz.plot_depths(
            [DepthRecord(name, m, m // k) for k, name in ((1, "one"), (2, "two")) for m in (5, 60)], size=size
        ),
    ):
        assert_texts_apart(picture)


def test_draw_depth(tmp_path, monkeypatch):
    monkeypatch.setattr("viz.measure_depths", lambda methods, watch: [DepthRecord(n, 4, 1) for n in methods])
    assert main(["draw", "depth", "-o", str(tmp_path / "f.svg")]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["braid"], "takes NET.json and POINTS, not 0 files"),
        (["figure1", "p.csv"], "takes no file, not 1 file"),
        (["ssr", "a", "b"], "takes POINTS, not 2 files"),
        (["painting"], "Unknown figure"),
    ],
)
def test_draw_says_which_files_it_takes(arguments, message, tmp_path, capsys):
    assert main(["draw", *arguments, "-o", str(tmp_path / "f.png")]) == 2
    assert message in capsys.readouterr().err


def test_diagrams_draw_on_given_axes(built):
    from matplotlib.figure import Figure

    points = xor_points()
    net = figure1_network()
    for draw in (
        lambda ax: viz.plot_points(points, ax=ax),
        lambda ax: viz.plot_braid(net, points, ax=ax),
        lambda ax: viz.plot_neurons(net, points, ax=ax),
        lambda ax: viz.plot_shattering({"depths": {"1": 1}}, ax),
        lambda ax: viz.plot_depths([DepthRecord("a", 5, 3)], ax),
        lambda ax: viz.plot_ssr(*table1_samples("c"), ax),
        lambda ax: viz.plot_group_ratio(ax=ax),
    ):
        ax = Figure().add_subplot()
        picture = draw(ax)
        assert picture.axes == (ax,)
        assert picture.artists[0]
    both = Figure().subplots(1, 2)
    assert viz.plot_layers(net, points, ax=both).axes == tuple(both)


def test_data_plane_direction_is_the_read_off():
    way = trace(figure1_network(), xor_points())
    along = [x * way.direction[0] + y * way.direction[1] for x, y in way.data]
    positions = np.array(along) - min(along)
    assert np.allclose(positions / positions.max(), way.states[0].positions)
