"""A direction along which the label changes seldom: supervised candidates, a local search, exact verification.

The depth of run folding depends on the number of label runs along the line only, and the direction is free. The
candidates are those of `project_few_runs` and those of regularised logistic regression, which finds a separating
direction where there is one. The best few are then improved by random steps along the principal axes of the data.
All of it runs in floating point; the direction returned is rational, and verified exactly to keep classes apart.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from constructions.points import LabeledPoints
from constructions.projection import (
    Direction,
    Projection,
    as_float,
    few_runs_candidates,
    project_by_powers,
    rounded_direction,
    valid_projections,
)

Array = NDArray[np.float64]


def project_fewest_runs(
    points: LabeledPoints, seed: int = 0, *, steps: int | None = None, starts: int = 3
) -> Projection:
    """Of very many directions the one along which the label changes least often, ties broken by the widest gaps.

    Args:
        points: in any dimension; on the line there is nothing to choose.
        seed: of the random steps; the same seed gives the same direction.
        steps: random steps from every start (default: as many as take a second or two).
        starts: how many candidates are improved.
    """
    candidates = list(few_runs_candidates(points, seed))
    cloud = np.array([[as_float(x) for x in point] for point in points.points])
    with np.errstate(all="ignore"):
        spread = cloud.std(axis=0)
        usable = np.isfinite(cloud).all() and np.isfinite(spread).all() and spread.any() and points.dimension > 1
        if usable:
            budget = min(2000, 10 * len(points), 20_000_000 // cloud.size) if steps is None else steps
            candidates += _searched(points, cloud, spread, candidates, (seed, budget, starts))
    valid = list(valid_projections(points, iter(candidates)))
    if not valid:
        return project_by_powers(points)
    fewest = min(p.runs for p in valid)
    return next(p for p in valid if p.runs == fewest)


def _searched(
    points: LabeledPoints, cloud: Array, spread: Array, candidates: list[Direction], how: tuple[int, int, int]
) -> list[Direction]:
    """Directions improved in floating point, best first."""
    seed, steps, starts = how
    labels = np.array([points.classes.index(x) for x in points.labels])
    centred = (cloud - cloud.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    weight = np.where(spread > 0, spread, 1.0)
    pool = [np.array([as_float(x) for x in u]) * weight for u in candidates]
    pool += [u for split in _splits(centred, labels, pool) for u in _logistic(centred, split)]
    pool = [u / np.linalg.norm(u) for u in pool if np.isfinite(u).all() and np.linalg.norm(u) > 0]
    pool.sort(key=lambda u: _runs(centred, labels, u))
    generator = np.random.default_rng(seed)
    axes, sizes = _spread_axes(centred)
    found = [_improved(centred, labels, u, (axes, sizes), steps, generator) for u in pool[:starts]]
    found.sort(key=lambda u: _runs(centred, labels, u))
    # Shorter directions project with fewer digits, but may lose a run or two: both are offered.
    return [rounded_direction(u / weight, bits) for u in [*found, *pool[:starts]] for bits in (40, 24, 16)]


def _splits(centred: Array, labels: NDArray[np.int64], pool: list[Array]) -> list[NDArray[np.int64]]:
    """Two-class versions of the labels: the classes cut once in their order along the best direction so far."""
    best = min(pool, key=lambda u: _runs(centred, labels, u))
    names = np.unique(labels)
    places = [(centred[labels == k] @ best).mean() for k in names]
    order = names[np.argsort(places)]
    return [np.isin(labels, order[:k]).astype(np.int64) for k in range(1, min(len(order), 10))]


def _runs(centred: Array, labels: NDArray[np.int64], direction: Array) -> int:
    """Runs of labels along a direction; neighbours of different classes that coincide count twice."""
    places = centred @ direction
    order = np.argsort(places, kind="stable")
    change = labels[order][1:] != labels[order][:-1]
    close = np.diff(places[order]) <= 1e-12 * np.ptp(places)
    return int(1 + change.sum() + (change & close).sum())


def _spread_axes(centred: Array) -> tuple[Array, Array]:
    """Principal axes, and how long a step along each changes the projection by about as much."""
    _, sizes, axes = np.linalg.svd(centred, full_matrices=False)
    keep = sizes > 1e-9 * sizes[0]
    return axes[keep], np.sqrt(len(centred)) / sizes[keep]


def _improved(
    centred: Array,
    labels: NDArray[np.int64],
    direction: Array,
    frame: tuple[Array, Array],
    steps: int,
    generator: np.random.Generator,
) -> Array:
    axes, sizes = frame
    spread = float(np.std(centred @ direction)) or 1.0
    best, fewest, width = direction / spread, _runs(centred, labels, direction), 0.3
    for _ in range(steps):
        step = generator.standard_normal(len(sizes)) * sizes
        if generator.random() < 0.5:  # along a single axis
            step = np.where(np.arange(len(sizes)) == generator.integers(len(sizes)), step * np.sqrt(len(sizes)), 0.0)
        trial = best + width / np.sqrt(len(sizes)) * (step @ axes)
        runs = _runs(centred, labels, trial)
        if runs <= fewest:
            width = min(1.0, width * 1.3) if runs < fewest else width
            best, fewest = trial, runs
        else:
            width = max(1e-4, width * 0.98)
    return best


def _logistic(centred: Array, labels: NDArray[np.int64]) -> list[Array]:
    """Directions of regularised logistic regression (Newton's method), from strong to weak regularisation."""
    design = np.c_[centred, np.ones(len(centred))]
    sign = np.where(labels == 1, 1.0, -1.0)
    weights = np.zeros(design.shape[1])
    found: list[Array] = []
    for ridge in (1.0, 1e-2, 1e-4, 1e-6, 1e-8):
        for _ in range(12):
            margin = np.clip(sign * (design @ weights), -500, 500)
            chance = 1 / (1 + np.exp(margin))
            curvature = (design.T * (chance * (1 - chance))) @ design + ridge * np.eye(len(weights))
            weights = weights + np.linalg.solve(curvature, design.T @ (sign * chance) - ridge * weights)
            if not np.isfinite(weights).all():
                return found
        found.append(weights[:-1].copy())
    return found
