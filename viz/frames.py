"""From a motion to pixels, one frame at a time, on one matplotlib figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from constructions.errors import InputError
from viz.motion import Motion
from viz.style import NOTEBOOK, Size, Style

_DPI = 100
#: Frames are at least and at most so many pixels wide.
MIN_PIXELS, MAX_PIXELS = 100, 2000


def check_pixels(pixels: int) -> None:
    """Refuse widths that make no sense.

    Raises:
        InputError: for these.
    """
    if not MIN_PIXELS <= pixels <= MAX_PIXELS:
        raise InputError(f"Argument 'pixels' must be from {MIN_PIXELS} to {MAX_PIXELS}, not {pixels}.")


def render_frames(
    motion: Motion, style: Style, pixels: int = 500, watch: Callable[[int, int], object] | None = None
) -> Iterator[NDArray[np.uint8]]:
    """Every frame as an array of shape (height, width, 3).

    Args:
        motion: what to show.
        style: theme; texts and markers grow with the number of pixels.
        pixels: width of a frame; the height follows from the motion's bounds.
        watch: called after every frame with (frames done, frames in all).

    Raises:
        InputError: a width that makes no sense.
    """
    check_pixels(pixels)
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from viz.matplotlib_canvas import MatplotlibCanvas, drawing
    from viz.painter import paint

    left, right, bottom, top = motion.bounds
    width = pixels - pixels % 2  # video codecs want even numbers
    height = 2 * round(width * (top - bottom) / (right - left) / 2)
    scaled = Style(style.theme, _scaled(width / 500))
    with drawing():
        figure = Figure(figsize=(width / _DPI, height / _DPI), dpi=_DPI, facecolor=style.theme.background)
        canvas = FigureCanvasAgg(figure)
        ax = figure.add_axes((0, 0, 1, 1))
        ax.set_axis_off()
        for number in range(len(motion)):
            scene = motion.scene(number)
            ax.set_xlim(*scene.bounds[:2])
            ax.set_ylim(*scene.bounds[2:])
            drawn = MatplotlibCanvas(ax)
            paint(scene, drawn, scaled)
            canvas.draw()
            yield np.asarray(canvas.buffer_rgba())[:, :, :3].copy()
            for artist in drawn.artists:
                artist.remove()
            if watch is not None:
                watch(number + 1, len(motion))


def _scaled(factor: float) -> Size:
    return replace(
        NOTEBOOK,
        font=max(6.0, 10.0 * factor),
        marker=7.0 * factor,
        stroke=1.2 * factor,
    )
