r"""The certified global minimum of f_SSR(t) (equation 11) over all t, ±infinity included, by interval subdivision.

The line of t is covered by charts on which SSR is a ratio of smooth functions: SSR is invariant under affine maps of
all values, so near t = 0, where :math:`g(tx)\to1` for every x, the values are :math:`(g(tx)-1)/t`, and near infinity
:math:`g(tx)` is a function of s = 1/|t| (deflated likewise if all values agree at s = 0). With W the sum of squares
within the classes and B the one between, min SSR ≥ λ as soon as :math:`(1-\lambda)W-\lambda B>0` everywhere, which the
mean value theorem shows on short intervals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

from flint import arb, ctx, fmpq

from constructions.errors import InputError, UndecidedError
from constructions.rational import to_rational
from constructions.taylor_break import best_scale_float

#: Certified distance between the two bounds of the minimum, unless the caller sets another.
TOLERANCE = fmpq(1, 1 << 16)
_BITS = 96
_MAX_INTERVALS = 20_000


@dataclass(frozen=True)
class BestScale:
    """Bounds of the least SSR over all t.

    Attributes:
        scale: a t ≠ 0 with SSR(t) ≤ upper.
        upper: upper bound of the minimum.
        lower: lower bound of SSR(t) for every real t and of its limits for t → ±∞.
        intervals: how many intervals were needed.
        constant: whether SSR(t) is the same for all t (at most two distinct values).
    """

    scale: fmpq
    upper: fmpq
    lower: fmpq
    intervals: int
    constant: bool = False


@dataclass(frozen=True)
class _Chart:
    """Values y_i and their derivatives on an interval of the chart's own parameter, and the t of a parameter."""

    low: fmpq
    high: fmpq
    value: Callable[[fmpq, arb], tuple[arb, arb]]
    scale: Callable[[fmpq], fmpq]


class _Better(Exception):
    """A t was met where SSR is below the supposed lower bound."""

    def __init__(self, scale: fmpq):
        self.scale = scale


Weighted = tuple[tuple[fmpq, int, int], ...]  # (x, how often in class 1, how often in class 2)


def best_scale(first: Sequence[Any], second: Sequence[Any], *, tolerance: fmpq = TOLERANCE) -> BestScale:
    """Enclose the minimum of SSR(g(tX1), g(tX2)) over t, g(z) = (1 + z)/√(1 + z²).

    Args:
        first, second: the projected samples of the classes, exact numbers.
        tolerance: largest difference between the bounds.

    Raises:
        InputError: all numbers coincide.
        UndecidedError: too many intervals would be needed.

    >>> best = best_scale([-1, 0, 0], [1, 3, 3])
    >>> best.upper - best.lower <= TOLERANCE
    True
    """
    x1, x2 = ([to_rational(x) for x in part] for part in (first, second))
    counts = Counter(x1), Counter(x2)
    values = sorted({*x1, *x2})
    if len(values) < 2:
        raise InputError("All projected samples coincide; SSR is undefined for every t.")
    unit = max(abs(x) for x in values)
    weighted = tuple((x / unit, counts[0][x], counts[1][x]) for x in values)
    if len(values) == 2:
        constant = _two_valued(weighted)
        return BestScale(fmpq(1), constant, constant, 0, True)
    scale, intervals = best_scale_float(x1, x2), 0
    with ctx.workprec(_BITS):
        while True:
            upper = _upper(_scaled_ratio(weighted, scale * unit))
            lower = upper - tolerance
            if lower <= 0:
                return BestScale(scale, upper, fmpq(0), intervals)
            try:
                for chart in _charts(weighted):
                    intervals += _prove_above(chart, weighted, lower)
                return BestScale(scale, upper, lower, intervals)
            except _Better as better:  # the numerical search had missed this valley
                scale = better.scale / unit


def _two_valued(weighted: Weighted) -> fmpq:
    """SSR of any two distinct values with these multiplicities."""
    (_, a1, a2), (_, b1, b2) = weighted
    within = fmpq(a1 * b1, a1 + b1) + fmpq(a2 * b2, a2 + b2)
    return within / fmpq((a1 + a2) * (b1 + b2), a1 + a2 + b1 + b2)


def _scaled_ratio(weighted: Weighted, t: fmpq) -> arb:
    values = [((1 + arb(t * x)) / (1 + arb(t * x) * arb(t * x)).sqrt(), arb(0)) for x, _, _ in weighted]
    within, between, *_ = _squares(weighted, values)
    return within / (within + between)


