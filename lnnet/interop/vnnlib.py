"""VNN-LIB properties "all these points get these labels", versions 1.0 and 2.0, for neural network verifiers.

A VNN-LIB query asks for a counterexample: it is *unsatisfiable* exactly if every point, entered as the float it is
rounded to, gets its label. Every way to fail is one conjunction: the input is this point, and this other class is at
least as high.
"""

from __future__ import annotations

import os
from decimal import Decimal

from constructions.errors import InputError, UnreadableFileError, UnrepresentableError
from constructions.network import LNNet
from constructions.points import LabeledPoints, Point
from lnnet.interop.stages import float_of
from proofs.ieee_rounding import FORMATS

VERSIONS = ("1.0", "2.0")


def vnnlib_property(net: LNNet, points: LabeledPoints, *, version: str = "2.0", dtype: str | None = None) -> str:
    """The query that is unsatisfiable exactly if the network gives every point its label.

    Args:
        net: the network; only its shape and classes enter.
        points: the points, whose coordinates are rounded to the format, and their labels.
        version: ``"1.0"`` (variables X_0, …, Y_0, …) or ``"2.0"`` (tensors X[0,k], Y[0,k] of the exported ONNX model).
        dtype: ``"float32"`` or ``"float64"``; by default what the network's weights are, or float32.

    Raises:
        InputError: an unknown version or format, labels that the network cannot return, or a single class, which leaves
            nothing to violate.
        ShapeError: the points' dimension is not the network's.
        UnrepresentableError: a coordinate that overflows the format.
    """
    name = dtype or (net.semantics if net.semantics in ("float32", "float64") else "float32")
    if version not in VERSIONS:
        raise InputError(f"Argument 'version' must be one of {list(VERSIONS)}, not {version!r}.")
    if name not in ("float32", "float64"):
        raise InputError(f"Argument 'dtype' must be 'float32' or 'float64', not {name!r}.")
    targets = net.targets(points)
    outputs = net.layers[-1].outputs
    if len(net.classes) < 2:
        raise InputError("With a single class there is nothing that a counterexample could violate.")
    x, y = ("X[0,{}]", "Y[0,{}]") if version == "2.0" else ("X_{}", "Y_{}")
    cases = []
    for point, target in zip(points.points, targets, strict=True):
        box = " ".join(f"(>= {x.format(k)} {v}) (<= {x.format(k)} {v})" for k, v in enumerate(_decimals(point, name)))
        cases += [f"    (and {box} {wrong})" for wrong in _violations(net, target, y)]
    head = [
        f"; Unsatisfiable exactly if all {len(points)} points get their labels (lnnet, VNN-LIB {version}).",
        f"; Coordinates are {name} values, written exactly. Classes: {', '.join(map(_comment, net.classes))}.",
    ]
    return "\n".join([*head, *_declarations(version, name, net.dimension, outputs), "(assert (or", *cases, "))", ""])


def save_vnnlib(
    net: LNNet, points: LabeledPoints, path: str | os.PathLike[str], *, version: str, dtype: str | None
) -> None:
    """Write `vnnlib_property` to a file."""
    text = vnnlib_property(net, points, version=version, dtype=dtype)
    try:
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
    except OSError as error:
        raise UnreadableFileError(f"Cannot write {os.fspath(path)}: {error.strerror or error}.") from None


def _declarations(version: str, dtype: str, inputs: int, outputs: int) -> list[str]:
    if version == "1.0":
        return [
            *(f"(declare-const X_{k} Real)" for k in range(inputs)),
            *(f"(declare-const Y_{k} Real)" for k in range(outputs)),
        ]
    return [
        "(vnnlib-version <2.0>)",
        "(declare-network lnnet",
        f"    (declare-input X {dtype} [1,{inputs}])",
        f"    (declare-output Y {dtype} [1,{outputs}])",
        ")",
    ]


def _violations(net: LNNet, target: int, y: str) -> list[str]:
    if net.readout == "threshold":
        return [f"({'<=' if target == 1 else '>='} {y.format(0)} 0.0)"]
    return [f"(>= {y.format(k)} {y.format(target)})" for k in range(len(net.classes)) if k != target]


def _decimals(point: Point, dtype: str) -> list[str]:
    """Coordinates rounded to the format, in all their decimals."""
    result = []
    for value in point:
        rounded = FORMATS[dtype].round(value)
        if rounded is None:
            raise UnrepresentableError(f"A coordinate near 2^{value.p.bit_length()} overflows {dtype}.")
        text = format(Decimal(float_of(rounded)), "f")
        result.append(text if "." in text else text + ".0")
    return result


def _comment(label: object) -> str:
    return "".join(c for c in ascii(label) if c.isprintable())[:40]
