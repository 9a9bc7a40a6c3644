"""Movements and lines behind the points, shared by the layers of a network in motion."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from viz.motion import Furniture, Places
from viz.scene import XY, Arc, Item, Label, Path
from viz.tracing import Layer, Trace

#: More points than this get no rays and no guides.
CROWD = 40


def feet(places: Places, direction: XY) -> Places:
    """The points' orthogonal projections onto the line through the origin in a direction of length one.

    >>> feet([(3.0, 4.0)], (1.0, 0.0))
    [(3.0, 0.0)]
    """
    u, v = direction
    return [((x * u + y * v) * u, (x * u + y * v) * v) for x, y in places]


def swing(start: Places, end: Places, direction: XY) -> Callable[[float], Places]:
    """From a line through the origin to a horizontal one: turned, stretched and lifted at the same time."""
    u, v = direction
    angle = math.atan2(v, u)
    along = [x * u + y * v for x, y in start]

    def move(share: float) -> Places:
        if share >= 1:
            return end
        c, s = math.cos((1 - share) * angle), math.sin((1 - share) * angle)
        mixed = [a + share * (x - a) for a, (x, _) in zip(along, end, strict=True)]
        return [(c * a, s * a + share * y) for a, (_, y) in zip(mixed, end, strict=True)]

    return move


def line_behind(layer: Layer) -> Furniture:
    """The line onto which a layer's input is lifted, or the circle it is heading for."""
    if not layer.line:
        return lambda share, places: (Arc(0, 0, 1, role="ghost"),) if share > 0.5 else ()
    height = layer.before[0][1]
    items = (Path(((-2.3, height), (2.3, height)), "axis"),)
    return lambda share, places: items if share > 0.6 else ()


def rays_behind(layer: Layer) -> Furniture:
    """The unit circle, and the rays along which the points slide onto it."""
    few = len(layer.before) <= CROWD
    rays = [Path(((0.0, 0.0), place), "ray") for place in layer.before] if few else []
    line = [Path(((-2.3, layer.before[0][1]), (2.3, layer.before[0][1])), "guide")] if layer.line else []
    items: tuple[Item, ...] = (*line, Arc(0, 0, 1), *rays)
    return lambda share, places: items


def axis_behind(direction: XY, start: Places, *, circle: bool = False) -> Furniture:
    """The axis along which the next map reads, and the points' way onto it."""
    u, v = direction
    reach = 1.6 if circle else 2.1
    axis = Path(((-reach * u, -reach * v), (reach * u, reach * v)), "axis")
    arc = [Arc(0, 0, 1)] if circle else []
    few = len(start) <= CROWD

    def furniture(share: float, places: Places) -> Sequence[Item]:
        guides = [Path(pair, "guide") for pair in zip(start, places, strict=True)] if few else []
        return (axis, *arc, *guides)

    return furniture


def cuts_behind(way: Trace) -> Furniture:
    """The boundary of the read-out: cuts on a line between coloured bands, or a vertical line at distance zero."""
    if way.cuts is None or way.states[-1].positions is None:
        items: tuple[Item, ...] = (
            Path(((0.0, -1.3), (0.0, 1.3)), "cut"),
            Label(0, -1.3, "points to the right get their label", "s", "note"),
        )
    else:
        ends = [-2.3, *(min(max(3.0 * place - 1.5, -2.3), 2.3) for place, _, _ in way.cuts), 2.3]
        owners = [way.cuts[0][1], *(after for _, _, after in way.cuts)] if way.cuts else [way.groups[0]]
        bands = [
            Path(((a, -0.25), (b, -0.25), (b, 0.25), (a, 0.25)), "band", owner, closed=True)
            for a, b, owner in zip(ends, ends[1:], owners, strict=False)
            if b > a
        ]
        lines = [Path(((x, -0.4), (x, 0.4)), "cut") for x in ends[1:-1] if -2.3 < x < 2.3]
        items = (*bands, Path(((-2.3, 0.0), (2.3, 0.0)), "axis"), *lines)
    return lambda share, places: items if share > 0.6 else ()
