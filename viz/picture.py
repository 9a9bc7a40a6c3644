"""Pictures: scenes on matplotlib axes, ready to be looked at or saved."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from constructions.errors import InputError
from viz.output import PICTURE_SUFFIXES, output_path, write_bytes
from viz.scene import Scene
from viz.style import Style

#: Share of a page's width that a picture of a single panel takes.
_SINGLE = 0.62


@dataclass(frozen=True)
class Picture:
    """What a plot function drew.

    Notebooks show it as an image; `save` writes it.

    Attributes:
        name: what it shows, in one line.
        scenes: the plain data, one scene a panel.
        style: theme and size.
        figure: the matplotlib figure.
        axes: the axes drawn on, one a panel.
        artists: everything that was added to them, one list a panel.
    """

    name: str
    scenes: tuple[Scene, ...]
    style: Style
    figure: Any
    axes: tuple[Any, ...]
    artists: tuple[list[Any], ...]

    @property
    def alt(self) -> str:
        """A description for readers who cannot see it: name, titles and captions."""
        parts = [self.name]
        for scene in self.scenes:
            parts += [text for text in (scene.title, scene.caption) if text]
        return ". ".join(part.rstrip(".") for part in parts) + "."

    def save(self, path: str | os.PathLike[str], *, dpi: int | None = None) -> None:
        """Write a PNG, SVG or PDF file, the same bytes every time.

        Args:
            path: where; the suffix says the format.
            dpi: of a PNG; by default that of the size.

        Raises:
            InputError: unknown suffix.
            UnreadableFileError: the file cannot be written.
        """
        target = output_path(path, PICTURE_SUFFIXES)
        write_bytes(target, self.render(target.suffix.lower()[1:], dpi=dpi))

    def render(self, kind: str, *, dpi: int | None = None) -> bytes:
        """The bytes of a ``"png"``, ``"svg"`` or ``"pdf"`` file, without dates or random names."""
        from viz.matplotlib_canvas import drawing

        metadata: dict[str, Any] = {
            "png": {"Software": None, "Title": self.name, "Description": self.alt},
            "svg": {"Date": None, "Title": self.name, "Description": self.alt},
            "pdf": {"CreationDate": None, "Title": self.name, "Subject": self.alt},
        }[kind]
        buffer = io.BytesIO()
        with drawing():
            self.figure.savefig(
                buffer, format=kind, dpi=dpi or self.style.size.dpi, metadata=metadata, facecolor=self._paper()
            )
        return buffer.getvalue()

    def _paper(self) -> Any:
        return self.figure.get_facecolor()

    def _repr_png_(self) -> bytes:
        return self.render("png", dpi=min(self.style.size.dpi, 150))

    def __repr__(self) -> str:
        return f"Picture({self.name!r}, {len(self.scenes)} panel{'s' * (len(self.scenes) != 1)})"


def show(
    scenes: Sequence[Scene],
    name: str,
    *,
    ax: Any = None,
    theme: str = "light",
    size: str = "notebook",
    columns: int | None = None,
) -> Picture:
    """Draw scenes, one a panel.

    Args:
        scenes: at least one.
        name: what they show.
        ax: matplotlib axes to draw on, a sequence of as many as there are scenes; a new figure by default.
        theme: ``"light"`` or ``"dark"``.
        size: ``"column"`` (3.3 inches, for two-column print), ``"page"`` or ``"notebook"``.
        columns: number of panels side by side in a new figure.

    Raises:
        InputError: unknown theme or size, or not one ax a scene.
    """
    style = Style.named(theme, size)
    if ax is None:
        axes = _new_axes(scenes, style, columns or len(scenes))
    else:
        axes = tuple(ax.flat) if hasattr(ax, "flat") else tuple(ax) if isinstance(ax, (list, tuple)) else (ax,)
        if len(axes) != len(scenes):
            raise InputError(f"Argument 'ax' must hold {len(scenes)} axes, one a panel, not {len(axes)}.")
    from viz.matplotlib_canvas import draw_scene

    artists = tuple(draw_scene(scene, one, style) for scene, one in zip(scenes, axes, strict=True))
    return Picture(name, tuple(scenes), style, axes[0].figure, axes, artists)


def _new_axes(scenes: Sequence[Scene], style: Style, columns: int) -> tuple[Any, ...]:
    """Axes in a grid whose rows are as high as their scenes need; the figure is headless and belongs to nobody."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from viz.matplotlib_canvas import drawing

    size = style.size
    width = size.width if size.narrow or len(scenes) > 1 else _SINGLE * size.width
    columns = min(columns, len(scenes))
    rows = -(-len(scenes) // columns)
    em = size.font / 72
    panel = width / columns - 0.5 * em
    heights = [max(_height(s, panel, em) for s in scenes[r * columns : (r + 1) * columns]) for r in range(rows)]
    with drawing():
        figure = Figure(figsize=(width, sum(heights)), layout="constrained", facecolor=style.theme.background)
        FigureCanvasAgg(figure)
        figure.get_layout_engine().set(w_pad=0.25 * em, h_pad=0.25 * em, wspace=0.02, hspace=0.02)  # type: ignore[union-attr,call-arg]
        grid = figure.add_gridspec(rows, columns, height_ratios=heights)
        return tuple(figure.add_subplot(grid[k // columns, k % columns]) for k in range(len(scenes)))


def _height(scene: Scene, width: float, em: float) -> float:
    left, right, bottom, top = scene.bounds
    title = 2.6 * em * (1 + scene.title.count("\n")) if scene.title else 0.4 * em
    if scene.frame is not None:
        return 0.68 * width + title
    return width * (top - bottom) / (right - left) + title
