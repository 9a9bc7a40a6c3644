"""An LN layer of three neurons as what it is: a step in R^3. Centering projects onto the plane of zero-sum vectors
along (1, 1, 1), scaling onto the circle of radius √3 in that plane."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from constructions.errors import InputError
from constructions.network import LNNet
from constructions.points import LabeledPoints
from viz.animation import Animation
from viz.enclosures import enclose
from viz.motion import Furniture, Motion, Places, Segment
from viz.network_animation import legend_of
from viz.picture import Picture, show
from viz.scene import Arrow, Item, Label, Marker, Path, Scene
from viz.style import Style
from viz.tracing import Trace, trace

_BOUNDS = (-2.3, 2.3, -2.0, 2.6)
_STILL = (-2.2, 2.2, -1.1, 2.15)
#: Height of the eye above the plane, and how far the camera turns during an animation, degrees.
ELEVATION, TURN = 28.0, 150.0
#: How far from the plane and from its centre the layer's input is drawn at most.
_REACH = 1.9

Space = NDArray[np.float64]


def neuron_stages(net: LNNet, way: Trace, points: LabeledPoints, layer: int) -> tuple[Space, Space, Space]:
    """The input of an LN, its centred input and its output, m rows (u, v, w) each.

    u, v are coordinates in the plane of zero-sum vectors, w is along (1, 1, 1); the circle has radius 1, and the
    input is scaled to fit the picture, which changes nothing that LN does if ε = 0.
    """
    with ctx.workprec(way.bits):
        balls = enclose(net, points, way.bits)[layer - 1]
        size = max((abs(x).upper() for x in (*balls.before[0], *balls.before[1])), default=arb(1))
        plane = np.array([[float((x / size).mid()) for x in row] for row in balls.before]).T
        lift = np.array([float((x * arb(3).sqrt() / size).mid()) for x in balls.mean])
        after = np.array([[float(x.mid()) for x in row] for row in balls.after or ()]).T
    reach = float(np.hypot(plane[:, 0], plane[:, 1]).max()) or 1.0
    height = float(np.abs(lift).max()) or 1.0
    raw = np.column_stack([plane * (_REACH / reach), lift * min(_REACH / reach, 1.3 / height)])
    flat = raw * np.array([1.0, 1.0, 0.0])
    return raw, flat, np.column_stack([after, np.zeros(len(after))])


def camera(space: Space, azimuth: float, elevation: float = ELEVATION) -> Places:
    """Parallel projection from above the plane, turned about (1, 1, 1); angles in degrees.

    >>> [round(x, 6) + 0.0 for x in camera(np.array([[0.0, 0.0, 1.0]]), 0.0, 0.0)[0]]
    [0.0, 1.0]
    """
    a, e = math.radians(azimuth), math.radians(elevation)
    u, v, w = space.T
    x, depth = math.cos(a) * u - math.sin(a) * v, math.sin(a) * u + math.cos(a) * v
    y = math.sin(e) * depth + math.cos(e) * w
    return [(float(p), float(q)) for p, q in zip(x, y, strict=True)]


def room(azimuth: float) -> tuple[Item, ...]:
    """The centering plane with its circle, the direction (1, 1, 1) and the three neurons' axes."""
    turns = np.radians(np.arange(0, 360, 5))
    ring = np.column_stack([np.cos(turns), np.sin(turns), 0 * turns])
    disc = Path(tuple(camera(1.9 * ring, azimuth)), "plane", closed=True)
    circle = camera(ring, azimuth)
    items: list[Item] = [disc, Path((*circle, circle[0]), "circle")]
    basis = np.array([[1, 1, 1], [-1, 1, 1], [0, -2, 1]]) / np.sqrt([2, 6, 3])  # rows: neurons; columns: u, v, w
    (centre,) = camera(np.zeros((1, 3)), azimuth)
    for number, tip in enumerate(camera(1.5 * basis, azimuth), start=1):
        items += [Arrow(centre, tip, "ghost"), Label(*tip, f"$x_{number}$", "n", "note")]
    (up,) = camera(np.array([[0.0, 0.0, 2.0]]), azimuth)
    return (*items, Path((centre, up), "guide"), Label(*up, "(1, 1, 1)", "n", "note"))


