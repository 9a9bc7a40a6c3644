r"""Theorem 1 (Ni et al. 2024) as a construction: an LN-Net of one layer whose SSR is below LSSR.

Project on u* (`constructions.sum_of_squares`), x = u*ᵀx_ci, and fold: :math:`g(tx)=(1+tx)/\sqrt{1+t^2x^2}`. Then
:math:`\mathrm{SSR}(t)=\mathrm{LSSR}-2\frac{T_1+T_2}{T_3}t+o(t)`, so unless T1 + T2 = 0 a small t of the right sign
is below.

Appendix C.4 puts :math:`v\cdot\mathrm{SP}(twx+b)` in place of g, with w, b, v in R^n. As w and b span a plane, this is
:math:`(u_1(x-s)+u_2c)/\sqrt{(x-s)^2+c^2}` up to an additive constant of the affine read-out: a `Fold`, whatever n is.
So a search over all of C.4 has three parameters, and for given (s, c) the best u is again Fisher's discriminant.

The searches here are numerical and prove nothing; `proofs.lssr_break` certifies what they find.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq

from constructions.arithmetic import Arithmetic, Dyadic, Exact
from constructions.errors import InputError
from constructions.fold import Fold
from constructions.network import Affine, LNNet
from constructions.points import Label
from constructions.rational import round_to_bits, to_rational
from constructions.spherical_projection import INTEGER

#: Relative inaccuracy that the search reckons with in the outputs of LN.
_NOISE = 1e-6

Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class TaylorStatistics:
    """T1, T2, T3 of equation (87), for any class sizes, and the derivative of SSR at t = 0.

    For classes of unequal sizes, with p_c = 2m_c/(m1 + m2) and P = p1σ1² + p2σ2², these are
    T1 = δ²(p1μ3_1 + p2μ3_2), T2 = δ[δ²(p1σ1² − p2σ2²) − (σ1² − σ2²)P], T3 = (2P + p1p2δ²)²/(p1p2); for equal sizes
    (p1 = p2 = 1) they are the paper's.

    Attributes:
        t1, t2, t3: as above, with δ the difference of the means.
        derivative: −2(T1 + T2)/T3.
    """

    t1: fmpq
    t2: fmpq
    t3: fmpq
    derivative: fmpq


def taylor_statistics(first: Sequence[Any], second: Sequence[Any]) -> TaylorStatistics:
    """T1, T2, T3 of two classes of numbers, exact.

    Args:
        first, second: the projected samples u*ᵀx of the classes.

    Raises:
        InputError: all numbers coincide (T3 = 0), where SSR is undefined.

    >>> taylor_statistics([-1, 0, 0], [1, 3, 3]).derivative
    -20/147
    """
    x1, x2 = ([to_rational(x) for x in part] for part in (first, second))
    size = fmpq(len(x1) + len(x2), 2)
    p1, p2 = len(x1) / size, len(x2) / size
    (m1, v1, s1), (m2, v2, s2) = _moments(x1), _moments(x2)
    delta = m1 - m2
    spread = p1 * v1 + p2 * v2
    t1 = delta**2 * (p1 * s1 + p2 * s2)
    t2 = delta * (delta**2 * (p1 * v1 - p2 * v2) - (v1 - v2) * spread)
    t3 = (2 * spread + p1 * p2 * delta**2) ** 2 / (p1 * p2)
    if t3 == 0:
        raise InputError("T3 is zero: all projected samples coincide, so SSR is undefined.")
    return TaylorStatistics(t1, t2, t3, -2 * (t1 + t2) / t3)


def scale_fold(t: Any, arithmetic: Arithmetic) -> Fold:
    """x ↦ g(tx) as a fold, for t ≠ 0: shift 0, height 1/|t|, read-off (sign t, 1).

    Raises:
        InputError: t = 0, where g is constant.
    """
    scale = to_rational(t)
    if scale == 0:
        raise InputError("Argument 't' must not be 0: the layer would be constant.")
    sign = fmpq(1 if scale > 0 else -1)
    with arithmetic.work():
        return _tilted(arithmetic, fmpq(0), 1 / abs(scale), sign, fmpq(1))


def break_network(
    direction: Sequence[Any], fold: Fold, centre: Any, rising: bool, classes: Sequence[Label], arithmetic: Arithmetic
) -> LNNet:
    """ψ = φ1 ∘ LN ∘ φ2 of Theorem 1 (φ1 first): one LN on three neurons, one output.

    The output is an affine image of ψ, which leaves SSR alone: shifted by ``centre``, negated unless ``rising``, so
    that the threshold read-out puts the mean of class 2 on the positive side.
    """
    column, bias = fold.frame.inlet(fold.shift, fold.scale)
    inlet = tuple(tuple(arithmetic.round(a * b) for b in direction) for a in column)
    sign = 1 if rising else -1
    row = tuple(sign * x for x in fold.frame.outlet(fold.u1, fold.u2))
    layers = (Affine(inlet, tuple(bias)), Affine((row,), (arithmetic.round(-sign * centre),)))
    return LNNet(layers, tuple(classes), "threshold", fmpq(0), arithmetic.semantics)


def network_from_fold(
    direction: Sequence[Any],
    fold: Fold,
    first: Sequence[Any],
    second: Sequence[Any],
    classes: Sequence[Label] = (1, 2),
    *,
    arithmetic: Arithmetic | None = None,
) -> LNNet:
    """The network that projects, folds, and reads off with the threshold halfway between the class means.

    Args:
        direction: u, d exact numbers.
        fold: what the LN layer does.
        first, second: the projected samples.
        arithmetic: `Exact` or `Dyadic`, in which the fold was made.
    """
    numbers = Dyadic(53) if arithmetic is None else arithmetic
    balls = Dyadic(64)
    with balls.work():
        image = fold.mapping(balls)
        means = [balls.middle(sum(image(balls.enter(x)) for x in part)) / len(part) for part in (first, second)]
    centre = round_to_bits((means[0] + means[1]) / 2, 24)
    return break_network(direction, fold, centre, means[1] > means[0], classes, numbers)


def best_scale_float(first: Sequence[Any], second: Sequence[Any]) -> fmpq:
    """A t ≠ 0, positive or negative, where SSR(t) is about as small as it gets: a dyadic of 24 bits, uncertified."""
    unit = max(abs(to_rational(x)) for x in (*first, *second))
    x1, x2 = _floats(first, second, fmpq(0), unit or fmpq(1))

    def ratio(angle: float) -> float:  # t = tan(angle)/unit covers all t; far ends are as good as infinity
        t = math.tan(angle)
        return ratio_floats(*((1 + t * x) / np.sqrt(1 + (t * x) ** 2) for x in (x1, x2)))

    angles = np.linspace(-math.pi / 2, math.pi / 2, 513)[1:-1]
    angles = angles[np.abs(angles) > 1e-9]
    far = np.arctan(np.concatenate([2.0 ** np.arange(9, 21), 2.0 ** -np.arange(8, 20)]))
    angles = np.sort(np.concatenate([angles, far, -far]))
    values = [ratio(a) for a in angles]
    k = int(np.argmin(values))
    low, high = angles[max(k - 1, 0)], angles[min(k + 1, len(angles) - 1)]
    angle = _golden(ratio, low, high) if low * high > 0 else angles[k]
    if not ratio(angle) <= values[k]:
        angle = angles[k]
    return round_to_bits(to_rational(float(math.tan(angle))) / (unit or fmpq(1)), 24)


def search_fold(first: Sequence[Any], second: Sequence[Any], arithmetic: Arithmetic | None = None) -> Fold:
    """The fold with the smallest SSR found among all of Appendix C.4: any n, w, b, v.

    A grid over shift and scale is refined by a pattern search; the read-off is the best for each. Uncertified.
    """
    numbers = Dyadic(53) if arithmetic is None else arithmetic
    exact = sorted({to_rational(x) for x in (*first, *second)})
    if len(exact) < 2:
        raise InputError("All projected samples coincide; there is nothing to fold.")
    low, width = exact[0], exact[-1] - exact[0]
    x1, x2 = _floats(first, second, low, width)  # in [0, 1]

    def value(shift: float, log_scale: float) -> float:
        return _read_off(x1, x2, shift, 2.0**log_scale)[0]

    starts = [(value(s, e), float(s), float(e)) for s in np.linspace(-0.5, 1.5, 65) for e in np.arange(-6.0, 4.0)]
    best = min((_pattern_search(value, start, 1 / 32) for start in sorted(starts)[:6]), key=lambda b: b[0])
    _, *read_off = _read_off(x1, x2, best[1], 2.0 ** best[2])
    size = max(abs(u) for u in read_off)
    shift, scale, *unit_read_off = (
        to_rational(float(x)) for x in (best[1], 2.0 ** best[2], *(u / size for u in read_off))
    )
    parts = (low + width * shift, width * scale, *unit_read_off)
    with numbers.work():
        return _tilted(numbers, *parts)


def ratio_floats(first: Floats, second: Floats) -> float:
    """SSR of two arrays of numbers in floating point; 1 where all coincide."""
    within = ((first - first.mean()) ** 2).sum() + ((second - second.mean()) ** 2).sum()
    total = within + len(first) * len(second) / (len(first) + len(second)) * (first.mean() - second.mean()) ** 2
    return float(within / total) if total > 0 else 1.0


def default_arithmetic(name: str, line: Sequence[fmpq]) -> Arithmetic:
    """``"dyadic"`` (53-bit weights and more) or ``"exact"`` (Lemma 1 as stated, weights in radicals).

    Args:
        line: projected samples; where they lie far from 0 compared with their spread, weights get more bits.

    Raises:
        InputError: another name.
    """
    spread = max(line) - min(line)
    offset = max(abs(x) for x in line) / spread if spread else fmpq(1)
    extra = max(0, offset.p.bit_length() - offset.q.bit_length() + 1)
    known: dict[str, Callable[[], Arithmetic]] = {"dyadic": lambda: Dyadic(53 + extra), "exact": Exact}
    if name not in known:
        raise InputError(f"Argument 'arithmetic' must be 'dyadic' or 'exact', not {name!r}.")
    return known[name]()


def _tilted(arithmetic: Arithmetic, shift: fmpq, scale: fmpq, u1: fmpq, u2: fmpq) -> Fold:
    """The fold with a read-off in Lemma 1's frame."""
    height: Any = u2
    if not arithmetic.exact and u1 != 0:  # the integer frame's second axis is √κ times as long
        height = arithmetic.sqrt(arithmetic.enter(fmpq(INTEGER.kappa))) * arithmetic.enter(u2)
    return arithmetic.fold(arithmetic.enter(shift), arithmetic.enter(scale), u1, height)


