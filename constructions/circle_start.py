"""Run folding that begins on the circle in which a first layer sees the points, instead of on a line."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from constructions.arithmetic import Arithmetic, Float
from constructions.blurred_line import BlurredLine, FirstJudge
from constructions.circle_arcs import read_arcs
from constructions.circle_view import CircleView
from constructions.first_fold import fold_circle
from constructions.float_folding import least_risk, sharp
from constructions.fold_search import Budget
from constructions.network import LNNet
from constructions.points import LabeledPoints
from constructions.run_folding import fold_runs, lower_runs, resolution
from constructions.sight import Sight

#: Folds that are tried for the first layer: so many, so many a point, and at most so many evaluations of a point.
_MOST, _EACH, _EVALUATIONS = 24_000, 600, 16_000_000


def fold_from_circle(
    view: CircleView,
    points: LabeledPoints,
    arithmetic: Arithmetic,
    *,
    seed: int = 0,
    effort: int = 0,
    watch: Callable[[int], object] | None = None,
) -> LNNet:
    """Read the classes off the circle if that is possible, else fold it, and then the line that it becomes.

    Args:
        view: with few label changes around the circle.
        points: any number of classes, at least two of which occur.
        arithmetic: of the weights, not an exact one; call inside its ``work()``.
        seed: of the random folds that are tried.
        effort: every step tries 2^effort times as many.
        watch: called with the number of every layer.

    Returns:
        The network; in float arithmetic, that whose folds and first layer roundings survive best.

    Raises:
        UndecidedError: the arithmetic cannot tell two positions apart.
    """
    net = read_arcs(view, points, arithmetic)
    if net is not None:
        return net
    prices = Budget.of(len(points), len(points.classes), resolution=resolution(arithmetic)).prices
    trials = min(_MOST, _EACH * len(points), _EVALUATIONS // len(points)) << effort
    if isinstance(arithmetic, Float):
        judge, finer = FirstJudge.of(points, arithmetic), sharp(arithmetic)

        def starts(generator: np.random.Generator, width: int) -> list[tuple[Sight, BlurredLine]]:
            each = trials if width == 1 else trials // 4
            folded = [fold_circle(view, points, finer, each, prices, generator, judge) for _ in range(width)]
            return [(sight, BlurredLine.seen(sight, points, line)) for sight, line in folded]

        sight, sequence = least_risk(starts, seed, effort)
    else:
        sight, line = fold_circle(view, points, arithmetic, trials, prices, np.random.default_rng(seed))
        sequence = fold_runs(line if watch is None else line.watched(watch), seed=seed, effort=effort)
    return lower_runs(sight, sequence.folds, sequence.line, points.classes)
