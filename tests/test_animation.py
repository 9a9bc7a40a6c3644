import io
import itertools
import json
import math
import random
import re

import numpy as np
import pytest
from PIL import Image

import viz
from constructions.errors import InputError
from constructions.network_file import save_network
from constructions.xor import figure1_network, xor_points
from lnnet.building import build_certified
from lnnet.cli import main
from viz.animate_figures import COUNTEREXAMPLE
from viz.catalogue import ANIMATIONS, animation_named
from viz.encoders import ENCODERS
from viz.network_animation import network_motion, sample_layers
from viz.neurons import camera, neuron_stages
from viz.painter import Recorder, paint
from viz.scene import Arc, Label, Marker
from viz.style import Style
from viz.tracing import trace


def small(name="figure1", frames=14):
    return animation_named(name)(frames=frames, pixels=100)


@pytest.fixture(scope="module")
def long_way():
    """Twenty labels on a line: a network too deep for 100 frames."""
    generator = random.Random(5)
    built = build_certified(generator.sample(range(1000), 20), [k % 2 for k in range(20)], method="pma")
    return trace(built.network, built.certificate.points)


@pytest.mark.parametrize("name", ANIMATIONS)
def test_every_frame_is_sound(name):
    motion = small(name, 60).motion
    assert len(motion) == len(motion.durations) == 60
    recorder_style = Style.named()
    for k in range(len(motion)):
        scene = motion.scene(k)
        points = scene.of_type(Marker)
        assert len(points) >= len(motion.groups)
        assert all(math.isfinite(m.x) and math.isfinite(m.y) for m in points)
        left, right, bottom, top = scene.bounds
        assert all(left <= m.x <= right and bottom <= m.y <= top for m in points)
        recorder = Recorder()
        paint(scene, recorder, recorder_style)
        boxes = [box for text, box in recorder.text_boxes(360 / (right - left)) if len(text) > 4]
        for a, b in itertools.combinations(boxes, 2):
            assert min(a[1], b[1]) <= max(a[0], b[0]) or min(a[3], b[3]) <= max(a[2], b[2])


def test_motion_is_smooth():
    """No point jumps: between frames none moves further than a tenth of the picture."""
    motion = small("figure2", 60).motion
    places = [[(m.x, m.y) for m in motion.scene(k).of_type(Marker)][-5 - 2 : -2] for k in range(60)]
    for a, b in itertools.pairwise(places):
        assert max(math.dist(p, q) for p, q in zip(a, b, strict=True)) < 0.1 * 9.4


def test_points_slide_along_rays_onto_the_circle():
    motion = small("figure2", 60).motion
    segment = next(s for s in motion.segments if "rays" in s.title)
    start, end = segment.move(0.0), segment.move(1.0)
    for share in (0.25, 0.5, 0.9):
        for (x, y), (u, v) in zip(segment.move(share), start, strict=True):
            assert math.isclose(x * v, y * u, abs_tol=1e-9)
            assert x * u + y * v > 0
    assert all(math.isclose(math.hypot(x, y), 1) for x, y in end)


def test_rotation_keeps_distances():
    segment = next(s for s in small().motion.segments if "rotation" in s.title)
    start = segment.move(0.0)
    for share in (0.3, 1.0):
        for (p, q), (a, b) in zip(
            itertools.combinations(segment.move(share), 2), itertools.combinations(start, 2), strict=True
        ):
            assert math.isclose(math.dist(p, q), math.dist(a, b), abs_tol=1e-12)


def test_merges_are_ringed_and_confusions_alarmed():
    merged = small("figure2").motion
    last = merged.scene(-1)
    assert sum(m.accent == "merge" for m in last.of_type(Marker)) == 4
    assert not [a for a in last.of_type(Arc) if a.role == "alarm"]
    confused = small("counterexample").motion.scene(-1)
    (alarm,) = [a for a in confused.of_type(Arc) if a.role == "alarm"]
    inside = {m.group for m in confused.of_type(Marker) if math.hypot(m.x - alarm.x, m.y - alarm.y) < alarm.radius}
    assert inside == {0, 1}
    assert any(label.text.startswith("CONFUSION") for label in confused.of_type(Label))


def test_the_counterexample_takes_the_pair_that_algorithm_1_takes():
    positions, groups, (i, j) = COUNTEREXAMPLE
    assert groups.count(groups[0]) == 1  # the leftmost point has no partner and leaves
    assert (i, j) == (1, 2)
    assert positions[0] + positions[3] == positions[1] + positions[2]


def test_long_networks_are_sampled_and_say_so(long_way):
    assert long_way.depth > 9
    motion = network_motion(long_way, 100)
    assert len(motion) <= 100
    (note,) = motion.notes
    shown = sample_layers(long_way, 9)
    assert note.startswith(f"{len(shown)} of {long_way.depth} LN layers are shown: 1, ")
    titles = [segment.title for segment in motion.segments]
    for k in range(long_way.depth):
        assert (f"layer {k + 1} of {long_way.depth}: LN, along the rays" in titles) == (k in shown)
    gaps = [b - a - 1 for a, b in itertools.pairwise(shown)]
    texts = " ".join(segment.note for segment in motion.segments)
    assert len(re.findall("not shown", texts)) == sum(gap > 0 for gap in gaps)