def _moments(x: Sequence[fmpq]) -> tuple[fmpq, fmpq, fmpq]:
    """Mean, variance (1/m) and third central moment."""
    centre = sum(x, fmpq(0)) / len(x)
    return centre, *(sum(((v - centre) ** k for v in x), fmpq(0)) / len(x) for k in (2, 3))  # type: ignore[return-value]


def _read_off(x1: Floats, x2: Floats, shift: float, scale: float) -> tuple[float, float, float]:
    """(SSR, u1, u2) of the best linear read-off on the circle, Fisher's discriminant in the plane.

    The SSR counts a little noise in, so that of equally good layers the well-conditioned one wins.
    """
    circles = []
    for x in (x1, x2):
        h = np.stack([x - shift, np.full_like(x, scale)])
        circles.append(h / np.sqrt((h**2).sum(axis=0)))
    together = np.concatenate(circles, axis=1)
    centred = together - together.mean(axis=1, keepdims=True)
    total = centred @ centred.T
    u = np.linalg.pinv(total, rcond=1e-13) @ (circles[0].mean(axis=1) - circles[1].mean(axis=1))
    if not np.abs(u).max() > 0:
        return 1.0, 0.0, 1.0
    noise = len(together[0]) * _NOISE**2 * float(u @ u) / max(float(u @ total @ u), 1e-300)
    return ratio_floats(u @ circles[0], u @ circles[1]) + noise, float(u[0]), float(u[1])


