"""Diagrams people would rather look at than tables: depth against size, layers at a glance, the braid, shattering."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from flint import fmpq

from constructions.algebraic import Algebraic
from constructions.arithmetic import Dyadic
from constructions.errors import InputError, MergeConfusionError, UndecidedError
from constructions.line import Line
from constructions.network import Affine, LNNet
from viz.picture import Picture, show
from viz.scene import Frame, Item, Label, Marker, Path, Scene
from viz.tracing import Trace, trace


class DepthRecord(NamedTuple):
    """How deep a network one method needed.

    Attributes:
        method: its name.
        points: number m of points.
        depth: number of LN layers; None if the method failed (it confused classes or ran out of precision).
    """

    method: str
    points: int
    depth: int | None


def measure_depths(
    methods: Mapping[str, Callable[[Line], Any]],
    sizes: Sequence[int] = (5, 10, 20, 40, 60),
    *,
    seed: int = 0,
    max_bits: int = 4096,
    watch: Callable[[int, int], object] | None = None,
) -> tuple[DepthRecord, ...]:
    """Depths of several methods on the same random two-class labellings of random integers.

    Args:
        methods: name → algorithm that takes a `Line` to something with ``folds``.
        sizes: numbers m of points.
        seed: of positions and labels.
        max_bits: precision (bits) at which a method is given up.
        watch: called with (runs done, runs in all).

    >>> from constructions.projection_merge import merge_two_classes
    >>> measure_depths({"merge": merge_two_classes}, [2])
    (DepthRecord(method='merge', points=2, depth=0),)
    """
    generator = random.Random(seed)
    records = []
    for m in sizes:
        if m < 2:
            raise InputError(f"Argument 'sizes' must hold numbers from 2, not {m}.")
        positions = [fmpq(p) for p in generator.sample(range(1000 * m), m)]
        labels = [0, 1, *(generator.randrange(2) for _ in range(m - 2))]
        for name, algorithm in methods.items():
            records.append(DepthRecord(name, m, _depth(algorithm, positions, labels, max_bits)))
            if watch is not None:
                watch(len(records), len(sizes) * len(methods))
    return tuple(records)


def depth_scene(records: Iterable[DepthRecord]) -> Scene:
    """Depth against m for every method, with the paper's bound m − 2 (Theorem 2), as data."""
    rows = list(records)
    if not rows:
        raise InputError("There is no record to draw.")
    names = list(dict.fromkeys(row.method for row in rows))
    items: list[Item] = []
    right = max(row.points for row in rows)
    left = min(row.points for row in rows)
    top = max([right - 2, *(row.depth for row in rows if row.depth is not None)])
    items += [
        Path(((max(left, 2), max(left, 2) - 2), (right, right - 2)), "level"),
        Label(right, right - 2, "$m-2$", "nw"),
    ]
    for group, name in enumerate(names):
        curve = [(float(r.points), float(r.depth)) for r in rows if r.method == name and r.depth is not None]
        if len(curve) > 1:
            items.append(Path(tuple(curve), "curve", group))
        items += [Marker(x, y, group) for x, y in curve]
    failed = [name for name in names if any(r.method == name and r.depth is None for r in rows)]
    legend = tuple((k, name + (" (fails on some)" if name in failed else "")) for k, name in enumerate(names))
    frame = Frame("points $m$", "depth", integers="xy")
    pad = 0.04 * (right - left or 1)
    return Scene(tuple(items), (left - pad, right + pad, -0.04 * top - 0.5, 1.12 * top + 1), legend=legend, frame=frame)


def plot_depths(
    records: Iterable[DepthRecord], ax: Any = None, *, theme: str = "light", size: str = "notebook"
) -> Picture:
    """Depth against m for every method.

    Args:
        records: as from `measure_depths`.
        ax: axes to draw on; a new figure by default.
        theme: ``"light"`` or ``"dark"``.
        size: ``"column"``, ``"page"`` or ``"notebook"``.

    >>> plot_depths([DepthRecord("merge", 5, 3), DepthRecord("merge", 9, 6)])
    Picture('Depth against the number of points', 1 panel)
    """
    return show([depth_scene(records)], "Depth against the number of points", ax=ax, theme=theme, size=size)


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
            items += [Marker(*knot, group, size=size) for knot in thread]
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


