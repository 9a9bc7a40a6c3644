"""Labelled points as they are given: on a line, in the plane, or in their first principal plane."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import arb, ctx

from constructions.errors import InputError
from constructions.points import LabeledPoints
from viz.network_animation import class_names
from viz.picture import Picture, show
from viz.planes import flat_view
from viz.scene import Frame, Item, Marker, Path, Scene


def points_scene(points: LabeledPoints) -> Scene:
    """The points as data: one dimension on an axis, two as they are, more in the first principal plane."""
    groups = [points.classes.index(label) for label in points.labels]
    with ctx.workprec(64):
        flat = flat_view(np.array([[float(arb(x)) for x in p] for p in points.points]))
    if not np.isfinite(flat).all() or np.abs(flat).max() > 1e300:
        raise InputError("Coordinates beyond 10^300 cannot be drawn; rescale the points.")
    size = 1.0 if len(groups) <= 40 else 0.6 if len(groups) <= 400 else 0.4
    markers = [Marker(x, y, g, size=size) for (x, y), g in zip(flat.tolist(), groups, strict=True)]
    low, high = flat.min(axis=0), flat.max(axis=0)
    pad = 0.08 * float((high - low).max() or 1.0)
    left, right = float(low[0]) - pad, float(high[0]) + pad
    names = class_names(points.classes)
    if points.dimension == 1:
        items: tuple[Item, ...] = (Path(((left, 0.0), (right, 0.0)), "axis"), *markers)
        return Scene(items, (left, right, -pad, 2.2 * pad), legend=names)
    labels = ("$x_1$", "$x_2$") if points.dimension == 2 else ("first principal axis", "second principal axis")
    bounds = (left, right, float(low[1]) - pad, float(high[1]) + pad)
    return Scene(tuple(markers), bounds, legend=names, frame=Frame(*labels))


def plot_points(
    points: Any, labels: Any = None, ax: Any = None, *, theme: str = "light", size: str = "notebook"
) -> Picture:
    """Labelled points.

    Args:
        points: points as for `LabeledPoints.of`, or a `LabeledPoints` (then without labels).
        labels: one label a point.
        ax: axes to draw on; a new figure by default.
        theme: ``"light"`` or ``"dark"``.
        size: ``"column"``, ``"page"`` or ``"notebook"``.

    >>> plot_points([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    Picture('4 points in R^2', 1 panel)
    """
    labelled = points if isinstance(points, LabeledPoints) and labels is None else LabeledPoints.of(points, labels)
    name = f"{len(labelled)} points in R^{labelled.dimension}"
    return show([points_scene(labelled)], name, ax=ax, theme=theme, size=size)
