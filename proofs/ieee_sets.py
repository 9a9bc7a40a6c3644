r"""Sets of rows that every IEEE evaluation stays in, and what an affine map and an LN do to them.

Two forms. Between affine maps of rank one, W = a vᵀ, a row matters only through the real number p = v·x, whatever the
errors in x, so a ball around p is carried by the exact function p ↦ v'·LN(a p + b), enclosed by the mean value theorem,
and widened by what roundings add. Otherwise the set is a centre with a few directions, each bounded, and a small box:
first-order errors stay correlated through affine maps and the derivative of LN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb, fmpq

from constructions.network import Affine
from proofs.checker import Ray, rank_one
from proofs.ieee_rounding import Format, Unbounded, affine_error, normalization_error, top, widened

#: Rows of so many neurons keep their errors as directions from layer to layer; wider ones as a box.
_TURNED = 12


class FloatLayer:
    """One affine map with its rounding behaviour and, if its weights have rank one, its scalar form.

    Attributes:
        factors: (a, v) with weight = a vᵀ, or None.
    """

    def __init__(self, layer: Affine, f: Format):
        self.format, self.factors = f, rank_one(layer)
        self.rows = [_Row(weights, bias) for weights, bias in zip(layer.weight, layer.bias, strict=True)]

    def scalar(self, x: RowSet) -> arb | None:
        """A ball around v·x for all rows of a set; None if the weights have not rank one."""
        if self.factors is None:
            return None
        row = self.factors[1]
        radius = sum((top(_dot(g, row)) for g in (*x.directions, *x.axes())), arb(0))
        return widened(_dot(x.centre, row), top(radius))

    def exact(self, p: arb) -> list[arb]:
        """Balls around the exact outputs, from the scalar."""
        column = () if self.factors is None else self.factors[0]
        return [a * p + row.bias for a, row in zip(column, self.rows, strict=True)]

    def errors(self, exact: Sequence[arb], x: Sequence[arb]) -> list[arb]:
        """Bounds on the rounding errors of the outputs."""
        return [row.error(self.format, x, total) for row, total in zip(self.rows, exact, strict=True)]

    def __call__(self, x: RowSet, p: arb | None) -> RowSet:
        """All computed outputs for all inputs of a set, with v·x in the ball p if the weights have rank one."""
        if p is None or self.factors is None:
            centre = [row.linear(x.centre) + row.bias for row in self.rows]
            directions = [[row.linear(g) for row in self.rows] for g in (*x.directions, *x.axes())]
        else:
            centre, directions = self.exact(p.mid()), [[p.rad() * a for a in self.factors[0]]]
        totals = [widened(v, top(sum((top(g[k]) for g in directions), arb(0)))) for k, v in enumerate(centre)]
        return RowSet.of(centre, directions, self.errors(totals, x.balls()))


class _Row:
    """One neuron: its nonzero weights, powers of two last."""

    def __init__(self, weights: Sequence[Any], bias: Any):
        nonzero = [(k, w) for k, w in enumerate(weights) if w != 0]
        self.weights = sorted(nonzero, key=lambda item: _is_power_of_two(item[1]))
        self.free = sum(_is_power_of_two(w) for _, w in nonzero)
        self.bias = bias

    def linear(self, x: Sequence[arb]) -> arb:
        return sum((x[k] * w for k, w in self.weights), arb(0))

    def error(self, f: Format, x: Sequence[arb], total: arb) -> arb:
        products = [x[k] * w for k, w in self.weights]
        return affine_error(f, products, self.free, None if self.bias == 0 else arb(self.bias), total)


@dataclass(frozen=True)
class RowSet:
    """All centre + Σ εⱼ directionⱼ + r with |εⱼ| ≤ 1 and |rᵢ| ≤ boxᵢ; numbers are exact, bounds upper bounds."""

    centre: list[arb]
    directions: list[list[arb]]
    box: list[arb]

    @classmethod
    def of(cls, centre: Sequence[arb], directions: Sequence[Sequence[arb]], box: Sequence[arb]) -> RowSet:
        """From balls: their radii go into the box."""
        vectors = [centre, *directions]
        loose = [top(sum((v[k].rad() for v in vectors), r)) for k, r in enumerate(box)]
        return cls([v.mid() for v in centre], [[v.mid() for v in g] for g in directions], loose)

    def axes(self) -> list[list[arb]]:
        """The box as directions."""
        n = len(self.box)
        return [[r if i == k else arb(0) for i in range(n)] for k, r in enumerate(self.box)]

    def balls(self) -> list[arb]:
        """A ball around every coordinate."""
        spreads = (sum((abs(g[k]) for g in self.directions), r) for k, r in enumerate(self.box))
        return [widened(v, top(r)) for v, r in zip(self.centre, spreads, strict=True)]


def normalized(f: Format, h: RowSet, epsilon: fmpq) -> RowSet:
    r"""All rows that LN can be computed to from the rows of a set.

    With c the centred row and s = √(σ² + ε), LN = c/s has the derivative g ↦ (g − z(z·g)/n)/s on centred g. Its second
    derivative along δ is at most 2/√3·|δ|²/(√n s²): in the space of c and √(nε) LN is √n times the projection onto the
    unit sphere, whose second derivative is −(2ab + b²x̂)/|x|² for δ = ax̂ + b. Half of that bounds the remainder.
    """
    n = len(h.centre)
    moves = [_centred(g) for g in (*h.directions, *h.axes())]
    c = _centred(h.centre)
    s = (_dot(c, c) / n + epsilon).sqrt()
    length = top(sum((top(_dot(g, g).sqrt()) for g in moves), arb(0)))
    reach = widened(s, top(length / arb(n).sqrt()))  # s is a norm of c and √(nε), divided by √n
    if not reach > 0:
        raise Unbounded("the deviation may vanish")
    spreads = [top(sum((top(g[k]) for g in moves), arb(0))) for k in range(n)]
    rows = h.balls()
    mean = sum(rows, arb(0)) / n
    error = normalization_error(f, rows, [widened(*x) for x in zip(c, spreads, strict=True)], mean, reach, epsilon)
    z = [v / s for v in c]
    images = [[(v - w * along) / s for v, w in zip(g, z, strict=True)] for g in moves for along in [_dot(z, g) / n]]
    bend = top(length * length / (reach.lower() ** 2 * arb(3 * n).sqrt()))
    box = []
    for k, own in enumerate(error.own):
        moved = top(sum((top(g[k]) for g in images), bend))
        box.append(bend + own + moved * error.scale)  # the shared relative error acts on the moved row
    directions, rest = _turned(images)
    directions += [[v * error.scale for v in z], [error.shift] * n]
    return RowSet.of(z, directions, [r + q for r, q in zip(box, rest, strict=True)])


def _turned(images: list[list[arb]]) -> tuple[list[list[arb]], list[arb]]:
    """As many directions as neurons that cover the given ones, and a box for what they leave.

    The new directions come from a QR factorisation in floats, which need not be right: what it misses is computed and
    goes into the box. Beyond `_TURNED` neurons everything goes into the box.
    """
    import numpy as np

    n = len(images[0])
    if n > _TURNED:
        return [], [sum((top(g[k]) for g in images), arb(0)) for k in range(n)]
    largest = sum((top(v) for g in images for v in g), arb(0))
    table = np.array([[float((v / largest).mid()) for v in g] for g in images]).T if largest > 0 else np.eye(n)
    order = np.argsort(-np.linalg.norm(table, axis=0), kind="stable")
    basis = np.linalg.qr(table[:, order], mode="complete")[0] if np.isfinite(table).all() else np.eye(n)
    axes = [[arb(float(v)) for v in column] for column in basis.T]
    widths, rest = [arb(0)] * n, [arb(0)] * n
    for g in images:
        parts = [_dot(axis, g) for axis in axes]
        widths = [w + top(a) for w, a in zip(widths, parts, strict=True)]
        rest = [
            r + top(v - sum((a * axis[k] for a, axis in zip(parts, axes)), arb(0)))
            for k, (r, v) in enumerate(zip(rest, g))
        ]
    return [[w * v for v in axis] for w, axis in zip(widths, axes, strict=True)], rest


def _centred(x: Sequence[arb]) -> list[arb]:
    mean = sum(x, arb(0)) / len(x)
    return [v - mean for v in x]


def _dot(x: Sequence[arb], y: Sequence[arb]) -> arb:
    return sum((v * w for v, w in zip(x, y, strict=True)), arb(0))


class ScalarStep:
    """LN between two affine maps of rank one: p = v·x ↦ p' = v'·x'."""

    def __init__(self, layer: FloatLayer, bias: Sequence[Any], row: Sequence[Any], epsilon: fmpq, number: int):
        column: Sequence[Any] = () if layer.factors is None else layer.factors[0]
        n = len(column)
        self.layer, self.epsilon, self.row = layer, epsilon, row
        self.ray = Ray(column, bias, epsilon, number)
        self.function = self.ray.functional(row)
        self.mean = sum(column, fmpq(0)) / n, sum(bias, fmpq(0)) / n
        self.row_mean = sum(row, fmpq(0)) / n

    def __call__(self, p: arb, x: RowSet) -> tuple[arb, RowSet]:
        """Where every evaluation takes p, and the computed outputs of LN."""
        f, n, row = self.layer.format, len(self.layer.rows), self.row
        h = self.layer.exact(p)
        e = self.layer.errors(h, x.balls())
        exact = self.function(p)
        if not exact.is_finite():
            raise Unbounded("the deviation may vanish")
        # The computed row is h + e: widen everything that depends on it.
        mean_e = top(sum(e, arb(0)) / n)
        h = [widened(v, r) for v, r in zip(h, e, strict=True)]
        c = [widened(a * p + b, r + mean_e) for a, b, r in zip(self.ray.a, self.ray.b, e, strict=True)]
        mean = widened(p * self.mean[0] + self.mean[1], mean_e)
        s = widened(self._deviation(p), top((_dot(e, e) / n).sqrt()))
        error = normalization_error(f, h, c, mean, s, self.epsilon)
        z = [v / s for v in c]
        # v'·LN has the gradient (v' − mean(v') − (v'·z) z/n)/s.
        value = _dot(z, row)
        gradient = [(w - self.row_mean - value * v / n) / s for v, w in zip(z, row, strict=True)]
        radius = sum((top(g) * r for g, r in zip(gradient, e, strict=True)), arb(0))
        radius += (top(exact) + radius) * error.scale + abs(self.row_mean * n) * error.shift
        radius += sum((abs(w) * own for w, own in zip(row, error.own, strict=True)), arb(0))
        box = [top(v) * error.scale + error.shift + own for v, own in zip(z, error.own, strict=True)]
        return widened(exact, top(radius)), RowSet.of(z, [], box)

    def _deviation(self, p: arb) -> arb:
        """√(σ² + ε) of the exact row."""
        if not self.ray.moves:
            return self.ray.spread
        q = p + self.ray.sigma
        return self.ray.spread * (q * q + self.ray.delta).sqrt()


def _is_power_of_two(value: fmpq) -> bool:
    p, q = abs(value.p), value.q
    return bool(p & (p - 1) == 0 and q & (q - 1) == 0)
