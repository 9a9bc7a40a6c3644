"""``lnnet vc-table``."""

from __future__ import annotations

import argparse
from typing import Any

from lnnet.report import Report

#: What people see of a recheck; programs see more.
_COLUMNS = ("witness", "labelings", "checked", "not_certified", "margin", "seconds")
HELP = "the largest point sets known to be shattered at each depth, with certified witnesses"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--recheck", action="store_true", help="build and certify the networks of every witness again")
    parser.add_argument(
        "--witness", action="append", metavar="NAME", help="recheck only this witness (a name or a file); repeatable"
    )
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="recheck every N-th labelling only (default: all)"
    )
    parser.add_argument(
        "--thorough", action="store_true", help="check every network with the ball checker alone (much slower)"
    )
    parser.epilog = "Exit codes: 0 shown, or all labelings rechecked are certified; 1 some is not; 2 bad input."


def run(options: argparse.Namespace) -> Report:
    """Show the table, or check its witnesses."""
    from constructions.errors import InputError

    if options.every < 1:
        raise InputError(f"Argument '--every' must be at least 1, not {options.every}.")
    if options.recheck or options.witness:
        return _rechecked(options)
    return _table()


def _table() -> Report:
    from proofs.vc_table import vc_table

    rows: list[dict[str, Any]] = []
    for entry in vc_table():
        rows.append(
            {
                "depth": entry.depth,
                "dimension": entry.dimension,
                "paper": entry.paper,
                "proved": entry.proved,
                "certified": entry.found,
                "at_most": entry.upper,
                "witness": entry.witness,
            }
        )
    notes = [
        "Largest m such that width-3 LN-Nets of this depth are known to shatter m points of R^dimension.",
        "paper: L + 2 (Corollary 3); proved: families of sets; certified: every labelling, see --recheck.",
    ]
    return Report("shattered sets", 0, {}, rows, notes)


def _rechecked(options: argparse.Namespace) -> Report:
    import time
    from functools import partial

    from lnnet.progress import progress_bar
    from proofs.shattered_recheck import recheck_set
    from proofs.shattered_set import load_witness, witness_names

    rows: list[dict[str, Any]] = []
    for name in options.witness or witness_names():
        witness = load_witness(name)
        started = time.perf_counter()
        with progress_bar(quiet=options.json) as watch:
            found = recheck_set(
                witness,
                range(0, witness.labelings, options.every),
                spot=1 if options.thorough else 199,
                watch=partial(watch, str(name)),
            )
        rows.append(_row(name, witness, found, time.perf_counter() - started))
    bad = sum(row["not_certified"] for row in rows)
    notes = ["Every labelling counts for its complement too: exchange the two classes."]
    if options.every > 1:
        notes.append(
            f"Only every {options.every}-th labelling was checked, so this does not prove that a set is shattered."
        )
    title = "certified" if not bad else f"{bad} labelings are not certified"
    if not options.json:  # twelve columns would not fit a terminal
        rows = [{name: row[name] for name in _COLUMNS} for row in rows]
    return Report(title, int(bad > 0), {}, rows, notes)


def _row(name: str, witness: Any, found: Any, seconds: float) -> dict[str, Any]:
    from proofs.certificate import approximate

    return {
        "witness": str(name),
        "depth": witness.depth,
        "dimension": witness.dimension,
        "points": len(witness.points),
        "labelings": witness.labelings,
        "checked": found.checked,
        "not_certified": len(found.failures),
        "margin": None if found.margin is None else approximate(found.margin),
        "by_filter": found.by_filter,
        "by_checker": found.by_checker,
        "spot_checked": found.spot_checked,
        "seconds": round(seconds, 1),
    }
