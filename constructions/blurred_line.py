r"""A line, and what the roundings of all layers so far may have done to it.

Every place on the line carries a *blur*: to first order, how far the roundings of an IEEE evaluation may have moved it.
A fold stretches it by its slope and adds the layer's own roundings. The *risk* of a label change is the blur on both
sides over the gap between them, and a network works if all risks stay well below one. A `Judge` adds to
the bits of risk that a fold leaves those that the layers to come will add, by the label changes that are left.

What a layer adds is fitted to what `proofs.ieee_checker` has to concede. A fold is :math:`a=A\cos\delta`, A being its
amplitude and δ the angle from the apex; let the place be at the distance R from the centre of the circle, and A' the
amplitude of the layer before. Then :math:`u(17.6\,|a| + 1.8\,A'A|\sin\delta|/R)` is between 0.6 and 1.2 times the
checker's bound, u being the unit roundoff. The first term is the relative error of 1/√variance, so places near zero are
the sharpest; the second is the error of the numbers that enter LN. After a first layer that folds a circle, see
`first_blur`.

Nothing here is trusted: the network is for the checkers to judge.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from constructions.arithmetic import Arithmetic
from constructions.first_blur import first_blur
from constructions.fold import Fold
from constructions.fold_costs import USELESS, judged, neighbours, totals
from constructions.found_folds import in_floats, position_as_float
from constructions.line import Line
from constructions.points import LabeledPoints
from constructions.rational import round_to_bits, to_rational
from constructions.sight import Sight
from constructions.spherical_projection import BALANCED
from constructions.trial_folds import Array, Folds, Numbers, below_top

#: What a layer adds, in units u: relative to its output, and relative to the layer before.
_SCALE, _ENTRY = 17.6, 1.8
#: Roundings of the first projection, and of the read-out, in units u.
_ENDS = 4.0
#: The risk, in bits, of a label change that is too much for a fold.
_MOST = -1.0
#: Risks are added up to this power: the larger it is, the more the worst of them counts.
_SOFT = 0.5
#: k label changes, those with little room beside them counted more than once, take about k^_LAYERS bits to remove.
_LAYERS = 0.65
#: What a blur of the size of the distance from a fold's centre adds, relative to the first order, and how much of that
#: distance it may be.
_NEARER, _CLOSEST = 4.0, 0.0625
#: What doubling the width of a run relative to a gap beside it costs.
_NARROW = 0.3


@dataclass(frozen=True)
class BlurredLine:
    """A line, and what roundings may have done to it.

    Attributes:
        line: in float arithmetic.
        blur: to first order, how far each cluster may have been moved.
        amplitude: size of the numbers of which the line's positions are computed.
    """

    line: Line
    blur: Array
    amplitude: float

    @classmethod
    def of(cls, line: Line) -> BlurredLine:
        """A line onto which the points have just been projected."""
        size = max(abs(position_as_float(line.arithmetic, line.clusters[k].position)) for k in (0, -1))
        return cls(line, np.full(len(line.clusters), _ENDS * size * _unit(line.arithmetic)), size)

    @classmethod
    def seen(cls, sight: Sight, points: LabeledPoints, line: Line) -> BlurredLine:
        """The line to which a first layer has led."""
        forms = np.array([[_number(line.arithmetic.middle(x)) for x in row] for row in sight.rows])
        cloud, entry = entered(points, line.arithmetic)
        with np.errstate(all="ignore"):
            blur = first_blur(np.broadcast_to(forms, (len(cloud), *forms.shape)), cloud, entry)
        amplitude = (_number(sight.frame.gain_squared) / sight.frame.kappa) ** 0.5 * _number(sight.frame.level)
        sources = [c.source for c in line.clusters]
        return cls(line, amplitude * _unit(line.arithmetic) * blur[sources], amplitude)

    def after(self, fold: Fold, line: Line) -> BlurredLine:
        """The line after a fold, which led to ``line``."""
        arithmetic, unit = line.arithmetic, _unit(line.arithmetic)
        stretch = fold.frame.kappa**0.5
        gain = _number(fold.frame.gain_squared) ** 0.5
        height = _number(fold.scale) * stretch
        u1, u2 = _number(fold.u1) * gain, _number(fold.u2) * gain / stretch
        shift = arithmetic.enter(fold.shift)
        q = np.array([position_as_float(arithmetic, c.position - shift) for c in self.line.clusters])
        with np.errstate(all="ignore"):  # squares leave the range of floats sooner than positions do
            radius, amplitude = np.hypot(q, height), float(np.hypot(u1, u2))
            image, across = (u1 * q + u2 * height) / radius, np.abs(u1 * height - u2 * q) / radius
            turned = ((height / radius) * self.blur + unit * _ENTRY * self.amplitude) / radius
            turned *= 1 + _NEARER * self.blur / radius
            blur = turned * (across + amplitude * turned / 2) + unit * _SCALE * np.abs(image)
        number = {c.source: k for k, c in enumerate(self.line.clusters)}
        return BlurredLine(line, blur[[number[c.source] for c in line.clusters]], amplitude)

    def risk(self) -> float:
        """Bits of the largest risk that a read-out half-way between classes takes (−∞ with a single class)."""
        places, labels = in_floats(self.line)
        first, last = (self.line.clusters[k].position for k in (0, -1))
        length = position_as_float(self.line.arithmetic, last - first)
        blur = (self.blur + _ENDS * self.amplitude * _unit(self.line.arithmetic)) / length
        cuts = [(places[k - 1] + places[k]) / 2 for k in range(1, len(labels)) if labels[k - 1] != labels[k]]
        return max((float(np.log2(blur / np.abs(places - cut)).max()) for cut in cuts), default=-np.inf)


@dataclass(frozen=True)
class Judge:
    """What a fold of a blurred line costs; all lengths are relative to the line's.

    Attributes:
        places: of the clusters, as `in_floats` has them.
        blur: of the clusters.
        amplitude: as in `BlurredLine`.
        unit: unit roundoff.
    """

    places: Array
    blur: Array
    amplitude: float
    unit: float

    @classmethod
    def of(cls, state: BlurredLine) -> Judge:
        """For a line."""
        clusters, arithmetic = state.line.clusters, state.line.arithmetic
        length = position_as_float(arithmetic, clusters[-1].position - clusters[0].position)
        return cls(in_floats(state.line)[0], state.blur / length, state.amplitude / length, _unit(arithmetic))

    def __call__(self, places: Array, labels: Numbers, folds: Folds) -> Array:
        """Costs, as a `fold_costs.Judge`; the places are those of the clusters."""

        def line_costs(image: Array, some: Folds | None) -> tuple[Array, Numbers]:
            def blur(row: Numbers, number: Numbers) -> Array:
                return self.blur[number] if some is None else self._blurs(places[number], number, some.pick(row))

            return risk_costs(image, labels, blur)

        return judged(places, folds, line_costs) + np.where(self._lost(places, folds), USELESS, 0.0)

    def _lost(self, places: Array, folds: Folds) -> NDArray[np.bool_]:
        """Which folds have their centre so near to a cluster that its blur is not small against the distance."""
        inverse = np.hypot(folds.kappa, folds.bend)
        error = self.blur + self.unit * _ENTRY * self.amplitude
        near = np.flatnonzero(folds.bend / inverse < inverse * error.max() / _CLOSEST)  # beyond, no cluster is too near
        lost = np.zeros(len(inverse), dtype=bool)
        for k in near:
            n = places - folds.apex[k]
            distance = np.hypot(1 - folds.kappa[k] * n, folds.bend[k] * n)
            lost[k] = bool((error * inverse[k] > _CLOSEST * distance).any())
        return lost

    def _blurs(self, place: Array, number: Numbers, folds: Folds) -> Array:
        """Blur of the images 1 − cos δ of clusters, each under a fold of its own."""
        n = place - folds.apex
        y, m = 1 - folds.kappa * n, folds.bend * np.abs(n)
        radius = np.hypot(y, m)
        entry = self.unit * _ENTRY * self.amplitude * np.hypot(folds.kappa, folds.bend)
        reach = self.blur[number] * np.hypot(folds.kappa, folds.bend) / radius
        turned = (folds.bend / radius * self.blur[number] + entry) / radius * (1 + _NEARER * reach)
        return turned * (m / radius + turned / 2) + self.unit * _SCALE * np.abs(y) / radius  # type: ignore[no-any-return]


def risk_costs(image: Array, labels: Numbers, blur: Callable[[Numbers, Numbers], Array]) -> tuple[Array, Numbers]:
    """Costs and numbers of label changes of lines, the rows of ``image``, which is overwritten.

    Costs are bits of risk to be expected at the end: those of today, and those that the layers to come will add. A risk
    stays: neighbours of different classes have to end on the two sides of a cut.

    Args:
        image: (n, m) places, in any order.
        labels: m class numbers.
        blur: of places, given the numbers of their lines and their own.
    """
    # Labels and numbers of places travel in the last bits of the images, so that sorting floats sorts all, and fast.
    low = max(1, int(labels.max()).bit_length())
    mask = np.int64((1 << low + len(labels).bit_length()) - 1)
    bits = image.view(np.int64)
    bits &= ~mask
    bits |= np.arange(len(labels)) << low | labels
    image.sort(axis=1)
    code = image.view(np.int64) & mask
    name = code & ((1 << low) - 1)
    row, column = np.nonzero(name[:, 1:] != name[:, :-1])
    left, right, start, end = neighbours(image, row, column)
    gap = right - left
    hardness = 1 + _NARROW * np.log2((right - start) * (end - left) / (gap * gap))
    risk = (blur(row, code[row, column] >> low) + blur(row, code[row, column + 1] >> low)) / gap
    lost = ~(np.isfinite(hardness) & (risk < 2.0**_MOST))
    hard, changes = totals(image, row, np.where(lost, np.inf, hardness))
    risks = np.bincount(row, weights=np.where(lost, 1.0, risk) ** _SOFT, minlength=len(image))
    cost = np.log2(risks) / _SOFT + hard**_LAYERS
    return np.where(changes > 0, np.where(np.isfinite(cost), cost, USELESS), -np.inf), changes


@dataclass(frozen=True)
class FirstJudge:
    """What a first layer costs that folds a circle; a `first_fold.Judge`.

    Attributes:
        cloud: (m, d + 1) coordinates of the points, the last of them 1.
        entry: (m, d + 1) what rounding moves them by, in units u.
        unit: unit roundoff.
    """

    cloud: Array
    entry: Array
    unit: float

    @classmethod
    def of(cls, points: LabeledPoints, arithmetic: Arithmetic) -> FirstJudge:
        """For points."""
        return cls(*entered(points, arithmetic), _unit(arithmetic))

    def __call__(self, n: Array, y: Array, labels: Numbers, forms: Array) -> Array:
        """Costs of layers, the rows of n and y; ``n`` is overwritten."""
        forms = forms / np.array([[1.0], [np.sqrt(BALANCED.kappa)]])

        def blur(row: Numbers, number: Numbers) -> Array:
            return self.unit * first_blur(forms[row], self.cloud[number], self.entry[number])

        return risk_costs(below_top(n, y), labels, blur)[0]


def entered(points: LabeledPoints, arithmetic: Arithmetic) -> tuple[Array, Array]:
    """Coordinates and a constant 1, m rows each, and what rounding to the format moves them by, in units u."""
    bits = getattr(arithmetic, "bits", 53)
    moved = [[_number((round_to_bits(x, bits) - x) * fmpq(2) ** bits) for x in point] for point in points.points]
    cloud = [[*map(_number, point), 1.0] for point in points.points]
    return np.array(cloud), np.c_[np.abs(np.array(moved)), np.zeros(len(cloud))]


def _unit(arithmetic: Arithmetic) -> float:
    return 2.0 ** -getattr(arithmetic, "bits", 53)


def _number(value: Any) -> float:
    rational = to_rational(value)
    return int(rational.p) / int(rational.q)
