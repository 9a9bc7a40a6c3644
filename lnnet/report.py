"""What a command has to say, once for people and once for programs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True)
class Report:
    """The result of a command.

    Attributes:
        title: one line.
        exit_code: 0 certified or done, 1 refuted or confused, 2 bad input, 3 undecided.
        facts: names and values, JSON-ready.
        rows: optional table, one mapping a row, all with the same keys.
        notes: sentences for people.
        extra: names and values, JSON-ready, for programs only.
    """

    title: str
    exit_code: int = 0
    facts: Mapping[str, Any] = field(default_factory=dict)
    rows: Sequence[Mapping[str, Any]] = ()
    notes: Sequence[str] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def failure(cls, title: str, error: Exception, exit_code: int) -> Report:
        """The report of an error that lnnet raised on purpose."""
        return cls(title, exit_code, {"error": type(error).__name__, "message": str(error)}, notes=(str(error),))

    def document(self) -> dict[str, Any]:
        """JSON-ready form."""
        result: dict[str, Any] = {"title": self.title, "exit_code": self.exit_code, **self.facts, **self.extra}
        if self.rows:
            result["rows"] = [dict(row) for row in self.rows]
        return result

    def show(self) -> None:
        """Print for people: results to standard output, errors to standard error.

        Raises:
            BrokenPipeError: the reader of a pipe has left (rich itself would exit with 1, which means "refuted" here).
        """
        from rich.console import Console

        console = Console(stderr=self.exit_code == 2, highlight=False, soft_wrap=True)
        if not console.is_terminal:
            console.width = 400  # a file has no edge to wrap at
        with console.capture() as captured:
            self._print(console)
        text = captured.get()
        if not console.is_terminal:
            text = re.sub(r" +$", "", text, flags=re.MULTILINE)
        print(text, end="", file=console.file)

    def _print(self, console: Console) -> None:
        from rich.table import Table
        from rich.text import Text

        style = {0: "bold green", 1: "bold red", 2: "bold red", 3: "bold yellow"}[self.exit_code]
        console.print(Text(self.title, style=style))
        facts = {name: value for name, value in self.facts.items() if name not in ("error", "message")}
        if facts:
            grid = Table.grid(padding=(0, 2))
            for name, value in facts.items():
                grid.add_row(Text(name.replace("_", " "), style="dim"), Text(_text(value)))
            console.print(grid)
        if self.rows:
            table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
            for name in self.rows[0]:
                table.add_column(name.replace("_", " "), overflow="fold")  # names are copied into commands
            for row in self.rows:
                table.add_row(*(Text(_text(value)) for value in row.values()))
            console.print(table)
        for note in self.notes:  # sentences break between words; matrices keep their rows
            console.print(Text(note), soft_wrap="\n" in note or not console.is_terminal)


def _text(value: Any) -> str:
    return "-" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)
