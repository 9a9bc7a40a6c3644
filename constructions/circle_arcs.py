r"""Read-out straight from the circle: one LN layer where every class is an arc, two for two classes in four arcs.

K ≥ 3 arcs. Let the ends :math:`b_1,\dots,b_K` of the arcs be in order around the circle, O their mean, and
:math:`\ell_k(z)=\det(b_k-O,z-O)`. The read-out takes :math:`f_1=0` and :math:`f_{k+1}=f_k+\ell_k`. After a full turn
nothing is left, since :math:`\sum_k\ell_k(z)=\det(\sum_k(b_k-O),z-O)=0`. Across the ray from O through b_k the slope
rises, since :math:`\ell_k` is positive ahead of it, and O lies inside the hull of the ends, so every sector is narrower
than π. So the function that is f_k on sector k is convex, hence it is the largest of all f, and the argmax finds the
sector. Two arcs are cut apart by a chord, four arcs of two classes by an AND or an OR of two chords (`half_spaces`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from constructions.arithmetic import Arithmetic
from constructions.circle_chords import chord_form, on_neurons
from constructions.circle_view import CircleView
from constructions.half_spaces import How, rounded, two_classes, wedge_layers, wedge_margins
from constructions.network import Affine, LNNet
from constructions.points import LabeledPoints
from constructions.rational import to_rational
from constructions.sight import Sight, first_sight

Array = NDArray[np.float64]
#: Arcs of two classes that two layers separate.
_FOUR = 4
#: Margins below this are not left to floating point.
_RESOLVED = 1e-9
#: Powers of two by which one chord is weighed against another.
_EXPONENTS = np.arange(-8, 9)


def read_arcs(view: CircleView, points: LabeledPoints, arithmetic: Arithmetic) -> LNNet | None:
    """The network of depth 1 or 2 that reads the classes off the circle, if they allow for that.

    Args:
        view: where the first layer sees the points.
        points: the points and their labels; at least two classes occur.
        arithmetic: of the weights, not an exact one; call inside its ``work()``.

    Returns:
        The network, whose certificate decides; None if some class has more than one arc and there are not two classes
        with two arcs each, or if the margins are too small for floating point.
    """
    directions, labels = view.see(points), np.array([points.classes.index(x) for x in points.labels])
    directions = directions / np.hypot(directions[:, 0], directions[:, 1])[:, None]
    order = np.argsort(np.arctan2(directions[:, 1], directions[:, 0]), kind="stable")
    ends, names = _arcs(directions[order], labels[order])
    seen = np.c_[directions, np.ones(len(points))]
    if len(names) == len(points.classes):
        forms = _chord(ends, names) if len(names) == 2 else _fan(ends, names)
        return _lowered(forms, view, points, arithmetic) if _margin(seen @ forms.T, labels) > _RESOLVED else None
    if len(names) == _FOUR and len(points.classes) == 2:
        margin, how, forms = _wedge(ends, int(names[0]), seen)
        return _lowered(forms, view, points, arithmetic, how) if margin > _RESOLVED else None
    return None


def _margin(values: Array, labels: NDArray[np.int64]) -> float:
    """The least margin of a threshold (one column) or an argmax."""
    if values.shape[1] == 1:
        return float(np.min(values[:, 0] * np.where(labels == 1, 1.0, -1.0)))
    own = np.arange(values.shape[1]) == labels[:, None]
    return float(np.min(values[own] - np.where(own, -np.inf, values).max(axis=1)))


def _lowered(
    forms: Array, view: CircleView, points: LabeledPoints, arithmetic: Arithmetic, how: How | None = None
) -> LNNet:
    """The network whose outputs are these forms (αx + βy + δ on the circle), or the AND or OR of two."""
    root = to_rational(float(np.sqrt(1 / 3)))  # the conic is then the circle of the view, but for this rounding
    rows = view.rows[0], tuple(x * root for x in view.rows[1])
    sight = first_sight([[arithmetic.enter(x) for x in row] for row in rows], arithmetic)
    weights, offsets = zip(*(_on_neurons(form, sight, arithmetic) for form in forms), strict=True)
    if how is None:
        tail: tuple[Affine, ...] = (
            Affine(
                tuple(tuple(rounded(arithmetic, w) for w in row) for row in weights),
                tuple(rounded(arithmetic, x) for x in offsets),
            ),
        )
    else:
        tail = wedge_layers(weights, offsets, how, arithmetic)
    two = len(points.classes) == 2
    classes = two_classes(points.classes) if two else points.classes
    return LNNet((sight.layer, *tail), classes, "threshold" if two else "argmax", fmpq(0), arithmetic.semantics)


def _arcs(around: Array, labels: NDArray[np.int64]) -> tuple[Array, NDArray[np.int64]]:
    """Ends of arcs, half-way between neighbours of different classes, and the class that begins at each."""
    before = np.roll(np.arange(len(around)), 1)
    first = np.flatnonzero(labels != labels[before])
    one, two = around[before[first]], around[first]
    turn = np.arctan2(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0], (one * two).sum(axis=1)) % (2 * np.pi) / 2
    start = np.arctan2(one[:, 1], one[:, 0])
    return np.stack([np.cos(start + turn), np.sin(start + turn)], axis=1), labels[first]


def _on_neurons(form: Sequence[float], sight: Sight, arithmetic: Arithmetic) -> tuple[list[Any], Any]:
    """αx + βy + δ on the circle as three weights and an offset."""
    enter = arithmetic.enter
    gain = arithmetic.sqrt(enter(sight.frame.gain_squared))
    x, y, offset = (enter(to_rational(float(w))) for w in form)
    return on_neurons(
        (x / gain, y * arithmetic.sqrt(enter(sight.frame.kappa)) / gain, 0), sight.frame, arithmetic
    ), offset


def _chord(ends: Array, names: NDArray[np.int64]) -> Array:
    """Positive on the arc of class 1: the one that begins at the first end, or the other."""
    return np.array([chord_form(ends[::-1] if names[0] else ends, 1.0)])


def _fan(ends: Array, names: NDArray[np.int64]) -> Array:
    middle = ends.mean(axis=0)
    forms, form = np.zeros((len(names), 3)), np.zeros(3)
    for end, name in zip(ends, names, strict=True):
        x, y = end - middle
        form = form + np.array([-y, x, y * middle[0] - x * middle[1]])
        forms[name] = form
    return forms


def _wedge(ends: Array, first: int, seen: Array) -> tuple[float, How, Array]:
    """Of the OR over the arcs of class 1 and the AND around those of class 0 the one with the larger margin."""
    found: list[tuple[float, How, Array]] = []
    ways: tuple[tuple[How, int], ...] = (("or", 1), ("and", 0))
    for how, inner in ways:
        turned = ends if first == inner else np.roll(ends, -1, axis=0)
        forms = np.array([chord_form(turned[k : k + 2][::-1], 1.0 if inner else -1.0) for k in (0, 2)])
        values = seen @ forms.T
        scale = np.ldexp(1.0, _EXPONENTS) * np.median(np.abs(values[:, 0])) / np.median(np.abs(values[:, 1]))
        margins = wedge_margins(values[:, 0], scale[:, None] * values[:, 1], how).min(axis=1)
        number = int(np.argmax(margins))
        found.append((float(margins[number]), how, forms * np.array([[1.0], [scale[number]]])))
    return max(found, key=lambda entry: entry[0])
