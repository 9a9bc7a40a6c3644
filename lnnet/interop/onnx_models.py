"""ONNX export: with the operator ``LayerNormalization`` (opset 17), or decomposed into elementary operators."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from constructions.errors import InputError, UnreadableFileError, UnrepresentableError
from constructions.network import LNNet
from constructions.network_file import label_entry
from lnnet.interop.stages import float_layers

#: The first operator set that has LayerNormalization.
OPSET = 17
_IR_VERSION = 8


def to_onnx(net: LNNet, dtype: str | None = None, *, decomposed: bool = False) -> Any:
    """The network as an ONNX model with exactly its weights.

    Args:
        net: a network with float weights.
        dtype: ``"float32"`` or ``"float64"``; by default what the network's weights are.
        decomposed: write LN as ReduceMean, Sub, Mul, ReduceMean, Add, Sqrt, Div, for tools that lack the operator, and
            where ε must not be rounded to float32, the type of the operator's attribute.

    Returns:
        A checked ``onnx.ModelProto``: input ``X`` of shape (N, d), output ``Y`` of shape (N, 1) for a threshold, (N, K)
        for logits. The class labels are in its metadata.

    Raises:
        UnrepresentableError: the weights, or ε as an attribute, are not values of the format.
        InputError: onnx is not installed.
    """
    onnx = load_onnx()
    name, layers, epsilon = float_layers(net, dtype)
    if not decomposed and float(np.float32(epsilon)) != epsilon:
        raise UnrepresentableError(
            f"LayerNormalization holds epsilon as float32, which {epsilon!r} is not; export decomposed, or build "
            "with an epsilon that is, such as 1*2^-17."
        )
    kind = onnx.TensorProto.FLOAT if name == "float32" else onnx.TensorProto.DOUBLE
    nodes: list[Any] = []
    constants: list[Any] = []

    def constant(title: str, array: Any) -> str:
        constants.append(onnx.numpy_helper.from_array(np.ascontiguousarray(array), title))
        return title

    x = "X"
    for number, (weight, bias) in enumerate(layers):
        last = number == net.depth
        h = "Y" if last else f"h{number}"
        operands = [x, constant(f"W{number}", weight), constant(f"b{number}", bias)]
        nodes.append(onnx.helper.make_node("Gemm", operands, [h], name=f"affine{number}", transB=1))
        if not last:
            x = f"z{number}"
            make = _decomposed if decomposed else _fused
            nodes += make(onnx.helper, h, x, number, weight.shape[0], epsilon, constant, name)
    graph = onnx.helper.make_graph(
        nodes,
        "lnnet",
        [onnx.helper.make_tensor_value_info("X", kind, ["N", net.dimension])],
        [onnx.helper.make_tensor_value_info("Y", kind, ["N", net.layers[-1].outputs])],
        constants,
    )
    model = onnx.helper.make_model(
        graph, opset_imports=[onnx.helper.make_opsetid("", OPSET)], ir_version=_IR_VERSION, producer_name="lnnet"
    )
    labels = json.dumps([label_entry(label) for label in net.classes])
    onnx.helper.set_model_props(model, {"classes": labels, "readout": net.readout})
    onnx.checker.check_model(model, full_check=True)
    return model


def save_onnx(net: LNNet, path: str | os.PathLike[str], dtype: str | None = None, *, decomposed: bool = False) -> None:
    """Write `to_onnx` of a network to a file."""
    data = to_onnx(net, dtype, decomposed=decomposed).SerializeToString()
    try:
        with open(path, "wb") as file:
            file.write(data)
    except OSError as error:
        raise UnreadableFileError(f"Cannot write {os.fspath(path)}: {error.strerror or error}.") from None


def load_onnx() -> Any:
    """The module ``onnx``.

    Raises:
        InputError: it is not installed.
    """
    try:
        import onnx
    except ImportError:
        raise InputError("onnx is not installed: install it with  pip install 'lnnet[onnx]'.") from None
    return onnx


def _fused(helper: Any, h: str, z: str, number: int, n: int, epsilon: float, constant: Any, name: str) -> list[Any]:
    scale = constant(f"ones{number}", np.ones(n, name))
    return [helper.make_node("LayerNormalization", [h, scale], [z], name=f"ln{number}", axis=-1, epsilon=epsilon)]


def _decomposed(
    helper: Any, h: str, z: str, number: int, n: int, epsilon: float, constant: Any, name: str
) -> list[Any]:
    def node(kind: str, inputs: list[str], part: str, **attributes: Any) -> Any:
        return helper.make_node(kind, inputs, [f"{part}{number}"], name=f"{kind.lower()}_{part}{number}", **attributes)

    variance = f"v{number}"
    steps = [
        node("ReduceMean", [h], "m", axes=[-1], keepdims=1),
        node("Sub", [h, f"m{number}"], "c"),
        node("Mul", [f"c{number}", f"c{number}"], "q"),
        node("ReduceMean", [f"q{number}"], "v", axes=[-1], keepdims=1),
    ]
    if epsilon:
        steps.append(node("Add", [variance, constant(f"eps{number}", np.array([epsilon], name))], "w"))
        variance = f"w{number}"
    return [*steps, node("Sqrt", [variance], "s"), node("Div", [f"c{number}", f"s{number}"], "z")]
