r"""The float checker: does *every* IEEE 754 evaluation of a network put every point on the right side?

Frameworks do not compute what the real-number checker certifies: they round every operation, in an order of their
own. This checker encloses all results that any evaluation within the model below can give. With
`proofs.ieee_rounding`, where the bounds on rounding errors are proved, it is all that has to be trusted.

How: `proofs.ieee_sets` carries, point by point, a set that contains every computed row from layer to layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from flint import arb, ctx, fmpq

from constructions.errors import InputError
from constructions.network import LNNet
from constructions.points import LabeledPoints
from constructions.rational import scale_binary
from proofs.checker import Outcome
from proofs.ieee_rounding import FORMATS, Format, Unbounded, top, widened
from proofs.ieee_sets import FloatLayer, RowSet, ScalarStep, normalized

#: Working precision in bits; the enclosures are as wide as the format's own roundings, so more would not help.
_BITS = 192
_MARGIN_BITS = 24

#: What a certificate covers; ``{0}`` is the format.
MODEL = (
    "Coordinates are rounded to {0} (to nearest, ties to even), the weights are the {0} values in the file, epsilon "
    "is rounded to {0}. Every + - * / sqrt is correctly rounded to nearest {0}, possibly through a wider format, "
    "and results below the normal range may be flushed to zero. Sums (affine maps, means, variances) are taken in "
    "any order and in any tree; any product may be fused into a sum. LN: the mean by a sum or by Welford or Chan "
    "updates; the variance as the mean square of h - mean, by Welford or Chan updates, or as mean square minus "
    "squared mean; divisions by the row length may be multiplications by its rounded reciprocal; plus epsilon; then "
    "(h - mean)/sqrt(w), (h - mean)*r or h*r - mean*r with r = 1/sqrt(w), rounded once or twice."
)


@dataclass(frozen=True)
class IEEEVerdict:
    """What the float checker found.

    Attributes:
        outcome: ``"certified"``: every evaluation within the model gives every point its label; ``"refuted"``: some
            evaluation does not; ``"undecided"``: neither could be shown.
        dtype: ``"float32"`` or ``"float64"``.
        reason: one readable sentence.
        margin: certified only: an exact lower bound on how far any computed output is from the read-out's boundary.
        point: refuted or undecided: number, among the distinct points, of the first offending point.
    """

    outcome: Outcome
    dtype: str
    reason: str
    margin: fmpq | None = None
    point: int | None = None

    @property
    def model(self) -> str:
        """The evaluations that the verdict speaks of."""
        return MODEL.format(self.dtype)

    def __bool__(self) -> bool:
        return self.outcome == "certified"


def check_ieee(net: LNNet, points: LabeledPoints, dtype: str | None = None) -> IEEEVerdict:
    """Decide whether every IEEE evaluation of a network gives every point its label.

    Args:
        net: a network whose weights are all values of the format.
        points: the points, which an evaluation rounds to the format first, and the labels they must get.
        dtype: ``"float32"`` or ``"float64"``; by default what the network says its weights are.

    Raises:
        ShapeError: the points' dimension is not the network's.
        InputError: a label that the network cannot return, an unknown format, or weights that are not its values.
    """
    f = _format_of(net, dtype)
    targets = net.targets(points)
    undecided: tuple[int, str] | None = None
    least: arb | None = None
    with ctx.workprec(_BITS):
        program = _Program(net, f)
        for k, (point, target) in enumerate(zip(points.points, targets, strict=True)):
            rounded = [f.round(x) for x in point]
            name = f"Point {points.indices[k]}"
            if any(x is None for x in rounded):
                return IEEEVerdict("refuted", f.name, f"{name} has a coordinate that overflows {f.name}.", point=k)
            try:
                margin = _margin(program, rounded, target)
            except Unbounded as error:
                undecided = undecided or (k, f"{name} is not settled: {error}.")
                continue
            if margin is not None and margin < 0:
                return IEEEVerdict("refuted", f.name, f"No evaluation gives {name.lower()} its label.", point=k)
            if margin is not None and not margin > 0:
                undecided = undecided or (k, f"{name} is not settled: roundings could change its label.")
            elif margin is not None:
                least = margin.lower() if least is None else least.min(margin.lower())
    if undecided is None:
        reason = f"Every {f.name} evaluation gives all {len(points)} distinct points their labels."
        return IEEEVerdict("certified", f.name, reason, margin=None if least is None else _short(least))
    found = _counterexample(net, points, f)
    return IEEEVerdict("undecided", f.name, undecided[1], point=undecided[0]) if found is None else found


def _format_of(net: LNNet, dtype: str | None) -> Format:
    name = net.semantics if dtype is None else dtype
    if not isinstance(name, str) or name not in FORMATS:
        raise InputError(
            f"A float certificate needs float32 or float64 weights, not {name!r}; build with arithmetic='float64'."
        )
    f = FORMATS[name]
    for number, layer in enumerate(net.layers):
        for x in (*layer.bias, *(w for row in layer.weight for w in row)):
            if not isinstance(x, fmpq) or f.round(x) != x:
                raise InputError(
                    f"Layer {number} holds a weight that is not a {name} value; build with that arithmetic."
                )
    return f


class _Program:
    """A network, ready to be run on sets of rows."""

    def __init__(self, net: LNNet, f: Format):
        self.net, self.format = net, f
        self.layers = [FloatLayer(layer, f) for layer in net.layers]
        self.steps: list[ScalarStep | None] = []
        for number, (layer, following) in enumerate(pairwise(self.layers)):
            scalar = layer.factors is not None and following.factors is not None
            row = following.factors[1] if scalar and following.factors is not None else ()
            bias = net.layers[number].bias
            self.steps.append(ScalarStep(layer, bias, row, net.epsilon, number) if scalar else None)

    def outputs(self, point: Sequence[Any]) -> RowSet:
        """Everything that an evaluation can compute for a point of floats."""
        x, p = RowSet.of([arb(v) for v in point], [], [arb(0)] * len(point)), None
        for layer, step in zip(self.layers, self.steps, strict=False):
            p = layer.scalar(x) if p is None else p
            if step is not None and p is not None:
                p, x = step(p, x)
            else:
                x, p = normalized(self.format, layer(x, p), self.net.epsilon), None
        last = self.layers[-1]
        return last(x, last.scalar(x) if p is None else p)


def _margin(program: _Program, point: Sequence[Any], target: int) -> arb | None:
    """A ball around the distance of the computed outputs to the boundary; None for a single class."""
    y = program.outputs(point)
    if program.net.readout == "threshold":
        return y.balls()[0] if target == 1 else -y.balls()[0]
    margin: arb | None = None
    for k in range(len(y.centre)):
        if k != target:
            spread = sum((top(g[target] - g[k]) for g in y.directions), y.box[target] + y.box[k])
            gap = widened(y.centre[target] - y.centre[k], top(spread))
            margin = gap if margin is None else margin.min(gap)
    return margin


def _counterexample(net: LNNet, points: LabeledPoints, f: Format) -> IEEEVerdict | None:
    """One evaluation of the model, by numpy: neuron by neuron from left to right, variance in two passes."""
    import numpy as np

    number = np.dtype(f.name).type
    layers = net.to_numpy(f.name)
    smoothing = f.round(net.epsilon)
    if smoothing is None:
        return None
    epsilon = number(int(smoothing.p) / int(smoothing.q))
    with np.errstate(all="ignore"):
        for k, (point, label) in enumerate(zip(points.points, points.labels, strict=True)):
            x = [number(int(v.p) / int(v.q)) for v in (f.round(c) for c in point) if v is not None]
            for depth, (weight, bias) in enumerate(layers):
                h = []
                for weights, offset in zip(weight, bias, strict=True):
                    total = number(0)
                    for w, v in zip(weights, x, strict=True):
                        total += w * v
                    h.append(total + offset)
                x = h if depth == net.depth else _normalized(h, epsilon, number, np.sqrt)
            right = _reads(net, x, net.classes.index(label))
            if not right:
                reason = f"A plain {f.name} evaluation does not give point {points.indices[k]} its label."
                return IEEEVerdict("refuted", f.name, reason, point=k)
    return None


def _normalized(h: list[Any], epsilon: Any, number: Any, sqrt: Any) -> list[Any]:
    mean = sum(h[1:], h[0]) / number(len(h))
    centred = [v - mean for v in h]
    squares = [v * v for v in centred]
    deviation = sqrt(sum(squares[1:], squares[0]) / number(len(h)) + epsilon)
    return [v / deviation for v in centred]


def _reads(net: LNNet, outputs: Sequence[Any], target: int) -> bool:
    """Whether computed outputs, strictly and without NaN, favour a class."""
    if net.readout == "threshold":
        return bool(outputs[0] > 0) if target == 1 else bool(outputs[0] < 0)
    return all(bool(outputs[target] > v) for k, v in enumerate(outputs) if k != target)


def _short(margin: arb) -> fmpq:
    """A positive exact ball, rounded down to a short rational."""
    mantissa, exponent = margin.man_exp()
    excess = max(0, mantissa.bit_length() - _MARGIN_BITS)
    return scale_binary(fmpq(mantissa >> excess), int(exponent) + excess)
