r"""Run folding: depth from the number of label runs along the line, not from the number of points.

Let k be the number of runs of equal labels, two classes, runs :math:`B_1=[a_1,a_2]`, :math:`B_2=[b_1,b_2]`,
:math:`B_3=[c_1,c_2]`, :math:`B_4=[d_1,\dots]`. Choose α in :math:`(b_2,c_1)` and β in :math:`(\alpha,d_1)`. The
involution that exchanges a_2 with α and a_1 with β lays B_1 into B_3 and folds B_2 onto itself only. So one LN layer
removes a run at least, whatever the number of points, and depth k − 3 suffices with the two chords of `circle_chords`.
Far more is possible: `run_search` tries some thousand folds at either end and takes the one that removes most.

For more than two classes no fold may help; then one chord merge is made (`chord_merge`), which leaves one cluster less,
so the construction always ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from flint import fmpq

from constructions.arithmetic import Arithmetic, Float
from constructions.chord_merge import merge_one_chord
from constructions.circle_chords import TWO_LAYER_RUNS, lower_with_chords
from constructions.errors import MergeConfusionError, UndecidedError
from constructions.fold import Fold
from constructions.line import Cluster, Line
from constructions.lowering import lower
from constructions.network import LNNet
from constructions.points import Label
from constructions.projection_merge import FoldSequence
from constructions.rational import to_rational
from constructions.run_search import Choice, Reach, Runs, choices
from constructions.spherical_projection import INTEGER

#: What one bit of the least gap is worth, in runs; and what a bit below 2^−_DEEP is worth on top of it.
_GAP, _DEEP, _DEEPER = 0.05, 50.0, 0.3
#: How many of the best folds are tried in the line's own arithmetic before a chord merge is made.
_TRIES = 6


def fold_runs(line: Line, *, reach: Reach | None = None, seed: int = 0) -> FoldSequence:
    """Fold whole runs until few enough are left to be read out by `lower_runs`.

    Args:
        line: any number of classes.
        reach: how far the search looks at every step.
        seed: of the random choice among candidates.

    Returns:
        The folds, and the line with what is left.

    Raises:
        UndecidedError: the best fold leaves gaps that the arithmetic does not resolve, or it cannot tell two
            positions apart.
    """
    folds = []
    generator = np.random.default_rng(seed)
    reach = default_reach(line) if reach is None else reach
    while not finished(line):
        line, fold = _fold_once(line, reach, generator)
        folds.append(fold)
    return FoldSequence(tuple(folds), line)


def finished(line: Line) -> bool:
    """Whether `lower_runs` can read the line out: every class an interval, or at most five runs of two classes."""
    return line.separable or (len({c.label for c in line.clusters}) == 2 and line.runs <= TWO_LAYER_RUNS)


def lower_runs(direction: Sequence[Any], folds: Sequence[Fold], line: Line, classes: Sequence[Label]) -> LNNet:
    """`lower_with_chords` for two classes, which saves layers, else `lower`."""
    return (lower_with_chords if len(classes) == 2 else lower)(direction, folds, line, classes)


def default_reach(line: Line) -> Reach:
    """Looks further the more classes there are, since runs of one class are then further apart."""
    return Reach() if len({c.label for c in line.clusters}) <= 3 else Reach(runs=24, window=44)


def _fold_once(line: Line, reach: Reach, generator: np.random.Generator) -> tuple[Line, Fold]:
    arithmetic = line.arithmetic
    ends = _ends(line)
    found = choices(_runs(line, ends), reach, generator)
    resolution = _resolution(arithmetic)
    found.sort(key=lambda c: -c.score - _GAP * c.gap + _DEEPER * max(0.0, -_DEEP - c.gap))
    if found and found[0].gap < -resolution and not isinstance(arithmetic, Float):
        raise UndecidedError("The best fold leaves gaps that this precision does not resolve.", line.layer)
    for choice in [c for c in found if c.gap >= -resolution][:_TRIES]:
        fold = _as_fold(choice, ends, arithmetic)
        try:
            after = line.after(fold)
        except (MergeConfusionError, UndecidedError):
            continue
        if after.runs < line.runs:
            return after, fold
    if len({c.label for c in line.clusters}) == 2:
        return _lay_first_run(line, ends)
    return merge_one_chord(line)


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
    origin = inner[0]
    z, v, w = inner[1] - origin, outer[0] - origin, outer[1] - origin
    # The fixed points t solve (v + w − z)t² − 2vw·t + zvw = 0; the apex is the one between 0 and z.
    product = v * w
    if not (bool(product < 0) and (bool(z > 0) or bool(z < 0))):
        raise UndecidedError("The pairs of a fold are too close to tell apart at this precision.")
    root = arithmetic.sqrt(product * product - (v + w - z) * z * product)
    apex, inverse = z * product / (product - root), (product + root) / (z * product)
    kappa = inverse / (one - apex * inverse)  # inverse distance from the apex to the other fixed point
    scale = z if bool(z > 0) else -z
    if not bool(scale * scale * kappa * kappa * four * four < one):
        scale = one / (four * (kappa if bool(kappa > 0) else -kappa))
    squared = scale * scale
    sigma = two * squared * kappa / (one + arithmetic.sqrt(one - four * squared * kappa * kappa))
    return _standing(arithmetic, origin + apex, sigma, scale)


def _standing(arithmetic: Arithmetic, apex: Any, sigma: Any, scale: Any) -> Fold:
    """The fold with this apex and the circle of height ``scale`` above apex + sigma."""
    radius = arithmetic.sqrt(sigma * sigma + scale * scale)
    u1, u2 = -sigma / radius, scale / radius
    if not arithmetic.exact:  # the integer frame sees an ellipse: its second axis is √κ times as long
        u2 = u2 * arithmetic.sqrt(arithmetic.enter(fmpq(INTEGER.kappa)))
    return arithmetic.fold(apex + sigma, scale, u1, u2)


def _resolution(arithmetic: Arithmetic) -> float:
    """Bits below the length of the line that the arithmetic keeps apart (see `Arithmetic.distinct`)."""
    return 1000.0 if arithmetic.exact else getattr(arithmetic, "bits", 53) / 2 - 4


def _ends(line: Line) -> list[Cluster]:
    """First and last cluster of every run, one after the other."""
    result: list[Cluster] = []
    for _, group in groupby(line.clusters, key=lambda c: c.label):
        run = list(group)
        result += [run[0], run[-1]]
    return result


def _runs(line: Line, ends: Sequence[Cluster]) -> Runs:
    arithmetic = line.arithmetic
    lengths = [_float(arithmetic, b.position - a.position) if a is not b else 0.0 for a, b in pairwise(ends)]
    names: dict[Label, int] = {}
    labels = [names.setdefault(c.label, len(names)) for c in ends[::2]]
    steps = np.array(lengths)
    return Runs(np.maximum(steps / max(steps.sum(), np.finfo(float).tiny), 0.0), np.array(labels))


def _float(arithmetic: Arithmetic, position: Any) -> float:
    if arithmetic.exact:
        return float(position)
    value = to_rational(arithmetic.middle(position))
    return int(value.p) / int(value.q)


def _as_fold(choice: Choice, ends: Sequence[Cluster], arithmetic: Arithmetic) -> Fold:
    length = ends[-1].position - ends[0].position
    sign = -1 if choice.reverse else 1
    offset, sigma, scale = (
        arithmetic.enter(to_rational(x)) * length for x in (sign * choice.offset, sign * choice.sigma, choice.scale)
    )
    return _standing(arithmetic, ends[choice.end].position + offset, sigma, scale)
