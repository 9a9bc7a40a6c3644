r"""Two merges a layer: every two-class labelling of m points on a line at depth ⌈(m − 1)/2⌉.

Once the line is on a conic, two chords that do not cross meet in a point O outside of it (or at infinity), and the
layer that looks from O (`sight`) merges the ends of both. Take the first point with the next one of its label, and
the last point with the previous one of its label. With six runs or more these four are distinct and in this order.
The layer reflects only points between the two ends of a chord, among the points between the same two ends, and all of
these have the other label, so nothing of different labels meets: two points are gone, the others stay distinct or had
equal labels. Five runs are left to two chords (`circle_chords`). Hence 2L + 1 points on a line, wherever they lie,
are shattered at depth L ≥ 2, where Corollary 3 of Ni et al. (2024) gives L + 2, and m points need depth ⌈(m − 1)/2⌉,
where Theorem 2 needs m − 2.

The algorithm may take any two pairs; of all it takes those after which the two classes are farthest apart, chosen in
floating point, and where that does not resolve the points, the two pairs of the proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from flint import fmpq

from constructions.arithmetic import Arithmetic, Dyadic
from constructions.circle_chords import TWO_LAYER_RUNS, choose_lift, lower_with_chords, wedge_of_chords
from constructions.errors import InputError, UndecidedError
from constructions.fold import Fold
from constructions.half_spaces import float_of, two_classes
from constructions.line import Cluster, Line
from constructions.look_choice import Look, Pair, best_looks
from constructions.lowering import lower
from constructions.network import Affine, LNNet
from constructions.points import Label, LabeledPoints
from constructions.rational import to_rational
from constructions.sight import Sight, first_sight, frame_of, later_sight
from constructions.spherical_projection import Frame


@dataclass(frozen=True)
class LookSequence:
    """Layers in the order of application, and the line of slopes they end in.

    Attributes:
        folds: one LN layer each: looks at the conic, none if there are at most five runs to begin with.
        line: the clusters after the last of them.
        breaks: none, ever.
    """

    folds: tuple[Sight | Fold, ...]
    line: Line
    breaks: int = 0


#: Narrower gaps (radians) are not left to floating point.
_RESOLVED = 1e-9
#: Precision, in bits, at which the search for enough of them ends.
MAX_BITS = 1 << 15


def double_merge_network(
    points: LabeledPoints, *, direction: Sequence[Any] = (1,), arithmetic: Arithmetic | None = None
) -> LNNet:
    """The LN-Net of depth at most max(1, ⌈(m − 1)/2⌉) for two classes along a line.

    Args:
        points: m labelled points with at most two classes.
        direction: d numbers, the projection to the line (default: the line itself, d = 1).
        arithmetic: what the weights are (default: dyadic, with 128 bits or as many more as it takes).

    Returns:
        A network of width 3. Certify it; with too few bits it may be wrong.

    Raises:
        InputError: more than two classes.
        MergeConfusionError, UndecidedError: different classes (nearly) coincide along the direction or later on.

    >>> labels = [0, 1, 0, 1, 0, 1, 0]
    >>> net = double_merge_network(LabeledPoints.of(range(7), labels))
    >>> net.depth, [net.predict([k]) for k in range(7)] == labels
    (3, True)
    """
    if arithmetic is None:
        return _with_enough_bits(points, direction)
    exact = tuple(to_rational(x) for x in direction)
    positions = points.project(exact)
    low, high = min(positions), max(positions)
    scale = (high - low) / 2 if high > low else fmpq(1)
    rows = ((*exact, -(low + high) / 2), (*(x * 0 for x in exact), scale))
    with arithmetic.work():
        head = first_sight([[arithmetic.enter(w) for w in row] for row in rows], arithmetic)
        return look_on(head, points, arithmetic)


def _with_enough_bits(points: LabeledPoints, direction: Sequence[Any]) -> LNNet:
    bits = 128
    while True:
        try:
            return double_merge_network(points, direction=direction, arithmetic=Dyadic(bits))
        except UndecidedError:
            if bits >= MAX_BITS:
                raise
            bits *= 4


def merge_doubly(line: Line) -> LookSequence:
    """Two merges a layer until five runs are left, for `lower_looks` to read out.

    Args:
        line: at most two classes; call inside its arithmetic's ``work()``.

    Raises:
        InputError: more than two classes.
        UndecidedError: the precision does not suffice.
    """
    two_classes(sorted({c.label for c in line.clusters}, key=repr))
    if line.runs <= TWO_LAYER_RUNS:
        return LookSequence((), line)
    arithmetic = line.arithmetic
    enter, half = arithmetic.enter, arithmetic.enter(fmpq(1, 2))
    low, high = (_centred(arithmetic, line.clusters[k].position) for k in (0, -1))
    head = first_sight([[enter(fmpq(1)), -(low + high) * half], [enter(fmpq(0)), (high - low) * half]], arithmetic)
    (u, shift), (_, scale) = ([enter(w) for w in row] for row in head.rows)
    sights, line = _merged([head], line.moved([(u * c.position + shift) / scale for c in line.clusters]))
    return LookSequence(tuple(sights), line)


def lower_looks(direction: Sequence[Any], folds: Sequence[Sight | Fold], line: Line, classes: Sequence[Label]) -> LNNet:
    """The LN-Net of `merge_doubly`'s layers, which begin on the line, for points that a direction takes there.

    Args:
        direction: d exact weights, the projection to the line.
        folds: the looks; or folds, if nothing had to be merged.
        line: where they lead; call inside its arithmetic's ``work()``.
        classes: at most two labels, in the order of the network's classes.
    """
    arithmetic = line.arithmetic
    sights = [layer for layer in folds if isinstance(layer, Sight)]
    if not sights:
        plain = [layer for layer in folds if isinstance(layer, Fold)]
        return (lower_with_chords if len(classes) == 2 else lower)(direction, plain, line, classes)
    net = _read(sights, line, two_classes(classes))
    first = net.layers[0]
    weight = tuple(tuple(arithmetic.round(a * b) for b in direction) for (a,) in first.weight)
    return replace(net, layers=(Affine(weight, first.bias), *net.layers[1:]))


def look_on(head: Sight, points: LabeledPoints, arithmetic: Arithmetic) -> LNNet:
    """Finish a network whose first layer gives every point a slope (V > 0), by two merges a layer and two chords.

    Call inside the arithmetic's ``work()``; raises as `double_merge_network`.
    """
    classes = two_classes(points.classes)
    line = Line.of([head.slope(p) for p in points.points], points.labels, arithmetic)
    sights, line = _merged([head], line)
    return _read(sights, line, classes)


def _merged(sights: list[Sight], line: Line) -> tuple[list[Sight], Line]:
    while line.runs > TWO_LAYER_RUNS:
        sight, line = merge_twice(line)
        sights.append(sight)
    return sights, line


def merge_twice(line: Line) -> tuple[Sight, Line]:
    """One layer that brings two pairs of clusters together, and the line after it.

    Args:
        line: slopes of two classes, at least six runs; call inside its arithmetic's ``work()``.

    Raises:
        InputError: fewer runs.
        UndecidedError: the precision does not suffice.
    """
    if line.runs <= TWO_LAYER_RUNS:
        raise InputError(f"Expected at least {TWO_LAYER_RUNS + 1} runs of equal labels, not {line.runs}.")
    arithmetic = line.arithmetic
    frame = frame_of(arithmetic)
    g, kappa = arithmetic.sqrt(arithmetic.enter(frame.gain_squared)), arithmetic.enter(fmpq(frame.kappa))
    slopes = [_centred(arithmetic, c.position) for c in line.clusters]
    conic = [(g * p, g, arithmetic.sqrt(p * p + kappa)) for p in slopes]
    look = _best_look(line, frame)
    if look is not None:
        try:
            return _through(line, look.chords, look_rows(look, conic, arithmetic))
        except UndecidedError:  # floating point saw something else than there is
            pass
    return _through(line, *_look_of_the_proof(line, conic))


def _through(line: Line, chords: tuple[Pair, Pair], rows: list[list[Any]]) -> tuple[Sight, Line]:
    sight = later_sight(rows, line.arithmetic)
    image = sight.image(line.arithmetic)
    return sight, line.moved([image(c.position) for c in line.clusters], chords)


def _best_look(line: Line, frame: Frame) -> Look | None:
    """The best look that floating point can see, or None if it does not tell the clusters apart."""
    with np.errstate(all="ignore"):
        q = np.array([_float(line.arithmetic, c.position) for c in line.clusters])
        gain = float_of(frame.gain_squared) ** 0.5
        conic = np.stack([gain * q, gain * np.ones_like(q), np.sqrt(q * q + frame.kappa)], axis=1)
        if not np.isfinite(conic).all():
            return None
        look = best_looks(conic, np.array([c.label == line.clusters[0].label for c in line.clusters]), frame.kappa)[0]
    return look if look.gap > _RESOLVED and np.isfinite(look.turn).all() else None


def _look_of_the_proof(line: Line, conic: Sequence[Sequence[Any]]) -> tuple[tuple[Pair, Pair], list[list[Any]]]:
    """The two pairs of the proof, and forms U, V > 0 found in the line's arithmetic."""
    arithmetic, n = line.arithmetic, len(line.clusters)
    labels = [c.label for c in line.clusters]
    previous = max(k for k in range(n - 1) if labels[k] == labels[-1])
    chords = ((0, labels.index(labels[0], 1)), (previous, n - 1))
    (i, j), (k, l) = chords  # noqa: E741
    origin = [_centred(arithmetic, x) for x in _cross(_cross(conic[i], conic[j]), _cross(conic[k], conic[l]))]
    axis = min(range(3), key=lambda c: abs(arithmetic.middle(origin[c])))
    first = _cross(origin, [arithmetic.enter(fmpq(int(c == axis))) for c in range(3)])
    second = _cross(origin, first)
    seen = [(_product(first, p), _product(second, p)) for p in conic]
    others = range(1, n - 1)  # the two ends are seen where their partners are
    left = right = 1
    for c in others[1:]:  # all rays lie in a half-plane, so there is a first and a last one
        left = c if arithmetic.middle(_det(seen[left], seen[c])) > 0 else left
        right = c if arithmetic.middle(_det(seen[right], seen[c])) < 0 else right
    a = [seen[left][1] * x - seen[left][0] * y for x, y in zip(first, second, strict=True)]
    b = [seen[right][0] * y - seen[right][1] * x for x, y in zip(first, second, strict=True)]
    inner = sorted(
        arithmetic.middle(_det(seen[c], seen[left]) / _det(seen[right], seen[c]))
        for c in others
        if c not in (left, right)
    )
    balance = arithmetic.enter(inner[len(inner) // 2])
    root = arithmetic.sqrt(arithmetic.enter(fmpq(frame_of(arithmetic).kappa)))
    forms = zip(a, b, strict=True)
    return chords, [list(row) for row in zip(*((root * (x - balance * y), x + balance * y) for x, y in forms))]


def _det(x: Sequence[Any], y: Sequence[Any]) -> Any:
    return x[0] * y[1] - x[1] * y[0]


def _product(x: Sequence[Any], y: Sequence[Any]) -> Any:
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]


def look_rows(look: Look, conic: Sequence[Sequence[Any]], arithmetic: Arithmetic) -> list[list[Any]]:
    """The forms U, V of a look, computed in the arithmetic from homogeneous points."""
    (i, j), (k, l) = look.chords  # noqa: E741
    origin = _cross(_cross(conic[i], conic[j]), _cross(conic[k], conic[l]))
    origin = [_centred(arithmetic, x) for x in origin]
    unit = [arithmetic.enter(fmpq(int(n == look.axis))) for n in range(3)]
    first = _cross(origin, unit)
    second = _cross(origin, first)
    turn = [[arithmetic.enter(to_rational(float(x))) for x in row] for row in look.turn]
    return [[a * x + b * y for x, y in zip(first, second, strict=True)] for a, b in turn]


def _read(sights: list[Sight], line: Line, classes: tuple[Label, Label]) -> LNNet:
    """Read out up to three runs from the last conic, or end four and five with one more layer."""
    arithmetic = line.arithmetic
    layers = [sight.layer for sight in sights]
    one, zero = fmpq(1), fmpq(0)
    sign = 1 if line.clusters[-1].label == classes[1] else -1
    if line.runs == 1:
        tail = [Affine((tuple(map(arithmetic.round, (zero,) * 3)),), (arithmetic.round(one * sign),))]
    elif line.runs == 2:  # the narrower the lift, the farther the classes go apart
        (cut,) = line.cuts()
        left, right = (c.position for c in _neighbours(line))
        layers[-1] = _lifted(sights, cut, arithmetic.middle(right - left) / 8, arithmetic).layer
        tail = [_read_off(arithmetic, (one * sign, zero), zero)]
    elif line.runs == 3:
        left, right = line.cuts()
        last = _lifted(sights, (left + right) / 2, (right - left) / 2, arithmetic)
        layers[-1] = last.layer
        level = arithmetic.sqrt(arithmetic.enter(last.frame.gain_squared / (last.frame.kappa + 1)))
        tail = [_read_off(arithmetic, (zero, -one * sign), arithmetic.middle(level) * sign)]
    else:
        shift, scale, factor = choose_lift(line)
        last = _lifted(sights, shift, scale, arithmetic)
        layers[-1] = last.layer
        s, c = arithmetic.enter(shift), arithmetic.enter(scale)
        lift = Fold(arithmetic.enter(zero), arithmetic.enter(one), zero, one, last.frame)
        tail = [*wedge_of_chords(line.moved([(p.position - s) / c for p in line.clusters]), lift, factor, classes)]
    return LNNet((*layers, *tail), classes, "threshold", zero, arithmetic.semantics)


def _neighbours(line: Line) -> tuple[Cluster, Cluster]:
    return next((a, b) for a, b in pairwise(line.clusters) if a.label != b.label)


def _lifted(sights: list[Sight], shift: Any, scale: Any, arithmetic: Arithmetic) -> Sight:
    """The last layer with its slopes q changed to (q − shift)/scale."""
    u, v = ([arithmetic.enter(w) for w in row] for row in sights[-1].rows)
    s, c = arithmetic.enter(shift), arithmetic.enter(scale)
    rows = [[x - s * y for x, y in zip(u, v, strict=True)], [c * y for y in v]]
    return (first_sight if len(sights) == 1 else later_sight)(rows, arithmetic)


def _read_off(arithmetic: Arithmetic, form: tuple[Any, Any], offset: Any) -> Affine:
    """The last affine map: a form in (X, Y) plus a constant."""
    row = tuple(arithmetic.round(w) for w in frame_of(arithmetic).outlet(*form))
    return Affine((row,), (arithmetic.round(offset),))


def _float(arithmetic: Arithmetic, position: Any) -> float:
    return float(position) if arithmetic.exact else float_of(arithmetic.middle(position))


def _centred(arithmetic: Arithmetic, position: Any) -> Any:
    """A position without its uncertainty: what a design starts from is up to the designer."""
    return position if arithmetic.exact else arithmetic.enter(arithmetic.middle(position))


def _cross(x: Sequence[Any], y: Sequence[Any]) -> list[Any]:
    return [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
