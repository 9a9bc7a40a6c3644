r"""The first fold of a circle: from a view of the points to a line, with one LN layer.

A first layer that computes (n, y) and reads off :math:`y/\sqrt{n^2+y^2}=\cos\delta` folds the circle in which it sees
the points along the axis of y; all coefficients of n and y are free. Of very many the ones are taken that leave the
line easiest to go on with, as `fold_search` has it: from good views all axes, slants and bendings are tried, and the
best are improved by random steps of all coefficients.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from constructions.arithmetic import Arithmetic
from constructions.circle_view import CircleView
from constructions.errors import MergeConfusionError, UndecidedError
from constructions.fold_costs import Prices
from constructions.line import Line
from constructions.points import LabeledPoints
from constructions.principal_frame import PrincipalFrame
from constructions.rational import round_to_bits, to_rational
from constructions.sight import Sight, first_sight, frame_of
from constructions.trial_folds import below_top

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
Judge = Callable[[Array, Array, Numbers, Array], Array]
"""What first layers cost, given their n and y at the points (rows, n may be overwritten), the points' class numbers and
the coefficients (…, 2, d + 1) of n and y."""

#: Bits of the coefficients.
_BITS = 40
#: Rounds of improvement, and how many folds are improved in the first, half as many in every further one.
_ROUNDS, _FINALISTS = 6, 60
#: How many of the best are tried in the line's own arithmetic.
_TRIES = 8
#: Numbers evaluated at once.
_BLOCK = 1 << 18


def fold_circle(
    view: CircleView,
    points: LabeledPoints,
    arithmetic: Arithmetic,
    trials: int,
    prices: Prices,
    generator: np.random.Generator,
    judge: Judge | None = None,
) -> tuple[Sight, Line]:
    """The first layer, and the line on which its ``V/√(U² + κV²)``, up to a factor, puts the points.

    Args:
        view: with few label changes around the circle.
        points: the points and their labels.
        arithmetic: of the weights, not an exact one; call inside its ``work()``.
        trials: how many folds are drawn; half as many steps are tried in every round of improvement.
        prices: of what a fold leaves.
        generator: of what is tried.
        judge: what a fold costs, if not as the prices have it.

    Raises:
        UndecidedError: none of the best first layers keeps the classes apart in this arithmetic.
    """
    labels = np.array([points.classes.index(x) for x in points.labels])
    obstacle: Exception | None = None
    root = np.sqrt(frame_of(arithmetic).kappa)  # of an ellipse, on which (n, y/√κ) is where (n, y) is on the circle
    judge = judge or (lambda n, y, labels, _: prices.line_costs(below_top(n, y), labels)[0])
    for n, y in _searched(points, view, labels, (trials, judge), generator)[:_TRIES]:
        rows = [[round_to_bits(to_rational(float(x)), _BITS) for x in row] for row in (n, y / root)]
        sight = first_sight([[arithmetic.enter(x) for x in row] for row in rows], arithmetic)
        try:
            return sight, line_of(sight, points, arithmetic)
        except (MergeConfusionError, UndecidedError) as error:  # floating point saw something else than there is
            obstacle = error
    raise UndecidedError(f"No first layer keeps the classes apart at this precision. {obstacle}", 1)


def line_of(sight: Sight, points: LabeledPoints, arithmetic: Arithmetic) -> Line:
    """Where a first layer, read along its second axis, puts the points.

    Raises:
        MergeConfusionError, UndecidedError: as `Line.of`.
    """
    gain, kappa = arithmetic.sqrt(arithmetic.enter(sight.frame.gain_squared)), fmpq(sight.frame.kappa)

    def place(point: Any) -> Any:
        u, v = (sum((w * x for w, x in zip(row, point, strict=False)), row[-1]) for row in sight.rows)
        square = u * u + kappa * v * v
        if square == 0:
            raise UndecidedError("A point is where the first layer looks from.", 1)
        return arithmetic.enter(v * sight.frame.level) * gain / arithmetic.sqrt(arithmetic.enter(square))

    return Line.at([place(point) for point in points.points], points.labels, arithmetic, layer=1)


def _searched(
    points: LabeledPoints, view: CircleView, labels: Numbers, how: tuple[int, Judge], generator: np.random.Generator
) -> Array:
    """Coefficients (…, 2, d + 1) of n and y, the best first."""
    trials, judge = how
    frame = PrincipalFrame.of(points)
    if frame is None:
        raise UndecidedError("The points do not span a plane that floating point can hold.")
    with np.errstate(all="ignore"):
        forms = _drawn(frame.points, frame.see(view.forms), trials, generator)
        forms, cost = _kept(forms, _costs(frame, labels, forms, judge), _FINALISTS)
        for round_ in range(_ROUNDS):
            each = max(1, trials // (2 * len(forms)))
            steps = _varied(forms, each, round_, generator)
            found = _costs(frame, labels, steps, judge)
            forms, cost = _kept(
                np.concatenate([forms, steps]), np.concatenate([cost, found]), max(_TRIES, _FINALISTS >> round_)
            )
        return np.asarray(forms @ frame.back)


def _drawn(points: Array, view: Array, count: int, generator: np.random.Generator) -> Array:
    """A view along axes everywhere among the points, with all slants and bendings."""
    directions = points @ view.T
    angles = np.sort(np.arctan2(directions[:, 1], directions[:, 0]))
    angles = np.append(angles, angles[0] + 2 * np.pi)
    part = generator.random(count) * (len(angles) - 1)
    number = part.astype(np.int64)
    axis = angles[number] + (part - number) * (angles[number + 1] - angles[number])
    # The larger the slant, the fewer points from the two sides of the axis are laid between one another.
    slant = generator.standard_normal(count) * 2.0 ** generator.uniform(-4, np.log2(4 * len(points)), count)
    bend = (1 + np.abs(slant)) * 2.0 ** generator.uniform(-3, 3, count)
    turn = np.array([[-np.sin(axis), np.cos(axis)], [np.cos(axis), np.sin(axis)]]).transpose(2, 0, 1)
    turn[:, 1] -= slant[:, None] * turn[:, 0]
    turn[:, 0] *= bend[:, None]
    return np.asarray(turn @ view)


def _varied(forms: Array, each: int, round_: int, generator: np.random.Generator) -> Array:
    """Random steps from every view, of many sizes: of the axes within the view's plane, or of all coefficients."""
    count = len(forms) * each
    size = 2.0 ** -generator.uniform(round_, round_ + 10, (count, 1, 1))
    origin = np.repeat(forms, each, axis=0)
    turned = (size * generator.standard_normal((count, 2, 2))) @ origin
    scale = np.sqrt(np.mean(origin * origin, axis=2, keepdims=True))
    moved = size * scale * generator.standard_normal(origin.shape)
    return np.asarray(origin + np.where(generator.random((count, 1, 1)) < 0.5, turned, moved))


def _costs(frame: PrincipalFrame, labels: Numbers, forms: Array, judge: Judge) -> Array:
    block = max(1, _BLOCK // len(labels))
    found = []
    for start in range(0, len(forms), block):
        some = forms[start : start + block]
        n, y = (some[:, k] @ frame.points.T for k in (0, 1))
        found.append(judge(n, y, labels, some @ frame.back))
    return np.concatenate(found)


def _kept(forms: Array, cost: Array, count: int) -> tuple[Array, Array]:
    order = np.argsort(cost, kind="stable")[:count]
    return forms[order], cost[order]
