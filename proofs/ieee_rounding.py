r"""Rounding errors of any IEEE 754 evaluation of an affine map and of LN: bounds, each with its proof.

Model. Every computed operation is ``fl(x) = x(1 + δ) + η`` with |δ| ≤ u and |η| ≤ tiny, where x is the exact result.
``u`` is the unit roundoff 2^-p enlarged by a thousandth, which also covers a result that is rounded to a wider format
first (11 more bits suffice); ``tiny`` is the smallest normal number, which covers gradual underflow and flushing to
zero. Products may be fused into sums: a missing rounding is the rounding δ = 0.

Every function takes balls around exact quantities and returns upper bounds as exact numbers. `guard` excludes
overflow: where it does not raise, every intermediate result is finite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from flint import arb, fmpq

from constructions.errors import LNNetError
from constructions.rational import round_to_bits, scale_binary


class Unbounded(LNNetError):
    """No useful bound exists: overflow is not excluded, or LN's deviation may vanish."""


@dataclass(frozen=True)
class Format:
    """A binary interchange format of IEEE 754.

    Attributes:
        name: numpy's name.
        bits: mantissa length p, the hidden bit included.
        largest: every finite value is below 2^largest.
        smallest: the smallest normal value is 2^smallest.
    """

    name: str
    bits: int
    largest: int
    smallest: int

    def round(self, value: fmpq) -> fmpq | None:
        """The value nearest to a rational, ties to even; None if that is infinite.

        >>> FLOAT32.round(fmpq(1, 3)), FLOAT32.round(fmpq(2) ** 128)
        (11184811/33554432, None)
        """
        floor = scale_binary(fmpq(1), self.smallest)
        if abs(value) >= floor:
            rounded = round_to_bits(value, self.bits)
        else:  # subnormal numbers share one exponent: round as if 1 stood in front
            rounded = round_to_bits(floor + abs(value), self.bits) - floor
            rounded = -rounded if value < 0 else rounded
        return rounded if abs(rounded) < scale_binary(fmpq(1), self.largest) else None

    @cached_property
    def unit(self) -> fmpq:
        """u = 2^-p (1 + 2^-10)."""
        return scale_binary(fmpq(1025, 1024), -self.bits)

    @cached_property
    def tiny(self) -> fmpq:
        """The smallest normal value."""
        return scale_binary(fmpq(1), self.smallest)

    def growth(self, count: int) -> arb:
        """(1 + u)^count, an upper bound on the factor that so many roundings put on a quantity."""
        return arb(1 + self.unit) ** count

    def guard(self, bound: arb) -> None:
        """Raise `Unbounded` unless a bound on an intermediate result is far below overflow."""
        if not bound < scale_binary(fmpq(1), self.largest - 2):
            raise Unbounded("overflow is not excluded")


FLOAT32 = Format("float32", 24, 128, -126)
FLOAT64 = Format("float64", 53, 1024, -1022)
FORMATS = {f.name: f for f in (FLOAT32, FLOAT64)}


def top(x: arb) -> arb:
    """An exact upper bound on |x|."""
    return x.abs_upper()


def widened(x: arb, radius: arb) -> arb:
    """The ball x with ``radius`` ≥ 0 added to its radius."""
    return x + arb(0, radius)


