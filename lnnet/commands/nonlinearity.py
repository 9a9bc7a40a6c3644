"""``lnnet nonlinearity``."""

from __future__ import annotations

import argparse
from typing import Any

from lnnet.report import Report

HELP = "H(f; x) of a network, of LN or of LN-G at a point, or Proposition 8 as a table over (d, g)"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("network", nargs="?", metavar="NET.json", help="a network (with --at)")
    parser.add_argument(
        "--at", nargs="+", metavar="X", help="a point; without NET.json: of LN, or of LN-G with --groups"
    )
    parser.add_argument("--groups", type=int, default=1, metavar="G", help="number of groups of LN-G")
    parser.add_argument(
        "--dimensions", nargs="+", type=int, metavar="D", help="rows of the table (default: 6 12 24 48 256)"
    )


def run(options: argparse.Namespace) -> Report:
    """Compute H, or the table."""
    from constructions.errors import InputError

    if options.at is None:
        if options.network is not None:
            raise InputError("A network needs a point: add --at X Y …")
        return _table(options.dimensions or [6, 12, 24, 48, 256])
    if options.dimensions is not None:
        raise InputError("Options --at and --dimensions do not go together.")
    return _layer(options.at, options.groups) if options.network is None else _network(options.network, options.at)


def _network(path: str, point: list[str]) -> Report:
    from constructions.network_file import load_network
    from proofs.nonlinearity import nonlinearity_of_network

    ball = nonlinearity_of_network(load_network(path), point)
    return Report(f"H = {ball.str(15)}", facts={"H": ball.str(15)})


def _layer(point: list[str], groups: int) -> Report:
    from proofs.nonlinearity import nonlinearity_of_layer_norm, nonlinearity_ratio

    value = nonlinearity_of_layer_norm(point, groups)
    facts: dict[str, Any] = {"H": str(value)}
    if groups > 1 and len(point) > 2:
        facts["H of LN"] = str(nonlinearity_of_layer_norm(point))
        facts["ratio"] = str(nonlinearity_ratio(point, groups))
    return Report(f"H = {value}, exactly", facts=facts)


def _table(dimensions: list[int]) -> Report:
    from proofs.nonlinearity import ratio_table
    from proofs.relu_comparison import relu_ratio

    rows = []
    for row in ratio_table(dimensions):
        low, high = relu_ratio(row.d, row.groups)
        rows.append(
            {
                "d": row.d,
                "g": row.groups,
                "smallest_ratio_to_LN": str(row.smallest),
                "about": round(int(row.smallest.p) / int(row.smallest.q), 3),
                "Proposition_8": "yes" if row.covered else "no",
                "best_g": "*" if row.best else "",
                "least_ratio_to_ReLU": "infinite" if low == float("inf") else round(low, 3),
                "most_ratio_to_ReLU": "infinite" if high == float("inf") else round(high, 3),
            }
        )
    notes = (
        "Ratio to LN: infimum over all inputs of H(LN-G)/H(LN). Ratio to ReLU: bounds for expected norms of the "
        "Hessian under a standard normal input (E.3).",
    )
    return Report("Proposition 8 over (d, g)", rows=rows, notes=notes)
