"""A second, independent checker on mpmath's interval arithmetic.

It shares no code with `proofs.checker`: plain interval evaluation of every neuron, only + − × ÷ √ of
``mpmath.iv`` (whose other functions guarantee no enclosure). It is slower and needs more bits, and it must never
contradict the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mpmath
from flint import fmpq

from constructions.algebraic import Algebraic
from constructions.errors import DegenerateNormalizationError, InputError, ShapeError
from constructions.network import LNNet
from constructions.points import LabeledPoints
from proofs.checker import Outcome, Verdict

#: Precision limit in bits; plain intervals lose one to two bits a layer.
MAX_BITS = 1 << 15


def check_with_mpmath(net: LNNet, points: LabeledPoints, *, max_bits: int = MAX_BITS) -> Verdict:
    """The same question as `proofs.checker.check`, answered independently; arguments and errors as there."""
    if max_bits < 2:
        raise InputError(f"Argument 'max_bits' must be at least 2, not {max_bits}.")
    if net.dimension != points.dimension:
        raise ShapeError(f"The network takes {net.dimension} coordinates, but the points have {points.dimension}.")
    if unknown := set(points.labels) - set(net.classes):
        raise InputError(f"Labels {sorted(map(repr, unknown))[:10]} are not among the network's classes.")
    context = type(mpmath.iv)()  # one of our own: the global one belongs to the caller
    bits, open_points = min(64, max_bits), list(range(len(points)))
    smallest: Any = None
    while True:
        context.prec = bits
        evaluate = _Evaluator(net, context)
        still_open = []
        for k in open_points:
            lower, upper = evaluate.margin(points.points[k], net.classes.index(points.labels[k]))
            if upper is not None and upper <= 0:
                return Verdict("refuted", bits, f"Point {points.indices[k]} does not get its label.", point=k)
            if lower is not None and lower > 0:
                smallest = lower if smallest is None else min(smallest, lower)
            else:
                still_open.append(k)
                if len(still_open) >= 2 and bits < max_bits:
                    still_open += open_points[open_points.index(k) + 1 :]
                    break
        open_points = still_open
        if not open_points:
            outcome: Outcome = "certified"
            return Verdict(outcome, bits, f"All {len(points)} distinct points get their labels.", margin=smallest)
        if bits >= max_bits:
            reason = f"Point {points.indices[open_points[0]]} is not settled with {bits} bits."
            return Verdict("undecided", bits, reason, point=open_points[0])
        bits = min(2 * bits, max_bits)


class _Evaluator:
    """Interval evaluation of a network at the context's precision."""

    def __init__(self, net: LNNet, context: Any):
        self.context, self.net = context, net
        self.layers = [
            ([[self.enter(w) for w in row] for row in layer.weight], [self.enter(b) for b in layer.bias])
            for layer in net.layers
        ]
        self.epsilon = self.enter(net.epsilon)

    def enter(self, value: fmpq | Algebraic) -> Any:
        """A weight as an interval."""
        if isinstance(value, Algebraic):
            operations: dict[str, Any] = {
                "add": lambda a, b: a + b,
                "sub": lambda a, b: a - b,
                "mul": lambda a, b: a * b,
                "div": lambda a, b: a / b,
                "sqrt": self.root,
            }
            return value.fold(self.enter, operations)
        return self.context.mpf(int(value.p)) / self.context.mpf(int(value.q))

    def root(self, x: Any) -> Any:
        """Square root of an interval, its negative part cut off (it comes from rounding); anything if all of it is."""
        if x.b < 0:
            return self.context.mpf(["-inf", "inf"])
        if x.a < 0:
            x = self.context.mpf([0, max(mpmath.mpf(0), mpmath.mpf(x.b))])
        return self.context.sqrt(x)

    def margin(self, point: Sequence[fmpq], target: int) -> tuple[fmpq | None, fmpq | None]:
        """Bounds on the distance to the read-out's boundary; None where unbounded."""
        x = [self.enter(v) for v in point]
        for number, (weight, bias) in enumerate(self.layers):
            h = [sum((w * v for w, v in zip(row, x)), b) for row, b in zip(weight, bias)]
            if number == self.net.depth:
                x = h
                break
            normalized = self._normalize(h, number)
            if normalized is None:
                return None, None
            x = normalized
        if self.net.readout == "threshold":
            value = x[0] if target == 1 else -x[0]
            return _ends(value)
        gaps = [_ends(x[target] - v) for k, v in enumerate(x) if k != target]
        if not gaps:
            return fmpq(1), None  # a single class has no boundary
        if any(low is None or high is None for low, high in gaps):
            return None, None
        return min(low for low, _ in gaps), min(high for _, high in gaps)  # type: ignore[type-var]

    def _normalize(self, h: list[Any], number: int) -> list[Any] | None:
        n = self.context.mpf(len(h))
        centred = [sum((v - w for w in h), self.context.mpf(0)) / n for v in h]
        if self.net.epsilon == 0 and all(v.a == 0 and v.b == 0 for v in centred):
            raise DegenerateNormalizationError(f"LN layer {number + 1} meets a row of equal coordinates.")
        variance = sum((_square(self.context, v) for v in centred), self.context.mpf(0)) / n + self.epsilon
        deviation = self.root(variance)
        if not deviation.a > 0:
            return None
        return [v / deviation for v in centred]


def _square(context: Any, v: Any) -> Any:
    """v², with the two factors known to be equal."""
    low, high = mpmath.mpf(v.a), mpmath.mpf(v.b)
    square = v * v
    if low <= 0 <= high:
        return context.mpf([0, square.b])
    return square


def _ends(value: Any) -> tuple[fmpq | None, fmpq | None]:
    from constructions.rational import to_rational

    ends = []
    for end in (value.a, value.b):
        number = end._mpi_[0]
        finite = number[1] != 0 or number[2] == 0
        ends.append(to_rational(_Raw(number)) if finite else None)
    return ends[0], ends[1]


class _Raw:
    """An mpmath number in the one form that `to_rational` reads exactly."""

    def __init__(self, number: Any):
        self._mpf_ = number
