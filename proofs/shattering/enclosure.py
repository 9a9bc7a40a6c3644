r"""Folds on batches of intervals in float64, with proven outward bounds: the filter of the shattering engine.

A fold with float64 parameters is, over the real numbers (rational frame, `constructions.spherical_projection`),

.. math:: f(p)=\sqrt{3/2}\,\frac{u_1h+u_2C/3}{\sqrt{h^2+C^2/3}},\qquad h=p-s,

so f is increasing up to its apex :math:`u_2h=Cu_1` and decreasing after it (:math:`C,u_2>0`). An interval's image
therefore has its minimum at an end, and its maximum at an end unless the apex may lie within, where it is
:math:`\sqrt{3/2}\sqrt{u_1^2+u_2^2/3}`.

The error bound. In the standard model (+ − × ÷ √ correctly rounded, unit roundoff ε = 2⁻⁵³, no overflow) the computed
f(p) at a float p errs by at most

* 2ε·|u1 h| and 2ε·|u2 C/3| in the two terms and ε more in their sum (one rounding in h, one a product or quotient);
* 4ε in the radicand, hence 3ε in the root; 1ε in the quotient; 2ε in the factor √(3/2) and its product;

together less than 9.1ε·T with :math:`T=\sqrt{3/2}\,(|u_1h|+|u_2C/3|)/\sqrt{h^2+C^2/3}`, and T itself is computed to a
relative 10ε. Bounds are moved outward by 16ε·T, which leaves over 6ε·T for the rounding of that move (at most ε·T).
An underflow adds at most 2⁻¹⁰⁷⁴ to a product, hence 2⁻⁷⁷⁰ to the value since C > 2⁻³⁰⁰: 2⁻⁷⁰⁰ more covers it.
Only + − × ÷ √, minimum and maximum occur, so results are the same bit for bit whatever the batch.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Outward move, relative to T: 16 units of roundoff.
_OUTWARD = 2.0**-49
#: Sides of the apex are told apart only beyond this relative distance.
_SIDE = 2.0**-49
#: Absolute outward move that covers underflow.
_TINY = 2.0**-700
#: The same for the maximum: its squares lose up to 2⁻¹⁰⁷³, so the root of their sum loses less than 2⁻⁵³⁶.
_TINY_PEAK = 2.0**-500
_GAIN = float(np.sqrt(1.5))
#: Parameters outside this range are never trusted: no overflow, and underflow stays far below the bound.
_SMALLEST, _LARGEST = 2.0**-300, 2.0**300


class Folds(NamedTuple):
    """One fold a column, with float64 parameters: shift s, height C > 0, read-off (u1, u2), u2 ≥ 0.

    As a `constructions.fold.Fold` of the rational frame: ``Fold(s, C/3, u1, u2, INTEGER)``.
    """

    s: Floats
    c: Floats
    u1: Floats
    u2: Floats


def image(folds: Folds, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Enclose the images of intervals.

    Args:
        folds: n folds.
        lower, upper: shape (k, n): k intervals for each fold.

    Returns:
        Lower and upper bounds, shape (k, n). NaN where a fold's parameters or an interval's ends are out of range.
    """
    low_value, low_error, low_side = _at(folds, lower)
    high_value, high_error, high_side = _at(folds, upper)
    smallest = np.minimum(low_value - low_error, high_value - high_error)
    largest = np.maximum(low_value + low_error, high_value + high_error)
    one_side = (high_side > 0) | (low_side < 0)
    return smallest, np.where(one_side, largest, np.maximum(largest, _peak(folds)))


def _at(folds: Folds, p: Floats) -> tuple[Floats, Floats, Floats]:
    """Value, outward move, and side of the apex (1 surely left, −1 surely right, 0 unknown) at float points."""
    s, c, u1, u2 = folds
    usable = (c > _SMALLEST) & (c < _LARGEST) & (np.abs(s) < _LARGEST) & (u2 >= 0) & (np.abs(u1) + u2 < 8)
    h = p - s
    usable = usable & (np.abs(h) < _LARGEST)  # an infinite square would make the quotient 0
    first, second = u1 * h, u2 * c / 3
    root = np.sqrt(h * h + np.where(usable, c * c / 3, np.nan))
    value = (first + second) / root * _GAIN
    error = (np.abs(first) + second) / root * (_GAIN * _OUTWARD) + _TINY
    ahead, behind = c * u1, u2 * h
    lead = ahead - behind
    known = np.abs(lead) > (np.abs(ahead) + np.abs(behind)) * _SIDE + _TINY
    return value, error, np.where(known, np.sign(lead), 0.0)


def _peak(folds: Folds) -> Floats:
    """An upper bound on the fold's maximum, √(3/2)·√(u1² + u2²/3)."""
    return np.sqrt(folds.u1 * folds.u1 + folds.u2 * folds.u2 / 3) * (_GAIN * (1 + 16 * 2.0**-53)) + _TINY_PEAK
