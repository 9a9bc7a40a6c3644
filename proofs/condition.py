r"""The condition of a network on points: how many bits of precision its decisions cost.

Change every weight and bias by a relative :math:`u=2^{-p}` at most. To first order the margin :math:`m_k` of point k,
the distance of its outputs to the read-out's boundary, then changes by at most

.. math:: u\,C_k,\qquad C_k=\sum_{l}\sum_{i}\Bigl|\frac{\partial m_k}{\partial h_{l,i}}\Bigr|
   \Bigl(\sum_j|w_{l,ij}\,x_{l,j}|+|b_{l,i}|\Bigr),

where :math:`h_l=W_l x_l+b_l` is what affine map l computes from its input :math:`x_l` (the point, or the output of an
LN), and this bound is sharp. :math:`C_k/m_k` is a componentwise condition number, as Skeel (1979) introduced for linear
systems. Rounding weights, coordinates, products, sums or outputs of an LN to p bits are all changes of this kind, so
:math:`\log_2(C_k/m_k)\ge0` is the number of *bits lost* at point k: where p exceeds it by a few bits, p-bit arithmetic
gives the right label. The largest of them is what the network loses, and divided by the depth it is the network's
**condition**, in bits a layer.

It belongs to the network and the points: the precision and the enclosures of the checker have no part in it. It is
computed in balls, until it is known to a thousandth.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from flint import arb, ctx, fmpq

from constructions.algebraic import Algebraic
from constructions.network import LNNet
from constructions.points import LabeledPoints
from proofs.checker import MAX_BITS, Factors, Ray, Step, Verdict, is_idle, rank_one

#: The ratio C/m is computed until its relative error is below this.
_ACCURACY = fmpq(1, 1000)
#: How many points are looked at: so many at least, and as many as pass so many weights and biases together.
_LEAST_POINTS, _PARAMETERS = 8, 12000


class _Layer(NamedTuple):
    """One affine map on balls.

    Attributes:
        weight: rows of balls.
        bias: balls.
        factors: (a, v) with weight = a vᵀ, or None.
        outputs: the LN after the map as a function of v·x, where there are factors and an LN.
        place: the next map's v·x as a function of this one's, where both have factors.
        idle: how many identity maps and LNs follow, which change nothing (`is_idle`).
    """

    weight: list[list[arb]]
    bias: list[arb]
    factors: tuple[list[arb], list[arb]] | None
    outputs: Step | None
    place: Step | None
    idle: int


def bits_lost(net: LNNet, points: LabeledPoints, verdict: Verdict) -> float | None:
    """The bits that a certified network loses on its points.

    Looked at are the points which the checker found hardest: as many as pass twelve thousand weights (a thousand layers
    of width 3), but at least eight. (Of 56 networks of all kinds with 24 to 60 points each, eight points missed the
    maximum in three, by 0.7 to 4 bits.)

    Args:
        net: a network.
        points: labelled points.
        verdict: what `proofs.checker.check` says of them.

    Returns:
        Bits, at least 0; None if the verdict is not certified, there is but one class, or no precision up to the
        checker's limit suffices.

    >>> from constructions.network import Affine
    >>> from proofs.checker import check
    >>> net = LNNet((Affine.of([[3]], ["-1"]),), ("low", "high"))  # 3x − 1 at x = 1: (|3·1| + |−1|)/2 = 2
    >>> points = LabeledPoints.of([1], ["high"])
    >>> bits_lost(net, points, check(net, points))
    1.0
    """
    if not verdict:
        return None
    order = verdict.hardest or tuple(range(len(points)))
    count = max(_LEAST_POINTS, _PARAMETERS // net.parameters)
    return bits_lost_at(net, points, order[:count], bits=verdict.bits)


def bits_lost_at(net: LNNet, points: LabeledPoints, which: Iterable[int], *, bits: int = 64) -> float | None:
    """The largest log2(C/m) among some of the points.

    Args:
        net: a network that gives these points their labels.
        points: labelled points.
        which: numbers, among the distinct points.
        bits: precision (bits) to begin with.

    Returns:
        Bits, as `bits_lost`.

    Raises:
        ShapeError, InputError: points or labels that are not the network's.
        DegenerateNormalizationError: a row of equal coordinates enters an LN with ε = 0.
    """
    targets = net.targets(points)
    factors = [rank_one(layer) for layer in net.layers]
    chosen = list(which)
    worst: arb | None = None
    while chosen and len(net.classes) > 1:
        with ctx.workprec(bits):
            layers = _layers(net, factors)
            unknown = []
            for k in chosen:
                ratio = _ratio(net, layers, points.points[k], targets[k])
                if not ratio.rad() < ratio.mid() * _ACCURACY:  # or not finite
                    unknown.append(k)
                else:
                    worst = ratio if worst is None else worst.max(ratio)
        chosen = unknown
        bits *= 2
        if chosen and bits > MAX_BITS:
            return None
    return None if worst is None else max(0.0, _log2(worst))


def _layers(net: LNNet, factors: Sequence[Factors | None]) -> list[_Layer]:
    busy = [number for number in range(len(net.layers)) if not is_idle(net, number)]
    result = []
    for number, following in zip_longest(busy, busy[1:]):
        layer, pair = net.layers[number], factors[number]
        weight = [[_ball(w) for w in row] for row in layer.weight]
        bias = [_ball(b) for b in layer.bias]
        outputs = place = balls = None
        if pair is not None:
            balls = [arb(a) for a in pair[0]], [arb(v) for v in pair[1]]
        if pair is not None and following is not None:
            ray, after = Ray(pair[0], layer.bias, net.epsilon, number), factors[following]
            outputs = ray.vector()
            place = None if after is None else ray.functional(after[1])
        idle = 0 if following is None else following - number - 1
        result.append(_Layer(weight, bias, balls, outputs, place, idle))
    return result


def _ratio(net: LNNet, layers: Sequence[_Layer], point: Sequence[fmpq], target: int) -> arb:
    """A ball around C/m."""
    inputs, deviations = _states(net, layers, [arb(v) for v in point])
    last = layers[-1]
    outputs = _affine(last, inputs[-1])
    if net.readout == "threshold":
        gradient = [arb(1 if target == 1 else -1)]
    else:
        rival = max((k for k in range(len(outputs)) if k != target), key=lambda k: outputs[k].mid())
        gradient = [arb((k == target) - (k == rival)) for k in range(len(outputs))]
    margin = _dot(gradient, outputs)
    if not margin > 0:
        return arb("nan")
    total, scale = _moved(last, inputs[-1], gradient), arb(1)
    for number in range(len(layers) - 2, -1, -1):
        along, gradient = _back(layers[number + 1], gradient)
        gradient = _through_normalization(gradient, inputs[number + 1], deviations[number])
        scale *= along  # kept apart: the entries of the gradient have its uncertainty in common
        total += abs(scale) * _moved(layers[number], inputs[number], gradient)
        if idle := layers[number].idle:  # each has the weights 1, and the LN after it leaves the gradient as it is
            moved = sum((abs(g * v) for g, v in zip(gradient, inputs[number + 1], strict=True)), arb(0))
            total += abs(scale) * deviations[number] * moved * idle
    return total / margin


def _states(net: LNNet, layers: Sequence[_Layer], x: list[arb]) -> tuple[list[list[arb]], list[arb]]:
    """The input of every affine map, and √(σ² + ε) in every LN."""
    inputs, deviations = [x], []
    place: arb | None = None  # v·x of the next layer, where it is known better than from x
    for layer in layers[:-1]:
        if layer.factors is None:
            place, h = None, _affine(layer, x)
        else:
            place = _dot(layer.factors[1], x) if place is None else place
            h = [a * place + b for a, b in zip(layer.factors[0], layer.bias, strict=True)]
        mean = sum(h, arb(0)) / len(h)
        centred = [v - mean for v in h]
        deviation = (_dot(centred, centred) / len(h) + net.epsilon).sqrt()
        x = [v / deviation for v in centred]
        if layer.outputs is not None and place is not None:
            x = layer.outputs(place)
            place = None if layer.place is None else layer.place(place)
        inputs.append(x)
        deviations.append(deviation)
    return inputs, deviations


def _moved(layer: _Layer, x: Sequence[arb], gradient: Sequence[arb]) -> arb:
    """What relative changes of a map's weights and bias by 1 do, at most, to what has this gradient at its outputs."""
    sizes = [abs(v) for v in x]
    result = arb(0)
    for row, b, g in zip(layer.weight, layer.bias, gradient, strict=True):
        result += abs(g) * (_dot([abs(w) for w in row], sizes) + abs(b))
    return result


