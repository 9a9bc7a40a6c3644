"""Animations: a motion in a style, ready to be watched or saved."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from viz.motion import Motion
from viz.output import ANIMATION_SUFFIXES, output_path, write_bytes
from viz.style import Style


@dataclass(frozen=True)
class Animation:
    """A motion in a style.

    Notebooks show it with play, pause and a scrub bar; `save` writes it.

    Attributes:
        motion: the frames, as plain data.
        style: theme.
        pixels: width of a frame.
    """

    motion: Motion
    style: Style
    pixels: int = 500

    def save(self, path: str | os.PathLike[str], *, watch: Callable[[int, int], object] | None = None) -> None:
        """Write a GIF, WebP or MP4 file, or one self-contained HTML page with play, pause and a scrub bar.

        Args:
            path: where; the suffix says the format.
            watch: called after every frame with (frames done, frames in all).

        Raises:
            InputError: unknown suffix, mp4 without imageio-ffmpeg, or a page too large to embed.
            UnreadableFileError: the file cannot be written.
        """
        target = output_path(path, ANIMATION_SUFFIXES)
        write_bytes(target, self.render(target.suffix.lower()[1:], watch=watch))

    def render(self, kind: str, *, watch: Callable[[int, int], object] | None = None) -> bytes:
        """The bytes of a ``"gif"``, ``"webp"``, ``"mp4"`` or ``"html"`` file; the same every time."""
        from viz.encoders import ENCODERS
        from viz.frames import render_frames

        frames = render_frames(self.motion, self.style, self.pixels, watch)
        return ENCODERS[kind](frames, self.motion, self.style)

    def _repr_html_(self) -> str:
        from viz.encoders import player_fragment
        from viz.frames import render_frames

        return player_fragment(render_frames(self.motion, self.style, self.pixels), self.motion, self.style)

    def __repr__(self) -> str:
        return f"Animation({self.motion.name!r}, {len(self.motion)} frames)"
