"""Figure 1 (Ni et al. 2024): XOR solved by hand with one spherical projection.

Rotate by 45°, project onto a horizontal line, project onto the unit circle, project onto the vertical axis. The two
classes arrive at 1 and at 1/√3. The figure's line is y = −0.5 or y = 0.5 (the sign is not legible); y = 0.5 is used.
"""

from __future__ import annotations

from flint import fmpq

from constructions.algebraic import algebraic
from constructions.arithmetic import Exact
from constructions.fold import Fold
from constructions.line import Line
from constructions.lowering import lower
from constructions.network import LNNet
from constructions.points import LabeledPoints
from constructions.spherical_projection import LEMMA1

#: Height of the line in Figure 1(c).
HEIGHT = fmpq(1, 2)


def xor_points() -> LabeledPoints:
    """The four points of XOR, labelled 0 where the coordinates agree."""
    return LabeledPoints.of([(0, 0), (0, 1), (1, 0), (1, 1)], [0, 1, 1, 0])


def figure1_fold() -> Fold:
    """Lift to y = 1/2, project onto the circle, read the ordinate: p ↦ (1/2)/√(p² + 1/4)."""
    zero, one = algebraic(0), algebraic(1)
    return Fold(zero, algebraic(HEIGHT), zero, one, LEMMA1)


def figure1_network() -> LNNet:
    """The exact LN-Net of Figure 1: depth 1, width 3, weights in radicals.

    >>> net = figure1_network()
    >>> [net.predict(x) for x in ((0, 0), (0, 1), (1, 0), (1, 1))]
    [0, 1, 1, 0]
    """
    points, arithmetic = xor_points(), Exact()
    half_root = algebraic(fmpq(1, 2)).sqrt()  # the abscissa after the rotation is (x − y)/√2
    direction = (half_root, -half_root)
    positions = [sum((w * v for w, v in zip(direction, p, strict=True)), algebraic(0)) for p in points.points]
    fold = figure1_fold()
    line = Line.of(positions, points.labels, arithmetic).after(fold)
    return lower(direction, [fold], line, points.classes)
