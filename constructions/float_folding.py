r"""Run folding for float networks: the folds that the roundings of all layers survive best.

Every place on the line carries a *blur*: to first order, how far the roundings of an IEEE evaluation may have moved it.
A fold stretches it by its slope and adds the layer's own roundings. The *risk* of a label change is the blur on both
sides over the gap between them, and a network works if all risks stay well below one. So a fold is searched as in
`fold_search`, but its cost counts, besides the label changes that it leaves, the bits of risk of each, as far as they
cannot be spared.

What a layer adds is fitted to what `proofs.ieee_checker` has to concede. A fold is :math:`a=A\cos\delta`, A being its
amplitude and δ the angle from the apex; let the place be at the distance R from the centre of the circle, and A' the
amplitude of the layer before. Then :math:`u(17.6\,|a| + 1.8\,A'A|\sin\delta|/R)` is between 0.6 and 1.2 times the
checker's bound, u being the unit roundoff. The first term is the relative error of 1/√variance, so places near zero are
the sharpest; the second is the error of the numbers that enter LN.

Nothing here is trusted: the network is for the checkers to judge.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from constructions.arithmetic import Arithmetic, Float
from constructions.chord_merge import merge_one_chord
from constructions.errors import InputError, UndecidedError
from constructions.fold import Fold
from constructions.fold_costs import USELESS, judged, neighbours, totals
from constructions.fold_search import Budget, best_folds
from constructions.found_folds import first_that_holds, in_floats, position_as_float
from constructions.line import Line
from constructions.projection_merge import FoldSequence
from constructions.rational import to_rational
from constructions.trial_folds import Array, Folds, Numbers

#: What a layer adds, in units u: relative to its output, and relative to the layer before.
_SCALE, _ENTRY = 17.6, 1.8
#: Roundings of the first projection, and of the read-out, in units u.
_ENDS = 4.0
#: Attempts, and the bits of risk to spare that end them.
_ATTEMPTS, _ENOUGH = 4, 3.0
#: What a bit of risk beyond 2^-_FREE costs in label changes, and the bits of risk that are too many.
_DEAR, _FREE, _MOST = 1.0, 8.0, -1.0
#: What doubling the width of a run relative to a gap beside it costs.
_NARROW = 0.3


class _Sharp(Float):
    """Float arithmetic in which points of a class that nearly meet stay apart: each has a blur of its own."""

    def close(self, left: Any, right: Any) -> bool:
        return False


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
        """A line that has just been computed from the points."""
        size = max(abs(position_as_float(line.arithmetic, line.clusters[k].position)) for k in (0, -1))
        return cls(line, np.full(len(line.clusters), _ENDS * size * _unit(line.arithmetic)), size)

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
            blur = across * (height / radius) / radius * self.blur
            blur += unit * (_SCALE * np.abs(image) + _ENTRY * self.amplitude * across / radius)
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
        return judged(places, folds, lambda image, some: self._line_costs(image, places, labels, some))

    def _line_costs(self, image: Array, places: Array, labels: Numbers, folds: Folds | None) -> tuple[Array, Numbers]:
        """Costs and numbers of label changes of lines, the rows of ``image``, which is overwritten."""
        # Labels and cluster numbers travel in the last bits of the images, so that sorting floats sorts all, and fast.
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
        cost = 1 + _NARROW * np.log2((right - start) * (end - left) / (gap * gap))
        near = np.flatnonzero(gap < 2.0 ** (_FREE + 1) * self._most_blur(folds)[row])  # beyond, no risk can be dear
        blur = np.zeros(len(near))
        for side in (column[near], column[near] + 1):
            number = code[row[near], side] >> low
            blur += self.blur[number] if folds is None else self._blurs(places[number], number, folds.pick(row[near]))
        risk = np.log2(blur / gap[near])
        cost[near] += np.where(risk < _MOST, _DEAR * np.maximum(0.0, risk + _FREE), np.inf)
        cost = np.where(np.isfinite(cost), cost, USELESS)
        return totals(image, row, cost)

    def _most_blur(self, folds: Folds | None) -> Array:
        """A bound on the blur of any image under each fold: R is at least λ/√(κ² + λ²)."""
        most = self.blur.max()
        if folds is None:
            return np.full(1, most)
        steepest = folds.bend + folds.kappa**2 / folds.bend
        return steepest * (most + self.unit * _ENTRY * self.amplitude) + self.unit * _SCALE

    def _blurs(self, place: Array, number: Numbers, folds: Folds) -> Array:
        """Blur of the images 1 − cos δ of clusters, each under a fold of its own."""
        n = place - folds.apex
        y, m = 1 - folds.kappa * n, folds.bend * np.abs(n)
        radius = np.hypot(y, m)
        entry = m / radius**2 * np.hypot(folds.kappa, folds.bend) * self.amplitude
        own = self.unit * (_SCALE * np.abs(y) / radius + _ENTRY * entry)
        return folds.bend * m / radius**3 * self.blur[number] + own  # type: ignore[no-any-return]


def fold_in_floats(line: Line, *, seed: int = 0, effort: int = 0) -> FoldSequence:
    """Fold every class into an interval of its own, so that float evaluations get it right.

    Args:
        line: any number of classes, in the arithmetic `Float`.
        seed: of the random folds that are tried.
        effort: 2^effort times as many attempts are made.

    Returns:
        The folds of the attempt with the least risk, or of the first with bits to spare, and the line they lead to.

    Raises:
        InputError: another arithmetic.
        UndecidedError: every attempt runs out of the format's precision.
    """
    if not isinstance(line.arithmetic, Float):
        raise InputError(f"Floats are folded in float arithmetic, not in {line.arithmetic.name!r}.")
    line = replace(line, arithmetic=_Sharp(*(getattr(line.arithmetic, f.name) for f in fields(Float))))
    best: tuple[float, FoldSequence] | None = None
    obstacle: UndecidedError | None = None
    for number in range(_ATTEMPTS << effort):
        try:
            found = _attempt(line, np.random.default_rng((seed, number)))
        except UndecidedError as error:
            obstacle = error
            continue
        if best is None or found[0] < best[0]:
            best = found
        if best[0] < -_ENOUGH:
            break
    if best is None:
        raise UndecidedError(f"{obstacle}", None if obstacle is None else obstacle.layer)
    return best[1]


def _attempt(line: Line, generator: np.random.Generator) -> tuple[float, FoldSequence]:
    """One greedy run: bits of risk at the end, and the folds."""
    state, runs = BlurredLine.of(line), line.runs
    folds: list[Fold] = []
    many = len({c.label for c in line.clusters}) > 2
    budget = replace(Budget.of(len(line.clusters), 3 if many else 2), met=0.0)  # places are blurred: none meet exactly
    while not state.line.separable:
        # With two classes, a fold that removes no label change has to be earned by those that removed several.
        idle = many or runs - state.line.runs > len(folds)
        step = _searched(state, budget, generator, idle)
        if step is None:
            if not many:
                raise UndecidedError("No fold keeps the classes apart at this precision.", state.line.layer)
            step = merge_one_chord(state.line)
        state = state.after(step[1], step[0])
        folds.append(step[1])
    return state.risk(), FoldSequence(tuple(folds), state.line)


def _searched(
    state: BlurredLine, budget: Budget, generator: np.random.Generator, idle: bool
) -> tuple[Line, Fold] | None:
    """The best fold that the search finds and the line's own arithmetic confirms."""
    line = state.line
    found, _ = best_folds(*in_floats(line), budget, generator, Judge.of(state))
    return first_that_holds(found, line, idle)


def _unit(arithmetic: Arithmetic) -> float:
    return 2.0 ** -getattr(arithmetic, "bits", 53)


def _number(value: Any) -> float:
    rational = to_rational(value)
    return int(rational.p) / int(rational.q)