def _upper(ball: arb) -> fmpq:
    mantissa, exponent = ball.upper().man_exp()
    value = fmpq(mantissa) * fmpq(2) ** int(exponent)
    return min(value, fmpq(1))


def _squares(weighted: Weighted, values: Sequence[tuple[arb, arb]]) -> tuple[arb, arb, arb, arb]:
    """W, B and their derivatives."""
    sizes = [sum(w[c] for w in weighted) for c in (1, 2)]
    means, slopes = [], []
    for c in (1, 2):
        means.append(sum((y * w[c] for (y, _), w in zip(values, weighted, strict=True) if w[c]), arb(0)) / sizes[c - 1])
        slopes.append(
            sum((d * w[c] for (_, d), w in zip(values, weighted, strict=True) if w[c]), arb(0)) / sizes[c - 1]
        )
    within = slope = arb(0)
    for c, centre in zip((1, 2), means, strict=True):
        for (y, d), w in zip(values, weighted, strict=True):
            if w[c]:
                residue = y - centre
                within += residue * residue * w[c]
                slope += 2 * residue * d * w[c]
    weight = fmpq(sizes[0] * sizes[1], sizes[0] + sizes[1])
    gap = means[0] - means[1]
    return within, gap * gap * weight, slope, 2 * gap * (slopes[0] - slopes[1]) * weight


def _prove_above(chart: _Chart, weighted: Weighted, lower: fmpq) -> int:
    """Show SSR > lower on a chart; returns the number of intervals."""
    a, b = arb(1 - lower), arb(lower)
    cuts = [chart.low + (chart.high - chart.low) * fmpq(k, 8) for k in range(9)]
    stack = list(pairwise(cuts))
    count = 0
    while stack:
        low, high = stack.pop()
        count += 1
        middle, radius = (low + high) / 2, (high - low) / 2
        point = arb(middle)
        interval = point + arb(0, radius)
        within, between, *_ = _squares(weighted, [chart.value(x, point) for x, _, _ in weighted])
        *_, slope_w, slope_b = _squares(weighted, [chart.value(x, interval) for x, _, _ in weighted])
        centre = a * within - b * between
        if centre + (a * slope_w - b * slope_b) * arb(0, radius) > 0:
            continue
        if centre < 0:
            raise _Better(chart.scale(middle))
        if count > _MAX_INTERVALS:
            raise UndecidedError(f"The minimum over t is not settled with {_MAX_INTERVALS} intervals; raise tolerance.")
        stack += [(low, middle), (middle, high)]
    return count


def _charts(weighted: Weighted) -> list[_Chart]:
    one = fmpq(1)
    charts = [_Chart(-one, one, _near_zero, lambda t: t)]
    for sign in (1, -1):
        signs = {1 if sign * x >= 0 else -1 for x, _, _ in weighted}
        value = _near_infinity(sign, signs.pop() if len(signs) == 1 else 0)
        charts.append(_Chart(fmpq(0), one, value, partial(fmpq.__truediv__, fmpq(sign))))
    return charts


def _near_zero(x: fmpq, t: arb) -> tuple[arb, arb]:
    """y = (g(tx) − 1)/t = x·k(tx) with k(z) = (1 − z/(1 + r))/r, r = √(1 + z²), and dy/dt = x²·k′(tx)."""
    z = t * x
    square = z * z
    r = (1 + square).sqrt()
    value = (1 - z / (1 + r)) / r
    cube = r * r * r
    slope = -z / cube - 1 / (r * (1 + r)) + square * (1 + 2 * r) / (cube * (1 + r) * (1 + r))
    return value * x, slope * (x * x)


def _near_infinity(sign: int, limit: int) -> Callable[[fmpq, arb], tuple[arb, arb]]:
    """g(tx) with t = sign/s and z = sign·x: y = (s + z)/R, R = √(s² + z²), dy/ds = z(z − s)/R³.

    If every y tends to the same limit ±1 for s → 0, the values are (y − limit)/s instead.
    """

    def value(x: fmpq, s: arb) -> tuple[arb, arb]:
        z = sign * x
        if z == 0:
            return (arb(1) if limit == 0 else arb(0)), arb(0)
        radius = (s * s + z * z).sqrt()
        cube = radius * radius * radius
        if limit == 0:
            return (s + z) / radius, (z - s) * z / cube
        # (R − |z|)/s = s/(R + |z|) =: q, so (y − limit)/s = (1 − limit·q)/R, with q′ = |z|/(R(R + |z|)).
        size = abs(z)
        q = s / (radius + size)
        top = 1 - limit * q
        slope = -limit * size / (radius * (radius + size))
        return top / radius, slope / radius - top * s / cube

    return value
