"""SSR along the family of Theorem 1 (Ni et al. 2024), with LSSR: how far one LN layer gets below the linear bound.

The curve is drawn in floating point and proves nothing; `proofs.lssr_break` certifies such a break.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from constructions.errors import InputError
from constructions.sum_of_squares import as_samples, linear_bound, project_samples
from constructions.taylor_break import best_scale_float, ratio_floats
from viz.picture import Picture, show
from viz.scene import Frame, Item, Label, Marker, Path, Scene, Side

if TYPE_CHECKING:
    from numpy.typing import NDArray


def ssr_curve(first: Any, second: Any, ts: Any) -> NDArray[np.float64]:
    """SSR of g(t; x) = (1 + xt)/√(1 + x²t²) for each t; at t = 0, where g is constant, the limit.

    Args:
        first, second: the projected samples u*ᵀx of the two classes, shape (m,).
        ts: values of t.

    >>> ssr_curve([0.0, 1.0], [3.0, 4.0], [0.0]).round(6).tolist()  # the SSR of the samples themselves
    [0.1]
    """
    x, y = np.asarray(first, float), np.asarray(second, float)
    values = []
    for t in np.asarray(ts, float).tolist():
        a, b = (v if t == 0 else (1 + v * t) / np.sqrt(1 + v * v * t * t) for v in (x, y))
        values.append(ratio_floats(a, b))
    return np.array(values)


def ssr_scene(first: Any, second: Any, *, steps: int = 241) -> Scene:
    """SSR(t), LSSR, and the best t found, as data.

    The range of t is such that x·t reaches 3 or −3 on the samples, or farther if the best t lies beyond.

    Args:
        first, second: samples of two classes, shape (m, d) or (m,).
        steps: number of points of the curve.
    """
    samples = as_samples(first), as_samples(second)
    bound = linear_bound(*samples)
    length = math.hypot(*(int(u.p) / int(u.q) for u in bound.direction)) or 1.0
    line = [project_samples(part, bound.direction) for part in samples]
    x, y = (np.array([int(v.p) / int(v.q) for v in part]) / length for part in line)  # along a unit vector
    least = int(bound.value.p) / int(bound.value.q)
    size = float(np.abs(np.concatenate([x, y])).max())
    if not size > 0:
        raise InputError("All samples are zero along u*, so g is constant and there is no curve to draw.")
    best = best_scale_float(*line)
    t_best = int(best.p) / int(best.q) * length
    reach = min(max(3.0 / size, 1.5 * abs(t_best)), 40.0 / size)
    ts = np.linspace(-reach, reach, steps | 1)
    values = ssr_curve(x, y, ts)
    low, high = float(min(values.min(), least)), float(max(values.max(), least))
    items: list[Item] = [
        Path(tuple(zip(ts.tolist(), values.tolist(), strict=True)), "curve", 0),
        Path(((-reach, least), (reach, least)), "level"),
        Label(-reach if t_best > 0 else reach, least, f"LSSR = {least:.4f}", "ne" if t_best > 0 else "nw"),
    ]
    lowest = float(ssr_curve(x, y, [t_best])[0])
    if lowest < least - 1e-12 and abs(t_best) > reach:
        end = math.copysign(reach, t_best)
        items.append(Label(end, low, f"SSR → {lowest:.4f}", "sw" if end > 0 else "se"))
    elif lowest < least - 1e-12:
        low = min(low, lowest)
        side: Side = "s" if abs(t_best) < 0.5 * reach else "sw" if t_best > 0 else "se"
        items += [Marker(t_best, lowest, 1), Label(t_best, lowest, f"SSR($t^*$) = {lowest:.4f}", side)]
    pad = 0.16 * ((high - low) or 0.1)
    bounds = (-reach * 1.03, reach * 1.03, low - 1.4 * pad, high + pad)
    return Scene(tuple(items), bounds, frame=Frame("$t$", "SSR"))


def plot_ssr(first: Any, second: Any, ax: Any = None, *, theme: str = "light", size: str = "notebook") -> Picture:
    """How far one LN layer gets below the linear bound (Theorem 1): SSR(t) with LSSR and t*.

    Args:
        first, second: samples of two classes, shape (m, d) or (m,).
        ax: axes to draw on; a new figure by default.
        theme: ``"light"`` or ``"dark"``.
        size: ``"column"``, ``"page"`` or ``"notebook"``.

    Raises:
        InputError: as `constructions.sum_of_squares.linear_bound`, or samples that nothing tells apart.

    >>> from viz.figure_data import table1_samples
    >>> plot_ssr(*table1_samples("c"))
    Picture('SSR along the family of Theorem 1', 1 panel)
    """
    return show([ssr_scene(first, second)], "SSR along the family of Theorem 1", ax=ax, theme=theme, size=size)
