"""Reading files of unknown origin."""

from __future__ import annotations

from pathlib import Path

from constructions.errors import UnreadableFileError

#: Larger files are refused.
MAX_FILE_BYTES = 256 * 2**20


def read_limited(path: Path) -> bytes:
    """The bytes of a file, at most `MAX_FILE_BYTES`; a pipe or device, whose size nobody knows, is cut off there too.

    Raises:
        UnreadableFileError: the file is longer, or its name is none.
        OSError: it cannot be opened.
    """
    if "\0" in str(path):
        raise UnreadableFileError(f"{str(path)!r} cannot be the name of a file.")
    with path.open("rb") as stream:
        content = stream.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise UnreadableFileError(f"{path} has more than {MAX_FILE_BYTES} bytes; such files are not read.")
    return content
