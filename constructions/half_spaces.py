r"""One LN layer of width 3 is exactly the AND or the OR of two half-spaces.

For :math:`h=(h_1,h_2)\ne 0`: :math:`(h_1+h_2)/\|h\|>1` if and only if both are positive, and :math:`>-1` if and
only if one of them is. With :math:`h_i=n_i\cdot x+b_i` this is one spherical projection, hence by Lemma 1 (Ni et al.
2024) one LN on three neurons, between affine maps. XOR needs one layer, and so does every labelling of 2d + 1 points
on the moment curve of R^d, so that already depth 1 shatters 2d + 1 points where Corollary 3 gives 3.

With rational weights neither boundary is precisely rational: LN takes no zero-sum vector of Q^3 to a rational point,
as 2(x² + xy + y²) = 3r² has no rational solution but 0. So an exact network is the AND of precisely the given
half-spaces, and a dyadic one is the AND of two whose equations are those up to its rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from flint import fmpq

from constructions.arithmetic import Arithmetic, Exact
from constructions.errors import InputError, ShapeError
from constructions.network import Affine, LNNet
from constructions.points import Label, LabeledPoints
from constructions.rational import scale_binary, to_rational
from constructions.spherical_projection import lemma1_maps

How = Literal["and", "or"]


@dataclass(frozen=True)
class HalfSpace:
    """{x : normal·x + offset > 0} in R^d, with rational numbers.

    Attributes:
        normal: d rationals, not all zero.
        offset: a rational.
    """

    normal: tuple[fmpq, ...]
    offset: fmpq

    def __post_init__(self) -> None:
        if not any(x != 0 for x in self.normal):
            raise InputError("A half-space needs a normal that is not zero.")

    @classmethod
    def of(cls, normal: Sequence[Any], offset: Any) -> HalfSpace:
        """Build from anything number-like, exactly.

        >>> HalfSpace.of(["0.5", 1], -1).value((2, 1))
        1
        """
        return cls(tuple(to_rational(x) for x in normal), to_rational(offset))

    @property
    def complement(self) -> HalfSpace:
        """The opposite open half-space."""
        return HalfSpace(tuple(-x for x in self.normal), -self.offset)

    def value(self, point: Sequence[Any]) -> fmpq:
        """normal·point + offset, exactly.

        Raises:
            ShapeError: a point of another dimension.
        """
        if len(point) != len(self.normal):
            raise ShapeError(f"Expected a point with {len(self.normal)} coordinates, not {len(point)}.")
        return sum((w * to_rational(x) for w, x in zip(self.normal, point, strict=True)), self.offset)

    def scaled(self, factor: fmpq) -> HalfSpace:
        """The same half-space with its equation multiplied by a positive factor."""
        return HalfSpace(tuple(factor * x for x in self.normal), factor * self.offset)


def combine_half_spaces(
    first: HalfSpace,
    second: HalfSpace,
    how: How,
    *,
    classes: tuple[Label, Label] = (0, 1),
    arithmetic: Arithmetic | None = None,
) -> LNNet:
    """The LN-Net of depth 1 and width 3 that is the AND or the OR of two half-spaces.

    The factor between the two equations is free and decides the margins; see `balance`.

    Args:
        first, second: half-spaces of the same R^d.
        how: ``"and"`` or ``"or"``.
        classes: the label outside and the label inside.
        arithmetic: what the weights are (default: exact); see the module's description.

    Raises:
        ShapeError: half-spaces of different dimensions.
        InputError: another ``how``.

    >>> net = combine_half_spaces(HalfSpace.of([1, 1], "-1/2"), HalfSpace.of([-1, -1], "3/2"), "and")
    >>> [net.predict(x) for x in ((0, 0), (0, 1), (1, 0), (1, 1))], net.depth, net.width
    ([0, 1, 1, 0], 1, 3)
    """
    if how not in ("and", "or"):
        raise InputError(f"Argument 'how' must be 'and' or 'or', not {how!r}.")
    if len(first.normal) != len(second.normal):
        raise ShapeError(f"The half-spaces lie in R^{len(first.normal)} and R^{len(second.normal)}.")
    arithmetic = Exact() if arithmetic is None else arithmetic
    with arithmetic.work():
        rows = [[arithmetic.enter(x) for x in half.normal] for half in (first, second)]
        offsets = [arithmetic.enter(half.offset) for half in (first, second)]
        layers = wedge_layers(rows, offsets, how, arithmetic)
    return LNNet(layers, classes, "threshold", fmpq(0), arithmetic.semantics)


def wedge_layers(
    rows: Sequence[Sequence[Any]], offsets: Sequence[Any], how: How, arithmetic: Arithmetic
) -> tuple[Affine, Affine]:
    """The two affine maps around one LN that are positive where both (or one) of two affine functions are.

    Args:
        rows, offsets: the two functions, in the arithmetic's positions; call inside its ``work()``.
        how: ``"and"`` or ``"or"``.
    """
    phi1, phi2 = (tuple(tuple(map(arithmetic.enter, row)) for row in matrix) for matrix in lemma1_maps(3))
    weight = tuple(tuple(rounded(arithmetic, x * a + y * b) for a, b in zip(*rows, strict=True)) for x, y in phi1)
    bias = tuple(rounded(arithmetic, x * offsets[0] + y * offsets[1]) for x, y in phi1)
    read = tuple(rounded(arithmetic, x + y) for x, y in zip(*phi2, strict=True))
    return Affine(weight, bias), Affine((read,), (arithmetic.round(fmpq(-1 if how == "and" else 1)),))


def rounded(arithmetic: Arithmetic, position: Any) -> Any:
    """The weight nearest to a position of the arithmetic."""
    return arithmetic.round(arithmetic.middle(position))


def balance(first: HalfSpace, second: HalfSpace, points: LabeledPoints, how: How) -> HalfSpace:
    """Scale the second half-space by the power of two that makes the least margin over the points largest.

    The choice is made in floating point; whatever is chosen, the half-space stays the same set.
    """
    values = [np.array([float_of(half.value(p)) for p in points.points]) for half in (first, second)]
    sizes = [np.median(np.abs(v)) or 1.0 for v in values]
    middle = int(np.round(np.log2(sizes[0] / sizes[1])))
    exponents = np.arange(middle - 12, middle + 13)
    margins = wedge_margins(values[0], np.ldexp(1.0, exponents)[:, None] * values[1], how)
    return second.scaled(scale_binary(fmpq(1), int(exponents[int(np.argmax(margins.min(axis=-1)))])))


def wedge_margins(first: Any, second: Any, how: How) -> Any:
    """Distance of (h1 + h2)/‖h‖ from its threshold, in floating point (arrays that broadcast; 0 at the corner)."""
    norm = np.hypot(first, second)
    with np.errstate(invalid="ignore", divide="ignore"):
        read = (first + second) / norm + (-1 if how == "and" else 1)
    return np.nan_to_num(np.abs(read), nan=0.0, posinf=0.0)


def float_of(value: Any) -> float:
    """A rational as the nearest float (infinite if too large)."""
    try:
        return int(value.p) / int(value.q)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def xor_network() -> LNNet:
    """XOR in one LN layer, exactly: the strip 1/2 < x + y < 3/2 as an AND (Figure 1 does it with a fold).

    >>> [xor_network().predict(x) for x in ((0, 0), (0, 1), (1, 0), (1, 1))]
    [0, 1, 1, 0]
    """
    strip = HalfSpace((fmpq(1), fmpq(1)), fmpq(-1, 2)), HalfSpace((fmpq(-1), fmpq(-1)), fmpq(3, 2))
    return combine_half_spaces(*strip, "and")


def moment_curve_network(
    points: LabeledPoints, parameters: Sequence[Any], *, arithmetic: Arithmetic | None = None
) -> LNNet:
    """Depth 1 on the moment curve: any two-class labelling with at most 2d label changes.

    A hyperplane meets the curve t ↦ (t, t², …, t^d) at d chosen parameters. The first d changes go to one half-space,
    the others to a second one.

    Args:
        points: points of the moment curve in R^d, with at most two classes.
        parameters: their m parameters t, in the same order.
        arithmetic: what the weights are (default: exact).

    Raises:
        InputError: a point off the curve, more than two classes, or more than 2d changes.
    """
    d = points.dimension
    exact = [to_rational(t) for t in parameters]
    if len(exact) != len(points):
        raise ShapeError(f"Expected {len(points)} parameters, one a point, not {len(exact)}.")
    for number, (t, point) in enumerate(zip(exact, points.points, strict=True)):
        if point != tuple(t**k for k in range(1, d + 1)):
            raise InputError(f"Point {number} is not the point of the moment curve at {t}.")
    classes = two_classes(points.classes)
    order = sorted(range(len(exact)), key=exact.__getitem__)
    changes = [(exact[i] + exact[k]) / 2 for i, k in pairwise(order) if points.labels[i] != points.labels[k]]
    if len(changes) > 2 * d:
        raise InputError(f"The labels change {len(changes)} times along the curve; depth 1 allows {2 * d}.")
    start = points.labels[order[0]] == classes[1]
    first, second = changes[:d], changes[d:]
    positive = (len(first) % 2 == 1) != start  # the side on which the first half-space leaves its last change
    how: How = "and" if positive else "or"
    halves = (_through(first, positive, exact, d), _through(second, positive, exact, d, ahead=True))
    scaled = balance(*halves, points, how)
    return combine_half_spaces(halves[0], scaled, how, classes=classes, arithmetic=arithmetic)


def _through(
    roots: Sequence[fmpq], sign: bool, parameters: Sequence[fmpq], d: int, *, ahead: bool = False
) -> HalfSpace:
    """The half-space whose polynomial has these roots, positive or not beyond the last (``ahead``: before the first).

    Without roots: the whole curve, up to a root beyond all parameters.
    """
    low, high = min(parameters), max(parameters)
    if not roots:
        roots = [2 * high - low + 1] if ahead else [2 * low - high - 1]
    polynomial = [fmpq(1)]
    for root in roots:  # lowest coefficient first
        shifted = [fmpq(0), *polynomial]
        polynomial = [a - root * b for a, b in zip(shifted, [*polynomial, fmpq(0)], strict=True)]
    flip = (ahead and len(roots) % 2 == 1) == sign
    signed = [-x if flip else x for x in polynomial]
    padded = [*signed, *[fmpq(0)] * (d + 1 - len(signed))]
    return HalfSpace(tuple(padded[1:]), padded[0])


def two_classes(classes: Sequence[Label]) -> tuple[Label, Label]:
    """The two labels of a threshold; a single one is joined by a label that no point has.

    Raises:
        InputError: three classes or more.
    """
    if len(classes) > 2:
        raise InputError(f"Expected at most two classes, not {len(classes)}.")
    if len(classes) == 2:
        return classes[0], classes[1]
    return (classes[0], 1 if classes[0] != 1 else 0)
