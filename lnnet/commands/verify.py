"""``lnnet verify NET.json POINTS``."""

from __future__ import annotations

import argparse

from lnnet.report import Report

HELP = "certify that a network gives every point its label, or refute it"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    from lnnet.sources import add_point_arguments

    parser.add_argument("network", metavar="NET.json")
    add_point_arguments(parser)
    parser.add_argument("-o", "--output", metavar="CERT.json", help="write the certificate to this file")
    parser.add_argument(
        "--max-bits", type=int, default=1 << 16, metavar="N", help="precision limit (default %(default)s)"
    )
    parser.add_argument(
        "--ieee",
        choices=("float32", "float64", "smallest"),
        help="also certify every IEEE evaluation in this format, which the weights must have; smallest: judge both "
        "formats with the weights rounded to them",
    )
    parser.add_argument("--second", action="store_true", help="use the independent checker on mpmath intervals too")


def run(options: argparse.Namespace) -> Report:
    """Check, and write the certificate if asked."""
    from constructions.network_file import load_network
    from lnnet.progress import progress_bar
    from lnnet.sources import read_points
    from lnnet.verdicts import second_opinion, verdict_report
    from proofs.certificate import certify
    from proofs.float_formats import judge_floats

    net = load_network(options.network)
    points = read_points(options)
    with progress_bar(quiet=options.json) as watch:
        certificate = certify(
            net,
            points,
            max_bits=options.max_bits,
            ieee=None if options.ieee == "smallest" else options.ieee,
            watch=lambda done, total: watch("checking", done, total),
        )
        wanted = options.ieee == "smallest" and certificate
        floats = judge_floats(net, points, watch=watch) if wanted else None
    extra = second_opinion(certificate) if options.second else {}
    if options.output is not None:
        certificate.save(options.output)
        extra["certificate"] = options.output
    return verdict_report(certificate, extra, floats)
