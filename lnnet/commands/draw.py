"""``lnnet draw FIGURE -o F.svg``, ``lnnet draw braid NET.json POINTS -o F.svg`` and the like."""

from __future__ import annotations

import argparse
from typing import Any

from lnnet.report import Report

HELP = "draw a figure of the paper, or a diagram of a network, of points or of a report"

#: Diagram → (the files it takes, what it shows).
DIAGRAMS: dict[str, tuple[tuple[str, ...], str]] = {
    "points": (("POINTS",), "labelled points, beyond two dimensions in their first principal plane"),
    "braid": (("NET.json", "POINTS"), "the order of the points in every layer"),
    "layers": (("NET.json", "POINTS"), "precision and progress, layer by layer"),
    "neurons": (("NET.json", "POINTS"), "one LN of three neurons in R^3"),
    "ssr": (("POINTS",), "SSR(t), LSSR and the best t for two classes"),
    "shattering": (("REPORT.json",), "labelings by depth, from a report of lnnet shatter"),
    "depth": ((), "depth against m for every method, on random labels"),
    "depth-limits": (("DEPTHS.json",), "measured depths with the bounds from above and below; see docs/depths.json"),
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    from lnnet.sources import add_point_arguments
    from viz.catalogue import FIGURES

    known = [f"{name}: {text}" for name, (_, _, text) in FIGURES.items()]
    known += [f"{' '.join((name, *files))}: {text}" for name, (files, text) in DIAGRAMS.items()]
    parser.add_argument("figure", metavar="FIGURE", help="; ".join(known))
    parser.add_argument("subject", nargs="?", metavar="FILE", help="what the diagram is about")
    add_point_arguments(parser, optional=True)
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="a .png, .svg or .pdf file")
    parser.add_argument("--theme", default="light", choices=("light", "dark"))
    parser.add_argument(
        "--size",
        default="notebook",
        choices=("column", "page", "notebook"),
        help="column: 3.3 inches, for two-column print; page: 6.9 inches",
    )
    parser.add_argument("--dpi", type=int, metavar="N", help="resolution of a .png")
    parser.add_argument("--layer", type=int, default=1, metavar="L", help="which LN, for neurons (default 1)")
    parser.add_argument("--by", default="rank", choices=("rank", "position"), help="heights in a braid")


def run(options: argparse.Namespace) -> Report:
    """Draw and save."""
    from constructions.errors import InputError
    from lnnet.progress import progress_bar
    from viz.output import PICTURE_SUFFIXES, output_path

    target = output_path(options.output, PICTURE_SUFFIXES)
    if options.dpi is not None and not 30 <= options.dpi <= 2400:
        raise InputError(f"Argument '--dpi' must be from 30 to 2400, not {options.dpi}.")
    _check_files(options)
    look = {"theme": options.theme, "size": options.size}
    with progress_bar(quiet=options.json) as watch:
        picture = _picture(options, look, lambda done, total: watch("computing", done, total))
    picture.save(target, dpi=options.dpi)
    return Report(picture.name, facts={"file": str(target), "bytes": target.stat().st_size})


def _check_files(options: argparse.Namespace) -> None:
    from constructions.errors import InputError
    from viz.catalogue import FIGURES

    if options.figure not in (*FIGURES, *DIAGRAMS):
        raise InputError(f"Unknown figure {options.figure!r}; there are {', '.join((*FIGURES, *DIAGRAMS))}.")
    wanted = DIAGRAMS.get(options.figure, ((), ""))[0]
    given = [file for file in (options.subject, options.points) if file is not None]
    if len(given) != len(wanted):
        files = " and ".join(wanted) or "no file"
        raise InputError(f"{options.figure!r} takes {files}, not {len(given)} file{'s' * (len(given) != 1)}.")


def _picture(options: argparse.Namespace, look: dict[str, Any], watch: Any) -> Any:
    import viz
    from constructions.network_file import load_network, read_json
    from lnnet.methods import METHODS
    from lnnet.sources import read_points, read_samples
    from viz.catalogue import FIGURES, figure_named

    name = options.figure
    if name in FIGURES:
        return figure_named(name)(**look)
    if name == "depth":
        methods = {key: method.on_line for key, method in METHODS.items()}
        return viz.plot_depths(viz.measure_depths(methods, watch=watch), **look)
    if name == "shattering":
        return viz.plot_shattering(read_json(options.subject), **look)
    if name == "depth-limits":
        return viz.plot_depth_limits(read_json(options.subject), **look)
    if name in ("points", "ssr"):
        options.points = options.subject
    if name == "ssr":
        from constructions.sum_of_squares import two_classes

        first, second, _ = two_classes(*read_samples(options))
        return viz.plot_ssr(first, second, **look)
    points = read_points(options)
    if name == "points":
        return viz.plot_points(points, **look)
    net = load_network(options.subject)
    if name == "neurons":
        return viz.plot_neurons(net, points, layer=options.layer, **look)
    if name == "braid":
        return viz.plot_braid(net, points, by=options.by, **look)
    return viz.plot_layers(net, points, **look)
