"""Proposition 4 (Ni et al. 2024): project the points to a line without merging what must stay apart.

Directions are rational, products are exact, and a direction is only returned once it is verified: points
with different labels stay distinct (and with ``injective``, all points do).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np
from flint import fmpq

from constructions.errors import InputError
from constructions.points import Label, LabeledPoints
from constructions.rational import to_rational

Direction = tuple[fmpq, ...]

#: What one run less is worth, in bits of the smallest gap (see `project_wide_gaps`).
_RUN_BITS = 0.35


@dataclass(frozen=True)
class Projection:
    """A direction u and the exact positions uᵀx of the points.

    Attributes:
        direction: u, d rationals.
        positions: m rationals.
        runs: number of runs of equal labels along the line.
    """

    direction: Direction
    positions: tuple[fmpq, ...]
    runs: int


def project_by_powers(points: LabeledPoints) -> Projection:
    """Proposition 4 made constructive: u = (1, t, t², …) for the first t in 0, 1, −1, 2, … that is injective.

    Every pair of distinct points excludes at most d − 1 values of t, so at most (d−1)·m(m−1)/2 values fail.
    """
    return next(_valid(points, _power_directions(points.dimension), injective=True))


def project_at_random(points: LabeledPoints, seed: int) -> Projection:
    """A direction of small random integers that is injective; the same seed gives the same direction."""
    return next(_valid(points, _random_directions(points.dimension, seed), injective=True))


def project_spread(points: LabeledPoints, seed: int = 0, *, tries: int = 16) -> Projection:
    """Of several injective directions the one with the largest smallest gap relative to the spread.

    The candidates are the coordinates, two power directions and `tries` seeded random ones; where none of them is
    injective, as many from a larger box, and at last the power direction of Proposition 4.
    """
    candidates = [*_coordinates(points.dimension), *islice(_power_directions(points.dimension), 1, 3)]
    random_part = _random_directions(points.dimension, seed)
    valid = list(_valid(points, iter([*candidates, *islice(random_part, tries)]), injective=True))
    if not valid:  # many points on a grid: a larger box, not high powers, whose last coordinate drowns the others
        larger = _random_directions(points.dimension, seed, len(points) ** 2)
        valid = list(_valid(points, islice(larger, tries), injective=True)) or [project_by_powers(points)]
    return max(valid, key=_relative_gap)


def project_few_runs(points: LabeledPoints, seed: int = 0, *, tries: int = 16) -> Projection:
    """Of many directions the one along which the label changes least often.

    Coordinates, differences and sums of two coordinates (small d), principal axes, discriminant directions and
    seeded random ones compete. Points of one class may coincide; those of different classes never do.
    """
    candidates = few_runs_candidates(points, seed, tries)
    valid = list(_valid(points, iter(candidates), injective=False)) or [project_by_powers(points)]
    return min(valid, key=lambda p: (p.runs, -_relative_gap(p)))


def project_wide_gaps(points: LabeledPoints, seed: int = 0, *, tries: int = 2000) -> Projection:
    """Of many directions the one with wide gaps between classes and few runs, for networks of little precision.

    A run less is worth `_RUN_BITS` bits of the smallest relative gap between points of different classes.
    The candidates are scored in floating point; the best that is exactly valid wins.
    """
    cloud = np.array([[as_float(x) for x in point] for point in points.points])
    generator = np.random.default_rng(seed)
    axes = np.concatenate([np.eye(points.dimension), generator.normal(size=(tries, points.dimension))])
    names = np.unique([points.classes.index(label) for label in points.labels], return_inverse=True)[1]
    scores = np.full(len(axes), np.inf)
    with np.errstate(all="ignore"):
        for k, axis in enumerate(axes):
            places = cloud @ axis
            order = np.argsort(places)
            change = np.diff(names[order]) != 0
            gap = np.min(np.diff(places[order])[change], initial=np.inf) / np.ptp(places)
            scores[k] = _RUN_BITS * change.sum() - np.log2(gap)
        ranked = [axes[k] for k in np.argsort(scores)[:16] if np.isfinite(scores[k]) and np.abs(axes[k]).max() > 0]
    found = next(_valid(points, (rounded_direction(axis) for axis in ranked), injective=False), None)
    return found or project_spread(points, seed)


def few_runs_candidates(points: LabeledPoints, seed: int = 0, tries: int = 16) -> list[Direction]:
    """The directions that compete in `project_few_runs`."""
    candidates = [*_coordinates(points.dimension), *_coordinate_pairs(points.dimension), *_statistical(points)]
    return [*candidates, *islice(_random_directions(points.dimension, seed), tries)]


def valid_projections(points: LabeledPoints, directions: Iterator[Direction]) -> Iterator[Projection]:
    """The projections along those directions that keep classes apart, verified exactly."""
    return _valid(points, directions, injective=False)


def project_along(points: LabeledPoints, direction: Direction) -> Projection:
    """Project along a given direction.

    Raises:
        InputError: wrong length, or points of different classes coincide.
    """
    exact = tuple(to_rational(x) for x in direction)
    if len(exact) != points.dimension:
        raise InputError(f"Argument 'direction' must have {points.dimension} entries, not {len(exact)}.")
    projection = next(_valid(points, iter([exact]), injective=False), None)
    if projection is None:
        raise InputError("Argument 'direction' projects points of different classes to the same place.")
    return projection


def _valid(points: LabeledPoints, directions: Iterator[Direction], *, injective: bool) -> Iterator[Projection]:
    for direction in directions:
        positions = points.project(direction)
        seen: dict[fmpq, Label] = {}
        if injective and len(set(positions)) < len(points):
            continue
        if all(seen.setdefault(p, label) == label for p, label in zip(positions, points.labels, strict=True)):
            yield Projection(direction, positions, _runs(points, positions))


def _runs(points: LabeledPoints, positions: tuple[fmpq, ...]) -> int:
    order = sorted(range(len(positions)), key=positions.__getitem__)
    labels = [points.labels[k] for k in order]
    return 1 + sum(a != b for a, b in pairwise(labels))


def _relative_gap(projection: Projection) -> fmpq:
    ordered = sorted(set(projection.positions))
    if len(ordered) == 1:
        return fmpq(0)
    gap = min(b - a for a, b in pairwise(ordered))
    return gap / (ordered[-1] - ordered[0])


def _power_directions(d: int) -> Iterator[Direction]:
    t = 0
    while True:
        for base in {t, -t}:
            yield tuple(fmpq(base) ** k for k in range(d))
            if d == 1:
                return
        t += 1


def _random_directions(d: int, seed: int, size: int = 8) -> Iterator[Direction]:
    generator = random.Random(seed)
    while True:
        for _ in range(64):
            yield tuple(fmpq(generator.randint(-size, size)) for _ in range(d))
        size *= 2  # injective directions become generic as the box grows


def _coordinates(d: int) -> list[Direction]:
    return [tuple(fmpq(int(i == k)) for i in range(d)) for k in range(min(d, 64))]


def _coordinate_pairs(d: int) -> list[Direction]:
    if d > 8:
        return []
    return [
        tuple(fmpq(1 if i == k else sign if i == j else 0) for i in range(d))
        for k in range(d)
        for j in range(k + 1, d)
        for sign in (1, -1)
    ]


def _statistical(points: LabeledPoints) -> list[Direction]:
    """Principal axes and discriminant directions, found in floating point and rounded to 16 bits."""
    cloud = np.array([[as_float(x) for x in point] for point in points.points])
    if points.dimension < 2 or len(points) < 3 or not np.isfinite(cloud).all():
        return []
    with np.errstate(all="ignore"):
        scale = np.abs(cloud).max() or 1.0
        centred = cloud / scale - (cloud / scale).mean(axis=0)
        axes = list(np.linalg.svd(centred, full_matrices=False)[2][:8])
        within = np.zeros((points.dimension, points.dimension))
        for name in points.classes:
            part = centred[[label == name for label in points.labels]]
            within += (part - part.mean(axis=0)).T @ (part - part.mean(axis=0))
        within += 1e-9 * (np.trace(within) or 1.0) * np.eye(points.dimension)
        means = [centred[[label == name for label in points.labels]].mean(axis=0) for name in points.classes]
        between = [a - b for k, a in enumerate(means) for b in means[k + 1 :]][:45]
        if between:
            solved = np.linalg.solve(within, np.array(between).T).T
            axes += [*solved, np.linalg.svd(solved, full_matrices=False)[2][0]]
    return [rounded_direction(axis) for axis in axes if np.isfinite(axis).all() and np.abs(axis).max() > 0]


def rounded_direction(axis: np.ndarray, bits: int = 16) -> Direction:
    """A direction in rationals with denominator 2^bits, its largest entry 1 in absolute value."""
    unit = axis / np.abs(axis).max()
    return tuple(to_rational(float(round(x * 2.0**bits))) / 2**bits for x in unit)


def as_float(value: fmpq) -> float:
    """The nearest float, infinite if there is none."""
    try:
        return int(value.p) / int(value.q)
    except OverflowError:
        return float("inf")


def project(points: LabeledPoints, strategy: str = "spread", seed: int = 0) -> Projection:
    """Project by name: ``"powers"``, ``"random"``, ``"spread"``, ``"few-runs"``, ``"fewest-runs"`` or ``"wide-gaps"``.

    On the line (d = 1) every strategy keeps the points as they are.

    Args:
        points: labelled points of R^d.
        strategy: a name from the list above.
        seed: for directions drawn at random.

    Returns:
        A direction along which no two points meet, and where it puts them.

    Raises:
        InputError: unknown strategy.
    """
    strategies = {
        "random": project_at_random,
        "spread": project_spread,
        "few-runs": project_few_runs,
        "wide-gaps": project_wide_gaps,
        "fewest-runs": _project_fewest_runs,
    }
    if strategy not in ("powers", *strategies):
        raise InputError(f"Argument 'projection' must be one of {['powers', *strategies]}, not {strategy!r}.")
    if points.dimension == 1 or strategy == "powers":
        return project_by_powers(points)
    return strategies[strategy](points, seed)


def _project_fewest_runs(points: LabeledPoints, seed: int) -> Projection:
    from constructions.fewest_runs import project_fewest_runs  # which needs this module

    return project_fewest_runs(points, seed)