def test_short_networks_are_shown_whole(long_way):
    motion = network_motion(long_way, 2000)
    assert motion.notes == ()
    assert sum("along the rays" in segment.title for segment in motion.segments) == long_way.depth


@pytest.mark.parametrize("room", [1, 2, 5, 9])
def test_sampling_keeps_the_ends(long_way, room):
    shown = sample_layers(long_way, room)
    assert list(shown) == sorted(set(shown))
    assert {0, long_way.depth - 1} <= set(shown)
    assert len(shown) == max(2, room)


def test_json_says_what_is_not_shown(tmp_path, capsys):
    built = build_certified(list(range(12)), [0, 1] * 6)
    save_network(built.network, tmp_path / "n.json")
    (tmp_path / "p.csv").write_text("".join(f"{k},{k % 2}\n" for k in range(12)))
    files = [str(tmp_path / name) for name in ("n.json", "p.csv", "a.gif")]
    assert main(["animate", *files[:2], "-o", files[2], "--frames", "40", "--pixels", "100", "--json"]) == 0
    (note,) = json.loads(capsys.readouterr().out)["notes"]
    assert note.startswith(f"2 of {built.network.depth} LN layers are shown: 1, ")


def test_a_movement_starts_where_the_last_one_ended(long_way):
    for motion in (network_motion(long_way, 2000), network_motion(long_way, 100)):
        for first, second in itertools.pairwise(motion.segments):
            assert np.allclose(first.move(1.0), second.move(0.0), atol=1e-9)


def test_frames_name_layer_clusters_classes_and_margin(long_way):
    motion = network_motion(long_way, 2000)
    footers = {segment.footer for segment in motion.segments}
    assert any(re.match(r"20 clusters, \d+ runs, least gap", footer) for footer in footers)
    assert f"2^{{{long_way.margin:.1f}}}" in motion.segments[-1].footer
    assert motion.legend == ((0, "0"), (1, "1"))
    assert motion.segments[-1].note == "every point gets its label"


def test_a_wrong_point_is_crossed():
    net, points = figure1_network(), xor_points().relabel([0, 1, 1, 1])
    last = viz.animate_network(net, points).motion.scene(-1)
    assert [m.group for m in last.of_type(Marker) if m.accent == "wrong"] == [1]
    assert any(label.text.startswith("WRONG: 1 of 4") for label in last.of_type(Label))


def test_many_classes_and_strange_names():
    labels = ["$x$", "<b>", "a" * 50, *map(str, range(11))]
    built = build_certified(list(range(14)), labels)
    motion = viz.animate_network(built.network, built.certificate.points).motion
    assert len(motion.legend) == 12
    assert motion.legend[-1][1] == "…"
    assert all(len(name) <= 15 for _, name in motion.legend)
    viz.animate_network(built.network, built.certificate.points, frames=40, pixels=100).render("html")


@pytest.mark.parametrize(
    ("rows", "plane"),
    [([[0], [1], [2]], False), ([[0, 0], [1, 0], [0, 2]], False), ([[0, 0, 0], [1, 0, 1], [0, 2, 5]], True)],
)
def test_data_of_any_dimension(rows, plane):
    built = build_certified(rows, [0, 1, 0])
    motion = viz.animate_network(built.network, built.certificate.points).motion
    assert any("principal plane" in note for note in motion.notes) == plane


def test_a_network_without_layers():
    built = build_certified([[0], [1]], [0, 1])
    assert built.network.depth == 0
    motion = viz.animate_network(built.network, built.certificate.points).motion
    assert motion.segments[-1].note == "every point gets its label"


def test_neurons_end_on_the_circle_in_the_plane():
    points = xor_points()
    built = build_certified(points)  # rational weights: the mean of the neurons is not zero
    way = trace(built.network, points)
    raw, flat, after = neuron_stages(built.network, way, points, 1)
    assert np.abs(raw[:, 2]).max() > 0.1
    assert np.allclose(flat[:, 2], 0)
    assert np.allclose(raw[:, :2], flat[:, :2])
    assert np.allclose(np.hypot(after[:, 0], after[:, 1]), 1)
    assert np.allclose(np.arctan2(*flat.T[:2]), np.arctan2(*after.T[:2]))
    expected = np.array([np.array(built.network.states(p)[0][1], float) for p in points.points])
    basis = np.array([[1, -1, 0], [1, 1, -2]]) / np.sqrt([[2], [6]])
    assert np.allclose(expected @ basis.T / np.sqrt(3), after[:, :2])


def test_the_camera_turns_about_the_normal():
    ring = np.array([[1.0, 0, 0], [0, 0, 1]])
    (first, up), (second, still) = camera(ring, 0), camera(ring, 90)
    assert up == pytest.approx(still)
    assert first != pytest.approx(second)


@pytest.mark.parametrize("layer", [0, 2])
def test_neurons_refuse_missing_layers(layer):
    with pytest.raises(InputError, match="depth 1"):
        viz.plot_neurons(figure1_network(), xor_points(), layer=layer)


