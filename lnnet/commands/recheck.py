"""``lnnet recheck CERT.json``."""

from __future__ import annotations

import argparse

from lnnet.report import Report

HELP = "check a certificate again, trusting nothing in it but the network and the points"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("certificate", metavar="CERT.json")
    parser.add_argument("--second", action="store_true", help="use the independent checker on mpmath intervals too")


def run(options: argparse.Namespace) -> Report:
    """Check again."""
    from lnnet.progress import progress_bar
    from lnnet.verdicts import second_opinion, verdict_report
    from proofs.certificate import recheck

    with progress_bar(quiet=options.json) as watch:
        certificate = recheck(options.certificate, watch=lambda done, total: watch("checking", done, total))
    extra = second_opinion(certificate) if options.second else {}
    return verdict_report(certificate, extra)
