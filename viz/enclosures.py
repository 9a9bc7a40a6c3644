"""Where points are in every layer of a network, enclosed in balls: the numbers behind `viz.tracing`.

Deep networks hold classes apart by less than a float resolves, so pictures too are computed from balls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flint import arb, arb_mat, ctx

from constructions.algebraic import Algebraic
from constructions.errors import DegenerateNormalizationError, ShapeError
from constructions.network import Affine, LNNet
from constructions.points import LabeledPoints


@dataclass(frozen=True)
class LayerBalls:
    """One affine map and the LN after it, for all m points.

    Attributes:
        positions: m balls, what the map sees of its input if its matrix has rank one (0 if it is zero); None otherwise.
        before: the map's output after centering, in an orthonormal basis of the zero-sum vectors: n − 1 lists of m
            balls. For the last map, its outputs as they are.
        after: the same after LN, divided by √n, so that they lie on the unit sphere if ε = 0; None for the last map.
        slope: of the output as function of the position, in the coordinates of ``before``; None if not a line.
        read: what the map's matrix reads off the previous coordinates: the direction of ``positions``.
        offset: the map's bias, in the coordinates of ``before``.
        mean: m balls, the mean of the map's outputs, which centering removes.
    """

    positions: list[arb] | None
    before: list[list[arb]]
    after: list[list[arb]] | None
    slope: list[arb] | None
    read: list[arb] | None
    offset: list[arb]
    mean: list[arb]


def enclose(
    net: LNNet, points: LabeledPoints, bits: int, watch: Callable[[int, int], object] | None = None
) -> list[LayerBalls]:
    """Evaluate every layer on every point with balls.

    Args:
        net: any LN-Net.
        points: m points.
        bits: working precision.
        watch: called after every layer with (layers done, layers in all).

    Raises:
        ShapeError: the points do not fit the network.
        DegenerateNormalizationError: LN with ε = 0 meets a row of equal coordinates.
    """
    if points.dimension != net.dimension:
        raise ShapeError(f"The network takes {net.dimension} coordinates, but the points have {points.dimension}.")
    with ctx.workprec(bits):
        state = arb_mat([[arb(p[k]) for p in points.points] for k in range(points.dimension)])
        basis: arb_mat | None = None
        result = []
        for number, layer in enumerate(net.layers):
            last = number == net.depth
            n = layer.outputs
            raw = arb_mat([[_ball(w) for w in row] for row in layer.weight])
            share = arb_mat([[1 / arb(n)] * n]) * raw
            bias = sum((_ball(b) for b in layer.bias), arb(0)) / n
            mean = [x + bias for x in _row((share if basis is None else share * basis) * state)]
            weight, offset = (raw, [_ball(b) for b in layer.bias]) if last else _centred(layer)
            seen = weight if basis is None else weight * basis
            positions: list[arb] | None
            slope, read = _rank_one(seen) or (None, None)
            if slope is not None and read is not None:
                positions = _row(arb_mat([read]) * state)
                before = [[a * p + b for p in positions] for a, b in zip(slope, offset, strict=True)]
            else:
                product = seen * state
                positions = [arb(0)] * product.ncols() if _is_zero(seen) else None
                before = [[x + b for x in _row(product, k)] for k, b in enumerate(offset)]
            after = None if last else _normalized(before, n * arb(net.epsilon), number)
            result.append(LayerBalls(positions, before, after, slope, read, offset, mean))
            if after is not None:
                state = arb_mat(after)
                basis = _zero_sum_basis(n).transpose() * arb(n).sqrt()
            if watch is not None:
                watch(number + 1, len(net.layers))
        return result


def _zero_sum_basis(n: int) -> arb_mat:
    """An orthonormal basis of the zero-sum vectors of R^n, one a row: the columns of Lemma 1's Q."""
    rows = []
    for k in range(1, n):
        length = arb(k * (k + 1)).sqrt()
        rows.append([(1 if i < k else -k if i == k else 0) / length for i in range(n)])
    return arb_mat(rows) if rows else arb_mat([[arb(0)] * n])


def _centred(layer: Affine) -> tuple[arb_mat, list[arb]]:
    """Weight and bias of a map followed by centering, in the basis of zero-sum vectors.

    Rows are subtracted before they become balls, so that what is equal cancels exactly.
    """
    weights, biases = [], []
    total: list[Any] = [w * 0 for w in layer.weight[0]]
    shift: Any = layer.bias[0] * 0
    for k in range(layer.outputs):
        length = arb(max(1, k * (k + 1))).sqrt()
        if k or layer.outputs == 1:
            weights.append([_ball(t - w * k) / length for t, w in zip(total, layer.weight[k], strict=True)])
            biases.append(_ball(shift - layer.bias[k] * k) / length)
        total = [t + w for t, w in zip(total, layer.weight[k], strict=True)]
        shift = shift + layer.bias[k]
    return arb_mat(weights), biases


def _normalized(before: list[list[arb]], smoothing: arb, number: int) -> list[list[arb]]:
    scales = []
    for column in zip(*before, strict=True):
        square = smoothing
        for x in column:
            square = square + x * x
        if square.is_zero():
            raise DegenerateNormalizationError(
                f"LN layer {number + 1} meets a row of equal coordinates, where it is undefined for epsilon = 0."
            )
        scales.append(square.rsqrt())
    return [[x * s for x, s in zip(row, scales, strict=True)] for row in before]


def _is_zero(matrix: arb_mat) -> bool:
    """Whether every entry encloses zero, at the working precision."""
    return all(matrix[i, k].contains(0) for i in range(matrix.nrows()) for k in range(matrix.ncols()))


def _rank_one(matrix: arb_mat) -> tuple[list[arb], list[arb]] | None:
    """(column, row) with matrix = column · rowᵀ and 1 as the largest entry of the row; None if the rank is not one.

    Rank one means here that all minors with the pivot enclose zero, at the working precision.
    """
    rows = [[matrix[i, k] for k in range(matrix.ncols())] for i in range(matrix.nrows())]
    largest = max((abs(x).upper() for row in rows for x in row), default=arb(0))
    if not largest > 0:
        return None
    sizes = [[float(abs(x.mid()) / largest) for x in row] for row in rows]
    i, k = max(((i, k) for i, row in enumerate(sizes) for k in range(len(row))), key=lambda at: sizes[at[0]][at[1]])
    pivot = rows[i][k]
    if pivot.contains(0):
        return None
    for j, other in enumerate(rows):
        if j != i and not all((other[q] * pivot - other[k] * rows[i][q]).contains(0) for q in range(len(other))):
            return None
    row = [x / pivot for x in rows[i]]
    return [other[k] / row[k] for other in rows], row


def _ball(x: Any) -> arb:
    return x.ball() if isinstance(x, Algebraic) else arb(x)


def _row(matrix: arb_mat, k: int = 0) -> list[arb]:
    return [matrix[k, i] for i in range(matrix.ncols())]