def test_gif_has_every_duration_and_repeats():
    animation = small()
    data = animation.render("gif")
    image = Image.open(io.BytesIO(data))
    total = 0
    for k in range(image.n_frames):
        image.seek(k)
        total += image.info["duration"]
    assert total == sum(10 * round(ms / 10) for ms in animation.motion.durations)
    assert image.info["loop"] == 0
    assert image.size == (100, 100)


@pytest.mark.parametrize("kind", ENCODERS)
def test_two_renderings_are_byte_identical(kind):
    assert small().render(kind) == small().render(kind)


def test_colours_survive_the_palette():
    animation = viz.animate_figure1(frames=12, pixels=300)
    image = Image.open(io.BytesIO(animation.render("gif"))).convert("RGB")
    colours = {colour for _, colour in image.getcolors(1 << 16)}
    for name in animation.style.theme.classes[:2]:
        assert tuple(int(name[k : k + 2], 16) for k in (1, 3, 5)) in colours


def test_html_is_one_file_with_controls():
    page = small().render("html").decode()
    assert "http" not in page.replace("http-equiv", "")
    for part in ('data-do="play"', 'type="range"', "aria-label", "prefers-reduced-motion"):
        assert part in page
    frames = json.loads(re.search(r"const frames = (\[.*?\]),", page).group(1))
    assert len(frames) == 14
    assert "max-width:100px" in page  # shown at its natural size
    assert "{{" not in page


def test_html_beyond_the_limit_is_refused(monkeypatch):
    monkeypatch.setattr("viz.encoders.EMBED_LIMIT", 5000)
    with pytest.raises(InputError, match="fewer frames"):
        small().render("html")


def test_shown_in_notebooks():
    assert "<figure" in small()._repr_html_()


def test_mp4_is_a_film(tmp_path):
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    target = tmp_path / "film.mp4"
    animation = small()
    animation.save(target)
    frames, seconds = ffmpeg.count_frames_and_secs(str(target))
    assert frames == sum(max(1, round(ms / animation.motion.step)) for ms in animation.motion.durations)
    assert seconds == pytest.approx(frames * animation.motion.step / 1000, rel=0.05)


def test_mp4_without_its_extra_says_what_to_install(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("viz.output.find_spec", lambda name: None)
    monkeypatch.setattr("viz.catalogue.animation_named", lambda name: pytest.fail("work was done"))
    assert main(["animate", "figure1", "-o", str(tmp_path / "a.mp4")]) == 2
    assert "pip install 'lnnet[video]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["figure1", "-o", "a.avi"], "unknown suffix '.avi'"),
        (["nothing", "-o", "a.gif"], "name its points too"),
        (["figure1", "-o", "a.gif", "--pixels", "5"], "'pixels'"),
        (["figure1", "-o", "a.gif", "--frames", "3"], "'frames'"),
        (["missing.json", "p.csv", "-o", "a.gif"], "missing.json"),
    ],
)
def test_bad_requests(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["animate", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("extra", [[], ["--neurons", "1"]])
def test_animate_a_network_file(extra, tmp_path, capsys):
    save_network(figure1_network(), tmp_path / "n.json")
    (tmp_path / "p.csv").write_text("0,0,0\n0,1,1\n1,0,1\n1,1,0\n")
    target = tmp_path / "a.html"
    code = main(
        [
            "animate",
            str(tmp_path / "n.json"),
            str(tmp_path / "p.csv"),
            "-o",
            str(target),
            "--frames",
            "40",
            "--pixels",
            "100",
            *extra,
        ]
    )
    assert code == 0
    assert target.read_text().startswith("<!doctype html>")
    assert str(target) in capsys.readouterr().out


def test_points_of_different_classes_at_one_place_are_all_seen():
    """The wrong point would otherwise be hidden by the others at its place."""
    net, points = figure1_network(), xor_points().relabel([0, 1, 1, 1])
    last = viz.animate_network(net, points).motion.scene(-1)
    drawn = [m for m in last.of_type(Marker) if abs(m.y) < 0.1]
    assert len({(m.x, m.y) for m in drawn}) == 3
    assert {m.group for m in drawn if m.x == next(m.x for m in drawn if m.accent == "wrong")} == {1}


@pytest.mark.parametrize("label", ["日本", "a\nb\x00", "\\frac{", "^_^", "$", "%s{}", "😀"])
def test_labels_of_any_script_are_drawn_without_complaint(label):
    built = build_certified([[0], [1], [2]], [label, "other", label])
    net, points = built.network, built.certificate.points
    assert viz.plot_points(points)._repr_png_()
    assert viz.animate_network(net, points, frames=40, pixels=100).render("gif")


def test_a_name_without_room_above_is_written_below():
    """The last frame of Figure 2 has 5, then 1 and 4, then 2 and 3, too close for three names in a row."""
    last = animation_named("figure2")().motion.scene(-1)
    assert {item.text: item.side for item in last.items if isinstance(item, Label)}.items() >= {
        ("5", "n"),
        ("1,4", "n"),
        ("2,3", "s"),
    }
