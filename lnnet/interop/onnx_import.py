"""ONNX import: a chain of linear operators and LayerNormalization, fused or decomposed, becomes an LN-Net exactly."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from constructions.errors import InputError, UnreadableFileError
from constructions.network import LNNet
from constructions.points import Label
from lnnet.interop.onnx_models import load_onnx
from lnnet.interop.stages import Diagonal, Linear, Norm, Stage, assemble

_TYPES = {1: "float32", 11: "float64"}
#: Larger files are refused unread.
MAX_FILE_BYTES = 256 * 2**20


def from_onnx(model: Any, classes: Sequence[Label] | None = None) -> LNNet:
    """The LN-Net that an ONNX model is, over the reals and exactly.

    Read are Gemm, MatMul, Add, Sub, Mul and Div with constants, LayerNormalization over the last axis, the same
    decomposed (ReduceMean, Sub, Mul or Pow, ReduceMean, Add, Sqrt, Div), Identity, Dropout and Constant. Affine
    operators in a row are multiplied out exactly.

    Args:
        model: an ``onnx.ModelProto`` or the path of a file.
        classes: labels of the outputs; by default those in the model's metadata, or 0, 1, …

    Raises:
        UnreadableFileError: no ONNX file.
        InputError: an operator or a graph that is no LN-Net, or onnx is not installed.
        ShapeError: operators that do not fit together.
    """
    onnx = load_onnx()
    if isinstance(model, (str, os.PathLike)):
        model = _read(onnx, model)
    graph = _Graph(onnx, model.graph)
    stages = graph.stages()
    if classes is None:
        classes = _labels(model)
    return assemble(stages, graph.dtype, classes)


def _read(onnx: Any, path: Any) -> Any:
    try:
        if os.path.getsize(path) > MAX_FILE_BYTES:
            raise UnreadableFileError(f"{os.fspath(path)} is larger than {MAX_FILE_BYTES} bytes and is not read.")
        model = onnx.load(path, load_external_data=False)
        onnx.checker.check_model(model)
    except OSError as error:
        raise UnreadableFileError(f"Cannot read {os.fspath(path)}: {error.strerror or error}.") from None
    except UnreadableFileError:
        raise
    except Exception as error:  # protobuf and the checker raise types of their own
        first = str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
        raise UnreadableFileError(f"{os.fspath(path)} is no valid ONNX model: {first}") from None
    return model


def _labels(model: Any) -> list[Label] | None:
    for entry in model.metadata_props:
        if entry.key == "classes":
            try:
                labels = json.loads(entry.value)
            except ValueError:
                return None
            if isinstance(labels, list) and not any(isinstance(x, (list, dict)) for x in labels):
                return labels
    return None


class _Graph:
    """The graph, read from its output back to its input."""

    def __init__(self, onnx: Any, graph: Any):
        self.onnx = onnx
        self.constants = {t.name: onnx.numpy_helper.to_array(t) for t in graph.initializer}
        self.producers: dict[str, Any] = {}
        for node in graph.node:
            if node.op_type == "Constant":
                self.constants[node.output[0]] = self._constant(node)
            else:
                self.producers[node.output[0]] = node
        inputs = [v for v in graph.input if v.name not in self.constants]
        if len(inputs) != 1 or len(graph.output) != 1:
            raise InputError(f"Expected one input and one output, not {len(inputs)} and {len(graph.output)}.")
        self.input, self.output = inputs[0].name, graph.output[0].name
        kind = inputs[0].type.tensor_type.elem_type
        if kind not in _TYPES:
            raise InputError(f"Expected a float32 or float64 input, not ONNX type {kind}.")
        self.dtype = _TYPES[kind]

    def _constant(self, node: Any) -> Any:
        for attribute in node.attribute:
            if attribute.name == "value":
                return self.onnx.numpy_helper.to_array(attribute.t)
            if attribute.name in ("value_float", "value_int"):
                return np.array(self.onnx.helper.get_attribute_value(attribute))
        raise InputError(f"Constant {node.output[0]!r} holds no number.")

    def stages(self) -> list[Stage]:
        """All stages in the order of evaluation."""
        backwards: list[Stage] = []
        name = self.output
        while name != self.input:
            if name not in self.producers:
                raise InputError(f"Tensor {name!r} does not come from the input.")
            found, name = self._stage(self.producers[name])
            backwards += found
        return backwards[::-1]

    def _stage(self, node: Any) -> tuple[list[Stage], str]:
        """The stages that a node is, last first, and the tensor that it reads."""
        kind = node.op_type
        if kind in ("Identity", "Dropout"):
            return [], node.input[0]
        if kind == "Gemm":
            return self._gemm(node)
        if kind == "MatMul":
            return [Linear(self._value(node, 1).T, 0.0)], node.input[0]
        if kind == "LayerNormalization":
            return self._layer_normalization(node)
        if kind == "Div" and node.input[1] not in self.constants:
            return self._decomposed(node)
        if kind in ("Add", "Sub", "Mul", "Div"):
            return self._with_constant(node)
        raise InputError(
            f"Operator {kind} ({node.name or node.output[0]}) is no part of an LN-Net; only linear operators and "
            "LayerNormalization can be imported."
        )

    def _gemm(self, node: Any) -> tuple[list[Stage], str]:
        attributes = self._attributes(node)
        if attributes.get("alpha", 1.0) != 1.0 or attributes.get("beta", 1.0) != 1.0 or attributes.get("transA", 0):
            raise InputError(f"Gemm {node.name!r} scales or transposes its input, which cannot be imported.")
        weight = self._value(node, 1)
        weight = weight if attributes.get("transB", 0) else weight.T
        bias = self._value(node, 2) if len(node.input) > 2 and node.input[2] else 0.0
        return [Linear(weight, bias)], node.input[0]

    def _layer_normalization(self, node: Any) -> tuple[list[Stage], str]:
        attributes = self._attributes(node)
        scale = self._value(node, 1)
        if attributes.get("axis", -1) not in (-1, 1) or np.ndim(scale) > 1:
            raise InputError(f"LayerNormalization {node.name!r} is not over the last axis of rows.")
        offset = self._value(node, 2) if len(node.input) > 2 and node.input[2] else 0.0
        epsilon = attributes.get("epsilon", float(np.float32(1e-5)))
        return [Diagonal(scale, offset), Norm(epsilon, int(np.size(scale)))], node.input[0]

    def _with_constant(self, node: Any) -> tuple[list[Stage], str]:
        which = [k for k, name in enumerate(node.input) if name in self.constants]
        if len(which) != 1 or (node.op_type in ("Sub", "Div") and which != [1]):
            raise InputError(
                f"{node.op_type} {node.name or node.output[0]!r} does not combine a tensor with a constant."
            )
        value = self.constants[node.input[which[0]]]
        if np.ndim(value) > 1 and np.size(value) != np.shape(value)[-1]:
            raise InputError(f"{node.op_type} {node.name or node.output[0]!r} is not the same for every row.")
        tensor = node.input[1 - which[0]]
        flat = np.ravel(value)
        if node.op_type == "Div":
            if not np.all(np.frexp(flat)[0] == 0.5):
                raise InputError(f"Div {node.name!r} by other numbers than powers of two has no exact counterpart.")
            return [Diagonal(1 / flat, 0.0)], tensor
        if node.op_type == "Mul":
            return [Diagonal(flat, 0.0)], tensor
        producer = self.producers.get(tensor)
        if node.op_type == "Add" and producer is not None and producer.op_type == "MatMul":
            return [Linear(self._value(producer, 1).T, flat)], producer.input[0]
        return [Diagonal(1.0, flat if node.op_type == "Add" else -flat)], tensor

    def _decomposed(self, node: Any) -> tuple[list[Stage], str]:
        """(x − mean(x)) / sqrt(mean((x − mean(x))²) [+ ε])."""
        centred, root = node.input
        epsilon = 0.0
        inside = self._only(root, "Sqrt").input[0]
        if self.producers[inside].op_type == "Add" if inside in self.producers else False:
            add = self.producers[inside]
            which = [k for k, name in enumerate(add.input) if name in self.constants]
            if len(which) != 1 or np.size(self.constants[add.input[which[0]]]) != 1:
                raise self._no_norm(node)
            epsilon, inside = float(np.ravel(self.constants[add.input[which[0]]])[0]), add.input[1 - which[0]]
        square = self.producers.get(self._mean(inside))
        power = square is not None and square.op_type == "Pow" and float(self._value(square, 1)) == 2.0
        product = square is not None and square.op_type == "Mul" and square.input[0] == square.input[1]
        if square is None or not (power or product) or square.input[0] != centred:
            raise self._no_norm(node)
        difference = self._only(centred, "Sub")
        if self._mean(difference.input[1]) != difference.input[0]:
            raise self._no_norm(node)
        return [Norm(epsilon)], difference.input[0]

    def _mean(self, name: str) -> str:
        node = self._only(name, "ReduceMean")
        attributes = self._attributes(node)
        axes = attributes.get("axes")
        if axes is None and len(node.input) > 1:
            axes = list(np.ravel(self._value(node, 1)))
        if axes is None or list(axes) not in ([-1], [1]) or attributes.get("keepdims", 1) != 1:
            raise self._no_norm(node)
        return str(node.input[0])

    def _only(self, name: str, kind: str) -> Any:
        node = self.producers.get(name)
        if node is None or node.op_type != kind:
            raise InputError(
                f"Expected {kind} where tensor {name!r} is made: the operators form no layer normalisation."
            )
        return node

    def _no_norm(self, node: Any) -> InputError:
        return InputError(f"The operators around {node.op_type} {node.name!r} form no layer normalisation of rows.")

    def _value(self, node: Any, k: int) -> Any:
        if node.input[k] not in self.constants:
            raise InputError(f"{node.op_type} {node.name!r}: input {k} must be a constant.")
        return self.constants[node.input[k]]

    def _attributes(self, node: Any) -> dict[str, Any]:
        return {a.name: self.onnx.helper.get_attribute_value(a) for a in node.attribute}
