"""``lnnet demo``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from lnnet.report import Report

if TYPE_CHECKING:
    from pathlib import Path

    from proofs.certificate import Certificate

HELP = "build and certify XOR (Figure 1 of the paper) and iris under random labels"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "-o", "--output", default="lnnet-demo", metavar="FOLDER", help="where to write (default %(default)s)"
    )


def run(options: argparse.Namespace) -> Report:
    """Build, certify, draw and write everything."""
    import time
    from pathlib import Path

    import viz
    from constructions.display import network_text
    from constructions.errors import UnreadableFileError
    from constructions.xor import figure1_network, xor_points
    from lnnet.building import build_certified
    from lnnet.progress import progress_bar
    from lnnet.sources import load_dataset, random_labels
    from lnnet.verdicts import EXIT_CODES
    from proofs.certificate import certify

    folder = Path(options.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnreadableFileError(f"Cannot make the folder {folder}: {error.strerror or error}.") from None
    irises = random_labels(load_dataset("iris")[0], 2, seed=0)
    started = time.perf_counter()
    xor = certify(figure1_network(), xor_points())
    middle = time.perf_counter()
    with progress_bar(quiet=options.json) as watch:
        iris = build_certified(irises, watch=watch).certificate
        seconds = (middle - started, time.perf_counter() - middle)
        viz.figure1().save(folder / "xor.png")
        viz.animate_figure1().save(folder / "xor.gif", watch=lambda done, total: watch("drawing", done, total))
        viz.plot_braid(iris.network, iris.points).save(folder / "iris-random-labels.png")
    rows = [
        _row(folder, name, certificate, spent)
        for name, certificate, spent in zip(("xor", "iris-random-labels"), (xor, iris), seconds, strict=True)
    ]
    notes = [
        "The network for XOR (Figure 1), exactly:",
        network_text(xor.network),
        f"Networks, certificates and pictures are in {folder}/: xor.png, xor.gif, iris-random-labels.png.",
        "Check a certificate again, trusting nothing in it but the network and the points:",
        f"  lnnet recheck {folder / 'xor.certificate.json'}",
    ]
    worst = max((xor, iris), key=lambda c: EXIT_CODES[c.verdict])
    return Report("lnnet demo", EXIT_CODES[worst.verdict], {"folder": str(folder)}, rows, notes)


def _row(folder: Path, name: str, certificate: Certificate, seconds: float) -> dict[str, Any]:
    """Write a network and its certificate; return the line of the summary."""
    from constructions.network_file import save_network
    from proofs.certificate import certificate_facts

    save_network(certificate.network, folder / f"{name}.network.json")
    certificate.save(folder / f"{name}.certificate.json")
    facts = certificate_facts(certificate)
    columns = ("verdict", "points", "depth", "width", "semantics", "margin", "condition")
    return {"example": name, **{key: facts[key] for key in columns}, "seconds": round(seconds, 2)}