def _pattern_search(
    value: Callable[[float, float], float], start: tuple[float, float, float], step: float
) -> tuple[float, float, float]:
    best, steps = start, (step, 0.5)
    for _ in range(200):
        _, s, e = best
        near = [(s + steps[0], e), (s - steps[0], e), (s, e + steps[1]), (s, e - steps[1])]
        challenger = min((value(a, b), a, b) for a, b in near if -12 < b < 12)
        if challenger[0] < best[0]:
            best = challenger
        else:
            steps = (steps[0] / 2, steps[1] / 2)
            if steps[1] < 1e-6:
                break
    return best


def _golden(function: Callable[[float], float], low: float, high: float) -> float:
    ratio = (math.sqrt(5) - 1) / 2
    for _ in range(60):
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        if function(a) < function(b):
            high = b
        else:
            low = a
    return (low + high) / 2


def _floats(first: Sequence[Any], second: Sequence[Any], origin: fmpq, unit: fmpq) -> tuple[Floats, Floats]:
    """Both classes shifted and scaled exactly, then rounded: no overflow, and no cancellation far from 0."""
    parts = [[(to_rational(x) - origin) / unit for x in part] for part in (first, second)]
    return np.array([int(x.p) / int(x.q) for x in parts[0]]), np.array([int(x.p) / int(x.q) for x in parts[1]])
