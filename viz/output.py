"""Where pictures are written. Whether that is possible is found out before any work is done."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from constructions.errors import InputError, UnreadableFileError

PICTURE_SUFFIXES = (".png", ".svg", ".pdf")
ANIMATION_SUFFIXES = (".gif", ".webp", ".mp4", ".html")


def output_path(path: str | os.PathLike[str], suffixes: Sequence[str]) -> Path:
    """The path, once it is clear that it can be written to.

    Args:
        path: the file to write.
        suffixes: the file formats on offer.

    Raises:
        InputError: unknown suffix, or mp4 without the package that encodes it.
        UnreadableFileError: the folder does not exist, or the path is a folder.

    >>> output_path("figure.bmp", PICTURE_SUFFIXES)
    Traceback (most recent call last):
        ...
    constructions.errors.InputError: Cannot write 'figure.bmp': unknown suffix '.bmp'; use one of .png, .svg, .pdf.
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in suffixes:
        found = f"unknown suffix {suffix!r}" if suffix else "the name has no suffix"
        raise InputError(f"Cannot write {str(target)!r}: {found}; use one of {', '.join(suffixes)}.")
    if suffix == ".mp4" and find_spec("imageio_ffmpeg") is None:
        raise InputError(
            "Writing .mp4 needs imageio-ffmpeg: install it with  pip install 'lnnet[video]'  "
            "or use .gif, .webp or .html."
        )
    if not target.parent.is_dir():
        raise UnreadableFileError(f"Cannot write {target}: there is no folder {target.parent}.")
    if not os.access(target.parent, os.W_OK):
        raise UnreadableFileError(f"Cannot write {target}: the folder {target.parent} is not writable.")
    if target.is_dir():
        raise UnreadableFileError(f"Cannot write {target}: it is a folder.")
    return target


def write_bytes(target: Path, data: bytes) -> None:
    """Write a file so that a reader sees either the old one or the whole new one.

    Raises:
        UnreadableFileError: the file cannot be written.
    """
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise UnreadableFileError(f"Cannot write {target}: {error.strerror or error}.") from None
