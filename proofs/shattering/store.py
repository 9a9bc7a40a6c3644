"""Finished chunks on disk, so that an interrupted run goes on where it stopped."""

from __future__ import annotations

import os
from pathlib import Path

from constructions.errors import InputError
from constructions.network_file import expect_format, expect_keys, read_json, write_json
from proofs.shattering.chunk import ChunkResult, number_of_chunks
from proofs.shattering.task import Task

FORMAT, VERSION = "lnnet-shatter-run", 1


class Store:
    """A file of finished chunks; every change replaces it as a whole, so it is complete at any moment.

    Args:
        path: the file; created with the first chunk. None keeps everything in memory.
        task: what the chunks belong to.

    Raises:
        UnreadableFileError: the file is no such document.
        InputError: it belongs to another task.
    """

    def __init__(self, path: str | os.PathLike[str] | None, task: Task):
        self.path = None if path is None else Path(path)
        self.task = task
        self.chunks: dict[int, ChunkResult] = {}
        if self.path is not None and self.path.exists():
            self._load(self.path)

    def missing(self) -> list[int]:
        """Numbers of the chunks that are not done."""
        return [k for k in range(number_of_chunks(self.task)) if k not in self.chunks]

    def add(self, chunk: ChunkResult) -> None:
        """Keep a finished chunk."""
        self.chunks[chunk.index] = chunk
        if self.path is not None:
            write_json(self.path, self._document())

    def _document(self) -> dict[str, object]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "task": self.task.identity,
            "chunks": [self.chunks[k].document() for k in sorted(self.chunks)],
        }

    def _load(self, path: Path) -> None:
        fields = expect_keys(read_json(path), "run", required=("format", "version", "task", "chunks"))
        expect_format(fields, FORMAT, VERSION)
        if fields["task"] != self.task.identity:
            raise InputError(
                f"{path} belongs to another run (other points, depth, classes, method or sample); "
                "give the options of that run, or another file."
            )
        count = number_of_chunks(self.task)
        for document in fields["chunks"] if isinstance(fields["chunks"], list) else [None]:
            chunk = ChunkResult.from_document(document)
            if not 0 <= chunk.index < count:
                raise InputError(f"{path} holds chunk {chunk.index}, but the run has chunks 0 to {count - 1}.")
            self.chunks[chunk.index] = chunk
