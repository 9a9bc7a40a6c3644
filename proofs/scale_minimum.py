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
from constructions.sum_of_squares import sum_of_squares_ratio
from constructions.taylor_break import best_scale_float

Watch = Callable[[int, int], object]
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
    value: Callable[[_Place, arb], tuple[arb, arb]]
    scale: Callable[[fmpq], fmpq]


class _Better(Exception):
    """A t was met where SSR is below the supposed lower bound."""

    def __init__(self, scale: fmpq):
        self.scale = scale


@dataclass(frozen=True)
class _Place:
    """A projected sample x in units of the largest: a ball around it, its sign, how often it is in each class."""

    ball: arb
    sign: int
    first: int
    second: int


Weighted = tuple[_Place, ...]


def best_scale(
    first: Sequence[Any], second: Sequence[Any], *, tolerance: fmpq = TOLERANCE, watch: Watch | None = None
) -> BestScale:
    """Enclose the minimum of SSR(g(tX1), g(tX2)) over t, g(z) = (1 + z)/√(1 + z²).

    Args:
        first, second: the projected samples of the classes, exact numbers.
        tolerance: largest difference between the bounds.
        watch: called after every interval with (intervals done, intervals known so far).

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
    if len(values) == 2:
        constant = sum_of_squares_ratio(*([int(x == values[0]) for x in part] for part in (x1, x2)))
        return BestScale(fmpq(1), constant, constant, 0, True)
    unit = max(abs(x) for x in values)
    scale, intervals = best_scale_float(x1, x2), 0
    with ctx.workprec(_BITS):
        weighted = tuple(_Place(arb(x / unit), int(x > 0) - int(x < 0), counts[0][x], counts[1][x]) for x in values)
        while True:
            upper = _upper(_scaled_ratio(weighted, scale * unit))
            lower = upper - tolerance
            if lower <= 0:
                return BestScale(scale, upper, fmpq(0), intervals)
            try:
                for chart in _charts(weighted):
                    intervals += _prove_above(chart, weighted, lower, watch)
                return BestScale(scale, upper, lower, intervals)
            except _Better as better:  # the numerical search had missed this valley
                scale = better.scale / unit


def _scaled_ratio(weighted: Weighted, t: fmpq) -> arb:
    products = [place.ball * t for place in weighted]
    values = [((1 + z) / (1 + z * z).sqrt(), arb(0)) for z in products]
    within, between, *_ = _squares(weighted, values)
    return within / (within + between)


def _upper(ball: arb) -> fmpq:
    mantissa, exponent = ball.upper().man_exp()
    value = fmpq(mantissa) * fmpq(2) ** int(exponent)
    return min(value, fmpq(1))


def _squares(weighted: Weighted, values: Sequence[tuple[arb, arb]]) -> tuple[arb, arb, arb, arb]:
    """W, B and their derivatives."""
    counts = [[place.first for place in weighted], [place.second for place in weighted]]
    within, slope, means, slopes = arb(0), arb(0), [], []
    for often in counts:
        size = sum(often)
        here = [(y, d, n) for (y, d), n in zip(values, often, strict=True) if n]
        centre = sum((y * n for y, _, n in here), arb(0)) / size
        for y, d, n in here:
            residue = (y - centre) * n
            within += residue * (y - centre)
            slope += residue * d
        means.append(centre)
        slopes.append(sum((d * n for _, d, n in here), arb(0)) / size)
    weight = fmpq(sum(counts[0]) * sum(counts[1]), sum(counts[0]) + sum(counts[1]))
    gap = means[0] - means[1]
    return within, gap * gap * weight, 2 * slope, 2 * gap * (slopes[0] - slopes[1]) * weight


def _prove_above(chart: _Chart, weighted: Weighted, lower: fmpq, watch: Watch | None) -> int:
    """Show SSR > lower on a chart; returns the number of intervals."""
    a, b = arb(1 - lower), arb(lower)
    cuts = [chart.low + (chart.high - chart.low) * fmpq(k, 8) for k in range(9)]
    stack = list(pairwise(cuts))
    count = 0
    while stack:
        low, high = stack.pop()
        count += 1
        if watch is not None:
            watch(count, count + len(stack))
        middle, radius = (low + high) / 2, (high - low) / 2
        point = arb(middle)
        interval = point + arb(0, radius)
        within, between, *_ = _squares(weighted, [chart.value(place, point) for place in weighted])
        *_, slope_w, slope_b = _squares(weighted, [chart.value(place, interval) for place in weighted])
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
        signs = {1 if sign * place.sign >= 0 else -1 for place in weighted}
        value = _near_infinity(sign, signs.pop() if len(signs) == 1 else 0)
        charts.append(_Chart(fmpq(0), one, value, partial(fmpq.__truediv__, fmpq(sign))))
    return charts


def _near_zero(place: _Place, t: arb) -> tuple[arb, arb]:
    """y = (g(tx) − 1)/t = x·k(tx) with k(z) = (1 − z/(1 + r))/r, r = √(1 + z²), and dy/dt = x²·k′(tx)."""
    x = place.ball
    z = t * x
    square = z * z
    r = (1 + square).sqrt()
    value = (1 - z / (1 + r)) / r
    cube = r * r * r
    slope = -z / cube - 1 / (r * (1 + r)) + square * (1 + 2 * r) / (cube * (1 + r) * (1 + r))
    return value * x, slope * (x * x)


def _near_infinity(sign: int, limit: int) -> Callable[[_Place, arb], tuple[arb, arb]]:
    """g(tx) with t = sign/s and z = sign·x: y = (s + z)/R, R = √(s² + z²), dy/ds = z(z − s)/R³.

    If every y tends to the same limit ±1 for s → 0, the values are (y − limit)/s instead.
    """

    def value(place: _Place, s: arb) -> tuple[arb, arb]:
        z = sign * place.ball
        if place.sign == 0:
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