def affine_error(f: Format, products: Sequence[arb], free: int, bias: arb | None, total: arb) -> arb:
    """Bound the error of b + Σ w·x, summed in any order, in any tree, fused or not.

    Args:
        products: the nonzero w times x.
        free: how many of them, the last ones, have w = ±2^k, so that the product is not rounded.
        bias: b, or None if b = 0.
        total: the exact result.

    Proof. Errors of sums add up: the computed total is exactly Σ fl(terms) + Σ δ·(sum before rounding) over the t − 1
    additions. Without roundings the sum of any subset is at most P, the sum of the positive or of the negative terms;
    roundings move it by at most g − 1 times the sum A of all absolute values, g = (1+u)^t. One of the additions
    gives the total.
    """
    terms = [*products, bias] if bias is not None else [*products]
    t = len(terms)
    if t == 0:
        return arb(0)
    u, tiny, g = f.unit, f.tiny, f.growth(t)
    sizes = [top(x) for x in terms]
    rounding = sum(sizes[: len(products) - free], arb(0)) * u + tiny * len(products)
    a = sum(sizes, arb(0)) + rounding
    f.guard(a * g)
    if t == 1:
        return top(rounding)
    up = sum((x.upper() for x in terms if x.upper() > 0), arb(0))
    down = sum((-x.lower() for x in terms if x.lower() < 0), arb(0))
    slack = rounding + a * (g - 1) + tiny * t * g
    return top(rounding + ((up.max(down) + slack) * (t - 2) + top(total) + slack) * u + tiny * (t - 1))


class NormalizationError(NamedTuple):
    """How far computed outputs of LN can be from z = c/s, c the exact centred row and s = √(σ² + ε).

    The i-th computed output is ``z_i(1 + θ) − κ + ι_i`` with one θ and one κ for the whole row.

    Attributes:
        scale: bound on |θ|.
        shift: bound on |κ|.
        own: bounds on the |ι_i|.
    """

    scale: arb
    shift: arb
    own: list[arb]


def normalization_error(
    f: Format, h: Sequence[arb], c: Sequence[arb], mean: arb, s: arb, epsilon: fmpq
) -> NormalizationError:
    """Bound the errors of LN on a row h of floats, for every algorithm that the model names.

    Args:
        h: balls around the row's entries.
        c: around the entries minus their mean.
        mean: around the mean.
        s: around √(σ² + ε).
        epsilon: ε, which the evaluation rounds to the format first.

    Raises:
        Unbounded: overflow is not excluded, or s may be too small.
    """
    u, tiny = f.unit, f.tiny
    n = len(h)
    shift = _mean_error(f, h, c, mean)
    square = top(s * s)
    error = _variance_error(f, h, c, mean, top(arb(0).max(square - epsilon)), shift)
    error = error + (epsilon + square + error + u * epsilon) * u + tiny if epsilon else error
    least = (s * s).lower()
    if not (least > 0 and error < least / 2):
        raise Unbounded("the deviation may vanish against rounding errors")
    # Two more roundings lead from the variance w(1 + ω) to the factor 1/√w; it also covers the division by √w.
    scale = top(f.growth(2) * (1 - error / least).rsqrt() - 1)
    factor = (1 + scale) / s.lower()
    f.guard(factor * (sum((top(x) for x in h), arb(0)) + n * shift) * 4)
    # Either (h − m)·r, two roundings relative to z, or h·r − m·r, where h·r and m·r are rounded before the difference.
    own = []
    for x, y in zip(h, c, strict=True):
        centred = top(y) + shift
        own.append(top(factor * ((top(x) + top(mean) + shift + centred) * u * (1 + u) + tiny * 4) + tiny * 4))
    return NormalizationError(scale, top(factor * shift), own)


