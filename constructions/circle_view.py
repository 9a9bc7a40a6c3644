r"""A first layer that sees the points around a circle, so placed that the label changes seldom.

A projection lets a network see the points along a line: d − 1 parameters say in which order. But the first layer has a
plane to put them in. It computes two affine functions U, V of a point, and LN keeps the direction of (U, V), so it sees
them around a circle, in an order with 2d − 2 parameters. A line is the special case that V is constant.

Many views are searched for the one with the fewest label changes: from the plane that discriminates the classes best,
from lines and from random planes, by gradient steps on a smoothed count, and at last by annealing the count itself
(random steps, some of them uphill, ever fewer; Kirkpatrick, Gelatt and Vecchi 1983). The smoothed count is that of
neighbourhood components analysis (Goldberger et al. 2004) on a circle: the share of a point's neighbours that are of
its class, weighted by a Gaussian of their angles that narrows in the course of it.

All of it is floating point and chooses only: what the view shows is computed again in the network's arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from constructions.points import LabeledPoints
from constructions.principal_frame import PrincipalFrame
from constructions.projection import as_float, few_runs_candidates
from constructions.rational import round_to_bits, to_rational

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
Found = tuple[int, Array]
"""Label changes around a circle, and the coefficients (k + 1, 2) of U and V that show it."""

#: Bits of a view's coefficients.
_BITS = 32
#: Directions closer than this (radians) may coincide.
_CLOSE = 1e-12
#: Lines and random planes to start from; starts, and then searches, that are followed further.
_LINES, _RANDOM, _SHORT, _LONG = 6, 6, 5, 2
#: With so few changes classes may be read off the circle at once, and so many steps widen the gaps for that.
_FEW, _WIDER = 4, 1500
#: The Gaussian reaches so many neighbours at first, and is cut off after so many times its width.
_WIDE, _CUT = 60, 2
#: Points whose share of own neighbours is far below this are given up and do not pull.
_GIVEN_UP = 0.5
#: Sizes of gradient steps: long ones suit labels with a pattern, short ones labels without.
_RATES = (0.03, 0.005)
#: Annealing: changes that a random step may add, on the average, at first and at last; how many steps are of all
#: coefficients; and what a step that is taken does to the size of the next ones, and one that is not, which balances
#: where three in ten are taken.
_WARM, _COLD = 1.2, 0.15
_ALL = 0.3
_WIDEN, _NARROW = 1.1, 0.96
#: Steps of more than that, from coefficients of about 1, are leaps to anywhere.
_WIDEST = 100.0
#: Products of coefficients and coordinates in all steps of annealing, at most; some minutes.
_PRODUCTS = 200_000_000_000
#: Decay of the means of gradients and of their squares (Adam, Kingma and Ba 2015).
_MEAN, _SQUARE = 0.9, 0.99


@dataclass(frozen=True)
class CircleView:
    """Two affine functions of a point, whose direction (U, V) is where a first layer sees it.

    Attributes:
        rows: the coefficients of U and of V, d + 1 rationals each, the constant last.
        changes: how often the label changes around the circle.
    """

    rows: tuple[tuple[fmpq, ...], tuple[fmpq, ...]]
    changes: int

    def see(self, points: LabeledPoints) -> Array:
        """(U, V) at the points, m rows, in floating point."""
        cloud = np.array([[*map(as_float, point), 1.0] for point in points.points])
        return np.asarray(cloud @ self.forms.T)

    @property
    def forms(self) -> Array:
        """The coefficients as floats, (2, d + 1)."""
        return np.array([[as_float(x) for x in row] for row in self.rows])


def view_circle(points: LabeledPoints, seed: int = 0, *, steps: int | None = None) -> CircleView | None:
    """Of very many views the one around which the label changes least often.

    Args:
        points: in any dimension.
        seed: of the random starts and steps; the same seed gives the same view.
        steps: gradient steps of a long search (default: as many as take some seconds, or less for few points); 0 for
            the best of the starts.

    Returns:
        The view, or None where the points do not span a plane, or floating point does not tell classes apart in it.
    """
    with np.errstate(all="ignore"):
        frame = PrincipalFrame.of(points)
        if frame is None:
            return None
        labels = np.array([points.classes.index(x) for x in points.labels])
        generator = np.random.default_rng(seed)
        steps = _usual_steps(*frame.points.shape) if steps is None else steps
        starts = [_normed(forms) for forms in _starts(points, frame, labels, generator)]
        changes, forms = _searched(frame.points, labels, starts, steps, generator)
        if not _resolved(frame.points @ forms, labels):
            return None
        u, v = (tuple(round_to_bits(to_rational(float(x)), _BITS) for x in row) for row in forms.T @ frame.back)
    return CircleView((u, v), changes)


def _usual_steps(count: int, coefficients: int) -> int:
    """Gradient steps of a long search: with more coefficients more, with very many points fewer."""
    return min(10 * count, max(1000, 100 * coefficients), 200 + max(2_000_000, 200_000 * coefficients) // count)


def changes_around(directions: Array, labels: Numbers) -> int:
    """How often the label changes around the circle; places of different classes that coincide count once more.

    Args:
        directions: (m, 2).
        labels: m class numbers.

    >>> changes_around(np.array([[1, 0], [0, 2], [-1, 0], [0, -3]]), np.array([0, 1, 1, 0]))
    2
    """
    change, step = _neighbours(directions, labels)
    return int(change.sum() + (change & (step < _CLOSE)).sum())


def _resolved(directions: Array, labels: Numbers) -> bool:
    """Whether places of different classes are apart, and no point is where the view is taken from."""
    distances = np.hypot(directions[:, 0], directions[:, 1])
    return bool(distances.min() > _CLOSE * distances.max()) and _least_gap(directions, labels) > _CLOSE


def _neighbours(directions: Array, labels: Numbers) -> tuple[NDArray[np.bool_], Array]:
    """Around the circle, whether the label changes from one place to the next, and how far apart the two are."""
    angles = np.arctan2(directions[:, 1], directions[:, 0])
    order = np.argsort(angles, kind="stable")
    ordered, names = angles[order], labels[order]
    step = ordered - np.roll(ordered, 1)
    step[0] += 2 * np.pi
    return names != np.roll(names, 1), step


def _starts(
    points: LabeledPoints, frame: PrincipalFrame, labels: Numbers, generator: np.random.Generator
) -> Iterator[Array]:
    """Coefficients to start from: planes that discriminate the classes, lines with few label changes, random planes."""
    flat = frame.points[:, :-1]
    size = flat.shape[1]
    names = np.unique(labels)
    means = np.array([flat[labels == name].mean(axis=0) for name in names])
    within = sum((np.cov(flat[labels == name], rowvar=False, bias=True) for name in names), np.zeros((size, size)))
    for ridge in (1e-6, 1e-1):
        values, vectors = np.linalg.eigh(within / len(names) + ridge * np.eye(size))
        white = vectors / np.sqrt(values)  # Fisher: principal axes of the means where the classes are round
        axes = np.linalg.svd((means - means.mean(axis=0)) @ white)[2][:2]
        yield np.r_[white @ axes.T, np.zeros((1, 2))]
    along = np.linalg.pinv(frame.back[:-1, :-1])
    lines = [np.array([as_float(x) for x in direction]) @ along for direction in few_runs_candidates(points)]
    lines.sort(key=lambda line: np.count_nonzero(np.diff(labels[np.argsort(flat @ line, kind="stable")])))
    for line in lines[:_LINES]:
        yield np.c_[np.append(line / np.std(flat @ line), 0.0), np.append(np.zeros(size), 1.0)]
    for _ in range(_RANDOM):
        yield generator.standard_normal((size + 1, 2))


def _searched(points: Array, labels: Numbers, starts: list[Array], steps: int, generator: np.random.Generator) -> Found:
    """The best coefficients found: short searches from the better starts, long ones from the best of these."""
    pool = _fewest([(changes_around(points @ forms, labels), forms) for forms in starts])
    classes = int(labels.max()) + 1
    if not steps or pool[0][0] <= classes:
        return _widened(points, labels, pool[0], _WIDER if steps else 0, generator)
    short = [
        (_trained(points, labels, forms, steps // 10, rate), rate) for _, forms in pool[:_SHORT] for rate in _RATES
    ]
    short.sort(key=lambda entry: entry[0][0])
    long = [_trained(points, labels, forms, steps, rate) for (_, forms), rate in short[:_LONG]]
    best = _fewest([*pool, *(found for found, _ in short), *long])[0]
    if best[0] > max(classes, _FEW):
        best = _annealed(points, labels, best, min(2 * steps * best[1].size, _PRODUCTS // points.size), generator)
    return _widened(points, labels, best, _WIDER if best[0] <= max(classes, _FEW) else 0, generator)


def _fewest(found: list[Found]) -> list[Found]:
    return sorted(found, key=lambda entry: entry[0])


def _widened(points: Array, labels: Numbers, found: Found, steps: int, generator: np.random.Generator) -> Found:
    """Random steps that make the least gap between places of different classes wider, for classes read off at once."""
    (changes, forms), widest = found, _least_gap(points @ found[1], labels)
    width = 0.1
    for _ in range(min(steps, 20 * len(points))):
        trial = forms + width * generator.standard_normal(forms.shape)
        gap = _least_gap(points @ trial, labels)
        if gap > widest and changes_around(points @ trial, labels) <= changes:
            forms, widest, width = trial, gap, min(1.0, width * 1.5)
        else:
            width = max(1e-4, width * 0.97)
    return changes, forms


def _least_gap(directions: Array, labels: Numbers) -> float:
    change, step = _neighbours(directions, labels)
    return float(np.min(step, where=change, initial=np.inf))


def _normed(forms: Array) -> Array:
    return np.asarray(forms / np.sqrt(np.mean(forms * forms)))


def _trained(points: Array, labels: Numbers, forms: Array, steps: int, rate: float) -> Found:
    """The best coefficients on the way down the smoothed count."""
    mean, square = np.zeros_like(forms), np.zeros_like(forms)
    best = (len(points) + 1, forms)
    wide = min(_WIDE, max(1, len(points) // 8))
    for step in range(steps):
        reach = round(wide ** (1 - step / steps))
        slope, changes = _slope(points, labels, forms, reach)
        if changes < best[0]:
            best = changes, forms
        mean += (1 - _MEAN) * (slope - mean)
        square += (1 - _SQUARE) * (slope * slope - square)
        size = np.sqrt(square / (1 - _SQUARE ** (step + 1))) + 1e-12
        decay = 1 - 0.95 * step / steps
        forms = _normed(forms - rate * decay * mean / (1 - _MEAN ** (step + 1)) / size)
    return best


def _slope(points: Array, labels: Numbers, forms: Array, reach: int) -> tuple[Array, int]:
    """Gradient of the smoothed count, −mean log(share of own neighbours + ½), and the changes around the circle."""
    count = len(points)
    beside = min((count - 1) // 2, _CUT * reach + 2)
    directions = points @ forms
    angles = np.arctan2(directions[:, 1], directions[:, 0])
    order = np.argsort(angles, kind="stable")
    ordered, names = angles[order], labels[order]
    windows = np.lib.stride_tricks.sliding_window_view
    around = np.concatenate([ordered[-beside:] - 2 * np.pi, ordered, ordered[:beside] + 2 * np.pi])
    distance = windows(around, 2 * beside + 1) - ordered[:, None]
    own = windows(np.concatenate([names[-beside:], names, names[:beside]]), 2 * beside + 1) == names[:, None]
    width = np.maximum(np.partition(np.abs(distance), reach, axis=1)[:, reach], _CLOSE)[:, None]
    distance /= width
    weight = np.exp(-0.5 * distance * distance)
    weight[:, beside] = 0
    weight /= weight.sum(axis=1, keepdims=True)
    share = (weight * own).sum(axis=1, keepdims=True)
    pull = weight * (own - share) / (share + _GIVEN_UP) * distance / (width * count)
    on_angle = -pull.sum(axis=1)
    received = np.zeros(count + 2 * beside)
    for k in range(2 * beside + 1):
        received[k : k + count] += pull[:, k]
    on_angle += received[beside : beside + count]
    on_angle[count - beside :] += received[:beside]
    on_angle[:beside] += received[beside + count :]
    turned = np.empty(count)
    turned[order] = on_angle
    across = np.stack([-directions[:, 1], directions[:, 0]], axis=1)
    slope = points.T @ (across * (turned / (directions * directions).sum(axis=1))[:, None])
    return np.nan_to_num(slope), int(np.count_nonzero(names != np.roll(names, 1)))


def _annealed(points: Array, labels: Numbers, found: Found, steps: int, generator: np.random.Generator) -> Found:
    """Random steps of the coefficients of one coordinate or of all, on the count itself; some of them lead uphill."""
    now, best = found, found
    widths = [0.1, 0.01]
    for step in range(steps):
        warmth = _WARM * (_COLD / _WARM) ** (step / steps)
        every = int(generator.random() < _ALL)
        move = widths[every] * 2.0 ** generator.uniform(-3, 1) * generator.standard_normal(now[1].shape)
        if not every:
            move *= np.arange(len(move))[:, None] == generator.integers(len(move))
        trial = now[1] + move
        changes = changes_around(points @ trial, labels)
        accepted = changes - now[0] <= warmth * generator.exponential()
        widths[every] = min(_WIDEST, widths[every] * (_WIDEN if accepted else _NARROW))
        if accepted:
            now = changes, trial
            best = min(best, now, key=lambda entry: entry[0])
    return best
