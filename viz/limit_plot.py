"""Measured depths between what the paper needs and what no network of width 3 can do without."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from constructions.errors import InputError
from proofs.depth_bound import least_depth
from viz.picture import Picture, show
from viz.scene import XY, Frame, Item, Label, Marker, Path, Scene

#: "Nearly all labelings": all but one in 2^SPARE.
SPARE = 10
_TICKS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
_NAME = "Depth against the number of points, with bounds from above and below"


def limit_scenes(document: Mapping[str, Any]) -> tuple[Scene, ...]:
    """One diagram for every number of classes with two sizes or more, as data.

    Args:
        document: a mapping whose ``"rows"`` are mappings; of these are drawn those with ``"family"`` ``"random"``
            and ``"dimension"`` 2. They hold ``"classes"`` (K), ``"points"`` (m) and ``"depths"`` (a list of LN layers).

    Raises:
        InputError: no such document, or nothing in it to draw.
    """
    found: dict[int, dict[int, list[int]]] = {}
    for m, classes, depths in _rows(document):
        found.setdefault(classes, {})[m] = depths
    scenes = tuple(_scene(classes, sizes) for classes, sizes in sorted(found.items()) if len(sizes) > 1)
    if not scenes:
        raise InputError("The document has no two sizes of random labels in the plane, so there is nothing to draw.")
    return scenes


def plot_depth_limits(
    document: Mapping[str, Any], ax: Any = None, *, theme: str = "light", size: str = "notebook"
) -> Picture:
    """Measured depths of random labels against m, with the paper's bounds and the bound from below.

    Args:
        document: depths as ``benchmarks/bench_depth.py --save`` writes them, read from JSON.
        ax: axes to draw on, one a number of classes; a new figure by default.
        theme: ``"light"`` or ``"dark"``.
        size: ``"column"``, ``"page"`` or ``"notebook"``.

    Raises:
        InputError: no such document.

    >>> rows = [{"family": "random", "dimension": 2, "classes": 2, "points": m, "depths": [m // 5]} for m in (20, 200)]
    >>> plot_depth_limits({"rows": rows})
    Picture('Depth against the number of points, with bounds from above and below', 1 panel)
    """
    scenes = limit_scenes(document)
    return show(scenes, _NAME, ax=ax, theme=theme, size=size, columns=1 if size == "column" else None)


def _rows(document: Any) -> Iterable[tuple[int, int, list[int]]]:
    rows = document.get("rows") if isinstance(document, Mapping) else None
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise InputError("Expected a document with 'rows', a list of mappings.")
    for row in rows:
        if row.get("family") != "random" or row.get("dimension") != 2:
            continue
        m, classes, depths = (row.get(key) for key in ("points", "classes", "depths"))
        whole = isinstance(depths, list) and all(type(x) is int and x > 0 for x in depths)
        if type(m) is not int or type(classes) is not int or not m > classes > 1 or not whole:
            raise InputError(f"Expected integers 'points' > 'classes' > 1 and positive 'depths', not {dict(row)}.")
        if depths:  # a case whose every seed failed has none
            yield m, classes, depths


def _scene(classes: int, sizes: Mapping[int, Sequence[int]]) -> Scene:
    left, right = min(sizes), max(sizes)
    grid = sorted({round(left * (right / left) ** (k / 60)) for k in range(61)})
    items: list[Item] = []
    for text, factor, shift in _bounds_above(classes):
        line = tuple((float(m), factor * (m - shift)) for m in grid if m > shift)
        items += [Path(line, "level"), Label(*line[-1], text, "e")]
    below = [(float(m), float(least_depth(m, 2, classes, spare=SPARE))) for m in grid]
    below = [(m, depth) for m, depth in below if depth > 0]
    items += [Path(_steps(below), "dashed", 1)] if below else []
    middle = [(float(m), float(statistics.median(sizes[m]))) for m in sorted(sizes)]
    items.append(Path(tuple(middle), "curve", 0))
    items += [Path(((m, min(d)), (m, max(d))), "mark") for m, d in sizes.items() if min(d) < max(d)]
    items += [Marker(x, y, 0) for x, y in middle]
    top = max(factor * (right - shift) for _, factor, shift in _bounds_above(classes))
    wide = right > 30 * left  # with so much to show, only every other label has room
    ticks = tuple((float(t), f"{t:,}") for t in _TICKS if left <= t <= right and not (wide and str(t)[0] == "5"))
    frame = Frame("points $m$", "LN layers", "log", "log", xticks=ticks)
    title = f"{classes} classes at random, points in the plane"
    legend = ((0, "built and certified"), (1, "needed by nearly all labelings"))
    room = (right / left) ** 0.8  # for the names of the lines
    return Scene(tuple(items), (left / 1.15, right * room, 0.8, top * 3), title, legend=legend, frame=frame)


def _bounds_above(classes: int) -> list[tuple[str, float, int]]:
    """Name, a and b of the lines a·(m − b)."""
    lines = [(f"$2(m-{classes})$, Theorem 3", 2.0, classes)]
    if classes == 2:
        return [*lines, ("$m-2$, Theorem 2", 1.0, 2), ("$(m-1)/2$, double", 0.5, 1)]
    return [*lines, (f"$m-{classes}$, chord", 1.0, classes)]


def _steps(points: Sequence[XY]) -> tuple[XY, ...]:
    """The corners of a staircase."""
    corners = [points[0]]
    for (_, before), (x, y) in pairwise(points):
        corners += [(x, before), (x, y)] if y != before else [(x, y)]
    return tuple(corners)
