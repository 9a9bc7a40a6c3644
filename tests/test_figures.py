"""What the figures show, asserted on the recorder: which points coincide, what is on the circle, which labels fit."""

import itertools
import math

import pytest

from constructions.errors import InputError
from viz.catalogue import FIGURES, figure_named
from viz.figure_lemma11 import LINE, LINE_B, PLANE, SOLID, angle_at, figure_a3_scenes, midpoint
from viz.figure_merge import FIGURE2_GROUPS, FIGURE3_GROUPS, figure2_scenes, figure3_scene, figure_a2_scene, merge_step
from viz.figure_xor import figure1_scenes
from viz.painter import Recorder, marker_looks, paint
from viz.scene import Arc, Label, Marker, Path, Scene
from viz.style import Style

SIZES, THEMES = ("column", "page", "notebook"), ("light", "dark")


def solid(scene):
    return [m for m in scene.of_type(Marker) if not m.hollow and not m.accent]


def places(scene):
    return [(round(m.x, 9), round(m.y, 9)) for m in solid(scene)]


def test_figure1_rotates_by_45_degrees_and_keeps_distances():
    first, second, *_ = figure1_scenes()
    before, after = places(first), places(second)
    for p, q in itertools.combinations(range(4), 2):
        assert math.isclose(math.dist(before[p], before[q]), math.dist(after[p], after[q]), abs_tol=1e-8)
    (x, y), (u, v) = before[2], after[2]
    assert math.isclose(math.degrees(math.atan2(v, u) - math.atan2(y, x)), 45, abs_tol=1e-6)


def test_figure1_projects_onto_the_line_the_circle_and_the_axis():
    _, rotated, level, circle, final = figure1_scenes()
    assert [y for _, y in places(level)] == [0.5] * 4
    assert [x for x, _ in places(level)] == [x for x, _ in places(rotated)]
    for (x, y), (p, q) in zip(places(circle), places(level), strict=True):
        assert math.isclose(math.hypot(x, y), 1, abs_tol=1e-8)
        assert math.isclose(x * q, y * p, abs_tol=1e-8)  # on the same ray
    assert [y for _, y in places(final)] == [y for _, y in places(circle)]
    assert [x for x, _ in places(final)] == [0.0] * 4


def test_figure1_ends_with_each_class_at_one_place_and_a_cut_between():
    final = figure1_scenes("e")[0]
    by_class = {g: {(m.x, round(m.y, 9)) for m in solid(final) if m.group == g} for g in (0, 1)}
    assert by_class == {0: {(0.0, 1.0)}, 1: {(0.0, round(1 / math.sqrt(3), 9))}}
    (cut,) = [p for p in final.of_type(Path) if p.role == "cut"]
    assert 1 / math.sqrt(3) < cut.points[0][1] < 1


def test_figure2_merges_one_and_four_and_two_and_three():
    step = merge_step()
    assert [y for _, y in step["h"]] == [2.0] * 5
    assert all(math.isclose(math.hypot(x, y), 1) for x, y in step["x"])
    q = [x for x, _ in step["q"]]
    assert math.isclose(q[0], math.sqrt(0.5))
    assert math.isclose(q[0], q[3])
    assert math.isclose(q[1], q[2])
    assert len({round(x, 9) for x in q}) == 3
    assert FIGURE2_GROUPS[0] == FIGURE2_GROUPS[3] != FIGURE2_GROUPS[1]


def test_figure2_algorithm_would_choose_this_pair():
    """The pair is that of Algorithm 1: the leftmost point and its nearest partner."""
    partners = [k for k in range(1, 5) if FIGURE2_GROUPS[k] == FIGURE2_GROUPS[0]]
    assert min(partners) == 3


def test_figure2_circle_points_lie_on_the_drawn_circle():
    scene = figure2_scenes("b")[0]
    (circle,) = [a for a in scene.of_type(Arc) if a.role == "circle"]
    assert all(math.isclose(math.hypot(m.x - circle.x, m.y - circle.y), circle.radius) for m in solid(scene))


def test_figure3_shows_one_confusion_between_classes_two_and_three():
    scene = figure3_scene()
    (ring,) = [a for a in scene.of_type(Arc) if a.role == "alarm"]
    inside = [m for m in solid(scene) if math.hypot(m.x - ring.x, m.y - ring.y) < ring.radius]
    assert sorted(m.group for m in inside) == [1, 2]
    assert FIGURE3_GROUPS[1] != FIGURE3_GROUPS[2]
    assert [label.text for label in scene.of_type(Label) if label.role == "accent"] == ["confusion"]


def test_figure_a2_angle_is_that_of_point_two():
    (arc,) = [a for a in figure_a2_scene().of_type(Arc) if a.role == "mark"]
    x, y = merge_step()["x"][1]
    assert arc.start == 0
    assert math.isclose(arc.stop, math.degrees(math.acos(x)))
    assert math.isclose(math.sin(math.radians(arc.stop)), y)


