"""From frames to files: GIF, WebP, MP4, and a self-contained HTML page."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from constructions.errors import InputError
from viz.motion import Motion
from viz.player import PAGE, player_html
from viz.style import Style

Frames = Iterable[NDArray[np.uint8]]
#: Bytes of an HTML page at most; more makes notebooks and browsers slow.
EMBED_LIMIT = 20 * 2**20
#: Options that make the encoder write the same bytes every time: one thread, no versions, no dates.
_REPRODUCIBLE = ["-threads", "1", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"]


def encode_gif(frames: Frames, motion: Motion, style: Style) -> bytes:
    """An endless GIF with one palette, so that still parts stay still."""
    images = list(_with_palette(frames, style))
    buffer = io.BytesIO()
    images[0].save(
        buffer,
        format="GIF",
        save_all=True,
        append_images=images[1:],
        duration=[10 * round(ms / 10) for ms in motion.durations],
        loop=0,
        optimize=False,
        disposal=1,
    )
    return buffer.getvalue()


def encode_webp(frames: Frames, motion: Motion, style: Style) -> bytes:
    """An endless lossless WebP.

    Raises:
        InputError: this Pillow was built without WebP.
    """
    from PIL import Image, features

    if not features.check("webp"):
        raise InputError("This Pillow cannot write .webp; use .gif or .html.")
    images = [Image.fromarray(frame) for frame in frames]
    buffer = io.BytesIO()
    images[0].save(
        buffer,
        format="WEBP",
        save_all=True,
        append_images=images[1:],
        duration=list(motion.durations),
        loop=0,
        lossless=True,
        quality=50,
        method=2,
    )
    return buffer.getvalue()


def encode_mp4(frames: Frames, motion: Motion, style: Style) -> bytes:
    """An H.264 film; resting frames are repeated.

    Raises:
        InputError: imageio-ffmpeg is not installed.
    """
    import tempfile
    from pathlib import Path

    try:
        import imageio_ffmpeg
    except ImportError:
        raise InputError("Writing .mp4 needs imageio-ffmpeg: install it with  pip install 'lnnet[video]'.") from None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        writer: Any = None
        try:
            for frame, duration in zip(frames, motion.durations, strict=True):
                if writer is None:
                    writer = imageio_ffmpeg.write_frames(
                        str(path),
                        (frame.shape[1], frame.shape[0]),
                        fps=1000 / motion.step,
                        macro_block_size=2,
                        ffmpeg_log_level="error",
                        output_params=_REPRODUCIBLE,
                    )
                    writer.send(None)
                for _ in range(max(1, round(duration / motion.step))):
                    writer.send(np.ascontiguousarray(frame))
        finally:
            if writer is not None:
                writer.close()  # ends the encoder too
        return path.read_bytes()


def encode_html(frames: Frames, motion: Motion, style: Style) -> bytes:
    """One page that needs no network, with play, pause and a scrub bar.

    Raises:
        InputError: more than `EMBED_LIMIT` bytes.
    """
    page = PAGE.replace("{{title}}", _escaped(motion.name)).replace("{{background}}", style.theme.background)
    return page.replace("{{player}}", player_fragment(frames, motion, style)).encode("utf-8")


def player_fragment(frames: Frames, motion: Motion, style: Style) -> str:
    """The player as a piece of HTML, for a page or a notebook.

    Raises:
        InputError: more than `EMBED_LIMIT` bytes.
    """
    pictures, size = [], 0
    for image in _with_palette(frames, style):
        buffer = io.BytesIO()
        image.save(buffer, format="PNG", optimize=False)
        pictures.append(base64.b64encode(buffer.getvalue()).decode("ascii"))
        size += len(pictures[-1])
        if size > EMBED_LIMIT:
            raise InputError(
                f"The page would exceed {EMBED_LIMIT >> 20} MB after {len(pictures)} of {len(motion)} frames; "
                "ask for fewer frames or pixels, or write a .gif, .webp or .mp4."
            )
    captions = [motion.scene(k).caption for k in range(len(motion))]
    return player_html(pictures, motion.durations, captions, motion, style)


def _with_palette(frames: Frames, style: Style) -> Iterator[Any]:
    """The frames as palette images; all share one palette, made of the theme's colours and their blends."""
    from PIL import Image

    nearest = _Nearest(theme_palette(style))
    flat = nearest.palette.astype(np.uint8).tobytes()
    for frame in frames:
        image = Image.fromarray(nearest(frame), "P")
        image.putpalette(flat)
        yield image


def theme_palette(style: Style) -> NDArray[np.float64]:
    """All colours of a theme, and what they blend to on its background, shape (colours, 3)."""
    theme = style.theme
    paper = _rgb(theme.background)
    strong = [theme.ink, theme.muted, theme.faint, theme.merge, theme.confusion, *theme.classes]
    shades = [paper]
    for name in strong:
        shades += [paper + share * (_rgb(name) - paper) for share in (0.14, 0.3, 0.5, 0.75, 1.0)]
    ink = _rgb(theme.ink)
    shades += [ink + share * (_rgb(name) - ink) for name in theme.classes[:4] for share in (0.5,)]
    return np.unique(np.round(shades), axis=0)


class _Nearest:
    """The number of the palette's nearest colour, for whole frames; remembered for each of 64³ colours."""

    def __init__(self, palette: NDArray[np.float64]):
        self.palette = palette
        self._known = np.full(1 << 18, -1, np.int16)

    def __call__(self, frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
        r, g, b = (frame[:, :, k].astype(np.int32) >> 2 for k in range(3))
        codes = r << 12 | g << 6 | b
        numbers = self._known[codes]
        if (numbers < 0).any():
            fresh = np.unique(codes[numbers < 0])
            colours = np.stack([fresh >> 12, fresh >> 6 & 63, fresh & 63], 1) * (255 / 63)
            distances = ((colours[:, None, :] - self.palette[None, :, :]) ** 2).sum(2)
            self._known[fresh] = distances.argmin(1)
            numbers = self._known[codes]
        return numbers.astype(np.uint8)


def _rgb(colour: str) -> NDArray[np.float64]:
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)], float)


def _escaped(text: str) -> str:
    from html import escape

    return escape(text)


ENCODERS: dict[str, Callable[[Frames, Motion, Style], bytes]] = {
    "gif": encode_gif,
    "webp": encode_webp,
    "mp4": encode_mp4,
    "html": encode_html,
}
