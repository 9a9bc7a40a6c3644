"""``lnnet build POINTS``."""

from __future__ import annotations

import argparse

from lnnet.report import Report

HELP = "build an LN-Net for labelled points and certify it"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    from lnnet.methods import METHODS
    from lnnet.sources import add_point_arguments

    add_point_arguments(parser)
    parser.add_argument(
        "--method",
        default="auto",
        choices=("auto", *METHODS, "wide"),
        help="; ".join(f"{name}: {method.summary}" for name, method in METHODS.items())
        + "; wide: Proposition 9, any width",
    )
    parser.add_argument("--width", type=int, metavar="N", help="neurons a layer for the method wide (default: d + 2)")
    parser.add_argument(
        "--arithmetic",
        default="dyadic",
        choices=("exact", "dyadic", "mpf", "float64", "float32"),
        help="kind of weights",
    )
    parser.add_argument(
        "--bits", type=int, metavar="N", help="mantissa bits of the weights (default: found automatically)"
    )
    parser.add_argument(
        "--projection",
        default="auto",
        choices=("auto", "spread", "few-runs", "fewest-runs", "wide-gaps", "powers", "random", "circle"),
        help="how to reach the line (auto: what suits the method)",
    )
    parser.add_argument("--depth", type=int, metavar="L", help="pad to exactly L LN layers")
    parser.add_argument(
        "--epsilon", default="0", metavar="E", help="smoothing of LN as an exact number, such as 1e-5 (default 0)"
    )
    parser.add_argument(
        "--effort",
        type=int,
        default=0,
        metavar="N",
        help="so many further searches, each twice as wide; the shallowest network wins",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="for random directions and random labels")
    parser.add_argument(
        "--ieee",
        action="store_true",
        help="also judge every IEEE float32 and float64 evaluation, the weights rounded to the format",
    )
    parser.add_argument("-o", "--output", metavar="NET.json", help="write the network to this file")


def run(options: argparse.Namespace) -> Report:
    """Build, certify, judge float evaluations and write the network if asked."""
    import time

    from constructions.network_file import save_network
    from lnnet.building import build_certified
    from lnnet.progress import progress_bar
    from lnnet.sources import read_points
    from lnnet.verdicts import verdict_report
    from proofs.float_formats import judge_floats

    points = read_points(options)
    started = time.perf_counter()
    with progress_bar(quiet=options.json) as watch:
        built = build_certified(
            points,
            method=options.method,
            arithmetic=options.arithmetic,
            bits=options.bits,
            projection=options.projection,
            seed=options.seed,
            depth=options.depth,
            width=options.width,
            epsilon=options.epsilon,
            effort=options.effort,
            watch=watch,
        )
        seconds = round(time.perf_counter() - started, 3)
        floats = judge_floats(built.network, points, watch=watch) if options.ieee and built.certificate else None
    extra = {
        "method": built.method,
        "breaks": built.breaks,
        "weight_bits": built.bits,
        "seconds": seconds,
    }
    if options.output is not None:
        save_network(built.network, options.output)
        extra["network"] = options.output
    return verdict_report(built.certificate, extra, floats)
