"""How deep the methods build: depth against the number of points."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from flint import fmpq

from constructions.arithmetic import Dyadic
from constructions.errors import InputError, MergeConfusionError, UndecidedError
from constructions.line import Line
from viz.picture import Picture, show
from viz.scene import Frame, Item, Label, Marker, Path, Scene


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
    """Depths of several methods on the same random two-class labelings of random integers.

    Args:
        methods: name → what takes a `Line` to a network, or to anything else with a ``depth``.
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


def _depth(algorithm: Callable[[Line], Any], positions: Sequence[Any], labels: Sequence[int], limit: int) -> int | None:
    bits = 64
    while bits <= limit:
        arithmetic = Dyadic(bits)
        try:
            with arithmetic.work():
                return int(algorithm(Line.of(positions, labels, arithmetic)).depth)
        except MergeConfusionError:
            return None
        except UndecidedError:
            bits *= 4
    return None
