"""Figure 1 (Ni et al. 2024): XOR solved by a rotation, two linear projections and one spherical projection."""

from __future__ import annotations

import math
from typing import Any

from constructions.errors import InputError
from constructions.xor import HEIGHT, xor_points
from viz.painter import on_circle
from viz.picture import Picture, show
from viz.scene import XY, Arc, Arrow, Item, Label, Marker, Path, Scene

_BOUNDS = (-1.4, 1.4, -0.3, 1.62)
_HEIGHT = float(HEIGHT.p) / float(HEIGHT.q)
_TITLES = {
    "a": "(a) initial input",
    "b": "(b) rotation",
    "c": "(c) linear projection",
    "d": "(d) spherical projection",
    "e": "(e) linear projection",
}
_CAPTIONS = {
    "a": "Two opposite corners of the unit square are of one class, the other two of the other",
    "b": "The square is turned by 45° about the origin",
    "c": "Vertically onto y = 0.5: the first class meets in the middle, the second lies on either side",
    "d": "Along the rays onto the unit circle: the middle rises to the top",
    "e": "Horizontally onto x = 0: the classes arrive at 1 and 1/√3, and one cut separates them",
}


def xor_stages() -> tuple[tuple[int, ...], dict[str, tuple[XY, ...]]]:
    """Class numbers and positions of the four points in the five panels a to e.

    >>> groups, places = xor_stages()
    >>> groups, [round(y, 3) for _, y in places["e"]]
    ((0, 1, 1, 0), [1.0, 0.577, 0.577, 1.0])
    """
    points = xor_points()
    groups = tuple(points.classes.index(label) for label in points.labels)
    start = tuple((float(x.p) / float(x.q), float(y.p) / float(y.q)) for x, y in points.points)
    root = math.sqrt(0.5)
    turned = tuple((root * (x - y), root * (x + y)) for x, y in start)
    level = tuple((x, _HEIGHT) for x, _ in turned)
    circle = tuple((x / math.hypot(x, y), y / math.hypot(x, y)) for x, y in level)
    final = tuple((0.0, y) for _, y in circle)
    return groups, {"a": start, "b": turned, "c": level, "d": circle, "e": final}


def figure1_scenes(panels: str = "abcde") -> tuple[Scene, ...]:
    """The panels of Figure 1 as data.

    Args:
        panels: which ones, a selection of the letters ``abcde``.

    Raises:
        InputError: any other letter, or none.
    """
    if not panels or set(panels) - set(_TITLES):
        raise InputError(f"Argument 'panels' must be a selection of 'abcde', not {panels!r}.")
    groups, places = xor_stages()
    extras = {
        "a": _initial(),
        "b": _rotation(places["a"]),
        "c": _onto_line(places["b"], places["c"]),
        "d": _onto_circle(places["c"], places["d"]),
        "e": _onto_axis(places["d"], places["e"]),
    }
    scenes = []
    for letter in panels:
        before = {"c": "b", "d": "c", "e": "d"}.get(letter)
        left = [Marker(x, y, g, hollow=True) for (x, y), g in zip(places[before], groups)] if before else []
        markers = [Marker(x, y, g) for (x, y), g in zip(places[letter], groups)]
        items = (*plane_axes(_BOUNDS), *extras[letter], *left, *markers)
        scenes.append(Scene(items, _BOUNDS, _TITLES[letter], _CAPTIONS[letter]))
    return tuple(scenes)


def figure1(
    ax: Any = None, *, panels: str = "abcde", theme: str = "light", size: str = "notebook", columns: int | None = None
) -> Picture:
    """Figure 1: how one LN layer solves XOR.

    The line of panel (c) is y = 1/2 (in print its sign is not legible; with −1/2 everything is mirrored).

    Args:
        ax: axes to draw on, one a panel; a new figure by default.
        panels: which of the five.
        theme: ``"light"`` or ``"dark"``.
        size: ``"column"``, ``"page"`` or ``"notebook"``.
        columns: number of panels side by side.

    Returns:
        What was drawn.

    >>> figure1().save("figure1.svg")  # doctest: +SKIP
    >>> figure1()
    Picture('Figure 1: XOR by one spherical projection', 5 panels)
    """
    scenes = figure1_scenes(panels)
    columns = columns or (2 if size == "column" else 3)
    return show(scenes, "Figure 1: XOR by one spherical projection", ax=ax, theme=theme, size=size, columns=columns)


def plane_axes(bounds: tuple[float, float, float, float]) -> tuple[Item, ...]:
    """The two coordinate axes as far as they are in sight."""
    left, right, bottom, top = bounds
    items: list[Item] = []
    if bottom < 0 < top:
        items.append(Path(((left, 0.0), (right, 0.0)), "axis"))
    if left < 0 < right:
        items.append(Path(((0.0, bottom), (0.0, top)), "axis"))
    return tuple(items)


def _initial() -> tuple[Item, ...]:
    return (
        Label(0, 0, "(0, 0)", "sw"),
        Label(1, 1, "(1, 1)", "n"),
        Label(0, 1, "(0, 1)", "nw"),
        Label(1, 0, "(1, 0)", "n"),
    )


def _rotation(start: tuple[XY, ...]) -> tuple[Item, ...]:
    left = [Path((*start[:1], start[1], start[3], start[2]), "guide", closed=True)]
    tip = (on_circle(0, 0, 1, 34), on_circle(0, 0, 1, 39))
    return (*left, Arc(0, 0, 1.0, 6, 36, "motion"), Arrow(*tip), Label(1, 0.38, "45°", "e"))


def _onto_line(before: tuple[XY, ...], after: tuple[XY, ...]) -> tuple[Item, ...]:
    guides = [Path((p, q), "guide") for p, q in zip(before, after)]
    line = Path(((_BOUNDS[0], _HEIGHT), (_BOUNDS[1], _HEIGHT)), "circle")
    return (line, *guides, Label(_BOUNDS[0], _HEIGHT, "$y=0.5$", "se"))


def _onto_circle(before: tuple[XY, ...], after: tuple[XY, ...]) -> tuple[Item, ...]:
    rays = [Path(((0.0, 0.0), q), "ray") for q in after]
    line = Path(((_BOUNDS[0], _HEIGHT), (_BOUNDS[1], _HEIGHT)), "guide")
    return (line, Arc(0, 0, 1, 0, 180), *rays)


def _onto_axis(before: tuple[XY, ...], after: tuple[XY, ...]) -> tuple[Item, ...]:
    arrows: list[Item] = []
    for p, q in zip(before, after):
        if p != q:
            arrows.append(Path((p, q), "guide"))
            arrows.append(Arrow((p[0] * 0.8, p[1]), (p[0] * 0.18, q[1])))
    cut = (after[0][1] + after[1][1]) / 2
    return (
        Arc(0, 0, 1, 0, 180),
        *arrows,
        Path(((-0.15, cut), (0.15, cut)), "cut"),
        Label(0.1, cut, "cut", "e"),
        Label(0, after[0][1], "1", "ne"),
        Label(0, after[1][1], r"$1/\sqrt{3}$", "se"),
    )
