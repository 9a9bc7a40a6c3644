r"""Run folding that loses as few bits as possible: for float networks that every IEEE evaluation gets right.

Two classes along a line alternate in runs. A fold whose apex lies in run j lays the runs left of it over those right of
it; class meets class if the cuts between them are exchanged, and an involution of the line can be made to exchange two
pairs of points, so one layer removes one or two runs, or more by luck. What is removed matters less than what it costs:
the line only has the resolution of the format, and every layer stretches earlier rounding errors and adds its own.

So each layer is chosen among some thousand folds at both ends by its *cost*, the bits of risk per removed run. Risk is
the sum, over all neighbours of different classes, of the rounding errors they may have suffered over their distance.
A run that is wide for the gaps around it has a price as well, since it will be dear to fold once it is at an end.
Nothing here is trusted: errors are estimated to first order, and the network is for the checkers to judge.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from constructions.arithmetic import Arithmetic, Float
from constructions.errors import InputError, MergeConfusionError, UndecidedError
from constructions.fold import Fold
from constructions.line import Line
from constructions.projection_merge import FoldSequence, merge_repaired
from constructions.rational import to_rational

Array = NDArray[np.float64]

#: Rounding errors of a layer, in units of the last place of its numbers.
_NOISE = 10.0
#: Bits of risk to spare that end the restarts.
_ENOUGH = 8.0
#: Prices, in bits of risk, of doubling a run's width relative to its gap; one attempt after the other takes the next.
_PRICES = (0.3, 1.0, 0.5, 0.15)
#: Where in a gap another gap is aimed at, from edge to edge.
_AIMS = (0.2, 0.35, 0.5, 0.65, 0.8)
#: Where between the two fixed points of the involution the fold's shift may lie.
_SHIFTS = np.array([1e-4, 1e-3, 3e-3, 0.01, 0.03, 0.06, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97])
#: Runs at an end in which the apex may lie.
_REACH = 4
#: Folds times runs that are evaluated at once.
_CAPACITY = 400_000


class Runs(NamedTuple):
    """Alternating runs from left to right: where they start and end, and the rounding errors there (k each)."""

    low: Array
    high: Array
    blur_low: Array
    blur_high: Array

    def mirrored(self) -> Runs:
        """Seen from the other side."""
        return Runs(-self.high[::-1], -self.low[::-1], self.blur_high[::-1], self.blur_low[::-1])

    def risk(self) -> float:
        """Logarithm, base two, of the summed risk at the k − 1 gaps."""
        with np.errstate(all="ignore"):
            return float(np.log2(((self.blur_low[1:] + self.blur_high[:-1]) / self._gaps()).sum()))

    def burden(self, price: float) -> float:
        """Risk, and a price on runs that are wide for the gaps behind them."""
        with np.errstate(all="ignore"):
            return self.risk() + price * float(np.log2(1 + (self.high - self.low)[:-1] / self._gaps()).sum())

    def _gaps(self) -> Array:
        return self.low[1:] - self.high[:-1]


class Folds(NamedTuple):
    """Many folds: shift, height, the two parts of the read-off, and the apex, one entry each."""

    shift: Array
    scale: Array
    u1: Array
    u2: Array
    apex: Array

    def pick(self, index: Any) -> Folds:
        """Some of them."""
        return Folds(*(x[index] for x in self))


@dataclass(frozen=True)
class Step:
    """One fold that was chosen.

    Attributes:
        cost: bits of burden per removed run.
        fold: a single fold, as seen from the end it folds.
        mirrored: whether that is the right end.
    """

    cost: float
    fold: Folds
    mirrored: bool


def fold_steadily(line: Line, *, tries: int = 8) -> FoldSequence:
    """Fold two classes apart with as little loss of precision as a randomised greedy search finds.

    More than two classes are merged by Algorithm 1, repaired, and so are two where every attempt fails although the
    arithmetic's precision can be raised.

    Args:
        line: any line.
        tries: restarts; the first that leaves enough bits to spare wins, else the best.

    Raises:
        InputError: no attempt.
        UndecidedError: every attempt runs out of the arithmetic's precision.
    """
    if len({c.label for c in line.clusters}) > 2:
        return merge_repaired(line)
    if tries < 1:
        raise InputError(f"Argument 'tries' must be at least 1, not {tries}.")
    best: tuple[float, FoldSequence] | None = None
    obstacle: UndecidedError | None = None
    for seed in range(tries):
        try:
            found = _attempt(line, np.random.default_rng(seed), _PRICES[seed % len(_PRICES)])
        except UndecidedError as error:
            obstacle = error
            continue
        if best is None or found[0] < best[0]:
            best = found
        if best[0] < -_ENOUGH:
            break
    if best is not None:
        return best[1]
    if obstacle is not None and isinstance(line.arithmetic, Float):
        raise obstacle
    return merge_repaired(line)


def _attempt(line: Line, generator: np.random.Generator, price: float) -> tuple[float, FoldSequence]:
    """One greedy run: the largest risk on the way, and the folds."""
    unit = 2.0 ** -min(getattr(line.arithmetic, "bits", 53), 900)
    blur = np.full(len(line.clusters), unit)
    folds: list[Fold] = []
    worst = -np.inf
    while not line.separable:
        runs = _runs(line, blur)
        step = _best(runs, unit, generator, price)
        if step is None:
            raise UndecidedError("No fold keeps the classes apart at this precision.", line.layer)
        fold = _as_fold(step, line.arithmetic)
        blur = _blurred(line, blur, fold, unit)
        order, line = _moved(line, fold)
        blur = blur[order]
        folds.append(fold)
        worst = max(worst, _runs(line, blur).risk())
    return worst, FoldSequence(tuple(folds), line)


def _moved(line: Line, fold: Fold) -> tuple[list[int], Line]:
    """The line after a fold, and which of its former clusters each of its clusters was."""
    try:
        after = line.after(fold)
    except MergeConfusionError as error:  # the estimate was wrong
        raise UndecidedError(str(error), line.layer) from None
    number = {c.source: k for k, c in enumerate(line.clusters)}
    return [number[c.source] for c in after.clusters], after


def _best(runs: Runs, unit: float, generator: np.random.Generator, price: float) -> Step | None:
    before, best = runs.burden(price), None
    for mirrored in (False, True):
        view = runs.mirrored() if mirrored else runs
        with np.errstate(all="ignore"):
            fixed = _involutions(_exchanges(view))
            most = max(1, _CAPACITY // (len(_SHIFTS) * len(view.low)))
            if len(fixed) > most:
                fixed = fixed[generator.choice(len(fixed), most, replace=False)]
            folds = _with_shifts(fixed)
            burden, removed = _judge(view, folds, unit, price)
            cost = np.where(removed > 0, (burden - before) / np.maximum(removed, 1), np.inf)
        cost = np.where(np.isfinite(cost), cost, np.inf)
        if not len(cost) or not np.isfinite(cost.min()):
            continue
        k = int(np.argmin(cost))
        if best is None or cost[k] < best.cost:
            best = Step(float(cost[k]), folds.pick(k), mirrored)
    return best


def _exchanges(view: Runs) -> Array:
    """Pairs of pairs (x, y, v, w): an involution that exchanges x with y and v with w lays runs on their own class."""
    before, after = view.high[:-1], view.low[1:]  # the gaps
    count, found = len(view.low), []

    def aim(gap: int, part: float) -> float:
        return float(before[gap] + part * (after[gap] - before[gap]))

    span = view.high[-1] - view.low[0]
    for j in range(1, min(_REACH, count - 1)):
        for x, y in ((aim(j - 1, f), aim(j, g)) for f in _AIMS for g in _AIMS):
            if j == 1:
                end = after[2] if count > 3 else view.high[-1] + span
                found += [(x, y, view.low[0], y + (end - y) * t) for t in (0.05, *_AIMS, 0.95)]
                continue
            ends = [aim(j + 1, g) if j + 1 < count - 1 else view.high[-1] + g * span for g in (0.3, 0.5, 0.7)]
            found += [(x, y, aim(j - 2, f), w) for f in (0.3, 0.5, 0.7) for w in ends]
    return np.array(found, dtype=float).reshape(-1, 4)


def _involutions(pairs: Array) -> Array:
    """Apex and other fixed point of the involutions that exchange both pairs; only those with one between x and y."""
    x, y, v, w = pairs.T
    centre = (x * y - v * w) / ((x + y) - (v + w))
    root = np.sqrt(centre * centre - (centre * (x + y) - x * y))
    first, second = centre - root, centre + root
    inside, also = (first > x) & (first < y), (second > x) & (second < y)
    apex, other = np.where(inside, first, second), np.where(inside, second, first)
    return np.stack([apex, other], axis=1)[(inside ^ also) & np.isfinite(other)]


def _with_shifts(fixed: Array) -> Folds:
    """All folds with given fixed points: (apex − s)(other − s) = −c², read off so that the apex is the top."""
    apex, other = (np.repeat(x, len(_SHIFTS)) for x in fixed.T)
    shift = (fixed[:, :1] + (fixed[:, 1:] - fixed[:, :1]) * _SHIFTS).ravel()
    scale = np.sqrt((apex - shift) * (shift - other))
    length = np.hypot(apex - shift, scale)
    return Folds(shift, scale, (apex - shift) / length, scale / length, apex)


def _judge(view: Runs, folds: Folds, unit: float, price: float) -> tuple[Array, NDArray[np.int64]]:
    """Burden (infinite where classes meet) and number of runs removed, for many folds."""
    sides = [_images(p, blur, folds, unit) for p, blur in ((view.low, view.blur_low), (view.high, view.blur_high))]
    (one, blur_one), (two, blur_two) = sides
    swapped = one > two
    low, high = np.where(swapped, two, one), np.where(swapped, one, two)
    blur_low, blur_high = np.where(swapped, blur_two, blur_one), np.where(swapped, blur_one, blur_two)
    across = (view.low < folds.apex[:, None]) & (view.high > folds.apex[:, None])
    high = np.where(across, 1.0, high)
    order = np.argsort(low, axis=1, kind="stable")
    names = (np.arange(len(view.low)) % 2)[order]
    low, high, blur_low, blur_high = (np.take_along_axis(v, order, axis=1) for v in (low, high, blur_low, blur_high))
    top = np.maximum.accumulate(high, axis=1)[:, :-1]
    gaps = low[:, 1:] - top
    change = names[:, 1:] != names[:, :-1]
    begins = np.where(np.concatenate([np.ones((len(low), 1), bool), change], axis=1), low, -np.inf)
    widths = top - np.maximum.accumulate(begins, axis=1)[:, :-1]
    risk = np.where(change, (blur_low[:, 1:] + blur_high[:, :-1]) / gaps, 0.0)
    clear = (np.where(change, gaps, 1.0) > 0).all(axis=1) & (risk.max(axis=1, initial=0.0) < 1)
    removed = len(view.low) - 1 - change.sum(axis=1)
    total = np.where(change.any(axis=1), risk.sum(axis=1), unit)
    width = np.where(change, np.log2(1 + widths / gaps), 0.0).sum(axis=1)
    return np.where(clear, np.log2(total) + price * width, np.inf), removed


def _images(place: Array, blur: Array, folds: Folds, unit: float) -> tuple[Array, Array]:
    """Where folds (rows) take places (columns), and the rounding errors there."""
    shift, scale, u1, u2 = (x[:, None] for x in folds[:4])
    q = (place - shift) / scale
    root = np.sqrt(1 + q * q)
    slope = np.abs(u1 - u2 * q) / (root**3 * scale)
    own = _NOISE / 2 * unit
    return (u1 * q + u2) / root, slope * (blur + own * (np.abs(place) + np.abs(shift) + scale)) + own


def _runs(line: Line, blur: Array) -> Runs:
    """The line's runs in floats, relative to its first cluster's place (which is kept: LN has no other origin)."""
    places = np.array([_float(line.arithmetic, c.position) for c in line.clusters])
    labels = [c.label for c in line.clusters]
    first = np.flatnonzero([True, *(a != b for a, b in pairwise(labels))])
    last = np.append(first[1:], len(labels)) - 1
    return Runs(places[first], places[last], blur[first], blur[last])


def _blurred(line: Line, blur: Array, fold: Fold, unit: float) -> Array:
    """Rounding errors after the fold that was made, relative to a read-off of length 1 as in `_images`."""
    kappa = fold.frame.kappa**0.5
    shift, scale = (_rational_float(x) for x in (fold.shift, fold.scale))
    u1, u2 = (_rational_float(x) for x in (fold.u1, fold.u2))
    length = np.hypot(u1, u2 / kappa)
    folds = Folds(*(np.array([x]) for x in (shift, scale * kappa, u1 / length, u2 / kappa / length, 0.0)))
    places = np.array([_float(line.arithmetic, c.position) for c in line.clusters])
    gain = _rational_float(fold.frame.gain_squared) ** 0.5
    return _images(places, blur, folds, unit)[1][0] * length * gain


def _as_fold(step: Step, arithmetic: Arithmetic) -> Fold:
    shift, scale, u1, u2 = (to_rational(float(x)) for x in step.fold[:4])
    enter = arithmetic.enter
    if step.mirrored:
        shift, u1 = -shift, -u1
    height = enter(u2)
    if not arithmetic.exact:  # the rational frames see an ellipse: its second axis is √3 times as long
        height = height * arithmetic.sqrt(enter(fmpq(3)))
    return arithmetic.fold(enter(shift), enter(scale), enter(u1), height)


def _float(arithmetic: Arithmetic, position: Any) -> float:
    return float(position) if arithmetic.exact else _rational_float(to_rational(arithmetic.middle(position)))


def _rational_float(value: Any) -> float:
    return int(value.p) / int(value.q) if isinstance(value, fmpq) else float(value)
