r"""LN with smoothing, as frameworks ship it: :math:`(x-\mu)/\sqrt{\sigma^2+\varepsilon}` with ε > 0.

Scaling the row that enters an LN by 2^k leaves LN with ε = 0 alone and is the same as dividing ε by 4^k. So a network
built for ε = 0 becomes one for any ε by scaling its affine maps, all but the last, until ε weighs less than the
weights' rounding. Powers of two keep the mantissas of the weights: float networks stay float networks.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from flint import fmpq

from constructions.algebraic import Algebraic, algebraic
from constructions.arithmetic import Dyadic
from constructions.errors import InputError, UndecidedError
from constructions.network import Affine, LNNet, Number
from constructions.points import LabeledPoints
from constructions.rational import scale_binary, to_rational

#: ε is scaled to at most 2^−(bits + 8) of the smallest variance.
_GUARD_BITS = 8
#: On so many points the variances are found with balls, where floats do not do.
_FEW = 64
#: Bits of the balls, one precision after the other, until the variances are known.
_LADDER, _MOST_BITS = (256, 1024, 4096), 1 << 14


def with_epsilon(net: LNNet, epsilon: fmpq, points: LabeledPoints, bits: int = 64) -> LNNet:
    """A network with smoothing ε that does on the points what a network without it does, up to relative 2^−bits.

    The scales are chosen by a float evaluation on the points; what the result does is for the checker to say.

    Args:
        net: a network with ε = 0.
        epsilon: ε ≥ 0.
        points: where the network will be evaluated.
        bits: how far ε is scaled away.

    Raises:
        UndecidedError: the numbers that enter an LN are not known with 2^14 bits.
        InputError: ε < 0, a network that has ε > 0 already, or weights that leave the range of their float format.

    >>> net = LNNet((Affine.of([[1], [-1], [0]], [0, 0, 0]), Affine.of([[1, 0, 0]], [0])), ("below", "above"))
    >>> smooth = with_epsilon(net, fmpq(1, 100000), LabeledPoints.of([-1, 1], ["below", "above"]))
    >>> smooth.epsilon, smooth.layers[0].weight[0][0] >= fmpq(2) ** 27
    (1/100000, True)
    """
    if epsilon < 0:
        raise InputError(f"Argument 'epsilon' must be at least 0, not {epsilon}.")
    if net.epsilon > 0:
        raise InputError(f"The network has epsilon = {net.epsilon} already; build it with the epsilon you want.")
    if epsilon == 0 or net.depth == 0:
        return replace(net, epsilon=epsilon)
    wanted = scale_binary(epsilon, bits + _GUARD_BITS)
    layers = [_scaled(layer, _doublings(wanted, v)) for layer, v in zip(net.layers[:-1], _variances(net, points))]
    return replace(net, layers=(*layers, net.layers[-1]), epsilon=epsilon)


def _variances(net: LNNet, points: LabeledPoints) -> list[fmpq]:
    """The smallest variance that enters each LN on the points: in floats, or in balls where floats fail."""
    found = _float_variances(net, points)
    if None not in found:
        return [v for v in found if v is not None]
    for bits in _LADDER:
        try:
            return _ball_variances(net, points, Dyadic(bits))
        except UndecidedError:
            continue
    return _ball_variances(net, points, Dyadic(_MOST_BITS))


def _ball_variances(net: LNNet, points: LabeledPoints, arithmetic: Dyadic) -> list[fmpq]:
    smallest: list[fmpq | None] = [None] * net.depth
    for point in points.points[:_FEW]:
        with arithmetic.work():
            for number, (h, _) in enumerate(net.states(point, arithmetic)[:-1]):
                mean = sum(h[1:], h[0]) / len(h)
                variance = arithmetic.middle(sum(((v - mean) ** 2 for v in h), arithmetic.enter(0)) / len(h))
                best = smallest[number]
                if variance > 0 and (best is None or variance < best):
                    smallest[number] = variance
    return [fmpq(1) if v is None else v for v in smallest]


def _float_variances(net: LNNet, points: LabeledPoints) -> list[fmpq | None]:
    result: list[fmpq | None] = []
    with np.errstate(all="ignore"):
        x = np.array([[_to_float(v) for v in point] for point in points.points])
        for layer in net.layers[:-1]:
            weight = np.array([[_to_float(v) for v in row] for row in layer.weight])
            h = x @ weight.T + np.array([_to_float(v) for v in layer.bias])
            centred = h - h.mean(axis=1, keepdims=True)
            variance = (centred**2).mean(axis=1, keepdims=True)
            usable = variance[variance > 0]
            fine = usable.size and np.isfinite(variance).all() and usable.min() > 1e-280
            result.append(to_rational(float(usable.min())) if fine else None)
            x = np.where(variance > 0, centred / np.sqrt(variance), 0.0)
    return result


def _to_float(value: Number) -> float:
    try:
        return float(value) if isinstance(value, Algebraic) else int(value.p) / int(value.q)
    except OverflowError:
        return float("inf")


def _doublings(wanted: fmpq, variance: fmpq) -> int:
    """The least k ≥ 0 with 4^k · variance ≥ wanted."""
    ratio = wanted / variance
    excess = max(0, ratio.p.bit_length() - ratio.q.bit_length() + 1)
    return (excess + 1) // 2


def _scaled(layer: Affine, doublings: int) -> Affine:
    def times(x: Number) -> Number:
        return x * algebraic(fmpq(2) ** doublings) if isinstance(x, Algebraic) else scale_binary(x, doublings)

    return Affine(tuple(tuple(times(x) for x in row) for row in layer.weight), tuple(times(b) for b in layer.bias))
