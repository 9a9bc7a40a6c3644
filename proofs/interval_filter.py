r"""Certify many last layers at once with float64 intervals: what it certifies holds, what it does not is open.

Every operation is done on the two ends of an interval in float64 and moved outward by one unit in the last place
(`numpy.nextafter`). IEEE 754 rounds + − × ÷ √ correctly, so the exact result lies between the neighbours of the
computed one, overflow and gradual underflow included; NaN never certifies anything. Only these operations occur. Where
a processor flushes tiny results to zero, an operation may be off by 2⁻¹⁰²² more; spreads below 2⁻⁴⁰⁰ and margins below
2⁻⁵⁰⁰ are left open, so that this cannot matter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from constructions.wedges import Wedges

Floats = NDArray[np.float64]

_LEAST_SPREAD, _LEAST_MARGIN = 2.0**-400, 2.0**-500


class Intervals(NamedTuple):
    """Arrays of lower and upper bounds."""

    lower: Floats
    upper: Floats


def exactly(x: Floats) -> Intervals:
    """Float64 numbers as intervals without width."""
    return Intervals(x, x)


def enclose_balls(rows: list[list[arb]]) -> Intervals:
    """Balls as intervals: each end rounded to float64 and moved outward.

    >>> low, high = enclose_balls([[arb(1) / 3]])
    >>> bool(low[0, 0] < 1 / 3 < high[0, 0])
    True
    """
    with ctx.workprec(64):
        lower = np.array([[float(x.lower()) for x in row] for row in rows])
        upper = np.array([[float(x.upper()) for x in row] for row in rows])
    return _outward(lower, upper)


def add(x: Intervals, y: Intervals) -> Intervals:
    """x + y."""
    return _outward(x.lower + y.lower, x.upper + y.upper)


def subtract(x: Intervals, y: Intervals) -> Intervals:
    """x − y."""
    return _outward(x.lower - y.upper, x.upper - y.lower)


def multiply(x: Intervals, y: Intervals) -> Intervals:
    """x · y."""
    products = [a * b for a in x for b in y]
    return _outward(np.minimum.reduce(products), np.maximum.reduce(products))


def square(x: Intervals) -> Intervals:
    """x²."""
    low, high = x.lower * x.lower, x.upper * x.upper
    straddles = (x.lower <= 0) & (x.upper >= 0)
    lower, upper = _outward(np.where(straddles, 0.0, np.minimum(low, high)), np.maximum(low, high))
    return Intervals(np.maximum(lower, 0.0), upper)


def root(x: Intervals) -> Intervals:
    """√x of what is not negative in x."""
    lower, upper = _outward(np.sqrt(np.maximum(x.lower, 0.0)), np.sqrt(x.upper))
    return Intervals(np.maximum(lower, 0.0), upper)


def certified_margins(layers: Wedges, inputs: Intervals, labels: NDArray[np.int_]) -> Floats:
    """For each last layer a lower bound on the margin over all points; not positive (or NaN): don't know.

    With differences d1 = h1 − h2, d2 = h2 − h3, d3 = h3 − h1 of the three neurons, LN's variance is
    (d1² + d2² + d3²)/9 and its centred entries are (d1 − d3)/3, (d2 − d1)/3, (d3 − d2)/3.

    Args:
        layers: N layers on k inputs.
        inputs: enclosures of the m points' inputs, shape (m, k).
        labels: (N, m) zeros and ones.
    """
    with np.errstate(all="ignore"):
        neurons = []
        for i in range(3):
            h = exactly(layers.bias[:, i][:, None])
            for k in range(layers.weight.shape[2]):
                column = Intervals(inputs.lower[None, :, k], inputs.upper[None, :, k])
                h = add(h, multiply(exactly(layers.weight[:, i, k][:, None]), column))
            neurons.append(h)
        d = [subtract(neurons[i], neurons[(i + 1) % 3]) for i in range(3)]
        spread = root(add(add(square(d[0]), square(d[1])), square(d[2])))  # three standard deviations
        total = exactly(np.zeros(1))
        for i in range(3):
            total = add(total, multiply(exactly(layers.read[i : i + 1]), subtract(d[i], d[(i + 2) % 3])))
        quotients = [a / b for a in total for b in spread]
        value = _outward(np.minimum.reduce(quotients), np.maximum.reduce(quotients))
        output = add(value, exactly(layers.offset[:, None]))
        margin = np.where(labels == 1, output.lower, -output.upper)
        known = (
            (spread.lower > _LEAST_SPREAD)
            & np.isfinite(spread.upper)
            & np.isfinite(output.lower)
            & np.isfinite(output.upper)
        )
        least = np.where(known, margin, np.nan).min(axis=1)
        return np.where(np.abs(least) > _LEAST_MARGIN, least, np.nan)


def _outward(lower: Floats, upper: Floats) -> Intervals:
    return Intervals(np.nextafter(lower, -np.inf), np.nextafter(upper, np.inf))