def _back(layer: _Layer, gradient: Sequence[arb]) -> tuple[arb, list[arb]]:
    """The gradient before an affine map, as a factor and a row."""
    if layer.factors is not None:
        return _dot(layer.factors[0], gradient), layer.factors[1]
    return arb(1), [_dot(column, gradient) for column in zip(*layer.weight, strict=True)]


def _through_normalization(gradient: Sequence[arb], z: Sequence[arb], deviation: arb) -> list[arb]:
    """The gradient before an LN with output z: (g − mean(g) − z(z·g)/n)/√(σ² + ε)."""
    n = len(z)
    mean, along = sum(gradient, arb(0)) / n, _dot(z, gradient) / n
    return [(g - mean - v * along) / deviation for g, v in zip(gradient, z, strict=True)]


def _affine(layer: _Layer, x: Sequence[arb]) -> list[arb]:
    return [_dot(row, x) + b for row, b in zip(layer.weight, layer.bias, strict=True)]


def _dot(x: Sequence[Any], y: Sequence[arb]) -> arb:
    return sum((v * w for v, w in zip(x, y, strict=True)), arb(0))


def _ball(x: Any) -> arb:
    return x.ball() if isinstance(x, Algebraic) else arb(x)


def _log2(value: arb) -> float:
    with ctx.workprec(64):
        return float((value.log() / arb(2).log()).mid())
