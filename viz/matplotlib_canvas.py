"""The matplotlib canvas. Importing this module imports matplotlib, but never pyplot."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib
from matplotlib.collections import PathCollection
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
from matplotlib.patches import Arc, Circle, FancyArrowPatch, Polygon
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FixedLocator, LogLocator, MaxNLocator, NullLocator
from matplotlib.transforms import IdentityTransform

from viz.painter import Look, TextLook, paint
from viz.scene import XY, Frame, Scene
from viz.style import Stroke, Style

#: Settings that make pictures the same whatever the user's matplotlibrc says.
RC: Any = {
    "text.usetex": False,
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans"],
    "mathtext.fontset": "dejavusans",
    "axes.unicode_minus": True,
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "lnnet",
    "path.simplify": True,
    "savefig.bbox": None,
    "savefig.transparent": False,
}
_FONT = "DejaVu Sans"


@contextmanager
def drawing() -> Iterator[None]:
    """Draw within: our settings, and no warning about letters that the font lacks (they become boxes)."""
    with matplotlib.rc_context(RC), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
        yield


class MatplotlibCanvas:
    """Draws on given axes and keeps the artists it made.

    Attributes:
        artists: in order of creation.
    """

    def __init__(self, ax: Any):
        self.ax = ax
        self.artists: list[Any] = []

    def line(self, points: Sequence[XY], stroke: Stroke, closed: bool) -> None:
        if closed and stroke.fill is not None:
            patch = Polygon(list(points), closed=True, fc=stroke.fill, ec="none", zorder=stroke.order)
            patch.set_alpha(stroke.opacity)
            self._keep(self.ax.add_artist(patch))
            return
        xs, ys = zip(*(points if not closed else (*points, points[0])), strict=True)
        style: Any = "-" if not stroke.dashes else (0, stroke.dashes)
        line = Line2D(xs, ys, color=stroke.colour, lw=stroke.width, ls=style, zorder=stroke.order)
        line.set_solid_capstyle("round")
        line.set_dash_capstyle("round")
        self._keep(self.ax.add_artist(line))

    def arc(self, x: float, y: float, radius: float, angles: XY, stroke: Stroke) -> None:
        style: Any = "-" if not stroke.dashes else (0, stroke.dashes)
        looks: dict[str, Any] = {"ec": stroke.colour, "lw": stroke.width, "ls": style, "zorder": stroke.order}
        if angles[1] - angles[0] >= 360:
            patch: Any = Circle((x, y), radius, fill=False, **looks)
        else:
            patch = Arc((x, y), 2 * radius, 2 * radius, theta1=angles[0], theta2=angles[1], **looks)
        self._keep(self.ax.add_artist(patch))

    def arrow(self, start: XY, end: XY, stroke: Stroke) -> None:
        patch = FancyArrowPatch(
            start,
            end,
            arrowstyle="-|>",
            mutation_scale=5 + 4 * stroke.width,
            shrinkA=0,
            shrinkB=0,
            lw=stroke.width,
            color=stroke.colour,
            zorder=stroke.order,
        )
        self._keep(self.ax.add_artist(patch))

    def markers(self, points: Sequence[XY], look: Look) -> None:
        shape = MarkerStyle(look.shape)
        path = shape.get_path().transformed(shape.get_transform())
        faces = look.colour if look.filled and look.shape != "x" else "none"
        collection = PathCollection(
            [path],
            sizes=[look.diameter**2],
            offsets=list(points),
            offset_transform=self.ax.transData,
            facecolors=faces,
            edgecolors=look.edge,
            linewidths=look.width,
            zorder=look.order,
        )
        collection.set_transform(IdentityTransform())
        collection.set_clip_on(False)
        self._keep(self.ax.add_collection(collection, autolim=False))

    def text(self, x: float, y: float, text: str, look: TextLook) -> None:
        note = self.ax.annotate(
            text,
            (x, y),
            xytext=(look.dx, look.dy),
            textcoords="offset points",
            ha=look.horizontal,
            va=look.vertical,
            fontsize=look.size,
            color=look.colour,
            fontfamily=_FONT,
            zorder=9,
            annotation_clip=False,
        )
        note.set_path_effects([withStroke(linewidth=0.22 * look.size, foreground=look.halo)])
        note.set_in_layout(False)
        self._keep(note)

    def _keep(self, artist: Any) -> None:
        self.artists.append(artist)


def draw_scene(scene: Scene, ax: Any, style: Style) -> list[Any]:
    """Draw a scene on axes; returns the artists.

    Args:
        scene: what to show.
        ax: matplotlib axes, which get the scene's bounds, title and (for diagrams) scales.
        style: theme and size.
    """
    canvas = MatplotlibCanvas(ax)
    size, theme = style.size, style.theme
    left, right, bottom, top = scene.bounds
    with drawing():
        ax.set_facecolor(theme.background)
        if scene.frame is None:
            ax.set_axis_off()
            ax.set_aspect("equal")
            ax.set_anchor("N")
        else:
            _set_frame(ax, scene.frame, style)
        ax.set_xlim(left, right)
        ax.set_ylim(bottom, top)
        paint(scene, canvas, style)
        if scene.title:
            title = ax.set_title(scene.title, fontsize=size.font, color=theme.ink, fontfamily=_FONT)
            canvas.artists.append(title)
        if scene.legend:
            canvas.artists.append(_legend(ax, scene, style))
    return canvas.artists


def _set_frame(ax: Any, frame: Frame, style: Style) -> None:
    size, theme = style.size, style.theme
    for axis, scale in (("x", frame.xscale), ("y", frame.yscale)):
        if scale != "linear":
            base = 2 if scale == "log2" else 10
            getattr(ax, f"set_{axis}scale")("log", base=base)
            getattr(ax, f"{axis}axis").set_major_locator(LogLocator(base, numticks=6))
            getattr(ax, f"{axis}axis").set_minor_locator(NullLocator())
        elif axis in frame.integers:
            getattr(ax, f"{axis}axis").set_major_locator(MaxNLocator(5, integer=True))
        else:
            getattr(ax, f"{axis}axis").set_major_locator(MaxNLocator(5))
    if frame.xticks:
        ax.xaxis.set_major_locator(FixedLocator([place for place, _ in frame.xticks]))
        ax.set_xticklabels([text for _, text in frame.xticks])
    ax.set_xlabel(frame.xlabel, fontsize=size.font, color=theme.ink, fontfamily=_FONT)
    ax.set_ylabel(frame.ylabel, fontsize=size.font, color=theme.ink, fontfamily=_FONT)
    ax.tick_params(labelsize=size.font, colors=theme.ink, labelfontfamily=_FONT, width=0.6 * size.stroke, which="both")
    ax.tick_params(length=0.45 * size.font, pad=0.3 * size.font)
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(theme.muted)
        spine.set_linewidth(0.7 * size.stroke)


def _legend(ax: Any, scene: Scene, style: Style) -> Any:
    size, theme = style.size, style.theme
    handles = [
        Line2D(
            [],
            [],
            ls="none",
            marker=style.shape(group),
            mfc=style.colour(group),
            mec=theme.background,
            mew=0.5 * size.stroke,
            ms=size.marker,
            label=name,
        )
        for group, name in scene.legend
    ]
    legend = ax.legend(
        handles=handles,
        loc="best" if scene.frame else "upper left",
        fontsize=size.font,
        labelcolor=theme.ink,
        frameon=True,
        facecolor=theme.background,
        edgecolor="none",
        framealpha=0.85,
        handletextpad=0.2,
        borderpad=0.2,
        labelspacing=0.3,
        prop={"family": _FONT, "size": size.font},
    )
    legend.set_zorder(10)
    return legend
