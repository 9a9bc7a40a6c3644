"""``lnnet break-lssr POINTS``."""

from __future__ import annotations

import argparse
from typing import Any

from lnnet.report import Report

_EXIT_CODES = {"certified": 0, "refuted": 1, "undecided": 3}
_TITLES = {
    "certified": "broken: SSR of the network's output is below LSSR",
    "refuted": "not broken: SSR of the network's output is not below LSSR",
    "undecided": "undecided: SSR of the network's output is too close to LSSR, or equal to it",
}
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
    parser.add_argument("--check", metavar="NET.json", help="only compare this network's SSR with LSSR")


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
    if options.check:
        return _checked(options, first, second, names)
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
    title = _TITLES[verdict.outcome]
    if verdict.outcome == "refuted" and verdict.bits == 0:
        title = "not broken: no layer of this kind can get below LSSR here"
    return Report(title, _EXIT_CODES[verdict.outcome], facts, notes=notes, extra=extra)


def _checked(options: argparse.Namespace, first: Any, second: Any, names: tuple[Any, Any]) -> Report:
    from constructions.errors import InputError
    from constructions.network_file import load_network
    from lnnet.progress import progress_bar
    from proofs.lssr_break import check_ratio

    if options.search or options.best or options.output:
        raise InputError("Option --check goes with none of --search, --best and -o: it builds nothing.")
    net = load_network(options.check)
    with progress_bar(quiet=options.json) as watch:
        verdict = check_ratio(net, first, second, watch=lambda done, total: watch("checking", done, total))
    facts = {
        "classes": f"{names[0]} ({len(first)} samples), {names[1]} ({len(second)} samples)",
        "lssr": _decimal(verdict.bound),
        "ssr_at_most": None if verdict.ratio is None else _decimal(verdict.ratio[1]),
        "drop_at_least": None if verdict.drop is None else _decimal(verdict.drop),
        "depth": net.depth,
        "width": net.width,
        "semantics": net.semantics,
        "bits": verdict.bits,
    }
    return Report(_TITLES[verdict.outcome], _EXIT_CODES[verdict.outcome], facts, extra={"verdict": verdict.outcome})


def _chosen(rows: Any, labels: Any, between: list[str] | None) -> tuple[list[Any], list[Any]]:
    from constructions.errors import InputError

    known = list(dict.fromkeys(str(label) for label in labels))
    if between is None and len(known) > 2:
        raise InputError(f"SSR compares two classes, not {len(known)}: choose two with --between {known[0]} {known[1]}")
    if unknown := sorted(set(between or ()) - set(known)):
        raise InputError(f"There is no class {unknown[0]!r}; the labels are {', '.join(known[:20])}.")
    pairs = [(row, label) for row, label in zip(rows, labels, strict=True) if between is None or str(label) in between]
    return [row for row, _ in pairs], [label for _, label in pairs]


def _decimal(value: Any) -> str:
    """A rational to ten digits."""
    from flint import arb, ctx

    with ctx.workprec(128):
        return str(arb(value).str(10, radius=False))