def shattering_scene(report: Mapping[str, Any]) -> Scene:
    """How many labellings need how many layers, as data.

    Args:
        report: a shattering report with ``"depths"``, a mapping from number of layers to number of labellings.
    """
    counts = report.get("depths") if isinstance(report, Mapping) else None
    if not isinstance(counts, Mapping) or not counts:
        raise InputError("Expected a shattering report with 'depths', a mapping from layers to numbers of labellings.")
    try:
        bars = sorted((int(depth), int(count)) for depth, count in counts.items())
    except (TypeError, ValueError):
        raise InputError("The 'depths' of a shattering report must be integers.") from None
    if any(depth < 0 or count < 0 for depth, count in bars):
        raise InputError("The 'depths' of a shattering report must not be negative.")
    top = max(count for _, count in bars) or 1
    items: list[Item] = []
    for depth, count in bars:
        box = ((depth - 0.4, 0.0), (depth + 0.4, 0.0), (depth + 0.4, float(count)), (depth - 0.4, float(count)))
        items += [
            Path(box, "bar", 0, closed=True),
            Label(depth, count, f"{count:,}" if len(bars) <= 6 else _compact(count), "n"),
        ]
    missing = report.get("unrealised")
    title = f"{len(missing)} labellings are not certified" if missing else ""
    frame = Frame("LN layers before padding", "labellings", xticks=tuple((float(d), str(d)) for d, _ in bars))
    return Scene(tuple(items), (bars[0][0] - 0.7, bars[-1][0] + 0.7, 0.0, 1.15 * top), title, frame=frame)


def plot_shattering(
    report: Mapping[str, Any], ax: Any = None, *, theme: str = "light", size: str = "notebook"
) -> Picture:
    """How many labellings need how many layers: the histogram of a shattering report.

    Args:
        report: a shattering report, as ``lnnet shatter -o`` writes it, read from JSON.
        ax: axes to draw on; a new figure by default.
        theme: ``"light"`` or ``"dark"``.
        size: ``"column"``, ``"page"`` or ``"notebook"``.

    Raises:
        InputError: no such report.

    >>> plot_shattering({"depths": {"0": 4, "1": 10, "2": 2}})
    Picture('Labellings by depth', 1 panel)
    """
    return show([shattering_scene(report)], "Labellings by depth", ax=ax, theme=theme, size=size)


def _depth(algorithm: Callable[[Line], Any], positions: Sequence[Any], labels: Sequence[int], limit: int) -> int | None:
    bits = 64
    while bits <= limit:
        arithmetic = Dyadic(bits)
        try:
            with arithmetic.work():
                return len(algorithm(Line.of(positions, labels, arithmetic)).folds)
        except MergeConfusionError:
            return None
        except UndecidedError:
            bits *= 4
    return None


def _falls(before: Sequence[float], after: Sequence[float]) -> bool:
    """Whether the points come rather in the reverse order than in the same one."""
    centre, middle = (sum(v) / len(v) for v in (before, after))
    return sum((x - centre) * (y - middle) for x, y in zip(before, after, strict=True)) < 0


def _curve(curve: Sequence[tuple[float, float]], group: int) -> list[Item]:
    items: list[Item] = [Path(tuple(curve), "curve", group)] if len(curve) > 1 else []
    return [*items, *(Marker(x, y, group, size=0.7 if len(curve) <= 40 else 0.35) for x, y in curve)]


def _compact(count: int) -> str:
    """A count in at most four characters.

    >>> [_compact(n) for n in (7, 1000, 12345, 999999, 3 * 10**8)]
    ['7', '1k', '12k', '1M', '300M']
    """
    for unit, size in (("G", 10**9), ("M", 10**6), ("k", 1000)):
        if count >= size - size // 2000:
            return f"{round(count / size)}{unit}"
    return str(count)
