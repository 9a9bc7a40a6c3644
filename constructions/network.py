"""LN-Nets (Ni et al. 2024, Definition 3): affine maps with an LN between consecutive ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from flint import fmpq

from constructions.algebraic import Algebraic
from constructions.errors import InputError, NonFiniteError, ShapeError
from constructions.points import Label, LabeledPoints
from constructions.rational import to_rational

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from constructions.arithmetic import Arithmetic

Number = fmpq | Algebraic
ReadOut = Literal["threshold", "argmax"]
Semantics = Literal["exact", "dyadic", "float64", "float32"]
#: Deepest network that `LNNet.padded` makes.
MAX_DEPTH = 1 << 17
_BITS = {"float64": (53, 1024, -1074), "float32": (24, 128, -149)}


@dataclass(frozen=True)
class Affine:
    """x ↦ weight·x + bias.

    Attributes:
        weight: n rows of k exact numbers.
        bias: n exact numbers.
    """

    weight: tuple[tuple[Number, ...], ...]
    bias: tuple[Number, ...]

    def __post_init__(self) -> None:
        if not self.weight or not self.weight[0]:
            raise ShapeError("A weight matrix must have at least one row and one column.")
        if len({len(row) for row in self.weight}) > 1:
            raise ShapeError("The rows of a weight matrix must have equal lengths.")
        if len(self.bias) != len(self.weight):
            raise ShapeError(f"A bias must have one entry a row: got {len(self.bias)} for {len(self.weight)} rows.")
        for x in (*(w for row in self.weight for w in row), *self.bias):
            if not isinstance(x, (fmpq, Algebraic)):  # a float or int would be divided inexactly later on
                raise InputError(f"A weight must be an exact number, not {x!r}; enter others with Affine.of.")

    @classmethod
    def of(cls, weight: Any, bias: Any) -> Affine:
        """Build from anything number-like, exactly: nested sequences or arrays of shapes (n, k) and (n,)."""
        rows = tuple(tuple(_number(x) for x in row) for row in weight)
        return cls(rows, tuple(_number(x) for x in bias))

    @property
    def inputs(self) -> int:
        """Number k of columns."""
        return len(self.weight[0])

    @property
    def outputs(self) -> int:
        """Number n of rows."""
        return len(self.weight)


@dataclass(frozen=True)
class LNNet:
    """A network affine, LN, affine, …, LN, affine with a read-out.

    Attributes:
        layers: the affine maps; an LN acts between consecutive ones.
        classes: the labels that the read-out can return.
        readout: ``"threshold"`` (one output: negative means classes[0], positive classes[1]) or ``"argmax"`` (one
            output a class, the largest wins).
        epsilon: the smoothing of LN: (x − μ)/√(σ² + ε).
        semantics: what the weights are: ``"exact"`` algebraic numbers, ``"dyadic"`` rationals, or rationals that are
            all ``"float64"`` or ``"float32"`` values.

    >>> net = LNNet((Affine.of([[1]], ["-1/2"]),), ("low", "high"))
    >>> net.depth, net.predict([0]), net.predict(["0.75"])
    (0, 'low', 'high')
    """

    layers: tuple[Affine, ...]
    classes: tuple[Label, ...]
    readout: ReadOut = "threshold"
    epsilon: fmpq = fmpq(0)
    semantics: Semantics = "dyadic"

    def __post_init__(self) -> None:
        for name, value in (("layers", tuple(self.layers)), ("classes", tuple(self.classes))):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "epsilon", to_rational(self.epsilon))
        if not self.layers:
            raise ShapeError("An LN-Net must have at least one affine map.")
        for number, (first, second) in enumerate(zip(self.layers, self.layers[1:], strict=False)):
            if first.outputs != second.inputs:
                raise ShapeError(
                    f"Affine map {number} has {first.outputs} outputs, but map {number + 1} takes {second.inputs}."
                )
        if self.readout not in ("threshold", "argmax"):
            raise InputError(f"The read-out must be 'threshold' or 'argmax', not {self.readout!r}.")
        expected = 1 if self.readout == "threshold" else len(self.classes)
        if self.readout == "threshold" and len(self.classes) != 2:
            raise ShapeError(f"A threshold separates two classes, not {len(self.classes)}.")
        if len(set(self.classes)) != len(self.classes) or not self.classes:
            raise InputError("The classes must be distinct and at least one.")
        if self.layers[-1].outputs != expected:
            raise ShapeError(f"The last affine map must have {expected} outputs, not {self.layers[-1].outputs}.")
        if self.epsilon < 0:
            raise InputError(f"Epsilon must be at least 0, not {self.epsilon}.")
        self._check_semantics()

    def _check_semantics(self) -> None:
        if self.semantics not in ("exact", "dyadic", "float64", "float32"):
            raise InputError(f"Unknown semantics {self.semantics!r}.")
        for number, layer in enumerate(self.layers):
            for x in (*(w for row in layer.weight for w in row), *layer.bias):
                if self.semantics == "exact":
                    continue
                if not isinstance(x, fmpq):
                    raise InputError(f"Layer {number} holds an algebraic number; its semantics must be 'exact'.")
                if self.semantics in _BITS and not _is_float(x, *_BITS[self.semantics]):
                    raise InputError(f"Layer {number} holds {x}, which is not a {self.semantics} value.")

    @property
    def depth(self) -> int:
        """Number of LN layers."""
        return len(self.layers) - 1

    @property
    def width(self) -> int:
        """Largest number of neurons on which an LN acts (0 without any LN)."""
        return max((layer.outputs for layer in self.layers[:-1]), default=0)

    @property
    def dimension(self) -> int:
        """Number d of inputs."""
        return self.layers[0].inputs

    @property
    def parameters(self) -> int:
        """Number of weights and biases."""
        return sum(layer.outputs * (layer.inputs + 1) for layer in self.layers)

    def states(self, point: Sequence[Any], arithmetic: Arithmetic | None = None) -> list[tuple[list[Any], list[Any]]]:
        """What happens to one point, layer by layer.

        Args:
            point: d numbers, exact on entry.
            arithmetic: numbers to compute in; call inside its ``work()``. Default: numpy float64.

        Returns:
            For each affine map the pair (its output, the LN of that output); the last has no LN and repeats
            its output.
        """
        enter, sqrt = _float_arithmetic() if arithmetic is None else (arithmetic.enter, arithmetic.sqrt)
        x = [enter(to_rational(v)) for v in point]
        if len(x) != self.dimension:
            raise ShapeError(f"Expected a point with {self.dimension} coordinates, not {len(x)}.")
        result = []
        for number, layer in enumerate(self.layers):
            h = [
                sum((enter(w) * v for w, v in zip(row, x, strict=True)), enter(b))
                for row, b in zip(layer.weight, layer.bias, strict=True)
            ]
            x = h if number == self.depth else layer_normalization(h, enter, sqrt, self.epsilon)
            result.append((h, x))
        return result

    def outputs(self, point: Sequence[Any], arithmetic: Arithmetic | None = None) -> list[Any]:
        """The last affine map's outputs for one point (see `states`)."""
        return self.states(point, arithmetic)[-1][0]

    def predict(self, point: Sequence[Any], arithmetic: Arithmetic | None = None) -> Label:
        """The label that the read-out returns for one point, to the accuracy of the arithmetic.

        This proves nothing; `proofs.checker.check` does.
        """
        outputs = self.outputs(point, arithmetic)
        if self.readout == "threshold":
            return self.classes[int(outputs[0] > 0)]
        best = 0
        for k, value in enumerate(outputs):
            if value > outputs[best]:
                best = k
        return self.classes[best]

    def targets(self, points: LabeledPoints) -> tuple[int, ...]:
        """The class number of every point's label, in the order of `classes`.

        Raises:
            ShapeError: the points' dimension is not the network's.
            InputError: a label that the network cannot return.
        """
        if points.dimension != self.dimension:
            raise ShapeError(f"The network takes {self.dimension} coordinates, but the points have {points.dimension}.")
        known = {name: k for k, name in enumerate(self.classes)}
        for label in points.labels:
            if label not in known:
                raise InputError(f"Label {label!r} is not among the network's classes {list(self.classes)[:10]}.")
        return tuple(known[label] for label in points.labels)

    def padded(self, depth: int) -> LNNet:
        """The same function with exactly ``depth`` LN layers, at the same width.

        LN with ε = 0 is idempotent, so an identity map and an LN after the last LN change nothing.

        Raises:
            InputError: depth below the present one or above `MAX_DEPTH`, ε > 0, or a network without LN (build it
                with ``depth=``).
        """
        extra = depth - self.depth
        if depth > MAX_DEPTH:
            raise InputError(f"Argument 'depth' must be at most {MAX_DEPTH}, not {depth}.")
        if extra == 0:
            return self
        if extra < 0:
            raise InputError(f"The network has {self.depth} LN layers; it cannot be padded to {depth}.")
        if self.depth == 0 or self.epsilon > 0:
            raise InputError("Only a network with at least one LN and epsilon = 0 can be padded; use build(depth=...).")
        n = self.layers[-2].outputs
        identity = Affine.of([[int(i == j) for j in range(n)] for i in range(n)], [0] * n)
        return replace(self, layers=(*self.layers[:-1], *[identity] * extra, self.layers[-1]))

    def to_numpy(self, dtype: Any = np.float64) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        """Weights and biases as arrays, each entry rounded to the nearest value of a floating-point ``dtype``.

        Raises:
            NonFiniteError: a weight overflows.
        """
        return [
            (
                np.array([[_nearest(x, dtype) for x in row] for row in layer.weight], dtype),
                np.array([_nearest(x, dtype) for x in layer.bias], dtype),
            )
            for layer in self.layers
        ]

    def rounded(self, dtype: Any) -> LNNet:
        """The network whose weights are the nearest values of float32 or float64; another function, in general.

        Raises:
            InputError: another format.
            NonFiniteError: a weight overflows.
        """
        name = dtype if isinstance(dtype, str) else getattr(dtype, "__name__", str(dtype))
        if name not in _BITS:
            raise InputError(f"Weights can be rounded to float32 or float64, not {name!r}.")
        layers = tuple(Affine.of(weight.tolist(), bias.tolist()) for weight, bias in self.to_numpy(np.dtype(name)))
        return replace(self, layers=layers, semantics=name)  # type: ignore[arg-type]

    def _repr_html_(self) -> str:
        from constructions.display import network_html

        return network_html(self)

    def _repr_latex_(self) -> str:
        from constructions.display import network_latex

        return network_latex(self)

    def __repr__(self) -> str:
        return (
            f"LNNet(R^{self.dimension} -> {len(self.classes)} classes, depth {self.depth}, width {self.width}, "
            f"{self.parameters} parameters, {self.semantics})"
        )


