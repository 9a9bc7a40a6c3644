"""Figures 2, 3 and A2 (Ni et al. 2024): one step of Algorithm 1 on five points, and how it can confuse classes.

The paper gives no coordinates. Here p = 0, 1, 3, 4, 6: points 1 and 4 are merged about 2, and 2 and 3 with them.
"""

from __future__ import annotations

import math
from typing import Any

from constructions.errors import InputError
from viz.figure_xor import plane_axes
from viz.painter import on_circle
from viz.picture import Picture, show
from viz.scene import XY, Arc, Arrow, Item, Label, Marker, Path, Scene, Side

#: The five points of the line, and their classes in Figure 2 and in Figure 3.
POSITIONS = (0, 1, 3, 4, 6)
FIGURE2_GROUPS = (0, 1, 1, 0, 1)
FIGURE3_GROUPS = (0, 1, 2, 0, 1)
#: Which two are merged.
PAIR = (0, 3)
_TITLES = {"a": "(a) translation", "b": "(b) spherical projection", "c": "(c) linear projection"}


def merge_step(positions: tuple[int, ...] = POSITIONS, pair: tuple[int, int] = PAIR) -> dict[str, tuple[XY, ...]]:
    """Where one merge step takes points ``p`` of the line: lifted to ``h``, to ``x`` on the circle, then to ``q``.

    >>> step = merge_step()
    >>> step["h"]
    ((-2.0, 2.0), (-1.0, 2.0), (1.0, 2.0), (2.0, 2.0), (4.0, 2.0))
    """
    left, right = positions[pair[0]], positions[pair[1]]
    shift, lift = (left + right) / 2, (right - left) / 2
    lifted = tuple((p - shift, lift) for p in positions)
    circle = tuple((x / math.hypot(x, y), y / math.hypot(x, y)) for x, y in lifted)
    return {
        "p": tuple((float(p), 0.0) for p in positions),
        "h": lifted,
        "x": circle,
        "q": tuple((y, 0.0) for _, y in circle),
    }


def figure2_scenes(panels: str = "abc") -> tuple[Scene, ...]:
    """The panels of Figure 2 as data.

    Raises:
        InputError: a panel other than a, b, c, or none.
    """
    if not panels or set(panels) - set(_TITLES):
        raise InputError(f"Argument 'panels' must be a selection of 'abc', not {panels!r}.")
    step = merge_step()
    make = {"a": _translation, "b": _projection_to_circle, "c": _projection_to_line}
    return tuple(make[letter](step) for letter in panels)


def figure2(
    ax: Any = None, *, panels: str = "abc", theme: str = "light", size: str = "notebook", columns: int | None = None
) -> Picture:
    """Figure 2: one step of Algorithm 1. Points 1 and 4 are merged; 2 and 3 merge too.

    Args:
        ax: axes to draw on, one a panel; a new figure by default.
        panels: which of the three.
        theme: ``"light"`` or ``"dark"``.
        size: ``"column"``, ``"page"`` or ``"notebook"``.
        columns: number of panels side by side.

    >>> figure2()
    Picture('Figure 2: one step of Algorithm 1', 3 panels)
    """
    columns = columns or (1 if size == "column" else 3)
    return show(
        figure2_scenes(panels), "Figure 2: one step of Algorithm 1", ax=ax, theme=theme, size=size, columns=columns
    )


def figure3_scene() -> Scene:
    """Figure 3 as data: as Figure 2(c), but point 3 is of another class than point 2."""
    places = merge_step()["x"]
    bounds = (-1.35, 1.35, -0.22, 1.3)
    items: list[Item] = [*plane_axes(bounds), Arc(0, 0, 1, 0, 180)]
    for k, (x, y) in enumerate(places):
        items.append(Path(((x, y), (0.0, y)), "guide"))
        items.append(Marker(x, y, FIGURE3_GROUPS[k], hollow=True))
    items += _circle_labels(places)
    meeting: dict[float, list[int]] = {}
    for k, (_, y) in enumerate(places):
        meeting.setdefault(round(y, 9), []).append(k)
    for members in meeting.values():
        height = places[members[0]][1]
        confused = len({FIGURE3_GROUPS[k] for k in members}) > 1
        for place, k in enumerate(members):
            offset = 0.045 * (2 * place - 1) if confused else 0.0  # side by side, or one would hide the other
            items.append(Marker(offset, height, FIGURE3_GROUPS[k]))
        if confused:
            items += [Arc(0, height, 0.12, role="alarm"), Label(0.02, 1.02, "confusion", "ne", "accent")]
    caption = "Points 2 and 3 of different classes arrive at one place"
    return Scene(tuple(items), bounds, caption=caption, legend=((0, "class 1"), (1, "class 2"), (2, "class 3")))


def figure3(ax: Any = None, *, theme: str = "light", size: str = "notebook") -> Picture:
    """Figure 3: with a third class, merging points 1 and 4 puts points 2 and 3 of different classes together.

    Args:
        ax: axes to draw on; a new figure by default.
        theme: ``"light"`` or ``"dark"``.
        size: ``"column"``, ``"page"`` or ``"notebook"``.

    >>> figure3()
    Picture('Figure 3: a merge that confuses two classes', 1 panel)
    """
    return show([figure3_scene()], "Figure 3: a merge that confuses two classes", ax=ax, theme=theme, size=size)


