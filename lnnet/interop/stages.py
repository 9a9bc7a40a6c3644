"""What a foreign model consists of, and how its stages become an LN-Net, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from flint import fmpq, fmpq_mat

from constructions.errors import InputError, NonFiniteError, ShapeError, UnrepresentableError
from constructions.network import Affine, LNNet
from constructions.points import Label
from constructions.rational import to_rational
from proofs.ieee_rounding import FORMATS

Dtype = Literal["float32", "float64"]


@dataclass(frozen=True)
class Linear:
    """x ↦ weight·x + bias, arrays of shapes (n, k) and (n,)."""

    weight: Any
    bias: Any


@dataclass(frozen=True)
class Diagonal:
    """x ↦ factor ∘ x + offset, arrays of shape (n,) or numbers; what follows a normalisation with parameters."""

    factor: Any
    offset: Any


@dataclass(frozen=True)
class Norm:
    """LN without parameters.

    Attributes:
        epsilon: its smoothing.
        width: on how many neurons it acts, if the model says so.
    """

    epsilon: float
    width: int | None = None


Stage = Linear | Diagonal | Norm


def assemble(stages: Sequence[Stage], dtype: str, classes: Sequence[Label] | None = None) -> LNNet:
    """The LN-Net that computes over the reals what the stages do.

    Everything affine between two normalisations is multiplied out in rational arithmetic, so nothing is rounded. Where
    there was nothing to multiply out the weights are the model's own and keep its float type; otherwise they are
    dyadic.

    Args:
        stages: in the order of evaluation.
        dtype: ``"float32"`` or ``"float64"``, the model's type; LN's epsilon is rounded to it, as frameworks do.
        classes: labels of the outputs; by default 0, 1, …

    Raises:
        InputError: no linear stage, normalisations with different epsilons, or labels that do not fit.
        ShapeError: stages that do not fit together.
        NonFiniteError: a weight that is NaN or infinite.
    """
    if dtype not in ("float32", "float64"):
        raise InputError(f"Only float32 and float64 models can be imported, not {dtype}; convert the model first.")
    width = _first_width(stages)
    layers: list[Affine] = []
    epsilons = set()
    merged = False
    current: _Map | None = None
    for stage in stages:
        if isinstance(stage, Norm):
            layers.append(_affine(current, width))
            merged |= current is None or current.parts > 1
            width, current = layers[-1].outputs, None
            if stage.width not in (None, width):
                raise ShapeError(f"A normalisation over {stage.width} neurons meets a row of {width}.")
            epsilons.add(to_rational(np.dtype(dtype).type(stage.epsilon)))
        else:
            current = _Map.identity(width).then(stage) if current is None else current.then(stage)
    layers.append(_affine(current, width))
    merged |= current is None or current.parts > 1
    if len(epsilons) > 1:
        raise InputError(f"An LN-Net has one epsilon; the model has {sorted(map(float_of, epsilons))}.")
    outputs = layers[-1].outputs
    labels = tuple(range(2 if outputs == 1 else outputs)) if classes is None else tuple(classes)
    if len(labels) != (2 if outputs == 1 else outputs):
        raise InputError(
            f"A model with {outputs} outputs needs {2 if outputs == 1 else outputs} classes, not {len(labels)}."
        )
    readout: Any = "threshold" if outputs == 1 else "argmax"
    semantics: Any = "dyadic" if merged else dtype
    return LNNet(tuple(layers), labels, readout, next(iter(epsilons), fmpq(0)), semantics)


@dataclass(frozen=True)
class _Map:
    """An affine map in rationals, and of how many stages it is the product."""

    weight: fmpq_mat
    bias: fmpq_mat
    parts: int

    @classmethod
    def identity(cls, n: int) -> _Map:
        return cls(fmpq_mat(n, n, [fmpq(int(i == j)) for i in range(n) for j in range(n)]), fmpq_mat(n, 1), 0)

    def then(self, stage: Linear | Diagonal) -> _Map:
        n = self.weight.nrows()
        if isinstance(stage, Linear):
            weight = _matrix(stage.weight)
            if weight.ncols() != n:
                raise ShapeError(f"A linear stage takes {weight.ncols()} inputs but gets {n}.")
            bias = _column(stage.bias, weight.nrows())
        else:
            factor, offset = _column(stage.factor, n), _column(stage.offset, n)
            if all(x == 1 for x in factor.entries()) and all(x == 0 for x in offset.entries()):
                return self
            weight = fmpq_mat(n, n, [factor[i, 0] if i == j else fmpq(0) for i in range(n) for j in range(n)])
            bias = offset
        return _Map(weight * self.weight, weight * self.bias + bias, self.parts + 1)


def _affine(current: _Map | None, width: int) -> Affine:
    whole = _Map.identity(width) if current is None else current
    table = whole.weight.tolist()
    return Affine(tuple(tuple(row) for row in table), tuple(whole.bias.entries()))


def _first_width(stages: Sequence[Stage]) -> int:
    for stage in stages:
        if isinstance(stage, Linear):
            return int(np.shape(stage.weight)[1])
        if isinstance(stage, Norm) and stage.width is not None:
            return stage.width
        if isinstance(stage, Diagonal) and np.ndim(stage.factor) == 1:
            return len(stage.factor)
    raise InputError("The model has no linear layer, so it is no LN-Net.")


def _matrix(values: Any) -> fmpq_mat:
    if np.ndim(values) != 2:
        raise ShapeError(f"Expected a weight matrix, not an array of shape {np.shape(values)}.")
    rows, columns = np.shape(values)
    return fmpq_mat(rows, columns, [_rational(x) for x in np.asarray(values).ravel()])


def _column(values: Any, n: int) -> fmpq_mat:
    array = np.asarray(values)
    if array.size not in (1, n):
        raise ShapeError(f"Expected {n} parameters, not {array.size}.")
    flat = np.broadcast_to(array.reshape(-1), (n,))
    return fmpq_mat(n, 1, [_rational(x) for x in flat])


def _rational(x: Any) -> fmpq:
    try:
        return to_rational(x)
    except NonFiniteError:
        raise NonFiniteError(f"The model holds the weight {x}; only finite weights make a network.") from None


def float_of(value: fmpq) -> float:
    """The float64 nearest to a rational within range."""
    return int(value.p) / int(value.q)


def float_layers(net: LNNet, dtype: str | None) -> tuple[str, list[tuple[Any, Any]], float]:
    """A network's weights as arrays that hold them exactly, and its epsilon.

    Args:
        dtype: ``"float32"``, ``"float64"``, or None for what the network says its weights are.

    Returns:
        The name of the format, (weight, bias) of every affine map, and epsilon rounded to the format.

    Raises:
        UnrepresentableError: a weight is no value of the format, or epsilon > 0 underflows.
        InputError: an unknown format.
    """
    name = net.semantics if dtype is None else dtype
    if name not in ("float32", "float64"):
        raise UnrepresentableError(
            f"The network has {name} weights, which float formats round; build with arithmetic='float64' or 'float32'."
        )
    layers = net.to_numpy(name)
    for number, (layer, (weight, bias)) in enumerate(zip(net.layers, layers, strict=True)):
        exact: list[Any] = [*(x for row in layer.weight for x in row), *layer.bias]
        for x, y in zip(exact, [*weight.ravel(), *bias], strict=True):
            if not isinstance(x, fmpq) or not np.isfinite(y) or to_rational(y) != x:
                raise UnrepresentableError(f"Layer {number} holds a weight that is not a {name} value.")
    epsilon = FORMATS[name].round(net.epsilon)
    if epsilon is None or (epsilon == 0 and net.epsilon > 0):
        raise UnrepresentableError(f"Epsilon = {net.epsilon} is out of range for {name}.")
    return name, layers, float_of(epsilon)
