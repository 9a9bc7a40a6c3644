"""Scenes: what a picture shows, as plain immutable data. Nothing here draws.

A scene is a list of items in the order of drawing. Items say *what* something is (its role, the class of a point);
what that looks like is decided by `viz.style`, and how it gets onto paper by a canvas (`viz.painter`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from constructions.errors import InputError

XY = tuple[float, float]
#: What may be said of a point: nothing, it has just merged, different classes coincide, it gets the wrong label.
Accent = Literal["", "merge", "confusion", "wrong"]
Side = Literal["n", "ne", "e", "se", "s", "sw", "w", "nw", "c"]


@dataclass(frozen=True)
class Marker:
    """A point of a class.

    Attributes:
        x, y: where.
        group: number of its class; decides colour and shape.
        hollow: draw the outline only, as for a position that is being left.
        accent: see `Accent`.
        size: 1 for a point that matters, less for one of a crowd.
    """

    x: float
    y: float
    group: int = 0
    hollow: bool = False
    accent: Accent = ""
    size: float = 1.0


@dataclass(frozen=True)
class Label:
    """Text at a point, placed on one side of it; may hold mathematics between dollar signs."""

    x: float
    y: float
    text: str
    side: Side = "n"
    role: Literal["label", "note", "accent"] = "label"


@dataclass(frozen=True)
class Path:
    """A polyline. Roles: axis, guide, circle, curve, ray, cut, plane, mark, bar."""

    points: tuple[XY, ...]
    role: str = "guide"
    group: int = 0
    closed: bool = False


@dataclass(frozen=True)
class Arc:
    """A part of a circle, from one angle to another (degrees, counterclockwise)."""

    x: float
    y: float
    radius: float
    start: float = 0.0
    stop: float = 360.0
    role: str = "circle"


@dataclass(frozen=True)
class Arrow:
    """An arrow from one place to another."""

    start: XY
    end: XY
    role: str = "motion"


Item = Marker | Label | Path | Arc | Arrow


@dataclass(frozen=True)
class Frame:
    """Axes with scales and numbers, for diagrams; geometric scenes have none.

    Attributes:
        xlabel, ylabel: quantities, with units.
        xscale, yscale: ``"linear"``, ``"log"`` or ``"log2"``.
        integers: which axes count something, ``""``, ``"x"``, ``"y"`` or ``"xy"``.
        xticks: (position, text) pairs in place of automatic ticks.
    """

    xlabel: str = ""
    ylabel: str = ""
    xscale: Literal["linear", "log", "log2"] = "linear"
    yscale: Literal["linear", "log", "log2"] = "linear"
    integers: str = ""
    xticks: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True)
class Scene:
    """One picture, or one panel of it.

    Attributes:
        items: in the order of drawing.
        bounds: (left, right, bottom, top) of what is shown.
        title: above the picture.
        caption: below it.
        legend: (class number, name) pairs.
        frame: axes of a diagram; None for a geometric scene, which is shown without, to scale.
    """

    items: tuple[Item, ...]
    bounds: tuple[float, float, float, float]
    title: str = ""
    caption: str = ""
    legend: tuple[tuple[int, str], ...] = ()
    frame: Frame | None = None

    def __post_init__(self) -> None:
        left, right, bottom, top = self.bounds
        if not (left < right and bottom < top):
            raise InputError(f"Scene bounds must be (left, right, bottom, top) in order, not {self.bounds}.")

    def of_type(self, kind: type) -> list[Any]:
        """The items of one type, in order."""
        return [item for item in self.items if isinstance(item, kind)]

    def markers_at(self, x: float, y: float, tolerance: float = 1e-9) -> list[Marker]:
        """The points that lie at one place."""
        return [m for m in self.of_type(Marker) if abs(m.x - x) <= tolerance and abs(m.y - y) <= tolerance]

    def plus(self, *items: Item) -> Scene:
        """The same scene with more items on top."""
        return replace(self, items=(*self.items, *items))


def bounds_around(points: Iterable[XY], margin: float = 0.08, *, square: bool = False) -> tuple[float, ...]:
    """Bounds of the given points with a margin on every side (a fraction of the larger extent).

    Args:
        square: make both extents equal.

    >>> bounds_around([(0, 0), (10, 5)], 0.1)
    (-1.0, 11.0, -1.0, 6.0)
    """
    xs, ys = zip(*points, strict=True)
    left, right, bottom, top = float(min(xs)), float(max(xs)), float(min(ys)), float(max(ys))
    extent = max(right - left, top - bottom) or 1.0
    if square:
        middle_x, middle_y = (left + right) / 2, (bottom + top) / 2
        left, right, bottom, top = (
            middle_x - extent / 2,
            middle_x + extent / 2,
            middle_y - extent / 2,
            middle_y + extent / 2,
        )
    pad = margin * extent
    return left - pad, right + pad, bottom - pad, top + pad
