"""``lnnet break-lssr POINTS``."""

from __future__ import annotations

import argparse
from typing import Any

from lnnet.report import Report

HELP = "build an LN layer that brings two classes below their linear bound (Theorem 1), and certify it"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    from lnnet.sources import add_point_arguments

    add_point_arguments(parser)
    parser.add_argument("--between", nargs=2, metavar="LABEL", help="the two classes, where there are more")
    parser.add_argument(
        "--search", action="store_true", help="search every layer of Appendix C.4, not only Theorem 1's"
    )
    parser.add_argument("--best", action="store_true", help="certify the least SSR over all t of Theorem 1")
    parser.add_argument(
        "--arithmetic", default="dyadic", choices=("dyadic", "exact"), help="kind of weights (default %(default)s)"
    )
    parser.add_argument("-o", "--output", metavar="NET.json", help="write the network to this file")


def run(options: argparse.Namespace) -> Report:
    """Break the bound, and write the network if asked."""
    from constructions.network_file import save_network
    from constructions.sum_of_squares import project_samples, two_classes
    from lnnet.progress import progress_bar
    from lnnet.sources import read_samples
    from proofs.lssr_break import break_lssr
    from proofs.scale_minimum import best_scale

    rows, labels = _chosen(*read_samples(options), options.between)
    first, second, names = two_classes(rows, labels)
    with progress_bar(quiet=options.json) as watch:
        broken = break_lssr(
            first,
            second,
            names,
            search=options.search,
            arithmetic=options.arithmetic,
            watch=lambda done, total: watch("checking", done, total),
        )
    verdict, statistics = broken.verdict, broken.statistics
    facts: dict[str, Any] = {
        "classes": f"{names[0]} ({len(first)} samples), {names[1]} ({len(second)} samples)",
        "dimension": len(first[0]),
        "lssr": _decimal(verdict.bound),
        "ssr_at_most": None if verdict.ratio is None else _decimal(verdict.ratio[1]),
        "drop_at_least": None if verdict.drop is None else _decimal(verdict.drop),
        "t": None if broken.scale is None else _decimal(broken.scale),
        "T1": _decimal(statistics.t1),
        "T2": _decimal(statistics.t2),
        "T3": _decimal(statistics.t3),
        "derivative_at_0": _decimal(statistics.derivative),
        "depth": broken.network.depth,
        "width": broken.network.width,
        "semantics": broken.network.semantics,
        "bits": verdict.bits,
    }
    if options.best:
        line = [project_samples(part, broken.bound.direction) for part in (first, second)]
        with progress_bar(quiet=options.json) as watch:
            best = best_scale(*line, watch=lambda done, total: watch("certifying", done, total))
        facts["least_ssr_over_all_t"] = f"{_decimal(best.lower)} to {_decimal(best.upper)}"
        facts["intervals"] = best.intervals
    if options.output:
        save_network(broken.network, options.output)
        facts["network"] = options.output
    code = {"certified": 0, "refuted": 1, "undecided": 3}[verdict.outcome]
    title = {
        "certified": "broken: SSR of the network's output is below LSSR",
        "refuted": "not broken: no layer of this kind can get below LSSR here"
        if verdict.bits == 0
        else "not broken: the best layer found does not get below LSSR",
        "undecided": "undecided: no layer was found that provably gets below LSSR",
    }[verdict.outcome]
    notes = []
    if statistics.derivative == 0:
        notes.append("T1 + T2 = 0: Theorem 1 says nothing here; any drop is beyond it.")
    extra = {
        "verdict": verdict.outcome,
        "lssr_exact": str(verdict.bound),
        "direction": [str(x) for x in broken.bound.direction],
        "direction_is_unique": broken.bound.unique,
        "t_exact": None if broken.scale is None else str(broken.scale),
    }
    return Report(title, code, facts, notes=notes, extra=extra)


def _chosen(rows: Any, labels: Any, between: list[str] | None) -> tuple[list[Any], list[Any]]:
    pairs = [(row, label) for row, label in zip(rows, labels, strict=True) if between is None or str(label) in between]
    return [row for row, _ in pairs], [label for _, label in pairs]


def _decimal(value: Any) -> str:
    """A rational to ten digits."""
    from flint import arb, ctx

    with ctx.workprec(128):
        return str(arb(value).str(10, radius=False))