def _mean_error(f: Format, h: Sequence[arb], c: Sequence[arb], mean: arb) -> arb:
    r"""Bound the error of the mean, and of every partial mean, computed by summing or by updating.

    Summing, in any tree: an addition that completes k of the n terms errs by at most u·k·M(1+u)^n with M = max |h|, and
    the k's of the n − 1 additions sum to at most n(n+1)/2 − 1; then come the division and 1/n's own rounding.

    Updating (Welford for single entries, Chan, Golub and LeVeque for groups): m = m_a + (m_b − m_a)·(n_b/k) for a group
    of k = n_a + n_b. With D the largest error of any partial mean and R the range of h,
    k·d ≤ n_a·d_a + n_b·d_b + n_b·((1+u)³ − 1)(R + 2D) + k·(u(M + D) + 4·tiny). The bound is convex in k, so chains of
    single entries are the worst: d ≤ ((1+u)³ − 1)(R + 2D)(n−1)/2 + (u(M + D) + 4·tiny)·w with w = (n+1)/2 − 1/n. The
    code solves for D.
    """
    u, tiny, n = f.unit, f.tiny, len(h)
    if n == 1:
        return arb(0)
    largest = _largest(h)
    spread = top(_greatest(c) - _least(c))
    f.guard(n * largest * f.growth(n))
    w = fmpq(n + 1, 2) - fmpq(1, n)
    thrice = f.growth(3) - 1
    keep = 1 - thrice * (n - 1) - u * w
    if not keep > 0:
        raise Unbounded("the row is too long for the format")
    updating = (thrice * spread * fmpq(n - 1, 2) + (largest * u + 4 * tiny) * w) / keep
    summing = (largest * u * w * f.growth(n) + tiny) * f.growth(2) + top(mean) * (f.growth(2) - 1) + 2 * tiny
    return top(updating).max(top(summing))


def _variance_error(f: Format, h: Sequence[arb], c: Sequence[arb], mean: arb, v: arb, d: arb) -> arb:
    r"""Bound the error of σ², at most v, in two passes, in one pass, or by updating; d bounds the error of the mean.

    Two passes: the computed h − m are (c_i − δ)(1 + ·) with one δ, and Σ(c_i − δ)² = nσ² + nδ²; each term meets at most
    n + 4 roundings.

    One pass, mean square minus squared mean: the mean square q = σ² + μ² meets n + 2 roundings, the squared mean errs
    by 2|μ|d + d² and a rounding, and the difference is rounded.

    Updating: nσ² = Σ w_j δ_j² over the merges, w = n_a·n_b/k and δ the difference of the two means. Each δ errs by the
    errors e_j of two partial means (none for single entries); Welford's second factor x − m_k = wδ errs by d_k, and
    there w ≥ 1/2. By Cauchy and Schwarz the terms sum to at most T = (√(nσ²) + K)(√(nσ²) + K') with K² = Σ w_j e_j² and
    K'² = Σ max(w_j e_j², d_k²/w_k), and they meet at most 2n + 6 roundings. For n ≤ 3 all merges add single entries, so
    K² ≤ 2/3·d² and K'² ≤ (2 + 3/2)d²; otherwise Σ w_j ≤ n·log2(n)/2 and e ≤ 2d give K² ≤ K'² ≤ 2n(log2(n) + 1)d².
    """
    u, n = f.unit, len(h)
    largest, mu, spread = _largest(h), top(mean), top(_greatest(c) - _least(c))
    f.guard((largest + spread + d) ** 2 * (16 * n * n))
    two_pass = (v + d * d) * f.growth(n + 4) - v
    one_pass = (v + mu * mu) * (f.growth(n + 2) - 1) + 2 * mu * d + d * d + (mu + d) ** 2 * u
    one_pass = one_pass * (1 + u) + v * u
    whole = n * n.bit_length()
    first, second = (fmpq(2, 3), fmpq(7, 2)) if n <= 3 else (fmpq(2 * (whole + n)),) * 2
    root = (v * n).sqrt()
    updating = (root + d * arb(first).sqrt()) * (root + d * arb(second).sqrt()) * f.growth(2 * n + 6) / n - v
    under = 32 * n * n * f.tiny * (1 + largest + spread + d)  # every underflow, times the most it is multiplied by
    return top(top(two_pass).max(top(one_pass)).max(top(updating)) + under)


def _largest(x: Sequence[arb]) -> arb:
    return _greatest([top(y) for y in x])


def _greatest(x: Sequence[arb]) -> arb:
    result = x[0].upper()
    for y in x[1:]:
        result = result.max(y.upper())
    return result


def _least(x: Sequence[arb]) -> arb:
    result = x[0].lower()
    for y in x[1:]:
        result = result.min(y.lower())
    return result
