"""From a scene to calls on a canvas: the `Recorder` here, or that of matplotlib in `viz.matplotlib_canvas`."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from viz.scene import XY, Arc, Arrow, Label, Marker, Path, Scene
from viz.style import Stroke, Style


@dataclass(frozen=True)
class Look:
    """How a group of markers is drawn: shape, colour, diameter (points), filled or not, edge width, layer."""

    shape: str
    colour: str
    diameter: float
    filled: bool
    edge: str
    width: float
    order: int


@dataclass(frozen=True)
class TextLook:
    """How a text is drawn: size (points), colour, offset (points) and alignment."""

    size: float
    colour: str
    dx: float
    dy: float
    horizontal: str
    vertical: str
    halo: str


class Canvas(Protocol):
    """What a back-end can do. Coordinates are those of the scene."""

    def line(self, points: Sequence[XY], stroke: Stroke, closed: bool) -> None: ...
    def arc(self, x: float, y: float, radius: float, angles: XY, stroke: Stroke) -> None: ...
    def arrow(self, start: XY, end: XY, stroke: Stroke) -> None: ...
    def markers(self, points: Sequence[XY], look: Look) -> None: ...
    def text(self, x: float, y: float, text: str, look: TextLook) -> None: ...


_SIDES = {
    "n": (0, 1, "center", "bottom"),
    "ne": (0.75, 0.75, "left", "bottom"),
    "e": (1, 0, "left", "center"),
    "se": (0.75, -0.75, "left", "top"),
    "s": (0, -1, "center", "top"),
    "sw": (-0.75, -0.75, "right", "top"),
    "w": (-1, 0, "right", "center"),
    "nw": (-0.75, 0.75, "right", "bottom"),
    "c": (0, 0, "center", "center"),
}


def paint(scene: Scene, canvas: Canvas, style: Style) -> None:
    """Draw every item of a scene; markers of one look go in one call."""
    groups: dict[Look, list[XY]] = {}
    for item in scene.items:
        if isinstance(item, Marker):
            for look in marker_looks(item, style):
                groups.setdefault(look, []).append((item.x, item.y))
        elif isinstance(item, Path):
            canvas.line(item.points, style.stroke(item.role, item.group), item.closed)
        elif isinstance(item, Arc):
            canvas.arc(item.x, item.y, item.radius, (item.start, item.stop), style.stroke(item.role))
        elif isinstance(item, Arrow):
            canvas.arrow(item.start, item.end, style.stroke(item.role))
    for look, places in sorted(groups.items(), key=lambda pair: pair[0].order):
        canvas.markers(places, look)
    for item in scene.items:
        if isinstance(item, Label):
            canvas.text(item.x, item.y, item.text, text_look(item, style))


def marker_looks(marker: Marker, style: Style) -> list[Look]:
    """The marker itself, preceded by a ring or cross if it is accented."""
    theme, size = style.theme, style.size
    colour, diameter = style.colour(marker.group), size.marker * marker.size
    shape = style.shape(marker.group)
    diameter *= {"*": 1.45, "D": 0.86, "s": 0.92, "^": 1.1, "v": 1.1}.get(shape, 1.0)
    edge = colour if marker.hollow else theme.background
    width = size.stroke * (0.9 if marker.hollow else 0.5) * min(1.0, marker.size + 0.2)
    looks = [Look(shape, colour, diameter, not marker.hollow, edge, width, 6)]
    if marker.accent:
        ring = size.marker * (1.9 if marker.accent == "merge" else 2.2)
        shape = "o" if marker.accent == "merge" else "x" if marker.accent == "wrong" else "s"
        looks.append(Look(shape, style.accent(marker.accent), ring, False, style.accent(marker.accent), size.stroke, 7))
    return looks


def text_look(label: Label, style: Style) -> TextLook:
    """Where and how a label is set."""
    x, y, horizontal, vertical = _SIDES[label.side]
    theme, size = style.theme, style.size
    distance = 0.62 * size.marker + 1.2
    colour = {"label": theme.ink, "note": theme.muted, "accent": theme.confusion}[label.role]
    return TextLook(size.font, colour, x * distance, y * distance, horizontal, vertical, theme.background)


@dataclass(frozen=True)
class Call:
    """One call on a canvas, as the recorder keeps it."""

    name: str
    points: tuple[XY, ...]
    look: Any
    text: str = ""


@dataclass
class Recorder:
    """A canvas that remembers: tests see what would be drawn, without drawing.

    Attributes:
        calls: in order.

    >>> recorder = Recorder()
    >>> paint(Scene((Marker(0, 1), Marker(2, 3)), (0, 4, 0, 4)), recorder, Style.named())
    >>> [(call.name, call.points) for call in recorder.calls]
    [('markers', ((0, 1), (2, 3)))]
    """

    calls: list[Call] = field(default_factory=list)

    def line(self, points: Sequence[XY], stroke: Stroke, closed: bool) -> None:
        self.calls.append(Call("polygon" if closed else "line", tuple(points), stroke))

    def arc(self, x: float, y: float, radius: float, angles: XY, stroke: Stroke) -> None:
        self.calls.append(Call("arc", ((x, y), (radius, radius), angles), stroke))

    def arrow(self, start: XY, end: XY, stroke: Stroke) -> None:
        self.calls.append(Call("arrow", (start, end), stroke))

    def markers(self, points: Sequence[XY], look: Look) -> None:
        self.calls.append(Call("markers", tuple(points), look))

    def text(self, x: float, y: float, text: str, look: TextLook) -> None:
        self.calls.append(Call("text", ((x, y),), look, text))

    def named(self, name: str) -> list[Call]:
        """The calls of one kind."""
        return [call for call in self.calls if call.name == name]

    def text_boxes(self, points_per_unit: float) -> list[tuple[str, tuple[float, float, float, float]]]:
        """Estimated (left, right, bottom, top) of every text, in points.

        Args:
            points_per_unit: how many points on paper one unit of the scene takes.
        """
        return [(call.text, _box(call, points_per_unit)) for call in self.named("text")]


def _box(call: Call, scale: float) -> tuple[float, float, float, float]:
    look = call.look
    (x, y), *_ = call.points
    bare = re.sub(r"\\(?:mathrm|hat|mathbf|bar)|[$^_{}\\ ]", "", call.text)
    width, height = 0.56 * look.size * max(1, len(bare)), 1.15 * look.size
    x, y = x * scale + look.dx, y * scale + look.dy
    left = x - {"left": 0.0, "center": 0.5, "right": 1.0}[look.horizontal] * width
    bottom = y - {"bottom": 0.0, "center": 0.5, "top": 1.0}[look.vertical] * height
    return left, left + width, bottom, bottom + height


def on_circle(x: float, y: float, radius: float, degrees: float) -> XY:
    """The point of a circle at an angle."""
    angle = math.radians(degrees)
    return x + radius * math.cos(angle), y + radius * math.sin(angle)
