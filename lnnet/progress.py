"""A progress bar that appears only for work that takes more than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

#: Seconds of work before the bar appears.
PATIENCE = 1.0


@contextmanager
def progress_bar(*, quiet: bool = False) -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function to call with (what is being done, steps done, steps in all).

    Args:
        quiet: never show a bar; neither is one shown where standard error is no terminal.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda text, done, total: None
        return
    started, shown = time.monotonic(), 0.0
    bar: Any = None
    task: Any = None

    def watch(text: str, done: int, total: int) -> None:
        nonlocal bar, task, shown
        now = time.monotonic()
        if now - started < PATIENCE or now - shown < 0.1:
            return
        shown = now
        if bar is None:
            from rich.console import Console
            from rich.progress import Progress

            bar = Progress(console=Console(stderr=True), transient=True)
            bar.start()
            task = bar.add_task(text, total=total)
        bar.update(task, description=text, completed=done, total=total)

    try:
        yield watch
    finally:
        if bar is not None:
            bar.stop()
