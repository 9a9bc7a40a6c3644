r"""The general layer of width 3, seen as a look at a conic from a point of the plane.

LN on three neurons puts everything on a conic: with the basis a, b of the zero-sum plane (`Frame`), the input
:math:`Ua+Vb` lands at :math:`(X,Y)=g\,(U,V)/\sqrt{U^2+\kappa V^2}`. As long as V > 0 the place on the conic is known by
the *slope* q = U/V, so that here too the state is a `Line`. The next layer takes :math:`(X,Y,1)` to a pair of linear
forms (U', V'), whose common zero O is the point it looks from: two points of the conic get the same slope exactly when
they lie on a line through O. An O outside the conic sees it twice, folded at the two tangents; O at infinity along the
axis gives the folds of `Fold`, O inside sees every point once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from constructions.arithmetic import Arithmetic, Float
from constructions.errors import UndecidedError
from constructions.half_spaces import rounded
from constructions.network import Affine
from constructions.spherical_projection import BALANCED, INTEGER, LEMMA1, Frame

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Sight:
    """The linear forms U and V of one layer, and the affine map of three neurons that computes them.

    Attributes:
        rows: U and V as rows of coefficients with the constant last, on (x_1, …, x_d, 1) for the first layer and on
            (X, Y, 1) for a later one; precisely those of ``layer``.
        layer: the affine map before the LN.
        frame: the basis of the zero-sum plane.
    """

    rows: tuple[Row, Row]
    layer: Affine
    frame: Frame

    def slope(self, vector: Sequence[Any]) -> Any:
        """U/V at one point (coordinates without the constant)."""
        u, v = (sum((w * x for w, x in zip(row, vector, strict=False)), row[-1]) for row in self.rows)
        return u / v

    def image(self, arithmetic: Arithmetic) -> Callable[[Any], Any]:
        """For a later layer: from the slope before the previous LN to the slope before the next.

        The function raises `UndecidedError` where V is not known to be positive: there the slope does not tell on which
        side of the conic the point is.
        """
        enter, sqrt = arithmetic.enter, arithmetic.sqrt
        rows = [[enter(w) for w in row] for row in self.rows]
        gain = sqrt(enter(self.frame.gain_squared))
        kappa = enter(self.frame.kappa)
        (u1, u2, u3), (v1, v2, v3) = [(row[0] * gain, row[1] * gain, row[2]) for row in rows]

        def slope(q: Any) -> Any:
            root = sqrt(q * q + kappa)
            height = v1 * q + v2 + v3 * root
            if not height > 0:
                raise UndecidedError("A point is not known to lie in the half-plane that a layer looks at.")
            return (u1 * q + u2 + u3 * root) / height

        return slope


def first_sight(rows: Sequence[Sequence[Any]], arithmetic: Arithmetic) -> Sight:
    """The first layer, from its forms on (x_1, …, x_d, 1) in the arithmetic's positions.

    In float arithmetic its columns sum to zero exactly, so that evaluations lose as little as possible.
    """
    if isinstance(arithmetic, Float):
        frame, middle = BALANCED, arithmetic.middle
        pairs = [arithmetic.on_grid(middle(u), middle(v)) for u, v in zip(*rows, strict=True)]
        columns = [[arithmetic.round(w) for w in (u + v, v - u, -2 * v)] for u, v in pairs]
        neurons: list[Row] = list(zip(*columns, strict=True))
    else:
        frame = frame_of(arithmetic)
        neurons = [tuple(rounded(arithmetic, w) for w in neuron) for neuron in _neurons(rows, frame, arithmetic)]
    layer = Affine(tuple(neuron[:-1] for neuron in neurons), tuple(neuron[-1] for neuron in neurons))
    return Sight(_forms(rows, neurons, arithmetic), layer, frame)


def later_sight(rows: Sequence[Sequence[Any]], arithmetic: Arithmetic) -> Sight:
    """A later layer, from its forms on (gain·q, gain, √(q² + κ)), which is (X, Y, 1) up to a positive factor."""
    frame = frame_of(arithmetic)
    out_x, out_y = (
        [arithmetic.enter(w) for w in frame.outlet(*unit)] for unit in ((fmpq(1), fmpq(0)), (fmpq(0), fmpq(1)))
    )
    neurons = _neurons(rows, frame, arithmetic)
    weight = tuple(
        tuple(rounded(arithmetic, n[0] * x + n[1] * y) for x, y in zip(out_x, out_y, strict=True)) for n in neurons
    )
    layer = Affine(weight, tuple(rounded(arithmetic, n[2]) for n in neurons))
    on_conic = [(_dot(w, (1, -1, 0)), _dot(w, (1, 1, -2)), b) for w, b in zip(weight, layer.bias, strict=True)]
    return Sight(_forms(rows, on_conic, arithmetic), layer, frame)


def frame_of(arithmetic: Arithmetic) -> Frame:
    """The frame of an arithmetic's weights: the ideal one if they may be irrational."""
    return LEMMA1 if arithmetic.exact else INTEGER


def _basis(frame: Frame) -> tuple[Row, Row]:
    """a and b, up to a multiple of (1, 1, 1)."""
    return frame.inlet(fmpq(0), fmpq(0))[0], frame.inlet(fmpq(0), fmpq(1))[1]


def _neurons(rows: Sequence[Sequence[Any]], frame: Frame, arithmetic: Arithmetic) -> list[Row]:
    """Ua + Vb, neuron by neuron."""
    a, b = _basis(frame)
    enter = arithmetic.enter
    return [tuple(enter(x) * u + enter(y) * v for u, v in zip(*rows, strict=True)) for x, y in zip(a, b, strict=True)]


def _forms(rows: Sequence[Sequence[Any]], neurons: Sequence[Row], arithmetic: Arithmetic) -> tuple[Row, Row]:
    """The forms U and V that the rounded neurons compute: their products with a and b, over |a|² and |b|²."""
    if arithmetic.exact:  # nothing has been rounded
        return tuple(rows[0]), tuple(rows[1])
    return (
        tuple((x - y) / 2 for x, y, _ in zip(*neurons, strict=True)),
        tuple((x + y - 2 * z) / 6 for x, y, z in zip(*neurons, strict=True)),
    )


def _dot(row: Sequence[Any], vector: Sequence[int]) -> Any:
    return sum((w * x for w, x in zip(row, vector, strict=True)), fmpq(0))
