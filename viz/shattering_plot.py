"""The histogram of a shattering report: how many labelings need how many layers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from constructions.errors import InputError
from viz.picture import Picture, show
from viz.scene import Frame, Item, Label, Path, Scene


def shattering_scene(report: Mapping[str, Any]) -> Scene:
    """How many labelings need how many layers, as data.

    Args:
        report: a shattering report with ``"depths"``, a mapping from number of layers to number of labelings.
    """
    counts = report.get("depths") if isinstance(report, Mapping) else None
    if not isinstance(counts, Mapping) or not counts:
        raise InputError("Expected a shattering report with 'depths', a mapping from layers to numbers of labelings.")
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
    title = f"{len(missing)} labelings are not certified" if missing else ""
    frame = Frame("LN layers before padding", "labelings", xticks=tuple((float(d), str(d)) for d, _ in bars))
    return Scene(tuple(items), (bars[0][0] - 0.7, bars[-1][0] + 0.7, 0.0, 1.15 * top), title, frame=frame)


def plot_shattering(
    report: Mapping[str, Any], ax: Any = None, *, theme: str = "light", size: str = "notebook"
) -> Picture:
    """How many labelings need how many layers: the histogram of a shattering report.

    Args:
        report: a shattering report, as ``lnnet shatter -o`` writes it, read from JSON.
        ax: axes to draw on; a new figure by default.
        theme: ``"light"`` or ``"dark"``.
        size: ``"column"``, ``"page"`` or ``"notebook"``.

    Raises:
        InputError: no such report.

    >>> plot_shattering({"depths": {"0": 4, "1": 10, "2": 2}})
    Picture('Labelings by depth', 1 panel)
    """
    return show([shattering_scene(report)], "Labelings by depth", ax=ax, theme=theme, size=size)


def _compact(count: int) -> str:
    """A count in at most four characters.

    >>> [_compact(n) for n in (7, 1000, 12345, 999999, 3 * 10**8)]
    ['7', '1k', '12k', '1M', '300M']
    """
    for unit, size in (("G", 10**9), ("M", 10**6), ("k", 1000)):
        if count >= size - size // 2000:
            return f"{round(count / size)}{unit}"
    return str(count)
