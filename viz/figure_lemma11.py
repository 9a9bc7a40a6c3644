"""Figure A3 (Ni et al. 2024): the three cases of Lemma 11, four points and a shift b that tells their angles apart.

The lemma shows that not every b solves angle(i, b, t) = angle(j, b, s): not coplanar points (a), coplanar ones (b)
and collinear ones (c). The paper gives no coordinates; those here are rational and chosen to keep labels apart.
"""

from __future__ import annotations

import math
from typing import Any

from viz.picture import Picture, show
from viz.scene import XY, Arc, Item, Label, Marker, Path, Scene, Side

XYZ = tuple[float, float, float]
#: Case (a): i, j, s, t in space, no plane through all four.
SOLID: dict[str, XYZ] = {"i": (0.0, 0.0, 0.0), "j": (0.2, 1.6, 1.0), "s": (2.4, 0.6, 2.2), "t": (3.4, 0.2, -0.2)}
#: Case (b): in one plane, no line through all four.
PLANE: dict[str, XY] = {"i": (0.0, 0.0), "j": (1.0, 2.0), "s": (2.6, 1.6), "t": (3.6, 0.2)}
#: Case (c): on one line, and b on the circle over i and t but not on that over j and s.
LINE: dict[str, XY] = {"i": (0.0, 0.0), "j": (1.0, 0.0), "s": (3.0, 0.0), "t": (4.0, 0.0)}
LINE_B: XY = (3.2, 1.6)
_TITLES = ("(a) not in a plane", "(b) in a plane, not on a line", "(c) on a line")


def midpoint(p: tuple[float, ...], q: tuple[float, ...], share: float = 0.5) -> tuple[float, ...]:
    """The point that divides the segment pq."""
    return tuple(a + share * (b - a) for a, b in zip(p, q))


def angle_at(b: tuple[float, ...], p: tuple[float, ...], q: tuple[float, ...]) -> float:
    """The angle p–b–q in degrees, in any dimension.

    >>> round(angle_at(LINE_B, LINE["i"], LINE["t"]), 9)
    90.0
    """
    u, v = ([x - y for x, y in zip(end, b)] for end in (p, q))
    cosine = sum(x * y for x, y in zip(u, v)) / math.sqrt(sum(x * x for x in u) * sum(y * y for y in v))
    return math.degrees(math.acos(max(-1.0, min(1.0, cosine))))


def figure_a3_scenes() -> tuple[Scene, ...]:
    """The three cases as data."""
    return _solid(), _plane(), _line()


def figure_a3(ax: Any = None, *, theme: str = "light", size: str = "notebook", columns: int | None = None) -> Picture:
    """Figure A3: in each case a shift b at which the angle over i, t is 180° or 90° and that over j, s is not.

    Args:
        ax: three axes to draw on; a new figure by default.
        theme: ``"light"`` or ``"dark"``.
        size: ``"column"``, ``"page"`` or ``"notebook"``.
        columns: number of panels side by side.

    >>> figure_a3()
    Picture('Figure A3: the three cases of Lemma 11', 3 panels)
    """
    columns = columns or (1 if size == "column" else 3)
    name = "Figure A3: the three cases of Lemma 11"
    return show(figure_a3_scenes(), name, ax=ax, theme=theme, size=size, columns=columns)


def _flatten(p: XYZ) -> XY:
    """Parallel projection of space onto the paper: x to the right, z up, y to the back."""
    x, y, z = p
    return x + 0.42 * y, z + 0.34 * y


def _points(places: dict[str, XY], b: XY, sides: dict[str, Side]) -> list[Item]:
    items: list[Item] = []
    for name, place in places.items():
        items += [Marker(*place, 0 if name in "it" else 1), Label(*place, f"$p_{name}$", sides[name])]
    return [*items, Marker(*b, 6), Label(*b, "$b$", sides["b"])]


def _solid() -> Scene:
    flat = {name: _flatten(p) for name, p in SOLID.items()}
    b = _flatten(midpoint(SOLID["i"], SOLID["t"]))  # type: ignore[arg-type]
    edges: list[Item] = [
        Path((flat[p], flat[q]), "guide") for p, q in (("i", "j"), ("i", "s"), ("j", "s"), ("j", "t"), ("s", "t"))
    ]
    edges.append(Path((flat["i"], flat["s"], flat["t"]), "plane", closed=True))  # b lies in it, j does not
    arms: list[Item] = [Path((flat["i"], flat["t"]), "mark")]
    arms += [Path((b, flat[name]), "mark") for name in "js"]
    sides: dict[str, Side] = {"i": "w", "j": "nw", "s": "n", "t": "e", "b": "s"}
    items = (*edges, *arms, *_points(flat, b, sides))
    return Scene(
        items,
        (-0.5, 4.0, -0.6, 2.75),
        _TITLES[0],
        "b halves the segment from i to t; the angle over j and s is below 180°",
    )


def _plane() -> Scene:
    share = 0.45
    b: XY = midpoint(PLANE["i"], PLANE["t"], share)  # type: ignore[assignment]
    arms: list[Item] = [Path((PLANE["i"], PLANE["t"]), "mark"), Path((PLANE["j"], PLANE["s"]), "guide")]
    arms += [Path((b, PLANE[name]), "mark") for name in "js"]
    sides: dict[str, Side] = {"i": "w", "j": "nw", "s": "ne", "t": "e", "b": "s"}
    return Scene(
        (*arms, *_points(PLANE, b, sides)),
        (-0.6, 4.2, -0.5, 2.5),
        _TITLES[1],
        "b lies between i and t but not on the line through j and s",
    )


def _line() -> Scene:
    b = LINE_B
    items: list[Item] = [Path(((-0.5, 0.0), (4.5, 0.0)), "axis")]
    for first, last, role in (("i", "t", "circle"), ("j", "s", "guide")):
        centre = (LINE[first][0] + LINE[last][0]) / 2
        items.append(Arc(centre, 0.0, (LINE[last][0] - LINE[first][0]) / 2, 0, 180, role))
    items += [Path((b, LINE[name]), "mark" if name in "it" else "ray") for name in "itjs"]
    items.append(Path(right_angle(b, LINE["i"], LINE["t"], 0.22), "mark"))
    sides: dict[str, Side] = {"i": "s", "j": "s", "s": "s", "t": "s", "b": "ne"}
    return Scene(
        (*items, *_points(LINE, b, sides)),
        (-0.6, 4.6, -0.5, 2.2),
        _TITLES[2],
        "b lies on the circle over i and t, not on that over j and s: only one angle is right",
    )


def right_angle(b: XY, p: XY, q: XY, size: float) -> tuple[XY, XY, XY]:
    """The little square that marks a right angle p–b–q."""
    legs = []
    for end in (p, q):
        length = math.dist(b, end)
        legs.append(((end[0] - b[0]) / length * size, (end[1] - b[1]) / length * size))
    (ax, ay), (cx, cy) = legs
    return (b[0] + ax, b[1] + ay), (b[0] + ax + cx, b[1] + ay + cy), (b[0] + cx, b[1] + cy)