def test_figure_a3_angles_are_those_of_the_proof():
    b = midpoint(SOLID["i"], SOLID["t"])
    assert math.isclose(angle_at(b, SOLID["i"], SOLID["t"]), 180, abs_tol=1e-5)
    assert 0 < angle_at(b, SOLID["j"], SOLID["s"]) < 179
    flat = midpoint(PLANE["i"], PLANE["t"], 0.45)
    assert math.isclose(angle_at(flat, PLANE["i"], PLANE["t"]), 180, abs_tol=1e-5)
    assert 0 < angle_at(flat, PLANE["j"], PLANE["s"]) < 179
    assert math.isclose(angle_at(LINE_B, LINE["i"], LINE["t"]), 90, abs_tol=1e-9)
    assert abs(angle_at(LINE_B, LINE["j"], LINE["s"]) - 90) > 5


def test_figure_a3_cases_are_what_they_say():
    def volume(*p):
        (a, b, c), (d, e, f), (g, h, k) = ([x - y for x, y in zip(q, p[0], strict=True)] for q in p[1:])
        return a * (e * k - f * h) - b * (d * k - f * g) + c * (d * h - e * g)

    assert abs(volume(*SOLID.values())) > 1
    (x0, y0), *rest = PLANE.values()
    assert any(abs((x - x0) * (v - y0) - (y - y0) * (u - x0)) > 0.5 for (x, y), (u, v) in itertools.pairwise(rest))
    assert {y for _, y in LINE.values()} == {0.0}


def test_figure_a3_right_angle_lies_on_the_larger_circle_only():
    scene = figure_a3_scenes()[2]
    large, small = sorted(scene.of_type(Arc), key=lambda arc: -arc.radius)
    assert math.isclose(math.hypot(LINE_B[0] - large.x, LINE_B[1]), large.radius)
    assert not math.isclose(math.hypot(LINE_B[0] - small.x, LINE_B[1]), small.radius, rel_tol=0.1)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", FIGURES)
def test_no_text_overlaps_another_or_leaves_the_picture(name, size):
    assert_texts_apart(figure_named(name)(size=size))


def assert_texts_apart(picture):
    """Measured by matplotlib on the laid-out figure, titles and tick labels included."""
    figure = picture.figure
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    texts = []
    for ax in picture.axes:
        texts += [*ax.texts, ax.title]
        if ax.axison:
            texts += [*_tick_labels(ax.xaxis), *_tick_labels(ax.yaxis), ax.xaxis.label, ax.yaxis.label]
        if ax.get_legend():
            texts += ax.get_legend().get_texts()
    boxes = [(t.get_text(), t.get_window_extent(renderer)) for t in texts if t.get_text()]
    width, height = figure.bbox.size
    for text, box in boxes:
        assert min(box.x0, box.y0, width - box.x1, height - box.y1) > -1, text
    for (a, first), (b, second) in itertools.combinations(boxes, 2):
        overlap_x = min(first.x1, second.x1) - max(first.x0, second.x0)
        overlap_y = min(first.y1, second.y1) - max(first.y0, second.y0)
        assert overlap_x <= 1 or overlap_y <= 1, f"{a!r} overlaps {b!r}"


def _tick_labels(axis):
    """Those in view; matplotlib lays out others and never draws them."""
    low, high = sorted(axis.get_view_interval())
    return [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]


def test_recorder_sees_an_overlap():
    """Negative control for the estimate of text boxes."""
    recorder = Recorder()
    scene = Scene((Label(0, 0, "left"), Label(0.1, 0, "right"), Label(9, 0, "far")), (-1, 10, -1, 1))
    paint(scene, recorder, Style.named())
    (_, first), (_, second), (_, third) = recorder.text_boxes(20)
    assert first[1] > second[0]
    assert second[1] < third[0]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["figure1", "figure2", "figure3", "figureA3", "group-ratio"])
def test_classes_differ_in_colour_and_shape(name, theme):
    style = Style.named(theme)
    markers = [m for scene in figure_named(name)(theme=theme).scenes for m in scene.of_type(Marker)]
    groups = {m.group for m in markers}
    looks = [marker_looks(m, style)[0] for m in markers]
    assert len({look.shape for look in looks}) == len({look.colour for look in looks}) == len(groups)


def test_style_tells_64_classes_apart():
    style = Style.named()
    assert len({(style.colour(k), style.shape(k)) for k in range(64)}) == 64


@pytest.mark.parametrize("theme", THEMES)
def test_themes_have_contrast(theme):
    """WCAG: 4.5 for text, 3 for helping lines and accents, 2 for every class colour (which has a shape as well)."""
    look = Style.named(theme).theme

    def luminance(colour):
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def contrast(colour):
        high, low = sorted((luminance(colour), luminance(look.background)), reverse=True)
        return (high + 0.05) / (low + 0.05)

    assert contrast(look.ink) > 4.5
    assert contrast(look.muted) > 3
    assert contrast(look.merge) > 3
    assert contrast(look.confusion) > 3
    assert all(contrast(colour) > 2 for colour in look.classes)


def test_unknown_names_are_refused():
    for call in (
        lambda: figure_named("figure9"),
        lambda: figure1_scenes("ax"),
        lambda: figure2_scenes(""),
        lambda: Style.named("sepia"),
        lambda: Style.named("light", "poster"),
        lambda: Style.named().stroke("nonsense"),
        lambda: Scene((), (1, 0, 0, 1)),
    ):
        with pytest.raises(InputError):
            call()
