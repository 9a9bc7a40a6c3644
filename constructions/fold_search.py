r"""Which fold to choose: of very many folds, the one that leaves the line easiest to go on with.

A fold lays points between points, and what becomes of the label changes is largely luck: of k runs that are laid over
k others, about as many vanish as are cut in two, give or take √k. Luck can be had by trying, and trying is cheap: for
an apex, `Sweep` counts what all folds about it leave. Of the best of these, many are bent in several ways, moved so
that two pairs of clusters meet exactly (`exact_folds`), and improved by random steps; the one with the lowest cost
is taken (`Prices`).

With many classes two runs match by chance the less often, and what has been gained is lost again when something is laid
in between. So there exact coincidences count most: what has met is one cluster and stays so.

Nothing here is trusted: it is floating point, and the network made of the chosen folds is certified as what it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from constructions.coincidences import exact_folds
from constructions.fold_costs import USELESS, Judge, Prices
from constructions.fold_sweep import Sweep
from constructions.trial_folds import Array, Folds, Numbers, images

#: Of how many stretches of κ the best value is kept for an apex.
_STRETCHES = 16
#: How many clusters of a run a sweep sees at most.
_OUTLINE = 4
#: How many ways of bending are tried for a fold that a sweep has found, between which powers of two.
_BENDS, _SOFTEST, _HARDEST = 4, -2, 5
#: A line of more clusters is long: floating point will not resolve all of it for long.
LONG = 400
#: Prices of wide runs and small gaps that keep a long line resolved.
_LONG_PRICES = (0.6, 0.15)
#: A resolution that leaves nothing out.
_ANY = 1000.0
#: How many pairs that nearly meet are brought together two by two.
_NEAREST = 8
#: Rounds of improvement after which pairs are brought together again, and how many folds are left in the end at least.
_EVERY, _LEAST = 2, 8


@dataclass(frozen=True)
class Budget:
    """How much is tried before a fold is chosen, and what is held to be dear.

    Attributes:
        apexes: for how many apexes all folds are counted.
        starts: how many of these are judged by what they cost.
        steps: how many random steps are tried in every round of improvement.
        rounds: of improvement.
        finalists: how many folds are improved in the first round, half as many in every further one.
        beam: how many lines are followed at once.
        met: what a cluster less is worth, in label changes; 0 if clusters need not meet exactly.
        prices: costs of label changes.
    """

    apexes: int = 400
    starts: int = 400
    steps: int = 1000
    rounds: int = 6
    finalists: int = 60
    beam: int = 1
    met: float = 0.0
    prices: Prices = field(default_factory=Prices)

    @classmethod
    def of(cls, points: int, classes: int, effort: int = 0, resolution: float = 40.0) -> Budget:
        """The usual budget: with more points fewer folds, with every effort twice as many.

        Two classes need much luck, and most of what is tried is for that. With more classes it is worth more to
        follow several lines for a while, since which one is the best shows only later.
        """
        prices, points = Prices(min(resolution, 40.0), *(_LONG_PRICES if points > LONG else ())), max(1, points)
        if classes <= 2:
            apexes, steps = min(2000, 10 * points, 1_200_000 // points), min(400, max(200, 40_000 // points))
            return cls(apexes, starts=200, steps=steps, prices=prices)._for_few(points).wider(1 << effort)
        prices = replace(prices, narrow=0.5, small=0.1)
        beam = min(8, 1600 // points)
        if beam > 1:
            budget = cls(min(4 * points, 60), steps=600 // max(1, points // 200), beam=beam, met=1.0, prices=prices)
        else:
            budget = cls(200, 100, 100, rounds=4, finalists=12, met=1.0, prices=prices)
        return budget._for_few(points).wider(1 << effort)

    @classmethod
    def on_chart(cls, points: int, classes: int, effort: int = 0) -> Budget:
        """The usual budget for the chart of a whole line, which has every gap resolved."""
        if classes <= 2:
            return replace(cls.of(points, classes, effort), prices=Prices(_ANY, *_LONG_PRICES))
        return cls(800, starts=800, steps=1600, finalists=240, met=1.0, prices=Prices(_ANY, *_LONG_PRICES)).wider(
            1 << effort
        )

    @classmethod
    def at_ends(cls, classes: int, effort: int = 0) -> Budget:
        """The usual budget for either end of a long line, where floating point resolves any distance."""
        if classes <= 2:
            return cls(prices=Prices(_ANY, *_LONG_PRICES)).wider(1 << effort)
        return cls(150, steps=1500, met=1.0, prices=Prices(_ANY, narrow=0.4, small=0.1)).wider(1 << effort)

    def _for_few(self, points: int) -> Budget:
        return replace(self, steps=min(self.steps, 20 * points), finalists=min(self.finalists, 3 * points))

    def wider(self, factor: int) -> Budget:
        """So many times as many folds."""
        return replace(self, apexes=self.apexes * factor, starts=self.starts * factor, steps=self.steps * factor)


class _Found(NamedTuple):
    """Folds and their costs."""

    folds: Folds
    cost: Array

    def pick(self, index: Numbers) -> _Found:
        return _Found(self.folds.pick(index), self.cost[index])

    def best(self, count: int) -> _Found:
        return self.pick(np.argsort(self.cost, kind="stable")[:count])

    def improved(self, other: _Found) -> _Found:
        """Of each pair of folds the better one, so that what is kept stays different."""
        better = other.cost < self.cost
        number = np.arange(len(better)) + len(better) * better
        return self.joined(other).pick(number)

    def joined(self, other: _Found) -> _Found:
        return _Found(self.folds.joined(other.folds), np.concatenate([self.cost, other.cost]))


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
        judge: what a fold costs, if not as the budget's prices have it.

    Returns:
        Folds, and costs that are below 2^30 if label changes are removed; the others leave as many as there were, but
        in better shape.
    """
    price: Judge = budget.prices if judge is None else judge

    def judged(folds: Folds) -> _Found:
        return _Found(folds, price(places, labels, folds) - 2 * budget.met * folds.meeting)

    def with_exact(found: _Found) -> _Found:
        if not budget.met:
            return found
        return found.joined(judged(exact_folds(places, labels, found.folds, _NEAREST))).best(budget.finalists)

    with np.errstate(all="ignore"):
        found = judged(_bent(_swept(places, labels, budget, generator), generator)).best(budget.finalists)
        for round_ in range(budget.rounds):
            if round_ % _EVERY == 0:
                found = with_exact(found)
            each = max(1, budget.steps // max(1, len(found.cost)))
            steps = judged(_varied(found.folds, places, each, round_, generator))
            best = steps.cost.reshape(-1, each).argmin(axis=1) + each * np.arange(len(found.cost))
            found = found.improved(_Found(steps.folds.pick(best), steps.cost[best]))
            found = found.best(max(_LEAST, budget.finalists >> round_))
        found = with_exact(found)
    useful = np.flatnonzero(found.cost < USELESS)
    return found.folds.pick(useful), found.cost[useful]


def different(places: Array, labels: Numbers, folds: Folds) -> Numbers:
    """Numbers of the folds that leave another sequence of classes than all before them."""
    seen: set[bytes] = set()
    numbers = []
    with np.errstate(all="ignore"):
        moved = images(places, folds)
    for number, image in enumerate(moved):
        name = labels[np.argsort(image, kind="stable")]
        sequence = name[np.append(True, name[1:] != name[:-1])].tobytes()
        if sequence not in seen:
            seen.add(sequence)
            numbers.append(number)
    return np.array(numbers, dtype=np.int64)


def _swept(places: Array, labels: Numbers, budget: Budget, generator: np.random.Generator) -> Folds:
    """The folds that leave the most neighbours of one class, about apexes anywhere on the line."""
    sweep, last = Sweep(*_outlined(places, labels)), len(places) - 1
    part = generator.random(budget.apexes) * last
    number = part.astype(np.int64)
    apexes = places[number] + (part - number) * (places[number + 1] - places[number])
    peaks = [sweep.peaks(apex, _STRETCHES) for apex in apexes]
    kappa, count = (np.concatenate(parts) for parts in zip(*peaks, strict=True))
    best = np.argsort(-count, kind="stable")[: budget.starts]
    return Folds.free(np.repeat(apexes, _STRETCHES)[best], kappa[best], np.ones(len(best)))


def _outlined(places: Array, labels: Numbers) -> tuple[Array, Numbers]:
    """Places and labels without most of those inside of long runs, which make sweeps slow and tell little."""
    edges = np.flatnonzero(np.concatenate([[True], labels[1:] != labels[:-1], [True]]))
    last = np.diff(edges) - 1
    some = np.unique([edges[:-1] + k * last // (_OUTLINE - 1) for k in range(_OUTLINE)])
    return places[some], labels[some]


def _bent(folds: Folds, generator: np.random.Generator) -> Folds:
    """Each of the folds bent in several ways."""
    folds = folds.pick(np.repeat(np.arange(len(folds.apex)), _BENDS))
    return folds._replace(bend=2.0 ** generator.uniform(_SOFTEST, _HARDEST, len(folds.apex)))


def _varied(folds: Folds, places: Array, count: int, round_: int, generator: np.random.Generator) -> Folds:
    """``count`` random steps from every fold, of many sizes, smaller in later rounds; of every third the bend only."""
    shape = (len(folds.apex), count)

    def steps() -> Array:
        return generator.standard_normal(shape) * 2.0 ** -generator.uniform(round_, round_ + 10, shape)

    distances = np.abs(places - folds.apex[:, None])
    place = min(3, len(places) - 1)
    scale = np.partition(distances, place, axis=1)[:, place]  # the apex moves by as much as its neighbours are away
    moves = np.arange(count) % 3 > 0
    apex = folds.apex[:, None] + scale[:, None] * steps() * moves
    kappa = folds.kappa[:, None]
    kappa = kappa + (0.1 + np.abs(kappa)) * steps() * (generator.random(shape) < 0.8) * moves
    bends = (generator.random(shape) < 0.5) | ~moves
    bend = folds.bend[:, None] * np.exp(0.7 * generator.standard_normal(shape) * bends)
    pairs = np.where(moves[None, :, None], -1, folds.pairs[:, None, :])
    return Folds(apex.ravel(), kappa.ravel(), bend.ravel(), pairs.reshape(-1, 4))
