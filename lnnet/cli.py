"""The command line: ``lnnet COMMAND``. Each command is a module of `lnnet.commands`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from lnnet import __version__
from lnnet.report import Report

#: One module of `lnnet.commands` each, in the order of the help page.
COMMANDS = (
    "demo",
    "build",
    "verify",
    "recheck",
    "show",
    "draw",
    "animate",
    "audit",
    "break-lssr",
    "nonlinearity",
    "shatter",
    "export",
    "import",
    "vc-table",
)

EXIT_DONE, EXIT_REFUTED, EXIT_INPUT, EXIT_UNDECIDED = 0, 1, 2, 3


def parser() -> argparse.ArgumentParser:
    """The argument parser of all commands."""
    top = argparse.ArgumentParser(
        prog="lnnet",
        description="Build, certify, audit and show what LayerNorm networks can represent.",
        epilog="Exit codes: 0 certified or done, 1 refuted or confused, 2 bad input, 3 undecided.",
    )
    top.add_argument("--version", action="version", version=f"lnnet {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in COMMANDS:
        module = import_module(f"lnnet.commands.{name.replace('-', '_')}")
        sub = commands.add_parser(name, help=module.HELP, description=module.HELP)
        module.configure(sub)
        sub.add_argument("--json", action="store_true", help="print the result as JSON")
        sub.set_defaults(run=module.run)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    from constructions.errors import LNNetError, MergeConfusionError, UndecidedError

    top = parser()
    if not (sys.argv[1:] if arguments is None else arguments):
        top.print_help(sys.stderr)
        top.exit(EXIT_INPUT, "\nlnnet: error: name a command\n")
    options = top.parse_args(arguments)
    try:
        report = options.run(options)
    except MergeConfusionError as error:
        report = Report.failure("confused", error, EXIT_REFUTED)
    except UndecidedError as error:
        report = Report.failure("undecided", error, EXIT_UNDECIDED)
    except LNNetError as error:
        report = Report.failure("bad input", error, EXIT_INPUT)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    try:
        if options.json:
            print(json.dumps(report.document(), indent=1, ensure_ascii=False))
        else:
            report.show()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of a pipe has left: not an error of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return report.exit_code
