"""What a network does to points, layer by layer, as plain floats fit for drawing and facts fit for captions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from flint import arb, ctx

from constructions.errors import UndecidedError
from constructions.network import LNNet
from constructions.points import Label, LabeledPoints
from viz.enclosures import LayerBalls, enclose
from viz.planes import cloud_of, cuts_of, data_plane, layer_plane

#: Precision (bits) at which a picture is given up.
MAX_BITS = 1 << 15
_FIRST_BITS = 128
#: How many more doublings of the precision are tried when classes seem to coincide or a point lies on the boundary.
_PATIENCE = 3
#: Points of one class closer than this fraction of the least distance between classes are shown as one cluster.
_TOGETHER = 2.0**-20


@dataclass(frozen=True)
class State:
    """The points as one affine map sees them.

    Attributes:
        positions: m numbers in [0, 1], leftmost and rightmost point of the line; None if the map sees no line.
        clusters: m cluster numbers, from left to right on a line: points at one place (for all that matters) share one.
        runs: on a line, the number of maximal runs of one class; else None.
        gap: log2 of the least distance between classes, relative to the extent of all points; None for one class,
            −inf if classes coincide.
        confused: pairs of points of different classes that cannot be told apart.
    """

    positions: tuple[float, ...] | None
    clusters: tuple[int, ...]
    runs: int | None
    gap: float | None
    confused: tuple[tuple[int, int], ...] = ()

    @property
    def count(self) -> int:
        """Number of clusters."""
        return len(set(self.clusters))


@dataclass(frozen=True)
class Layer:
    """One LN layer.

    Attributes:
        before: m points of the plane, the input of LN centred; on a line y = height if the input is a line.
        after: m points: its output divided by √n, on the unit circle (inside it for a plane section, or if ε > 0).
        line: whether ``before`` is a line.
        read: unit vector along which the next map reads the output, if that is a line and the plane is the whole space.
        event: what happens in one phrase.
        accents: "" or "merge" or "confusion" for each point, on leaving the layer.
    """

    before: tuple[tuple[float, float], ...]
    after: tuple[tuple[float, float], ...]
    line: bool
    read: tuple[float, float] | None
    event: str
    accents: tuple[str, ...]


@dataclass(frozen=True)
class Trace:
    """The points' way through a network.

    Attributes:
        data: m points of the plane: the data themselves for d ≤ 2, else in their first principal plane.
        dimension: d.
        groups: m class numbers.
        classes: the labels, by class number.
        direction: the unit vector along which the first map reads the data, if it reads a line and d ≤ 2.
        states: L + 1, what each affine map sees.
        layers: L.
        outputs: m numbers in [−1, 1] relative to the largest: signed distance of each point to the read-out's
            boundary, positive on the right side.
        cuts: positions, as in the last state, where the read-out changes from one class to the next, with the two
            class numbers; None unless the last map sees a line.
        margin: log2 of the least distance to the boundary; None for one class; −inf if a point is on
            the wrong side or not settled.
        wrong: points that do not get their label.
        unsettled: points on the boundary, or closer to it than the precision can tell.
        bits: precision that settled everything.
    """

    data: tuple[tuple[float, float], ...]
    dimension: int
    groups: tuple[int, ...]
    classes: tuple[Label, ...]
    direction: tuple[float, float] | None
    states: tuple[State, ...]
    layers: tuple[Layer, ...]
    outputs: tuple[float, ...]
    cuts: tuple[tuple[float, int, int], ...] | None
    margin: float | None
    wrong: tuple[int, ...]
    unsettled: tuple[int, ...]
    bits: int

    @property
    def depth(self) -> int:
        """Number L of LN layers."""
        return len(self.layers)


def trace(
    net: LNNet,
    points: Any,
    labels: Any = None,
    *,
    max_bits: int = MAX_BITS,
    watch: Callable[[int, int], object] | None = None,
) -> Trace:
    """Follow labelled points through a network.

    Args:
        net: any LN-Net.
        points: points as for `LabeledPoints.of`, or a `LabeledPoints` (then without labels).
        labels: one label a point; each must be among the network's classes.
        max_bits: precision limit in bits.
        watch: called now and then with (layers done, layers in all).

    Raises:
        InputError: a label that the network cannot return.
        ShapeError: points of the wrong dimension.
        UndecidedError: the positions are not settled within the precision limit.

    >>> from constructions.xor import figure1_network, xor_points
    >>> way = trace(figure1_network(), xor_points())
    >>> way.depth, [state.count for state in way.states], way.wrong
    (1, [3, 2], ())
    """
    labelled = points if isinstance(points, LabeledPoints) and labels is None else LabeledPoints.of(points, labels)
    groups = net.targets(labelled)
    scale = arb(max((abs(x) for p in labelled.points for x in p), default=0))
    bits, patience = _FIRST_BITS, _PATIENCE
    while True:
        with ctx.workprec(bits):
            balls = enclose(net, labelled, bits, watch)
            margins = _margins(balls[-1].before, groups, net.readout)
            if _accurate(balls, scale, bits):
                states = tuple(
                    _state(layer, balls[k - 1] if k else None, labelled, groups) for k, layer in enumerate(balls)
                )
                closer = any(state.confused for state in states) or any(x.contains(0) for x in margins or ())
                if not closer or not patience or 2 * bits > max_bits:
                    return _assemble(net, labelled, groups, balls, states, margins, bits)
                patience -= 1
        bits *= 2
        if bits > max_bits:
            raise UndecidedError(f"The points' way through the network is not settled with {max_bits} bits.")


def _margins(outputs: list[list[arb]], groups: Sequence[int], readout: str) -> list[arb] | None:
    """Signed distance of every point to the boundary, as the checker measures it; None for a single class."""
    if readout == "threshold":
        return [x if g == 1 else -x for x, g in zip(outputs[0], groups, strict=True)]
    if len(outputs) == 1:
        return None
    result = []
    for k, g in enumerate(groups):
        gaps = [outputs[g][k] - row[k] for j, row in enumerate(outputs) if j != g]
        least = gaps[0]
        for gap in gaps[1:]:
            least = least.min(gap)
        result.append(least)
    return result


def _accurate(balls: Sequence[LayerBalls], scale: arb, bits: int) -> bool:
    """Whether everything is known to more digits than a picture or a caption shows.

    Args:
        balls: of all layers.
        scale: size of the data; that of every later layer's input is 1.
        bits: the working precision. From 1024 bits on, points that still look alike are taken to coincide.
    """
    for number, layer in enumerate(balls):
        for row in layer.after or ():
            if not all(x.is_finite() and x.rad() < 1e-12 for x in row):
                return False
        if layer.positions is not None:
            if not all(x.is_finite() for x in layer.positions):
                return False
            middles = [x.mid() for x in layer.positions]
            error = max(x.rad() for x in layer.positions)
            tiny = (scale if number == 0 else 1) * arb(2) ** -(bits // 2)
            if not error <= 1e-9 * (max(middles) - min(middles)) and not (bits >= 1024 and error <= tiny):
                return False
    return True


def _state(layer: LayerBalls, earlier: LayerBalls | None, points: LabeledPoints, groups: Sequence[int]) -> State:
    if layer.positions is not None:
        return _line_state(layer.positions, groups)
    if earlier is None:
        cloud = cloud_of(points)
    else:
        cloud = np.array([[float(x) for x in row] for row in earlier.after or ()]).T
    return _cloud_state(cloud, groups)


def _line_state(positions: list[arb], groups: Sequence[int]) -> State:
    order = sorted(range(len(positions)), key=lambda k: positions[k].mid())
    first, last = positions[order[0]], positions[order[-1]]
    extent = last - first
    if not extent > 0:
        extent = arb(1)
    distances = [positions[b] - positions[a] for a, b in pairwise(order)]
    between = [d for d, (a, b) in zip(distances, pairwise(order), strict=True) if groups[a] != groups[b]]
    least = min((d.lower() for d in between if d > 0), default=None)
    clusters, number = [0] * len(order), 0
    confused = []
    for d, (a, b) in zip(distances, pairwise(order), strict=True):
        if not d > 0:
            if groups[a] != groups[b]:
                confused.append((min(a, b), max(a, b)))
        elif groups[a] != groups[b] or least is None or d > least * _TOGETHER:
            number += 1
        clusters[b] = number
    runs = 1 + sum(groups[a] != groups[b] for a, b in pairwise(order))
    gap = None if not between else -math.inf if confused or least is None else _log2(least / extent)
    places = tuple(float((p - first).mid() / extent.mid()) for p in positions)
    return State(places, tuple(clusters), runs, gap, tuple(confused))


def _log2(x: arb) -> float:
    return float((x.log() / arb(2).log()).mid())


def _cloud_state(cloud: np.ndarray, groups: Sequence[int]) -> State:
    """Clusters of points in space, as far as floats tell them apart (transitively)."""
    extent = float(np.ptp(cloud, axis=0).max()) or 1.0
    scaled = (cloud - cloud.mean(axis=0)) / extent
    labels = np.array(groups)
    closest = np.inf
    near: list[tuple[int, int]] = []
    confused: list[tuple[int, int]] = []
    for k in range(1, len(scaled)):
        distances = np.sqrt(((scaled[:k] - scaled[k]) ** 2).sum(axis=1))
        other = labels[:k] != labels[k]
        closest = min(closest, float(distances[other].min(initial=np.inf)))
        for j in np.flatnonzero(distances < 1e-9).tolist():
            (confused if other[j] else near).append((j, k))
    parent = list(range(len(scaled)))

    def root(k: int) -> int:
        while parent[k] != k:
            parent[k] = parent[parent[k]]
            k = parent[k]
        return k

    for a, b in (*near, *confused):
        parent[root(b)] = root(a)
    names: dict[int, int] = {}
    clusters = tuple(names.setdefault(root(k), len(names)) for k in range(len(scaled)))
    gap = None if not np.isfinite(closest) else -math.inf if confused else float(np.log2(closest))
    return State(None, clusters, None, gap, tuple(confused))


def _assemble(
    net: LNNet,
    points: LabeledPoints,
    groups: tuple[int, ...],
    balls: Sequence[LayerBalls],
    states: tuple[State, ...],
    margins: list[arb] | None,
    bits: int,
) -> Trace:
    data, direction = data_plane(points, balls[0])
    layers: list[Layer] = []
    for k, layer in enumerate(balls[:-1]):
        before, after, read = layer_plane(layer, balls[k + 1])
        idle = k > 0 and layers[-1].after == after
        event = _event(states[k], states[k + 1], idle)
        layers.append(
            Layer(before, after, layer.positions is not None, read, event, _accents(states[k], states[k + 1]))
        )
    largest = max((abs(x).upper() for x in margins or ()), default=arb(1))
    outputs = tuple(float(x.mid() / largest) if largest > 0 else 0.0 for x in margins or [arb(1)] * len(groups))
    wrong = tuple(k for k, x in enumerate(margins or ()) if x < 0)
    unsettled = tuple(k for k, x in enumerate(margins or ()) if not (x > 0 or x < 0))
    margin = None if margins is None else -math.inf if wrong or unsettled else _log2(min(x.lower() for x in margins))
    return Trace(
        data,
        points.dimension,
        groups,
        net.classes,
        direction,
        states,
        tuple(layers),
        outputs,
        cuts_of(net, balls[-1]),
        margin,
        wrong,
        unsettled,
        bits,
    )


def _event(old: State, new: State, idle: bool) -> str:
    fresh = sorted(set(new.confused) - set(old.confused))
    if fresh:
        pairs = ", ".join(f"{a} and {b}" for a, b in fresh[:2]) + (", …" if len(fresh) > 2 else "")
        return f"CONFUSION: points {pairs} coincide"
    if idle:
        return "changes nothing (padding)"
    if new.count < old.count:
        lost = old.count - new.count
        return f"merges {lost + 1} clusters into one" if lost == 1 else f"merges: {lost} clusters fewer"
    if old.runs is not None and new.runs is not None:
        if new.runs < old.runs:
            return f"folds: {old.runs} runs become {new.runs}"
        more = f", {old.runs} runs become {new.runs}" if new.runs > old.runs else ""
        return f"break: nothing merges{more}"
    return "no merge"


def _accents(old: State, new: State) -> tuple[str, ...]:
    """Points in a cluster that was several before are merging; those among confused pairs are confused."""
    confused = {k for pair in new.confused for k in pair}
    sources: dict[int, set[int]] = {}
    for a, b in zip(old.clusters, new.clusters, strict=True):
        sources.setdefault(b, set()).add(a)
    return tuple(
        "confusion" if k in confused else "merge" if len(sources[b]) > 1 else "" for k, b in enumerate(new.clusters)
    )
