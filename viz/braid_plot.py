"""The label braid: the order of the points in every layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from constructions.errors import InputError
from constructions.network import LNNet
from viz.picture import Picture, show
from viz.scene import Frame, Item, Marker, Path, Scene
from viz.tracing import Trace, trace

#: Beyond so many points markers stand at the ends of the threads only.
MANY = 80


def braid_knots(way: Trace, by: str = "rank") -> tuple[tuple[float, ...] | None, ...]:
    """For every affine map that sees a line the height, from 0 to 1, of every point; None for the others.

    A line has no natural up and down, so each is drawn in the direction in which its threads cross less.

    Args:
        way: of a network.
        by: ``"rank"`` spaces the clusters evenly, ``"position"`` shows distances as they are.

    Raises:
        InputError: any other ``by``.
    """
    if by not in ("rank", "position"):
        raise InputError(f"Argument 'by' must be 'rank' or 'position', not {by!r}.")
    result: list[tuple[float, ...] | None] = []
    previous: tuple[float, ...] | None = None
    for state in way.states:
        if state.positions is None:
            result.append(None)
            continue
        heights = state.positions if by == "position" else tuple(c / max(1, state.count - 1) for c in state.clusters)
        if previous is not None and _falls(previous, heights):
            heights = tuple(1.0 - y for y in heights)
        result.append(heights)
        previous = heights
    return tuple(result)


def braid_scene(way: Trace, by: str = "rank") -> Scene:
    """Every point's thread through the layers, as data; where a layer sees no line, threads have a gap."""
    knots = braid_knots(way, by)
    if not any(knots):
        raise InputError("No affine map of this network sees a line, so there is no braid to draw.")
    items: list[Item] = []
    size = 0.6 if len(way.groups) <= 40 else 0.35
    for point, group in enumerate(way.groups):
        thread: list[tuple[float, float]] = []
        for k, heights in enumerate((*knots, None)):
            if heights is not None:
                thread.append((float(k), heights[point]))
                continue
            if len(thread) > 1:
                items.append(Path(tuple(thread), "thread", group))
            shown = thread if len(way.groups) <= MANY else thread[:1] + thread[-1:]  # more would hide the threads
            items += [Marker(*knot, group, size=size) for knot in shown]
            thread = []
    for k, (layer, heights) in enumerate(zip(way.layers, knots[1:], strict=True), start=1):
        for point, accent in enumerate(layer.accents):
            if accent == "confusion" and heights is not None:
                items.append(Marker(float(k), heights[point], way.groups[point], accent="confusion"))
    last = max(way.depth, 1)
    pad = 0.03 * last
    what = "order of the clusters" if by == "rank" else "relative position"
    frame = Frame("layer", what, integers="x")
    return Scene(tuple(items), (-pad, last + pad, -0.05, 1.05), frame=frame)


def plot_braid(
    net: LNNet,
    points: Any,
    labels: Any = None,
    ax: Any = None,
    *,
    by: str = "rank",
    theme: str = "light",
    size: str = "notebook",
) -> Picture:
    """The label braid: every point is a thread in its class's colour; threads that merge stay together.

    Args:
        net: a network whose layers see lines, as all constructions of width 3 do.
        points: points as for `LabeledPoints.of`, or a `LabeledPoints` (then without labels).
        labels: one label a point.
        ax: axes to draw on; a new figure by default.
        by: ``"rank"`` spaces the clusters of a layer evenly, ``"position"`` shows distances as they are.
        theme: ``"light"`` or ``"dark"``.
        size: ``"column"``, ``"page"`` or ``"notebook"``.

    Raises:
        InputError: no affine map sees a line.

    >>> from constructions.xor import figure1_network, xor_points
    >>> plot_braid(figure1_network(), xor_points())
    Picture('The label braid', 1 panel)
    """
    return show([braid_scene(trace(net, points, labels), by)], "The label braid", ax=ax, theme=theme, size=size)


def _falls(before: Sequence[float], after: Sequence[float]) -> bool:
    """Whether the points come rather in the reverse order than in the same one."""
    centre, middle = (sum(v) / len(v) for v in (before, after))
    return sum((x - centre) * (y - middle) for x, y in zip(before, after, strict=True)) < 0
