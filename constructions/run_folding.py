r"""Run folding: depth from the number of label runs along the line, not from the number of points.

Let k be the number of runs of equal labels, two classes, runs :math:`B_1=[a_1,a_2]`, :math:`B_2=[b_1,b_2]`,
:math:`B_3=[c_1,c_2]`, :math:`B_4=[d_1,\dots]`. Choose α in :math:`(b_2,c_1)` and β in :math:`(\alpha,d_1)`. The
involution that exchanges a_2 with α and a_1 with β lays B_1 into B_3 and folds B_2 onto itself only. So one LN layer
removes a run at least, whatever the number of points, and depth k − 3 suffices with the two chords of `circle_chords`.
Far more is possible: `fold_search` tries some thousand folds, also such as lay half of the line over the other half.

For more than two classes no fold may help; then one chord merge is made (`chord_merge`), which leaves one cluster less,
so the construction always ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from constructions.arithmetic import Arithmetic
from constructions.chord_merge import merge_one_chord
from constructions.circle_chords import TWO_LAYER_RUNS, lower_with_chords
from constructions.errors import MergeConfusionError, UndecidedError
from constructions.fold import Fold
from constructions.fold_search import Budget, best_folds
from constructions.line import Cluster, Line
from constructions.lowering import Head, lower
from constructions.network import LNNet
from constructions.points import Label
from constructions.projection_merge import FoldSequence
from constructions.rational import to_rational
from constructions.spherical_projection import INTEGER
from constructions.trial_folds import Folds

#: How many of the best folds are tried in the line's own arithmetic before a run or a cluster is merged alone.
_TRIES = 6
#: How many times wider the search gets before that.
_FACTORS = (1, 4, 16)


def fold_runs(line: Line, *, seed: int = 0, effort: int = 0) -> FoldSequence:
    """Fold until few enough runs are left to be read out by `lower_runs`.

    Args:
        line: any number of classes.
        seed: of the random folds that are tried.
        effort: every step tries 2^effort times as many.

    Returns:
        The folds, and the line with what is left.

    Raises:
        UndecidedError: the arithmetic cannot tell two positions apart.
    """
    folds: list[Fold] = []
    generator = np.random.default_rng(seed)
    budget = Budget.of(len(line.clusters), len({c.label for c in line.clusters}), effort, resolution(line.arithmetic))
    runs = line.runs
    while not finished(line):
        # One run a layer can always be removed if there are two classes. So only layers that were saved may be idle.
        saved = runs - line.runs - len(folds)
        line, fold = fold_once(line, budget, generator, idle=saved > 0 or len({c.label for c in line.clusters}) > 2)
        folds.append(fold)
    return FoldSequence(tuple(folds), line)


def finished(line: Line) -> bool:
    """Whether `lower_runs` can read the line out: every class an interval, or at most five runs of two classes."""
    return line.separable or (len({c.label for c in line.clusters}) == 2 and line.runs <= TWO_LAYER_RUNS)


def lower_runs(head: Head, folds: Sequence[Fold], line: Line, classes: Sequence[Label]) -> LNNet:
    """`lower_with_chords` for two classes, which saves layers, else `lower`."""
    return (lower_with_chords if len(classes) == 2 else lower)(head, folds, line, classes)


def resolution(arithmetic: Arithmetic) -> float:
    """Bits below the length of the line that the arithmetic keeps apart (see `Arithmetic.distinct`)."""
    return 1000.0 if arithmetic.exact else getattr(arithmetic, "bits", 53) / 2 - 4


def fold_once(line: Line, budget: Budget, generator: np.random.Generator, *, idle: bool = False) -> tuple[Line, Fold]:
    """One fold: the best that the search finds, else one that is known to exist.

    Args:
        line: more than `finished` allows.
        budget: of the search.
        generator: of the random folds that are tried.
        idle: whether a fold will do that removes no run, but leaves the line in better shape.

    Raises:
        UndecidedError: the arithmetic cannot tell two positions apart.
    """
    places, labels = in_floats(line)
    # Where floating point does not even resolve the line as it is, looking further is of no use.
    gaps = np.diff(places)[labels[1:] != labels[:-1]]
    for factor in _FACTORS if gaps.min() > 2.0**-budget.prices.resolution else _FACTORS[:1]:
        folds, _ = best_folds(places, labels, budget.wider(factor), generator)
        step = first_that_holds(folds, line, idle)
        if step is not None:
            return step
    if len({c.label for c in line.clusters}) == 2:
        return _lay_first_run(line, _ends(line))
    return merge_one_chord(line)


def first_that_holds(folds: Folds, line: Line, idle: bool) -> tuple[Line, Fold] | None:
    """The first of the best folds that the line's own arithmetic confirms, with the line after it.

    Args:
        folds: of the search for this line, the best first; six are tried.
        line: the line.
        idle: whether a fold will do that removes no run.
    """
    for number in range(min(_TRIES, len(folds.apex))):
        try:
            fold = as_fold(folds, number, line)
            image = fold.mapping(line.arithmetic)
            after = line.moved([image(c.position) for c in line.clusters], _meeting(folds, number, line))
        except (MergeConfusionError, UndecidedError):  # floating point saw something else than there is
            continue
        if after.runs < line.runs + idle:
            return after, fold
    return None


def _lay_first_run(line: Line, ends: Sequence[Cluster]) -> tuple[Line, Fold]:
    """The fold of the module's description, from either end: for two classes and four runs it always exists."""
    obstacle: Exception | None = None
    for order in (ends, ends[::-1]):
        a1, a2, b1, b2, c1, c2, d1 = (order[k].position for k in range(7))
        if order[0] is order[1]:  # a run of one point: anything beyond it will do
            a1 = a2 - (b1 - a2)
        for tilt in (fmpq(1, 2), fmpq(1, 8), fmpq(7, 8)):
            weight = line.arithmetic.enter(tilt)
            fold = exchanging_fold(line.arithmetic, (a2, b2 + (c1 - b2) * weight), (a1, c2 + (d1 - c2) * weight))
            try:
                after = line.after(fold)
            except (MergeConfusionError, UndecidedError) as error:
                obstacle = error
                continue
            if after.runs < line.runs:
                return after, fold
    raise UndecidedError(f"No fold of the first runs is resolved at this precision. {obstacle}", line.layer)


