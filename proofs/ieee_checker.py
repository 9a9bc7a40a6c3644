r"""The float checker: does *every* IEEE 754 evaluation of a network put every point on the right side?

Frameworks do not compute what the real-number checker certifies: they round every operation, in an order of their
own. This checker encloses all results that any evaluation within the model below can give. With `proofs.ieee_rounding`,
where the bounds on rounding errors are proved, it is all that has to be trusted.

How. Let ẑ be the computed input of a layer. If its weights have rank one, :math:`W=av^{\mathsf T}`, the exact row
W ẑ + b depends on ẑ only through the real number p = v·ẑ. A ball around p is carried from layer to layer by the exact
function p ↦ v'·LN(a p + b), which keeps it tight, and widened by what roundings add: those of the affine map (through
the derivative of LN), one relative error that all outputs of an LN share, one shift that they share, and their
own. Other layers are enclosed neuron by neuron.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from flint import arb, ctx, fmpq

from constructions.errors import InputError, ShapeError
from constructions.network import Affine, LNNet
from constructions.points import LabeledPoints
from constructions.rational import scale_binary
from proofs.checker import Factors, Outcome, Ray, rank_one
from proofs.ieee_rounding import FORMATS, Format, Unbounded, affine_error, normalization_error, top, widened

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
    if points.dimension != net.dimension:
        raise ShapeError(f"The network takes {net.dimension} coordinates, but the points have {points.dimension}.")
    known = {name: k for k, name in enumerate(net.classes)}
    for label in points.labels:
        if label not in known:
            raise InputError(f"Label {label!r} is not among the network's classes {list(net.classes)[:10]}.")
    undecided: tuple[int, str] | None = None
    least: arb | None = None
    with ctx.workprec(_BITS):
        layers = _compile(net, f)
        for k, (point, label) in enumerate(zip(points.points, points.labels, strict=True)):
            rounded = [f.round(x) for x in point]
            name = f"Point {points.indices[k]}"
            if any(x is None for x in rounded):
                return IEEEVerdict("refuted", f.name, f"{name} has a coordinate that overflows {f.name}.", point=k)
            try:
                margin = _margin(layers, rounded, known[label])
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
    return _counterexample(net, points, f) or IEEEVerdict("undecided", f.name, undecided[1], point=undecided[0])


def _format_of(net: LNNet, dtype: str | None) -> Format:
    name = net.semantics if dtype is None else dtype
    if name not in FORMATS:
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


class _Layer:
    """One affine map with all it needs: its rounding behaviour and, if its weights have rank one, its scalar form."""

    def __init__(self, layer: Affine, f: Format):
        self.format, self.n = f, layer.outputs
        self.rows = [_Row(weights, bias) for weights, bias in zip(layer.weight, layer.bias, strict=True)]
        self.factors = rank_one(layer)
        self.bias: Any = layer.bias

    def exact(self, p: arb | None, x: Sequence[arb]) -> list[arb]:
        """Balls around the exact outputs, from the scalar if there is one."""
        if p is None or self.factors is None:
            return [row.total(x) for row in self.rows]
        return [a * p + b for a, b in zip(self.factors[0], self.bias, strict=True)]

    def errors(self, exact: Sequence[arb], x: Sequence[arb]) -> list[arb]:
        """Bounds on the rounding errors of the outputs."""
        return [row.error(self.format, x, total) for row, total in zip(self.rows, exact, strict=True)]


class _Row:
    """One neuron: its nonzero weights, powers of two last."""

    def __init__(self, weights: Sequence[Any], bias: Any):
        nonzero = [(k, w) for k, w in enumerate(weights) if w != 0]
        self.weights = sorted(nonzero, key=lambda item: _is_power_of_two(item[1]))
        self.free = sum(_is_power_of_two(w) for _, w in nonzero)
        self.bias = bias

    def total(self, x: Sequence[arb]) -> arb:
        return sum((x[k] * w for k, w in self.weights), arb(self.bias))

    def error(self, f: Format, x: Sequence[arb], total: arb) -> arb:
        products = [x[k] * w for k, w in self.weights]
        return affine_error(f, products, self.free, None if self.bias == 0 else arb(self.bias), total)


def _compile(net: LNNet, f: Format) -> tuple[list[_Layer], list[Any], LNNet, Format]:
    layers = [_Layer(layer, f) for layer in net.layers]
    steps: list[Any] = []
    for number, (layer, following) in enumerate(pairwise(layers)):
        if layer.factors is not None and following.factors is not None:
            steps.append(_ScalarStep(layer, following, net.epsilon, number))
        else:
            steps.append(_BoxStep(layer, following, net.epsilon))
    return layers, steps, net, f


def _margin(compiled: tuple[list[_Layer], list[Any], LNNet, Format], point: Sequence[Any], target: int) -> arb | None:
    """A ball around the distance of the computed outputs to the boundary; None for a single class."""
    layers, steps, net, _ = compiled
    x = [arb(v) for v in point]
    p = None if layers[0].factors is None else arb(sum((w * v for w, v in zip(layers[0].factors[1], point)), fmpq(0)))
    for step in steps:
        p, x = step(p, x)
    last = layers[-1]
    errors = last.errors(last.exact(p, x), x)
    if net.readout == "threshold":
        value = widened(last.exact(p, x)[0], errors[0])
        return value if target == 1 else -value
    margin: arb | None = None
    for k in range(last.n):
        if k != target:
            gap = widened(_gap(last, p, x, target, k), errors[target] + errors[k])
            margin = gap if margin is None else margin.min(gap)
    return margin


def _gap(last: _Layer, p: arb | None, x: Sequence[arb], target: int, other: int) -> arb:
    """Exact output ``target`` minus exact output ``other``, the weights subtracted before they meet the ball."""
    offset = last.bias[target] - last.bias[other]
    if p is not None and last.factors is not None:
        column = last.factors[0]
        return p * (column[target] - column[other]) + offset
    first, second = dict(last.rows[target].weights), dict(last.rows[other].weights)
    zero = fmpq(0)
    return sum((x[k] * (first.get(k, zero) - second.get(k, zero)) for k in {*first, *second}), arb(offset))


def _factors(layer: _Layer) -> Factors:
    if layer.factors is None:
        raise InputError("Expected an affine map of rank one.")
    return layer.factors


class _ScalarStep:
    """LN between two affine maps of rank one: p = v·ẑ ↦ v'·ẑ'."""

    def __init__(self, layer: _Layer, following: _Layer, epsilon: fmpq, number: int):
        (column, _), (_, row) = _factors(layer), _factors(following)
        self.layer, self.epsilon, self.row = layer, epsilon, row
        self.ray = Ray(column, layer.bias, epsilon, number)
        self.function = self.ray.functional(row)
        n = layer.n
        self.mean = sum(column, fmpq(0)) / n, sum(layer.bias, fmpq(0)) / n
        self.row_mean = sum(row, fmpq(0)) / n

    def __call__(self, p: arb, x: Sequence[arb]) -> tuple[arb, list[arb]]:
        f, n, row = self.layer.format, self.layer.n, self.row
        h = self.layer.exact(p, x)
        e = self.layer.errors(h, x)
        exact = self.function(p)
        if not exact.is_finite():
            raise Unbounded("the deviation may vanish")
        # The computed row is h + e: widen everything that depends on it.
        mean_e = top(sum(e, arb(0)) / n)
        h = [widened(v, r) for v, r in zip(h, e, strict=True)]
        c = [widened(a * p + b, r + mean_e) for a, b, r in zip(self.ray.a, self.ray.b, e, strict=True)]
        mean = widened(p * self.mean[0] + self.mean[1], mean_e)
        s = widened(self._deviation(p), top((sum((r * r for r in e), arb(0)) / n).sqrt()))
        error = normalization_error(f, h, c, mean, s, self.epsilon)
        z = [v / s for v in c]
        # v'·LN has the gradient (v' − mean(v') − (v'·z) z/n)/s.
        value = sum((v * w for v, w in zip(z, row, strict=True)), arb(0))
        gradient = [(w - self.row_mean - value * v / n) / s for v, w in zip(z, row, strict=True)]
        radius = sum((top(g) * r for g, r in zip(gradient, e, strict=True)), arb(0))
        radius += (top(exact) + radius) * error.scale + abs(self.row_mean * n) * error.shift
        radius += sum((abs(w) * own for w, own in zip(row, error.own, strict=True)), arb(0))
        return widened(exact, top(radius)), _computed(z, error)

    def _deviation(self, p: arb) -> arb:
        """√(σ² + ε) of the exact row."""
        if not self.ray.moves:
            return self.ray.spread
        q = p + self.ray.sigma
        return self.ray.spread * (q * q + self.ray.delta).sqrt()


class _BoxStep:
    """LN after an affine map of any rank, neuron by neuron."""

    def __init__(self, layer: _Layer, following: _Layer, epsilon: fmpq):
        self.layer, self.epsilon = layer, epsilon
        self.row = None if following.factors is None else following.factors[1]

    def __call__(self, p: arb | None, x: Sequence[arb]) -> tuple[arb | None, list[arb]]:
        f, n = self.layer.format, self.layer.n
        h = self.layer.exact(p, x)
        h = [widened(v, r) for v, r in zip(h, self.layer.errors(h, x), strict=True)]
        middle, r = [v.mid() for v in h], [v.rad() for v in h]
        mean_r = top(sum(r, arb(0)) / n)
        mean = sum(middle, arb(0)) / n
        centred = [v - mean for v in middle]
        deviation = (sum((v * v for v in centred), arb(0)) / n + self.epsilon).sqrt()
        # |s(h) − s(h')| ≤ |h − h'|/√n, since s is a norm of the row and ε.
        s = widened(deviation, top((sum((v * v for v in r), arb(0)) / n).sqrt()))
        if not s > 0:
            raise Unbounded("the deviation may vanish")
        c = [widened(v, w + mean_r) for v, w in zip(centred, r, strict=True)]
        error = normalization_error(f, h, c, widened(mean, mean_r), s, self.epsilon)
        rough = [v / s for v in c]
        # Mean value theorem with the Jacobian (I − 1/n − z zᵀ/n)/s.
        along = top(sum((top(v) * w for v, w in zip(rough, r, strict=True)), arb(0)) / n)
        z = [
            widened(v / deviation, top((w + mean_r + top(wide) * along) / s.lower()))
            for v, w, wide in zip(centred, r, rough, strict=True)
        ]
        computed = _computed(z, error)
        scalar = None
        if self.row is not None:
            scalar = sum((v * w for v, w in zip(computed, self.row, strict=True)), arb(0))
        return scalar, computed


def _computed(z: Sequence[arb], error: Any) -> list[arb]:
    return [widened(v, top(top(v) * error.scale + error.shift + own)) for v, own in zip(z, error.own, strict=True)]


def _counterexample(net: LNNet, points: LabeledPoints, f: Format) -> IEEEVerdict | None:
    """One evaluation of the model, by numpy: neuron by neuron from left to right, variance in two passes."""
    import numpy as np

    number = np.dtype(f.name).type
    layers = net.to_numpy(f.name)
    epsilon = number(int(net.epsilon.p) / int(net.epsilon.q))
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


def _is_power_of_two(value: fmpq) -> bool:
    p, q = abs(value.p), value.q
    return bool(p & (p - 1) == 0 and q & (q - 1) == 0)
