r"""Which fold to choose: of very many folds, the one that leaves the line easiest to go on with.

With apex x and second fixed point y of its involution, :math:`n=p-x`, :math:`\kappa=1/(y-x)`, every fold of the line is
:math:`p\mapsto 1-\cos\delta` with :math:`\tan\delta=\lambda n/(1-\kappa n)`, up to an affine map. So a fold has three
parameters: where its apex is, which points meet (κ), and how the line is bent (λ).

A fold lays points between points, and what becomes of the label changes is largely luck: of k runs that are laid over
k others, about as many vanish as are cut in two, give or take √k. Luck can be had by trying. Some thousand folds are
drawn, anywhere on the line and through pairs of gaps that match, the best are improved by random steps, and the one
with the lowest *cost* is taken. Cost counts the label changes that are left, and adds what they will cost later on: a
change is dear if the runs beside it are wide for its gap, since little can then be laid in between, and if the gap is
small for the line, since a line has only so much resolution.

Nothing here is trusted: it is floating point, and the network made of the chosen folds is certified as what it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
#: The cost of leaving as many label changes as there were, and that of a fold of no use; no honest cost comes near.
IDLE, USELESS = 2.0**30, 2.0**40
#: What rounding may do to an image, relative to it, for each of the label bits that replace its last ones.
_ROUNDING = 2.0**-48
#: Numbers evaluated at once, which bounds memory and fits a processor's cache.
_BLOCK = 1 << 18
#: Where in a gap another gap is aimed at.
_AIMS = (0.1, 0.3, 0.5, 0.7, 0.9)
#: With many points, folds of so many next to either end are also searched among themselves, with some label changes
#: farther off as witnesses of what happens to the rest.
_WINDOW, _WITNESSES = 128, 24
#: Pairs of gaps, or of runs, are formed among so many next to either end.
_REACH = 16


class Folds(NamedTuple):
    """Folds, one entry each (n).

    Attributes:
        apex: x.
        kappa: inverse distance from the apex to the other fixed point of the involution.
        bend: λ > 0.
    """

    apex: Array
    kappa: Array
    bend: Array

    def pick(self, index: Numbers) -> Folds:
        """Some of them."""
        return Folds(*(x[index] for x in self))

    def joined(self, other: Folds) -> Folds:
        """These and others."""
        return Folds(*(np.concatenate(pair) for pair in zip(self, other, strict=True)))


@dataclass(frozen=True)
class Budget:
    """How much is tried before a fold is chosen, and what is held to be dear.

    Attributes:
        folds: how many folds are drawn; half as many steps are tried in every round of improvement.
        local: the same for folds near one end of a line of many points.
        rounds: of improvement.
        finalists: how many folds are improved in the first round, half as many in every further one.
        resolution: gaps below 2^−resolution of the line do not count as resolved.
        narrow: what doubling the width of a run relative to a gap beside it costs, in label changes.
        small: what halving a gap relative to the line costs, in label changes.
    """

    folds: int = 6000
    local: int = 3000
    rounds: int = 6
    finalists: int = 60
    resolution: float = 30.0
    narrow: float = 0.3
    small: float = 0.3

    @classmethod
    def of(cls, points: int, classes: int, effort: int = 0, resolution: float = 40.0) -> Budget:
        """The usual budget: with more points fewer folds, with every effort twice as many.

        With many classes luck is rare, and it is worth more to keep runs short, so that they can be laid on others.
        """
        folds, local = (n << effort for n in (min(6000, 150 * points, 4_000_000 // max(points, 1)), 3000))
        if classes <= 2:
            return cls(folds, local, resolution=min(resolution, 40.0))
        return cls(folds, local, resolution=min(resolution, 40.0), narrow=1.0, small=0.1)

    def wider(self, factor: int) -> Budget:
        """So many times as many folds."""
        return replace(self, folds=self.folds * factor, local=self.local * factor)


Judge = Callable[[Array, Numbers, Folds, Budget], Array]
"""What folds cost, given places and labels as for `best_folds`."""


def best_folds(
    places: Array,
    labels: Numbers,
    budget: Budget,
    generator: np.random.Generator,
    judge: Judge | None = None,
) -> tuple[Folds, Array]:
    """The folds found that make the line easier, the best first, and their costs.

    Args:
        places: n positions in ascending order, from 0 to 1.
        labels: n class numbers from 0 on.
        budget: how much to try.
        generator: of the folds that are tried.
        judge: what a fold costs, if not as `costs` has it.

    Returns:
        Folds, and costs that are below 2^30 if label changes are removed; the others leave as many as there were, but
        in better shape.
    """
    judge = costs if judge is None else judge
    with np.errstate(all="ignore"):
        ends = _ends(places, labels)
        folds, cost = _searched(places, labels, ends, budget.folds, budget, generator, judge)
        if len(places) > 2 * _WINDOW:
            for window in (slice(0, _WINDOW), slice(len(places) - _WINDOW, None)):
                kept = _thinned(places, labels, window)
                ends = _ends(places[window], labels[window])
                more, _ = _searched(places[kept], labels[kept], ends, budget.local, budget, generator, judge)
                folds = folds.joined(more)
            folds, cost = _kept(folds, judge(places, labels, folds, budget), len(folds.apex))
    useful = np.flatnonzero(cost < USELESS)
    return folds.pick(useful), cost[useful]


def _searched(
    places: Array,
    labels: Numbers,
    ends: Array,
    count: int,
    budget: Budget,
    generator: np.random.Generator,
    judge: Judge,
) -> tuple[Folds, Array]:
    """The best of ``count`` folds drawn among these ends of runs, improved in every round, and their costs."""
    folds = _drawn(ends, labels[np.searchsorted(places, ends)], count, generator)
    folds, cost = _kept(folds, judge(places, labels, folds, budget), budget.finalists)
    for round_ in range(budget.rounds):
        each = max(1, count // (2 * max(1, len(cost))))
        steps = _varied(folds, ends, each, round_, generator)
        found = judge(places, labels, steps, budget).reshape(-1, each)
        best = found.argmin(axis=1) + each * np.arange(len(found))
        folds, cost = folds.joined(steps.pick(best)), np.concatenate([cost, found.ravel()[best]])
        folds, cost = _kept(folds, cost, max(8, budget.finalists >> round_))
    return folds, cost


def _thinned(places: Array, labels: Numbers, window: slice) -> Numbers:
    """Numbers of the clusters in a window at one end, and of those beside some label changes outside of it."""
    inside = np.arange(len(places))[window]
    change = np.flatnonzero(labels[1:] != labels[:-1])
    change = change[(change + 1 < inside[0]) | (change > inside[-1])]
    some = change[:: max(1, len(change) // _WITNESSES)]
    return np.unique(np.concatenate([inside, some, some + 1, [0, len(places) - 1]]))


def images(places: Array, folds: Folds) -> Array:
    """Where folds (rows) take places (columns): 1 − cos δ, without cancellation near the apex."""
    n = places - folds.apex[:, None]
    y = 1 - folds.kappa[:, None] * n
    n *= folds.bend[:, None]
    n *= n
    radius = np.sqrt(n + y * y)
    return np.where(y > 0, n / (radius * (radius + y)), 1 - y / radius)


def costs(places: Array, labels: Numbers, folds: Folds, budget: Budget) -> Array:
    """The cost of every fold: 2^30 more if no label change is removed, 2^40 more if nothing gets better either."""
    block = max(1, _BLOCK // len(places))
    now, before = _line_costs(places[None].copy(), labels, budget)
    found = []
    for start in range(0, len(folds.apex), block):
        some = folds.pick(np.arange(start, min(start + block, len(folds.apex))))
        cost, changes = _line_costs(images(places, some), labels, budget)
        better = (changes == before) & (cost < now - 1)
        found.append(cost + np.where(changes < before, 0.0, np.where(better, IDLE, USELESS)))
    return np.concatenate(found) if found else np.zeros(0)


def _line_costs(image: Array, labels: Numbers, budget: Budget) -> tuple[Array, Numbers]:
    """Costs and numbers of label changes of lines, the rows of ``image``, which is overwritten."""
    # Labels travel in the last bits of the images, so that sorting floats sorts both, and fast.
    mask = np.int64((1 << max(1, int(labels.max()).bit_length())) - 1)
    bits = image.view(np.int64)
    bits &= ~mask
    bits |= labels
    image.sort(axis=1)
    name = image.view(np.int64) & mask
    row, column = np.nonzero(name[:, 1:] != name[:, :-1])
    left, right = image[row, column], image[row, column + 1]
    new = np.append(True, row[1:] != row[:-1])
    start = np.where(new, image[row, 0], np.append(0.0, right[:-1]))
    end = np.where(np.append(new[1:], True), image[row, -1], np.append(left[1:], 0.0))
    gap, length = right - left, (image[:, -1] - image[:, 0])[row]
    narrow = np.log2((right - start) * (end - left) / (gap * gap))
    cost = 1 + budget.narrow * narrow - budget.small * np.log2(gap / length)
    least = np.maximum(length * 2.0**-budget.resolution, right * float(mask) * _ROUNDING)
    cost = np.where((gap > least) & np.isfinite(cost), cost, USELESS)
    total = np.bincount(row, weights=cost, minlength=len(image))
    return np.where(np.isfinite(image[:, -1]), total, np.inf), np.bincount(row, minlength=len(image))


def _ends(places: Array, labels: Numbers) -> Array:
    """First and last place of every run."""
    change = np.flatnonzero(labels[1:] != labels[:-1])
    return places[np.stack([np.append(0, change + 1), np.append(change, len(labels) - 1)], axis=1).ravel()]


def _kept(folds: Folds, cost: Array, count: int) -> tuple[Folds, Array]:
    order = np.argsort(cost, kind="stable")[:count]
    return folds.pick(order), cost[order]


def _drawn(ends: Array, labels: Numbers, count: int, generator: np.random.Generator) -> Folds:
    """Folds anywhere, through two pairs of gaps or runs that match, and such that lay the run at an end on another."""
    part = generator.random(count // 2) * (len(ends) - 1)
    number = part.astype(np.int64)
    apex = [ends[number] + (part - number) * (ends[number + 1] - ends[number])]
    kappa = [generator.standard_normal(count // 2) * 2.0 ** generator.uniform(-4, 2, count // 2)]
    names = labels[::2]
    for x, k in (
        _involutions(*_two_matches(ends, names, count // 4, generator)),
        _involutions(*_first_on_another(ends, names, count // 8, generator)),
        _mirrored(_involutions(*_first_on_another(1 - ends[::-1], names[::-1], count // 8, generator))),
    ):
        apex.append(x)
        kappa.append(k)
    places = np.concatenate(apex)
    return Folds(places, np.concatenate(kappa), 2.0 ** generator.uniform(-2, 5, len(places)))


def _mirrored(involutions: tuple[Array, Array]) -> tuple[Array, Array]:
    return 1 - involutions[0], -involutions[1]


def _two_matches(
    ends: Array, labels: Numbers, count: int, generator: np.random.Generator
) -> tuple[Array, Array, Array, Array]:
    """Two pairs of places each, (y, z) and (v, w), that may be brought together."""
    pairs = _matches(labels)
    if len(pairs) < 2:
        return (np.zeros(0),) * 4
    first = generator.integers(0, len(pairs), count)
    near = np.clip(first + generator.integers(-8, 9, count), 0, len(pairs) - 1)  # pairs about one centre are neighbours
    second = np.where(generator.random(count) < 0.7, near, generator.integers(0, len(pairs), count))
    y, z, v, w = (
        _within(ends, 2 * pairs[k, side] + pairs[k, 2], generator) for k in (first, second) for side in (0, 1)
    )
    return y, z, v, w


def _first_on_another(
    ends: Array, labels: Numbers, count: int, generator: np.random.Generator
) -> tuple[Array, Array, Array, Array]:
    """The first run and another of its class, or a gap beside that; and two places of a gap between, for the apex."""
    others = 1 + np.flatnonzero(labels[1:] == labels[0])
    if not len(others):
        return (np.zeros(0),) * 4
    target = others[generator.integers(0, min(len(others), _REACH // 2), count)]
    middle = generator.integers(0, np.minimum(target, _REACH))
    z = np.clip(2 * target + generator.integers(-1, 2, count), 0, len(ends) - 2)
    return (
        _within(ends, np.zeros(count, dtype=np.int64), generator),
        _within(ends, z, generator),
        *(_within(ends, 2 * middle + 1, generator) for _ in range(2)),  # type: ignore[return-value]
    )


def _within(ends: Array, step: Numbers, generator: np.random.Generator) -> Array:
    """A place in a run (even step) or gap (odd)."""
    return ends[step] + (ends[step + 1] - ends[step]) * generator.choice(_AIMS, len(step))


def _involutions(y: Array, z: Array, v: Array, w: Array) -> tuple[Array, Array]:
    """Apex and κ of the involutions that exchange y with z and v with w."""
    p, s, q, t = y * z, y + z, v * w, v + w
    gamma, alpha, beta = s - t, p - q, s * q - t * p  # gamma·yz − alpha·(y+z) − beta = 0 for both pairs
    root = np.sqrt(alpha * alpha + beta * gamma)
    sum_ = alpha + np.where(alpha >= 0, root, -root)
    one, two = -beta / sum_, sum_ / gamma
    inside = (one > np.minimum(v, w)) & (one < np.maximum(v, w))
    inside |= ~((two > np.minimum(v, w)) & (two < np.maximum(v, w))) & (one >= 0) & (one <= 1)
    apex, other = np.where(inside, one, two), np.where(inside, two, one)
    kappa = 1 / (other - apex)
    valid = (apex >= 0) & (apex <= 1) & np.isfinite(kappa)
    return apex[valid], kappa[valid]


def _matches(labels: Numbers) -> Numbers:
    """Pairs of runs (i, j, 0) of one class, and of gaps (i, j, 1) whose sides match when one is turned over.

    Gap i is the one after run i. The rows are sorted by i + j, pairs about one centre together.
    """
    count = len(labels)
    number = np.arange(count) if count <= 2 * _REACH else np.r_[:_REACH, count - _REACH : count]
    i, j = (x.ravel() for x in np.meshgrid(number, number, indexing="ij"))
    near = (i <= j) & (j - i < _REACH + 1)
    i, j = i[near], j[near]
    runs = labels[i] == labels[j]
    inner = j < count - 1
    after = labels[np.minimum(j + 1, count - 1)]
    gaps = inner & ((i == j) | ((labels[i] == after) & (labels[np.minimum(i + 1, count - 1)] == labels[j])))
    rows = [np.stack([i[k], j[k], np.full(int(k.sum()), kind)], axis=1) for k, kind in ((runs, 0), (gaps, 1))]
    pairs = np.concatenate(rows)
    return pairs[np.argsort(pairs[:, 0] + pairs[:, 1] + pairs[:, 2], kind="stable")]


def _varied(folds: Folds, ends: Array, count: int, round_: int, generator: np.random.Generator) -> Folds:
    """``count`` random steps from every fold, of many sizes, smaller in later rounds."""
    shape = (len(folds.apex), count)

    def steps() -> Array:
        return generator.standard_normal(shape) * 2.0 ** -generator.uniform(round_, round_ + 10, shape)

    distances = np.abs(ends - folds.apex[:, None])
    place = min(3, len(ends) - 1)
    scale = np.partition(distances, place, axis=1)[:, place]  # the apex moves by as much as its neighbours are away
    apex = folds.apex[:, None] + scale[:, None] * steps()
    kappa = folds.kappa[:, None]
    kappa = kappa + (0.1 + np.abs(kappa)) * steps() * (generator.random(shape) < 0.8)
    bend = folds.bend[:, None] * np.exp(0.7 * generator.standard_normal(shape) * (generator.random(shape) < 0.5))
    return Folds(apex.ravel(), kappa.ravel(), bend.ravel())