def layer_normalization(h: Sequence[Any], enter: Any, sqrt: Any, epsilon: fmpq = fmpq(0)) -> list[Any]:
    """LN of one row in any arithmetic: (h − mean)/√(mean square + ε)."""
    share = enter(fmpq(1, len(h)))
    mean = sum(h[1:], h[0]) * share
    centred = [v - mean for v in h]
    variance = sum((v * v for v in centred[1:]), centred[0] * centred[0]) * share
    deviation = sqrt(variance + enter(epsilon))
    return [v / deviation for v in centred]


def _number(value: Any) -> Number:
    return value if isinstance(value, Algebraic) else to_rational(value)


def _to_float(value: Number) -> float:
    if isinstance(value, Algebraic):
        return float(value)
    try:
        return int(value.p) / int(value.q)
    except OverflowError:
        raise NonFiniteError(f"A weight near 2^{value.p.bit_length()} overflows float64.") from None


def _nearest(value: Number, dtype: Any) -> float:
    """A float that ``dtype`` holds exactly, nearest to a number: rounded once, not to float64 in between."""
    info = np.finfo(dtype)
    if info.bits >= 64 or isinstance(value, Algebraic) or value == 0:
        return _to_float(value)
    exact = Fraction(int(value.p), int(value.q))
    leading = abs(value.p).bit_length() - value.q.bit_length()
    if leading > info.maxexp:
        raise NonFiniteError(f"A weight near 2^{leading} overflows {np.dtype(dtype)}.")
    unit = max(leading - (abs(exact) < Fraction(2) ** leading), int(info.minexp)) - int(info.nmant)
    rounded = math.ldexp(round(exact / Fraction(2) ** unit), unit)
    if abs(rounded) > float(info.max):
        raise NonFiniteError(f"A weight near 2^{leading} overflows {np.dtype(dtype)}.")
    return rounded


def _float_arithmetic() -> tuple[Any, Any]:
    return (lambda v: np.float64(_to_float(v))), np.sqrt


def _is_float(value: fmpq, bits: int, largest: int, smallest: int) -> bool:
    """Whether a rational is a finite IEEE value (subnormals included) of this mantissa length and range."""
    numerator, denominator = abs(value.p), value.q
    if numerator == 0:
        return True
    if denominator & (denominator - 1):
        return False
    twos = (numerator & -numerator).bit_length() - 1
    low = twos - (denominator.bit_length() - 1)
    high = numerator.bit_length() - (denominator.bit_length() - 1)
    return bool(numerator.bit_length() - twos <= bits and high <= largest and low >= smallest)
