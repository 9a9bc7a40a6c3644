"""``lnnet show NET.json``."""

from __future__ import annotations

import argparse

from lnnet.report import Report

HELP = "print a network's layers, exact weights with their radicals"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("network", metavar="NET.json")
    parser.add_argument("--latex", action="store_true", help="as LaTeX")


def run(options: argparse.Namespace) -> Report:
    """Print."""
    from constructions.display import network_latex, network_text
    from constructions.network_file import load_network

    net = load_network(options.network)
    text = network_latex(net) if options.latex else network_text(net)
    facts = {
        "inputs": net.dimension,
        "classes": len(net.classes),
        "depth": net.depth,
        "width": net.width,
        "parameters": net.parameters,
        "readout": net.readout,
        "epsilon": str(net.epsilon),
        "semantics": net.semantics,
    }
    return Report(options.network, 0, {**facts, "text": text} if options.json else facts, notes=[text])
