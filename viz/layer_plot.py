"""Precision and progress, layer by layer: bits needed and given, clusters and runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from constructions.algebraic import Algebraic
from constructions.network import Affine, LNNet
from viz.picture import Picture, show
from viz.scene import Frame, Item, Marker, Path, Scene
from viz.tracing import Trace, trace


def weight_bits(layer: Affine) -> int | None:
    """Mantissa length, in bits, of the longest number in an affine map; None if one is no dyadic rational.

    >>> weight_bits(Affine.of([["3/8", 1]], [5]))
    3
    """
    longest = 0
    for x in (*layer.bias, *(w for row in layer.weight for w in row)):
        if isinstance(x, Algebraic) or x.q & (x.q - 1):
            return None
        odd = abs(x.p)
        if odd:
            longest = max(longest, odd.bit_length() - ((odd & -odd).bit_length() - 1))
    return longest


def layer_scenes(net: LNNet, way: Trace) -> tuple[Scene, ...]:
    """Bits that tell classes apart and bits of the weights, and clusters and runs, layer by layer, as data."""
    gaps = [(float(k), -s.gap) for k, s in enumerate(way.states) if s.gap is not None and math.isfinite(s.gap)]
    bits = [(float(k), float(b)) for k, b in enumerate(map(weight_bits, net.layers)) if b is not None]
    last = float(max(way.depth, 1))
    first: list[Item] = []
    for group, curve in enumerate((gaps, bits)):
        first += _curve(curve, group)
    top = max([y for _, y in gaps + bits], default=1.0)
    confused = [float(k) for k, s in enumerate(way.states) if s.confused]
    first += [Marker(k, 0.0, 0, accent="confusion") for k in confused]
    clusters = [(float(k), float(s.count)) for k, s in enumerate(way.states)]
    runs = [(float(k), float(s.runs)) for k, s in enumerate(way.states) if s.runs is not None]
    second = [*_curve(clusters, 0), *_curve(runs, 1)]
    high = max(y for _, y in clusters)
    pad = 0.03 * last
    names = [(0, "log₂ of extent over least gap"), *([(1, "bits of the weights")] if bits else [])]
    return (
        Scene(
            tuple(first),
            (-pad, last + pad, -0.04 * top, 1.25 * top + 1),
            legend=tuple(names),
            frame=Frame("layer", "bits", integers="xy"),
        ),
        Scene(
            tuple(second),
            (-pad, last + pad, 0.0, 1.25 * high + 1),
            legend=((0, "clusters"), (1, "runs")),
            frame=Frame("layer", "count", integers="xy"),
        ),
    )


def plot_layers(
    net: LNNet, points: Any, labels: Any = None, ax: Any = None, *, theme: str = "light", size: str = "notebook"
) -> Picture:
    """How much precision every layer needs and has, and how far it gets.

    Left: how many bits it takes to tell the classes apart (log2 of the points' extent over the least gap between
    classes), and how many the weights have. Right: clusters and runs. Layer k is what the k-th affine map sees.

    Args:
        net: any LN-Net.
        points: points as for `LabeledPoints.of`, or a `LabeledPoints` (then without labels).
        labels: one label a point.
        ax: two axes to draw on; a new figure by default.
        theme: ``"light"`` or ``"dark"``.
        size: ``"column"``, ``"page"`` or ``"notebook"``.

    >>> from constructions.xor import figure1_network, xor_points
    >>> plot_layers(figure1_network(), xor_points())
    Picture('Precision and progress, layer by layer', 2 panels)
    """
    scenes = layer_scenes(net, trace(net, points, labels))
    name = "Precision and progress, layer by layer"
    return show(scenes, name, ax=ax, theme=theme, size=size, columns=1 if size == "column" else 2)


def _curve(curve: Sequence[tuple[float, float]], group: int) -> list[Item]:
    items: list[Item] = [Path(tuple(curve), "curve", group)] if len(curve) > 1 else []
    return [*items, *(Marker(x, y, group, size=0.7 if len(curve) <= 40 else 0.35) for x, y in curve)]
