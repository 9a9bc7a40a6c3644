"""``lnnet draw FIGURE -o F.svg``."""

from __future__ import annotations

import argparse

from lnnet.report import Report

HELP = "draw a figure of the paper"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    from viz.catalogue import FIGURES

    known = "; ".join(f"{name}: {text}" for name, (_, _, text) in FIGURES.items())
    parser.add_argument("figure", metavar="FIGURE", help=known)
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="a .png, .svg or .pdf file")
    parser.add_argument("--theme", default="light", choices=("light", "dark"))
    parser.add_argument(
        "--size",
        default="notebook",
        choices=("column", "page", "notebook"),
        help="column: 3.3 inches, for two-column print; page: 6.9 inches",
    )
    parser.add_argument("--dpi", type=int, metavar="N", help="resolution of a .png")


def run(options: argparse.Namespace) -> Report:
    """Draw and save."""
    from constructions.errors import InputError
    from viz.catalogue import figure_named
    from viz.output import PICTURE_SUFFIXES, output_path

    target = output_path(options.output, PICTURE_SUFFIXES)
    if options.dpi is not None and not 30 <= options.dpi <= 2400:
        raise InputError(f"Argument '--dpi' must be from 30 to 2400, not {options.dpi}.")
    picture = figure_named(options.figure)(theme=options.theme, size=options.size)
    picture.save(target, dpi=options.dpi)
    return Report(picture.name, facts={"file": str(target), "bytes": target.stat().st_size})
