"""``lnnet export NET.json``."""

from __future__ import annotations

import argparse
from typing import Any

from lnnet.report import Report

HELP = "write a network for PyTorch or ONNX, or its points' labels as a VNN-LIB property"
TARGETS = ("torch", "onnx", "onnx-decomposed", "vnnlib")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    from lnnet.sources import add_point_arguments

    parser.add_argument("network", metavar="NET.json")
    add_point_arguments(parser, optional=True)
    parser.add_argument("--to", required=True, choices=TARGETS, help="vnnlib needs POINTS too")
    parser.add_argument("--dtype", choices=("float32", "float64"), help="default: what the network's weights are")
    parser.add_argument("--vnnlib-version", default="2.0", choices=("1.0", "2.0"), help="default %(default)s")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="where to write")


def run(options: argparse.Namespace) -> Report:
    """Export."""
    from constructions.errors import InputError
    from constructions.network_file import load_network

    net = load_network(options.network)
    facts: dict[str, Any] = {"file": options.output, "depth": net.depth, "width": net.width}
    if options.to != "vnnlib" and options.points is not None:
        raise InputError(f"POINTS go with --to vnnlib only, not with --to {options.to}.")
    if options.to == "torch":
        from lnnet.interop.torch_models import save_torch

        save_torch(net, options.output, options.dtype)
    elif options.to == "vnnlib":
        from lnnet.interop.vnnlib import save_vnnlib
        from lnnet.sources import read_points

        if options.points is None:
            raise InputError("--to vnnlib needs POINTS: the property says which labels they get.")
        points = read_points(options)
        save_vnnlib(net, points, options.output, version=options.vnnlib_version, dtype=options.dtype)
        facts |= {"points": len(points), "vnnlib_version": options.vnnlib_version}
    else:
        from lnnet.interop.onnx_models import save_onnx

        save_onnx(net, options.output, options.dtype, decomposed=options.to == "onnx-decomposed")
    return Report(f"exported to {options.to}", 0, facts)