def plot_neurons(
    net: LNNet,
    points: Any,
    labels: Any = None,
    ax: Any = None,
    *,
    layer: int = 1,
    azimuth: float = 20.0,
    theme: str = "light",
    size: str = "notebook",
) -> Picture:
    """One LN of three neurons in R^3: input (hollow), centred along (1, 1, 1), and on the circle.

    Args:
        net: a network whose LN number ``layer`` has three neurons.
        points: points as for `LabeledPoints.of`, or a `LabeledPoints` (then without labels).
        labels: one label a point.
        ax: axes to draw on; a new figure by default.
        layer: which LN, from 1.
        azimuth: direction of view, degrees.
        theme: ``"light"`` or ``"dark"``.
        size: ``"column"``, ``"page"`` or ``"notebook"``.

    Raises:
        InputError: that LN does not exist or has not three neurons.

    >>> from constructions.xor import figure1_network, xor_points
    >>> plot_neurons(figure1_network(), xor_points())
    Picture('LN layer 1 on three neurons', 1 panel)
    """
    way, labelled = _followed(net, points, labels, layer)
    stages = neuron_stages(net, way, labelled, layer)
    raw, flat, after = (camera(stage, azimuth) for stage in stages)
    items: list[Item] = list(room(azimuth))
    for start, middle, end, group in zip(raw, flat, after, way.groups, strict=True):
        items += [Path((start, middle), "guide"), Path((middle, end), "ray")]
        items += [Marker(*start, group, hollow=True), Marker(*end, group)]
    scene = Scene(tuple(items), _STILL, legend=legend_of(way))
    return show([scene], f"LN layer {layer} on three neurons", ax=ax, theme=theme, size=size)


def animate_neurons(
    net: LNNet,
    points: Any,
    labels: Any = None,
    *,
    layer: int = 1,
    frames: int = 60,
    theme: str = "light",
    pixels: int = 500,
) -> Animation:
    """The same step in motion, while the camera turns about (1, 1, 1).

    Args:
        net: a network whose LN number ``layer`` has three neurons.
        points: points as for `LabeledPoints.of`, or a `LabeledPoints` (then without labels).
        labels: one label a point.
        layer: which LN, from 1.
        frames: number of frames, from 12 to 2000.
        theme: ``"light"`` or ``"dark"``.
        pixels: width of a frame.

    >>> from constructions.xor import figure1_network, xor_points
    >>> animate_neurons(figure1_network(), xor_points())
    Animation('LN layer 1 on three neurons', 60 frames)
    """
    if not 12 <= frames <= 2000:
        raise InputError(f"Argument 'frames' must be from 12 to 2000, not {frames}.")
    way, labelled = _followed(net, points, labels, layer)
    raw, flat, after = neuron_stages(net, way, labelled, layer)
    parts = (
        (raw, raw, "the input of LN"),
        (raw, flat, "centering, along (1, 1, 1)"),
        (flat, after, "scaling, onto the circle"),
        (after, after, "the output of LN"),
    )
    segments = []
    steps = frames // 4
    for number, (start, end, title) in enumerate(parts):
        count = frames - 3 * steps if number == 3 else steps
        angles = (20 + TURN * number / 4, 20 + TURN * (number + 1) / 4)
        segments.append(
            Segment(_turning(start, end, angles), f"layer {layer}: {title}", count, furniture=_room(angles))
        )
    motion = Motion(f"LN layer {layer} on three neurons", tuple(segments), way.groups, _BOUNDS, legend=legend_of(way))
    return Animation(motion, Style.named(theme), pixels)


def _turning(start: Space, end: Space, angles: tuple[float, float]) -> Callable[[float], Places]:
    return lambda share: camera(start + share * (end - start), angles[0] + share * (angles[1] - angles[0]))


def _room(angles: tuple[float, float]) -> Furniture:
    def furniture(share: float, places: Places) -> Sequence[Item]:
        return room(angles[0] + share * (angles[1] - angles[0]))

    return furniture


def _followed(net: LNNet, points: Any, labels: Any, layer: int) -> tuple[Trace, LabeledPoints]:
    if not 1 <= layer <= net.depth:
        raise InputError(f"Argument 'layer' must be from 1 to the network's depth {net.depth}, not {layer}.")
    if net.layers[layer - 1].outputs != 3:
        raise InputError(f"LN layer {layer} has {net.layers[layer - 1].outputs} neurons; this view shows three.")
    labelled = points if isinstance(points, LabeledPoints) and labels is None else LabeledPoints.of(points, labels)
    return trace(net, labelled), labelled
