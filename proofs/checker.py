r"""The checker: does a network put every point on the right side, over the real numbers, for exactly its weights?

This module is all that has to be trusted, with Arb's ball arithmetic (python-flint) and the plain values
`LNNet` and `LabeledPoints`. It knows no construction. A ball is an interval that is guaranteed to contain the
exact result; a verdict is drawn only from balls that exclude the opposite:

* *certified*: every point's outputs strictly favour its label, and LN was defined all along;
* *refuted*: some point's outputs strictly favour another label, or meet exactly on the boundary;
* *undecided*: neither could be shown within the precision limit.

How a layer is enclosed. If the weight matrix is rational of rank one, :math:`W=a v^{\mathsf T}` (what every
construction on the line produces), the layer sees its input only through the scalar :math:`p=v\cdot x`, and with
centred a and b, :math:`\mathrm{LN}(ap+b)=(ap+b)/\sqrt{(\alpha p^2+2\beta p+\gamma)/n+\varepsilon}`. Completing the
square leaves one occurrence of p in the denominator, and the next :math:`v'\cdot` meets the numerator in rational
arithmetic, so the enclosures stay tight through thousands of layers. Otherwise every neuron is a ball. Identity layers
between two LNs with ε = 0, which pad a network, change nothing and are passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from flint import arb, ctx, fmpq

from constructions.algebraic import Algebraic
from constructions.errors import DegenerateNormalizationError, InputError
from constructions.network import Affine, LNNet
from constructions.points import LabeledPoints
from constructions.rational import MAX_EXPONENT, scale_binary

#: Precision limit, in bits, unless the caller sets another.
MAX_BITS = 1 << 16
_FIRST_BITS = 64
#: After so many unsettled points a precision is abandoned without trying the rest.
_PATIENCE = 4
#: Length of the mantissa of a reported margin.
_MARGIN_BITS = 24

Ball = arb | fmpq  # a fmpq is a ball of radius zero that has not been rounded yet
Step = Callable[[Any], Any]
Outcome = Literal["certified", "refuted", "undecided"]


@dataclass(frozen=True)
class Verdict:
    """What the checker found.

    Attributes:
        outcome: ``"certified"``, ``"refuted"`` or ``"undecided"``.
        bits: working precision, in bits, at which the last point was settled (or the limit was reached).
        margin: certified only: an exact lower bound on how far any point's outputs are from the read-out's boundary
            (the size of the output for a threshold, difference to the best other logit for argmax). None if there is
            no boundary: a single class.
        tightest: certified only: number of the point with that margin.
        point: refuted or undecided: number, among the distinct points, of the first offending point.
        hardest: certified only: all points, those whose enclosures cost most bits first; nothing rests on it.
        reason: one readable sentence.
    """

    outcome: Outcome
    bits: int
    reason: str
    margin: fmpq | None = None
    tightest: int | None = None
    point: int | None = None
    hardest: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return self.outcome == "certified"


def check(
    net: LNNet,
    points: LabeledPoints,
    *,
    max_bits: int = MAX_BITS,
    floor: fmpq = fmpq(0),
    watch: Callable[[int, int], object] | None = None,
) -> Verdict:
    """Decide rigorously whether a network classifies every point.

    Args:
        net: any LN-Net, of any width, with ε ≥ 0.
        points: the points and the labels they must get.
        max_bits: precision (bits) at which to give up; it doubles from 64.
        floor: a margin that every point must reach as well.
        watch: called after every point with (points settled, points in all).

    Returns:
        A verdict; only a proof makes it certified or refuted.

    Raises:
        ShapeError: the points' dimension is not the network's.
        InputError: a label that the network cannot return, or a senseless limit.
        DegenerateNormalizationError: a row of equal coordinates enters an LN with ε = 0.
    """
    if max_bits < 2:
        raise InputError(f"Argument 'max_bits' must be at least 2, not {max_bits}.")
    targets = net.targets(points)
    factors = [rank_one(layer) for layer in net.layers]
    pending = list(range(len(points)))
    margins: dict[int, arb | None] = {}
    losses: dict[int, int] = {}
    bits = min(_FIRST_BITS, max_bits)
    while True:
        with ctx.workprec(bits):
            undecided = []
            steps, least = _compile(net, factors), arb(floor)
            for number, k in enumerate(pending):
                outputs = _run(steps, points.points[k])
                margin = _margin(outputs, targets[k], net.readout)
                if margin is None or (margin > 0 and margin >= least):
                    margins[k] = None if margin is None else margin.lower()
                    losses[k] = 0 if margin is None else bits - margin.rel_accuracy_bits()
                    if watch is not None:
                        watch(len(margins), len(points))
                elif margin <= 0 or margin < least:
                    failure = "does not get its label" if margin <= 0 else f"misses the margin {floor}"
                    return Verdict("refuted", bits, f"Point {points.indices[k]} {failure}.", point=k)
                else:
                    undecided.append(k)
                    if len(undecided) == _PATIENCE and bits < max_bits:
                        undecided += pending[number + 1 :]
                        break
        pending = undecided
        if not pending:
            return _certified(margins, sorted(losses, key=lambda k: -losses[k]), bits)
        if bits >= max_bits:
            reason = f"Point {points.indices[pending[0]]} is not settled with {bits} bits."
            return Verdict("undecided", bits, reason, point=pending[0])
        bits = min(2 * bits, max_bits)


def enclose(net: LNNet, points: Sequence[Sequence[fmpq]], bits: int) -> list[list[arb]]:
    """Balls around the outputs for each of several points, at a working precision of so many bits.

    Raises:
        DegenerateNormalizationError: a row of equal coordinates enters an LN with ε = 0.
    """
    factors = [rank_one(layer) for layer in net.layers]
    with ctx.workprec(bits):
        steps = _compile(net, factors)
        return [_run(steps, point) for point in points]


def _certified(all_margins: dict[int, arb | None], hardest: Sequence[int], bits: int) -> Verdict:
    reason = f"All {len(all_margins)} distinct points get their labels."
    margins = {k: margin for k, margin in all_margins.items() if margin is not None}
    if not margins:
        return Verdict("certified", bits, reason)
    tightest = min(margins, key=lambda k: margins[k])
    mantissa, exponent = margins[tightest].man_exp()
    excess = max(0, mantissa.bit_length() - _MARGIN_BITS)  # rounded down: short, and still a lower bound
    power = int(exponent) + excess
    if power < -MAX_EXPONENT:  # no file could hold the margin, and algebraic weights reach 2^-(2^60)
        reason = f"The margin is below 2^-{MAX_EXPONENT}, too small to be stated."
        return Verdict("undecided", bits, reason, point=tightest)
    margin = scale_binary(fmpq(mantissa >> excess), power) if power <= MAX_EXPONENT else fmpq(2) ** MAX_EXPONENT
    return Verdict("certified", bits, reason, margin=margin, tightest=tightest, hardest=tuple(hardest))


def _margin(outputs: Sequence[arb], target: int, readout: str) -> arb | None:
    """A ball around the distance to the boundary, positive on the right side; None for a single class, if defined."""
    if readout == "threshold":
        return outputs[0] if target == 1 else -outputs[0]
    others = [outputs[target] - x for k, x in enumerate(outputs) if k != target]
    if not others:  # right whatever the output is, if there is one: an LN before it may be undefined
        return None if outputs[0].is_finite() else arb("nan")
    smallest = others[0]
    for other in others[1:]:
        smallest = smallest.min(other)
    return smallest


Factors = tuple[tuple[Any, ...], tuple[Any, ...]]


def rank_one(layer: Affine) -> Factors | None:
    """(column, row) with weight = column · rowᵀ exactly, if the layer is rational of rank at most one."""
    if not _is_rational(layer):
        return None
    weight: Any = layer.weight
    pivot = next(((i, k) for i, row in enumerate(weight) for k, x in enumerate(row) if x != 0), None)
    if pivot is None:
        return (fmpq(0),) * len(weight), tuple(weight[0])
    row = tuple(weight[pivot[0]])
    column = tuple(other[pivot[1]] / row[pivot[1]] for other in weight)
    if any(a * b != x for a, other in zip(column, weight, strict=True) for b, x in zip(row, other, strict=True)):
        return None
    return column, row


def is_idle(net: LNNet, number: int) -> bool:
    """Whether affine map ``number`` and the LN after it change nothing: an identity between two LNs with ε = 0.

    The first LN's output has mean 0 and mean square 1, so the second divides its differences from 0 by 1.
    """
    layer = net.layers[number]
    if not 0 < number < net.depth or net.epsilon != 0 or layer.inputs != layer.outputs or not _is_rational(layer):
        return False
    return not any(layer.bias) and all(w == (i == k) for i, row in enumerate(layer.weight) for k, w in enumerate(row))


def _run(steps: Sequence[Step], point: Sequence[fmpq]) -> list[arb]:
    state: Any = list(point)
    for step in steps:
        state = step(state)
    return [_ball(x) for x in state]


def _compile(net: LNNet, factors: Sequence[Factors | None]) -> list[Step]:
    """The network as functions on balls at the current precision, each weight entered once."""
    steps: list[Step] = []
    ray: Ray | None = None  # the last LN, while its value is still held as a scalar
    for number, (layer, pair) in enumerate(zip(net.layers, factors, strict=True)):
        last = number == net.depth
        if is_idle(net, number):
            continue
        if pair is None:
            if ray is not None:
                steps.append(ray.vector())
                ray = None
            steps.append(_affine(layer))
            if not last:
                steps.append(_normalize(net.epsilon, number))
            continue
        column, row = pair
        steps.append(_scalar(row) if ray is None else ray.functional(row))
        ray = None if last else Ray(column, layer.bias, net.epsilon, number)
        if last:
            steps.append(_line(column, layer.bias))
    return steps


def _is_rational(layer: Affine) -> bool:
    return not any(isinstance(x, Algebraic) for x in (*layer.bias, *(w for row in layer.weight for w in row)))


def _ball(x: Any) -> arb:
    if isinstance(x, Algebraic):
        return x.ball()
    return x if isinstance(x, arb) else arb(x)


def _dot(row: Sequence[Any], x: Sequence[Any], start: Any) -> Any:
    for w, v in zip(row, x, strict=True):
        start = start + w * v
    return start


def _affine(layer: Affine) -> Step:
    """x ↦ weight·x + bias; exact as long as everything is rational."""
    rational = _is_rational(layer)
    rows = list(zip(layer.weight, layer.bias, strict=True))
    balls = [([_ball(w) for w in row], _ball(b)) for row, b in rows]

    def apply(x: list[Ball]) -> list[Ball]:
        exact = rational and isinstance(x[0], fmpq)
        return [_dot(row, x if exact else [_ball(v) for v in x], b) for row, b in (rows if exact else balls)]

    return apply


def _normalize(epsilon: fmpq, number: int) -> Step:
    """LN on balls. The mean is removed as an average of differences, which keeps equal entries exactly equal."""

    def apply(h: list[Ball]) -> list[Ball]:
        n = len(h)
        centred = [sum((v - w for w in h), fmpq(0)) / n for v in h]
        if epsilon == 0 and all(_is_zero(v) for v in centred):
            raise _degenerate(number)
        balls = [_ball(v) for v in centred]
        scale = (_dot(balls, balls, arb(0)) / n + arb(epsilon)).rsqrt()
        return [v * scale for v in balls]

    return apply


def _scalar(row: Sequence[fmpq]) -> Step:
    """x ↦ row·x; exact on a rational point."""
    balls = [arb(w) for w in row]

    def apply(x: list[Ball]) -> Ball:
        return _dot(row, x, fmpq(0)) if isinstance(x[0], fmpq) else _dot(balls, x, arb(0))

    return apply


def _line(column: Sequence[Any], bias: Sequence[Any]) -> Step:
    pairs = [(arb(a), arb(b)) for a, b in zip(column, bias, strict=True)]
    return lambda p: [a * p + b for a, b in pairs]


class Ray:
    """LN(a·p + b) as a function of the scalar p.

    With centred a and b, q = p + σ, the i-th output is (a_i q + b_i − a_i σ)/(spread·√(q² + δ)).
    """

    def __init__(self, column: Sequence[Any], bias: Sequence[Any], epsilon: fmpq, number: int):
        n = len(column)
        self.number = number
        self.a, self.b = _centred(column), _centred(bias)
        alpha, beta, gamma = (_dot(x, y, fmpq(0)) for x, y in ((self.a, self.a), (self.a, self.b), (self.b, self.b)))
        self.moves = alpha != 0
        if self.moves:
            self.sigma = beta / alpha
            self.delta = (gamma - beta * self.sigma + n * epsilon) / alpha
            self.spread = (arb(alpha) / n).sqrt()
        else:
            variance = gamma / n + epsilon
            if variance == 0:
                raise _degenerate(number)
            self.spread = arb(variance).sqrt()

    def functional(self, row: Sequence[fmpq]) -> Step:
        """p ↦ row·LN(a·p + b)."""
        slope, offset = _dot(row, self.a, fmpq(0)), _dot(row, self.b, fmpq(0))
        if not self.moves:
            constant = arb(offset) / self.spread
            unknown = arb("nan")  # where an LN before this one may be undefined, so is what comes after it
            return lambda p: constant if isinstance(p, fmpq) or p.is_finite() else unknown
        sigma, delta = arb(self.sigma), arb(self.delta)
        exact_sigma, pointed, number = self.sigma, self.delta == 0, self.number
        top = arb(offset - slope * self.sigma) / self.spread
        tilt, bend = arb(slope) / self.spread, arb(slope * self.delta) / self.spread

        def level(p: Ball) -> arb:
            q = p + (exact_sigma if isinstance(p, fmpq) else sigma)
            if pointed and _is_zero(q):
                raise _degenerate(number)
            q = _ball(q)
            return top * (q * q + delta).rsqrt()

        def tilted(p: Ball) -> arb:
            q = p + (exact_sigma if isinstance(p, fmpq) else sigma)
            if pointed and _is_zero(q):
                raise _degenerate(number)
            q = _ball(q)
            middle = q.mid()
            at_middle = (tilt * middle + top) * (middle * middle + delta).rsqrt()
            derivative = (bend - top * q) * (q * q + delta).rsqrt() ** 3
            return at_middle + derivative * (q - middle)  # mean value theorem on the ball

        return level if slope == 0 else tilted

    def vector(self) -> Step:
        """p ↦ LN(a·p + b), all n outputs."""
        n = len(self.a)
        units = [[fmpq(int(i == k)) for k in range(n)] for i in range(n)]
        outputs = [self.functional(unit) for unit in units]
        return lambda p: [output(p) for output in outputs]


def _centred(x: Sequence[fmpq]) -> list[fmpq]:
    mean = sum(x, fmpq(0)) / len(x)
    return [v - mean for v in x]


def _is_zero(x: Ball) -> bool:
    return bool(x == 0) if isinstance(x, fmpq) else x.is_zero()


def _degenerate(number: int) -> DegenerateNormalizationError:
    return DegenerateNormalizationError(
        f"LN layer {number + 1} meets a row of equal coordinates, where it is undefined for epsilon = 0; "
        "change the weights or use epsilon > 0."
    )
