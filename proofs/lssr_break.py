"""Certificates that a network breaks LSSR: SSR of its outputs is strictly below the linear bound of its inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from flint import arb, fmpq

from constructions.algebraic import Algebraic
from constructions.arithmetic import Arithmetic, Dyadic
from constructions.errors import InputError
from constructions.network import LNNet
from constructions.points import Label
from constructions.rational import scale_binary
from constructions.sum_of_squares import (
    LinearBound,
    Samples,
    as_samples,
    linear_bound,
    project_samples,
    sum_of_squares_ratio,
)
from constructions.taylor_break import (
    TaylorStatistics,
    best_scale_float,
    default_arithmetic,
    network_from_fold,
    scale_fold,
    search_fold,
    taylor_statistics,
)
from proofs.linear_bound_check import check_linear_bound

Watch = Callable[[int, int], object]
#: Precision limit (bits) of the certificate.
MAX_BITS = 1 << 12
_MARGIN_BITS = 24


@dataclass(frozen=True)
class RatioVerdict:
    """How the SSR of a network's outputs compares with LSSR.

    Attributes:
        outcome: ``"certified"`` (strictly below), ``"refuted"`` (at least as large) or ``"undecided"``.
        bits: working precision, in bits; 0 if none is needed (LSSR is 0, or the network sees two places only).
        bound: LSSR, exact.
        ratio: rational bounds (lower, upper) of the network's SSR; None if not computed, or the outputs may coincide.
        drop: a lower bound of LSSR − SSR, if certified.
    """

    outcome: Literal["certified", "refuted", "undecided"]
    bits: int
    bound: fmpq
    ratio: tuple[fmpq, fmpq] | None
    drop: fmpq | None = None

    def __bool__(self) -> bool:
        return self.outcome == "certified"


@dataclass(frozen=True)
class BrokenBound:
    """Theorem 1, carried out.

    Attributes:
        bound: LSSR, u* and the scatter matrices.
        statistics: T1, T2, T3 along u*.
        scale: t*, the dyadic found (None where the layer was found by the search over C.4).
        network: ψ, one LN on three neurons.
        verdict: the certificate that SSR(ψ) < LSSR.
    """

    bound: LinearBound
    statistics: TaylorStatistics
    scale: fmpq | None
    network: LNNet
    verdict: RatioVerdict


def check_ratio(
    net: LNNet, first: Any, second: Any, *, max_bits: int = MAX_BITS, watch: Watch | None = None
) -> RatioVerdict:
    """Decide rigorously whether SSR(net(X1), net(X2)) < LSSR(X1, X2), trusting nothing but the weights.

    Args:
        net: a network with one output.
        first, second: samples of the two classes, shapes (m1, d) and (m2, d).
        max_bits: precision (bits) at which to give up.
        watch: called after every sample with (samples done, samples in all), anew at every precision.

    Raises:
        InputError: not one output, or LSSR is undefined.
        ShapeError: wrong dimensions.
    """
    if net.layers[-1].outputs != 1:
        raise InputError(f"SSR is compared for one output, not {net.layers[-1].outputs}.")
    x1, x2 = as_samples(first), as_samples(second)
    bound = linear_bound(x1, x2)
    check_linear_bound(x1, x2, bound)
    if bound.value == 0 or len({*x1, *x2}) == 2:
        # SSR is never negative; and of two places every map makes two (with the same SSR) or one (without any).
        return RatioVerdict("refuted", 0, bound.value, None)
    if (tie := _two_images(net, x1, x2)) is not None:
        return RatioVerdict("refuted", 0, bound.value, (tie, tie))
    bits = 64
    while True:
        arithmetic = Dyadic(bits)
        with arithmetic.work():
            ratio = ratio_ball(*_outputs(net, x1, x2, arithmetic, watch))
            lssr = arb(bound.value)
            ends = None if ratio is None else _ends(ratio)
            if ratio is not None and ratio < lssr:
                return RatioVerdict("certified", bits, bound.value, ends, _floor(lssr - ratio))
            if ratio is not None and ratio >= lssr:
                return RatioVerdict("refuted", bits, bound.value, ends)
        if bits >= max_bits:
            return RatioVerdict("undecided", bits, bound.value, ends)
        bits = min(2 * bits, max_bits)


def _two_images(net: LNNet, x1: Samples, x2: Samples) -> fmpq | None:
    """SSR of the samples after the first affine map, if that leaves two places only: later layers cannot change it."""
    weight: Any = net.layers[0].weight
    if any(isinstance(w, Algebraic) for row in weight for w in row):
        return None
    images = [
        [tuple(sum((w * v for w, v in zip(row, x, strict=True)), fmpq(0)) for row in weight) for x in part]
        for part in (x1, x2)
    ]
    places = sorted({*images[0], *images[1]})
    return sum_of_squares_ratio(*([int(y == places[0]) for y in part] for part in images)) if len(places) == 2 else None


def ratio_ball(first: Sequence[arb], second: Sequence[arb]) -> arb | None:
    """A ball around the SSR of two classes of balls; None if all of them may coincide."""
    means = [sum(part, arb(0)) / len(part) for part in (first, second)]
    residues = [y - c for part, c in zip((first, second), means, strict=True) for y in part]
    within = sum((r * r for r in residues), arb(0))  # not r**2, which is NaN for a ball around 0
    weight = fmpq(len(first) * len(second), len(first) + len(second))
    gap = means[0] - means[1]
    total = within + gap * gap * weight
    return within / total if total > 0 else None


def break_lssr(
    first: Any,
    second: Any,
    classes: Sequence[Label] = (1, 2),
    *,
    search: bool = False,
    arithmetic: str = "dyadic",
    watch: Watch | None = None,
) -> BrokenBound:
    """Find and certify an LN-Net of depth 1 and width 3 whose SSR is below LSSR.

    Args:
        first, second: samples of the two classes, shapes (m1, d) and (m2, d), repetitions kept.
        classes: their labels.
        search: search all layers of Appendix C.4 instead of the one-parameter family of Theorem 1.
        arithmetic: ``"dyadic"`` weights (53 bits, more for samples far from 0) or ``"exact"`` ones.
        watch: see `check_ratio`.

    Returns:
        Everything found, whose verdict says whether the bound is broken. Where class means coincide LSSR is 1 and
        every direction reaches it; then several are tried.

    Raises:
        InputError: LSSR is undefined, or unusable samples.

    >>> broken = break_lssr([[-1], [0], [0]], [[1], [3], [3]])
    >>> broken.verdict.outcome, broken.network.width
    ('certified', 3)
    """
    x1, x2 = as_samples(first), as_samples(second)
    bound = linear_bound(x1, x2)
    attempts = [_attempt(x1, x2, bound, u, classes, search, arithmetic, watch) for u in _minimisers(bound)]
    return min(attempts, key=lambda b: b.verdict.ratio[1] if b.verdict.ratio is not None else fmpq(2))


def _attempt(
    x1: Samples,
    x2: Samples,
    bound: LinearBound,
    direction: tuple[fmpq, ...],
    classes: Sequence[Label],
    search: bool,
    arithmetic: str,
    watch: Watch | None,
) -> BrokenBound:
    numbers = default_arithmetic(arithmetic, project_samples(x1 + x2, direction))
    row = tuple(numbers.round(x) for x in direction)
    exact = direction if numbers.exact else row
    p1, p2 = (project_samples(part, exact) for part in (x1, x2))  # of the direction in the network, rounded or not
    scale = None if search else best_scale_float(p1, p2)
    fold = search_fold(p1, p2, numbers) if scale is None else scale_fold(scale, numbers)
    net = network_from_fold(exact, fold, p1, p2, classes, arithmetic=numbers)
    statistics = taylor_statistics(*(project_samples(part, direction) for part in (x1, x2)))
    return BrokenBound(bound, statistics, scale, net, check_ratio(net, x1, x2, watch=watch))


def _minimisers(bound: LinearBound) -> list[tuple[fmpq, ...]]:
    """u* or, where every direction is one, the coordinates and the sums and differences of two (at most 30)."""
    if bound.unique:
        return [_shortened(bound.direction)]
    d = len(bound.direction)
    units = [[fmpq(int(i == k)) for i in range(d)] for k in range(d)]
    pairs = [
        [a + s * b for a, b in zip(units[i], units[j], strict=True)]
        for i in range(d)
        for j in range(i)
        for s in (1, -1)
    ]
    n = bound.total

    def varies(u: Sequence[fmpq]) -> bool:
        return any(sum((n[i, j] * u[j] for j in range(d)), fmpq(0)) != 0 for i in range(d))

    return [tuple(u) for u in (*units, *pairs)[:30] if varies(u)] or [bound.direction]


def _shortened(direction: tuple[fmpq, ...]) -> tuple[fmpq, ...]:
    """The same direction with largest entry ±1."""
    size = max(abs(x) for x in direction)
    return tuple(x / size for x in direction)


def _outputs(
    net: LNNet, x1: Samples, x2: Samples, arithmetic: Arithmetic, watch: Watch | None
) -> tuple[list[arb], list[arb]]:
    known: dict[Any, arb] = {}
    parts: tuple[list[arb], list[arb]] = ([], [])
    for samples, outputs in zip((x1, x2), parts, strict=True):
        for row in samples:
            if row not in known:
                known[row] = net.outputs(row, arithmetic)[0]
            outputs.append(known[row])
            if watch is not None:
                watch(len(parts[0]) + len(parts[1]), len(x1) + len(x2))
    return parts


def _ends(ball: arb) -> tuple[fmpq, fmpq]:
    return max(_floor(ball), fmpq(0)), min(-_floor(-ball), fmpq(1))


def _floor(ball: arb) -> fmpq:
    """A short rational at or below everything in a ball."""
    mantissa, exponent = ball.lower().man_exp()
    excess = max(0, abs(mantissa).bit_length() - _MARGIN_BITS)
    return scale_binary(fmpq(mantissa >> excess), int(exponent) + excess)