def exchanging_fold(arithmetic: Arithmetic, inner: tuple[Any, Any], outer: tuple[Any, Any]) -> Fold:
    """A fold whose involution exchanges the members of both pairs, one pair lying between the members of the other.

    Args:
        arithmetic: what positions are.
        inner, outer: pairs of positions.

    Raises:
        UndecidedError: the arithmetic cannot tell the positions apart.
    """
    one, two, four = (arithmetic.enter(fmpq(x)) for x in (1, 2, 4))
    apex, kappa = _involution(arithmetic, inner, outer)
    scale = inner[1] - inner[0]
    scale = scale if bool(scale > 0) else -scale
    if not bool(scale * scale * kappa * kappa * four * four < one):
        scale = one / (four * (kappa if bool(kappa > 0) else -kappa))
    squared = scale * scale
    sigma = two * squared * kappa / (one + arithmetic.sqrt(one - four * squared * kappa * kappa))
    return _standing(arithmetic, apex, sigma, scale)


def _involution(arithmetic: Arithmetic, inner: tuple[Any, Any], outer: tuple[Any, Any]) -> tuple[Any, Any]:
    """Apex, and inverse distance to the other fixed point, of the involution of `exchanging_fold`."""
    origin = inner[0]
    z, v, w = inner[1] - origin, outer[0] - origin, outer[1] - origin
    # The fixed points t solve (v + w − z)t² − 2vw·t + zvw = 0; the apex is the one between 0 and z.
    product = v * w
    if not (bool(product < 0) and (bool(z > 0) or bool(z < 0))):
        raise UndecidedError("The pairs of a fold are too close to tell apart at this precision.")
    root = arithmetic.sqrt(product * product - (v + w - z) * z * product)
    apex, inverse = z * product / (product - root), (product + root) / (z * product)
    return origin + apex, inverse / (arithmetic.enter(fmpq(1)) - apex * inverse)


def _standing(arithmetic: Arithmetic, apex: Any, sigma: Any, scale: Any) -> Fold:
    """The fold with this apex and the circle of height ``scale`` above apex + sigma."""
    radius = arithmetic.sqrt(sigma * sigma + scale * scale)
    u1, u2 = -sigma / radius, scale / radius
    if not arithmetic.exact:  # the integer frame sees an ellipse: its second axis is √κ times as long
        u2 = u2 * arithmetic.sqrt(arithmetic.enter(fmpq(INTEGER.kappa)))
    return arithmetic.fold(apex + sigma, scale, u1, u2)


def _ends(line: Line) -> list[Cluster]:
    """First and last cluster of every run, one after the other."""
    result: list[Cluster] = []
    for _, group in groupby(line.clusters, key=lambda c: c.label):
        run = list(group)
        result += [run[0], run[-1]]
    return result


def in_floats(line: Line) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Positions from 0 to 1, and class numbers."""
    clusters, arithmetic = line.clusters, line.arithmetic
    first = clusters[0].position
    length = clusters[-1].position - first
    places = np.array([position_as_float(arithmetic, (c.position - first) / length) for c in clusters])
    names: dict[Label, int] = {}
    return places, np.array([names.setdefault(c.label, len(names)) for c in clusters])


def position_as_float(arithmetic: Arithmetic, position: Any) -> float:
    """A position of the arithmetic as a float."""
    if arithmetic.exact:
        return float(position)
    value = to_rational(arithmetic.middle(position))
    return int(value.p) / int(value.q)


def as_fold(folds: Folds, number: int, line: Line) -> Fold:
    """A fold of the search in the line's arithmetic: its circle is κ/(κ² + λ²) beyond the apex, λ/(κ² + λ²) high.

    Where two pairs of clusters are to meet, apex and κ are computed anew, to the precision of the line's arithmetic.
    """
    arithmetic, first = line.arithmetic, line.clusters[0].position
    length = line.clusters[-1].position - first
    apex, kappa, bend = (arithmetic.enter(to_rational(float(x[number]))) for x in folds[:3])
    apex = first + apex * length
    if _meeting(folds, number, line):
        y, z, v, w = (line.clusters[k].position for k in folds.pairs[number])
        apex, kappa = _involution(arithmetic, (y, z), (v, w))
        kappa = kappa * length
    squared = kappa * kappa + bend * bend
    return _standing(arithmetic, apex, kappa / squared * length, bend / squared * length)


def _meeting(folds: Folds, number: int, line: Line) -> Sequence[tuple[int, int]]:
    """The pairs of clusters that a fold brings together; none in exact arithmetic, where roots in roots grow long."""
    if line.arithmetic.exact or not folds.meeting[number]:
        return ()
    y, z, v, w = (int(k) for k in folds.pairs[number])
    return (y, z), (v, w)
