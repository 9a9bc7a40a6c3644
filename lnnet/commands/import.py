"""``lnnet import FILE``."""

from __future__ import annotations

import argparse

from lnnet.report import Report

HELP = "read an LN-Net from a PyTorch or ONNX file, exactly, so that it can be certified"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("model", metavar="FILE", help="an ONNX model (.onnx) or a whole torch module (.pt, .pth)")
    parser.add_argument("--classes", metavar="A,B,…", help="labels of the outputs, in order (default 0, 1, …)")
    parser.add_argument("-o", "--output", required=True, metavar="NET.json", help="write the network to this file")


def run(options: argparse.Namespace) -> Report:
    """Import, and write the network."""
    from constructions.network_file import save_network
    from lnnet.sources import typed_labels

    classes = None if options.classes is None else typed_labels(options.classes.split(","))
    if options.model.lower().endswith(".onnx"):
        from lnnet.interop.onnx_import import from_onnx

        net = from_onnx(options.model, classes)
    else:
        from lnnet.interop.torch_models import load_torch

        net = load_torch(options.model, classes)
    save_network(net, options.output)
    facts = {
        "network": options.output,
        "dimension": net.dimension,
        "classes": ", ".join(map(str, net.classes)),
        "depth": net.depth,
        "width": net.width,
        "parameters": net.parameters,
        "epsilon": str(net.epsilon),
        "semantics": net.semantics,
    }
    return Report("imported", 0, facts)