def figure_a2_scene() -> Scene:
    """Figure A2 as data: the angle γ of point 2, seen from the centre of the circle."""
    step = merge_step()
    scene = _projection_to_circle(step)
    x, y = step["x"][1]
    angle = math.degrees(math.atan2(y, x))
    keep = [item for item in scene.items if not (isinstance(item, Path) and item.role == "ray")]
    arm: list[Item] = [Path(((0.0, 0.0), step["h"][1]), "mark"), Arc(0, 0, 0.42, 0, angle, "mark")]
    place = on_circle(0, 0, 0.42, 45)
    return Scene(
        (*keep, *arm, Label(*place, r"$\gamma_2$", "ne")),
        scene.bounds,
        caption="The angle from the x-axis to the ray of point 2",
    )


def figure_a2(ax: Any = None, *, theme: str = "light", size: str = "notebook") -> Picture:
    """Figure A2: γ is the angle of a projected point; its next position is sin γ.

    Args:
        ax: axes to draw on; a new figure by default.
        theme: ``"light"`` or ``"dark"``.
        size: ``"column"``, ``"page"`` or ``"notebook"``.

    >>> figure_a2()
    Picture('Figure A2: the angle of a projected point', 1 panel)
    """
    return show([figure_a2_scene()], "Figure A2: the angle of a projected point", ax=ax, theme=theme, size=size)


def _translation(step: dict[str, tuple[XY, ...]]) -> Scene:
    bounds = (-2.7, 6.7, -1.0, 2.9)
    items: list[Item] = list(plane_axes(bounds))
    items.append(Path(((bounds[0], 2.0), (bounds[1], 2.0)), "guide"))
    for k, (p, h) in enumerate(zip(step["p"], step["h"])):
        group = FIGURE2_GROUPS[k]
        tail = (p[0] + 0.12 * (h[0] - p[0]), p[1] + 0.12 * (h[1] - p[1]))
        tip = (p[0] + 0.86 * (h[0] - p[0]), p[1] + 0.86 * (h[1] - p[1]))
        items += [Arrow(tail, tip, "ghost"), Marker(*p, group, hollow=True), Marker(*h, group)]
        items += [Label(*p, f"$p_{k + 1}$", "s"), Label(*h, f"$h_{k + 1}$", "n")]
    return Scene(
        tuple(items), bounds, _TITLES["a"], "Five points of the line move left to the middle of points 1 and 4, and up"
    )


def _projection_to_circle(step: dict[str, tuple[XY, ...]]) -> Scene:
    bounds = (-2.7, 4.7, -0.6, 2.9)
    items: list[Item] = [*plane_axes(bounds), Arc(0, 0, 1, 0, 180)]
    items.append(Path(((bounds[0], 2.0), (bounds[1], 2.0)), "guide"))
    for k, (h, x) in enumerate(zip(step["h"], step["x"])):
        group = FIGURE2_GROUPS[k]
        items += [Path(((0.0, 0.0), h), "ray"), Marker(*h, group, hollow=True), Marker(*x, group)]
        items.append(Label(*h, f"$h_{k + 1}$", "n"))
    sides: tuple[Side, ...] = ("w", "nw", "ne", "e", "se")
    items += [Label(*x, f"$x_{k + 1}$", side) for k, (x, side) in enumerate(zip(step["x"], sides))]
    return Scene(
        tuple(items),
        bounds,
        _TITLES["b"],
        "Along the rays onto the unit circle; points 1 and 4 end at equal heights, and so do 2 and 3",
    )


def _projection_to_line(step: dict[str, tuple[XY, ...]]) -> Scene:
    bounds = (-1.35, 1.35, -0.32, 1.3)
    items: list[Item] = [*plane_axes(bounds), Arc(0, 0, 1, 0, 180)]
    for k, (x, q) in enumerate(zip(step["x"], step["q"])):
        group = FIGURE2_GROUPS[k]
        items += [Path((x, (0.0, x[1])), "guide"), Marker(*x, group, hollow=True)]
        items += [Arc(0, 0, x[1], 0, 90, "ghost"), Marker(*q, group)]
    items += [Marker(q[0], 0.0, FIGURE2_GROUPS[k], accent="merge") for k, q in enumerate(step["q"]) if k in (1, 3)]
    items += _circle_labels(step["x"])
    items += [
        Label(*step["q"][4], "$p'_5$", "s"),
        Label(*step["q"][0], "$p'_{1,4}$", "s"),
        Label(*step["q"][1], "$p'_{2,3}$", "se"),
    ]
    return Scene(
        tuple(items),
        bounds,
        _TITLES["c"],
        "The heights become positions on the line: points 1 and 4 have merged, and 2 and 3",
    )


def _circle_labels(places: tuple[XY, ...]) -> list[Item]:
    sides: tuple[Side, ...] = ("w", "nw", "ne", "e", "e")
    return [Label(*x, f"$x_{k + 1}$", side) for k, (x, side) in enumerate(zip(places, sides))]
