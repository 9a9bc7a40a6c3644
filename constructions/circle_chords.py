r"""Two LN layers realise every two-class labelling with at most four label changes on a line.

The first layer lifts the line and projects it onto a conic (a circle for the frame of Lemma 1, an ellipse for its
rational sibling). An interval of the line is what a chord of the conic cuts off, so two intervals are a union of two
half-planes and their complement an intersection, which `half_spaces` realises with the second layer. After folds
down to five runs of equal labels this saves a layer: depth k − 3 for k ≥ 5 runs. Up to two changes need one fold only.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from constructions.arithmetic import Arithmetic, Exact
from constructions.errors import InputError
from constructions.fold import Fold
from constructions.half_spaces import float_of, two_classes, wedge_layers, wedge_margins
from constructions.line import Line
from constructions.lowering import Head, lower
from constructions.network import Affine, LNNet
from constructions.points import Label, LabeledPoints
from constructions.rational import scale_binary, to_rational
from constructions.spherical_projection import Frame

#: Most runs of equal labels that one fold, and that two layers, separate.
ONE_LAYER_RUNS, TWO_LAYER_RUNS = 3, 5


def chord_network(
    points: LabeledPoints, *, direction: Sequence[Any] = (1,), arithmetic: Arithmetic | None = None
) -> LNNet:
    """The LN-Net of depth at most 2 that separates two classes along a line.

    Args:
        points: labelled points with at most two classes.
        direction: d numbers, the projection to the line (default: the line itself, d = 1).
        arithmetic: what the weights are (default: exact).

    Returns:
        A network of width 3 and depth 0, 1 or 2 (at most 1, 2 and 4 label changes).

    Raises:
        InputError: more than four label changes, or more than two classes.
        MergeConfusionError, UndecidedError: points of different classes (nearly) coincide along the direction.

    >>> net = chord_network(LabeledPoints.of(range(5), list("abaab")))
    >>> net.depth, "".join(net.predict([k]) for k in range(5))
    (2, 'abaab')
    """
    arithmetic = Exact() if arithmetic is None else arithmetic
    row = tuple(arithmetic.round(to_rational(x)) for x in direction)
    rational = tuple(to_rational(x) if not arithmetic.exact else x.value for x in row)
    with arithmetic.work():
        line = Line.of(points.project(rational), points.labels, arithmetic)
        return lower_with_chords(row, (), line, points.classes)


def lower_with_chords(head: Head, folds: Sequence[Fold], line: Line, classes: Sequence[Label]) -> LNNet:
    """Like `lower`, for a line with up to five runs: one more fold or two more layers finish it.

    Args:
        head: the projection to the line, or a first layer.
        folds: one LN layer each.
        line: where the folds lead; call inside its arithmetic's ``work()``.
        classes: at most two labels, in the order of the network's classes.

    Raises:
        InputError: more than five runs, or more than two classes.
    """
    pair = two_classes(classes)
    if line.runs <= 2:
        return lower(head, folds, line, pair)
    if line.runs <= ONE_LAYER_RUNS:
        fold = interval_fold(line)
        return lower(head, [*folds, fold], line.after(fold), pair)
    return lower(head, folds, line, pair, tail=chord_layers(line, pair))


def interval_fold(line: Line) -> Fold:
    """The fold, even about the middle of the middle run, after which three runs are two.

    Raises:
        InputError: not exactly three runs.
    """
    if line.runs != ONE_LAYER_RUNS:
        raise InputError(f"Expected three runs of equal labels, not {line.runs}.")
    arithmetic = line.arithmetic
    left, right = line.cuts()
    centre = (left + right) / 2
    scale = (right - left) / 2
    return arithmetic.fold(arithmetic.enter(centre), arithmetic.enter(scale), fmpq(0), fmpq(1))


def chord_layers(line: Line, classes: tuple[Label, Label]) -> tuple[Affine, Affine, Affine]:
    """Three affine maps with an LN between neighbours that take a position to its class, for three to five runs.

    Args:
        line: two classes; call inside its arithmetic's ``work()``.
        classes: the label of a negative and of a positive output.

    Returns:
        Affine maps 1 → 3, 3 → 3 and 3 → 1.

    Raises:
        InputError: fewer than three or more than five runs.
    """
    arithmetic = line.arithmetic
    shift, scale, factor = choose_lift(line)
    fold = arithmetic.fold(arithmetic.enter(shift), arithmetic.enter(scale), fmpq(0), fmpq(1))
    column, bias = fold.frame.inlet(fold.shift, fold.scale)
    first = Affine(tuple((x,) for x in map(arithmetic.round, column)), tuple(map(arithmetic.round, bias)))
    return first, *wedge_of_chords(line, fold, factor, classes)


def wedge_of_chords(line: Line, lift: Fold, factor: fmpq, classes: tuple[Label, Label]) -> tuple[Affine, Affine]:
    """The last two of the maps of `chord_layers`, for a line that the fold's shift and scale have lifted.

    Args:
        line: three to five runs of two classes; call inside its arithmetic's ``work()``.
        lift: only its shift, scale and frame matter: LN has been given (p−s)·a + c·b (see `Frame`).
        factor: positive factor of the second chord, free (see `choose_lift`).
        classes: the label of a negative and of a positive output.
    """
    arithmetic = line.arithmetic
    inner = line.clusters[0].label  # the two chords cut off the runs of the *other* label
    images = [on_conic(lift, cut, arithmetic) for cut in line.cuts()]
    if len(images) == ONE_LAYER_RUNS:  # the last run ends where the line does, at infinity
        images.append((arithmetic.sqrt(arithmetic.enter(lift.frame.gain_squared)), arithmetic.enter(fmpq(0))))
    pairs = [images[:2], images[2:]] if len(images) == 4 else [images, images]
    sign = arithmetic.enter(fmpq(1 if inner == classes[0] else -1))
    factors = (sign, sign * arithmetic.enter(factor))
    chords = [chord_form(ends, weight) for ends, weight in zip(pairs, factors, strict=True)]
    rows = [on_neurons(chord, lift.frame, arithmetic) for chord in chords]
    return wedge_layers(rows, [chord[2] for chord in chords], "or" if inner == classes[0] else "and", arithmetic)


def on_conic(fold: Fold, position: Any, arithmetic: Arithmetic) -> tuple[Any, Any]:
    """Where the first layer takes a position: (gain·(p−s), gain·c)/√((p−s)² + κc²)."""
    enter = arithmetic.enter
    h, c = enter(position) - enter(fold.shift), enter(fold.scale)
    factor = arithmetic.sqrt(enter(fold.frame.gain_squared)) / arithmetic.sqrt(h * h + c * c * enter(fold.frame.kappa))
    return h * factor, c * factor


def chord_form(ends: Sequence[Sequence[Any]] | NDArray[Any], weight: Any) -> tuple[Any, Any, Any]:
    """(α, β, δ) with αX + βY + δ zero at both ends and, for weight > 0, positive on the arc between them."""
    (x1, y1), (x2, y2) = ends
    return weight * (y1 - y2), weight * (x2 - x1), weight * (x1 * y2 - x2 * y1)


def on_neurons(chord: tuple[Any, Any, Any], frame: Frame, arithmetic: Arithmetic) -> list[Any]:
    """The row that evaluates αX + βY on the three outputs of the first LN."""
    units = (frame.outlet(fmpq(1), fmpq(0)), frame.outlet(fmpq(0), fmpq(1)))
    return [chord[0] * arithmetic.enter(x) + chord[1] * arithmetic.enter(y) for x, y in zip(*units, strict=True)]


def choose_lift(line: Line) -> tuple[fmpq, fmpq, fmpq]:
    """Shift, scale and the second chord's factor: of a grid of candidates the one with the largest least margin.

    Chosen in floating point, on the line from the first cut (0) to the last (1); nothing rests on it but the margin.

    Raises:
        InputError: fewer than three or more than five runs.
    """
    if not ONE_LAYER_RUNS <= line.runs <= TWO_LAYER_RUNS:
        raise InputError(f"Two chords separate three to five runs of equal labels, not {line.runs}.")
    arithmetic = line.arithmetic
    exact = [_rational(arithmetic, cut) for cut in line.cuts()]
    origin, span = exact[0], exact[-1] - exact[0]
    places = [float_of((cut - origin) / span) for cut in exact]
    points = np.array([float_of((_rational(arithmetic, c.position) - origin) / span) for c in line.clusters])
    centres = sorted({*exact, *((a + b) / 2 for a, b in pairwise(exact)), (exact[0] + exact[-1]) / 2})
    shifts = np.array([float_of((c - origin) / span) for c in centres])[:, None, None, None]
    gap = max(min(b - a for a, b in pairwise(places)), 2.0**-48)
    exponents = np.arange(int(np.log2(gap)) - 1, 2)
    scales = np.ldexp(1.0, exponents)[:, None, None]
    factors = np.ldexp(1.0, np.arange(-4, 5))[:, None]

    def on_circle(p: Any) -> tuple[Any, Any]:
        q = (p - shifts) / scales
        norm = np.hypot(q, 1.0)
        return q / norm, 1.0 / norm

    ends = [on_circle(p) for p in places]
    if len(ends) == ONE_LAYER_RUNS:
        ends.append((1.0, 0.0))
    x, y = on_circle(points)
    first, second = (
        np.add(np.add(a * x, b * y), d)
        for a, b, d in (chord_form(pair, 1.0) for pair in ([ends[:2], ends[2:]] if len(ends) == 4 else [ends, ends]))
    )
    margins = wedge_margins(first, factors * second, "or").min(axis=-1)
    i, j, k = np.unravel_index(int(np.argmax(margins)), margins.shape)
    return centres[int(i)], span * scale_binary(fmpq(1), int(exponents[int(j)])), scale_binary(fmpq(1), int(k) - 4)


def _rational(arithmetic: Arithmetic, position: Any) -> fmpq:
    """A rational close to a position (only for choices that need not be exact)."""
    if isinstance(position, fmpq):
        return position
    if arithmetic.exact:
        return position.value if position.value is not None else to_rational(float(position))
    return arithmetic.middle(position)
