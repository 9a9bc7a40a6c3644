r"""How nonlinear is a map: :math:`H(f;x)=\sum_i\lVert\nabla^2 f_i(x)\rVert_F^2` (Ni et al. 2024, equation 20).

For LN and LN-G there are closed forms (Lemmas 12 and 13); for compositions and whole LN-Nets, H is computed by forward
differentiation of second order, exactly or with balls. Where both apply, they are independent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb, ctx, fmpq

from constructions.algebraic import Algebraic, algebraic
from constructions.errors import DegenerateNormalizationError, InputError, ShapeError
from constructions.network import LNNet, layer_normalization
from constructions.rational import to_rational
from proofs.jets import Jet, variables

#: A map on jets: takes the coordinates and the square root of jets.
JetMap = Callable[[list[Jet], Callable[[Jet], Jet]], list[Jet]]


def nonlinearity(function: JetMap, point: Sequence[Any], root: Callable[[Any], Any]) -> Any:
    """H(f; x) by forward differentiation, in the numbers of the point.

    Args:
        function: f as a program on jets; ``function(coordinates, sqrt)`` returns the outputs.
        point: d numbers of any kind: floats, balls, algebraic reals, sympy expressions.
        root: the square root of such numbers.

    >>> import math
    >>> nonlinearity(lambda x, sqrt: [x[0] * x[1], x[0] * x[0]], [1.0, 2.0], math.sqrt)
    6.0
    """
    outputs = function(variables(point), lambda jet: jet.sqrt(root))
    squares = [entry * entry for y in outputs for row in y.hessian for entry in row]
    return sum(squares[1:], squares[0])


def normalize_in_groups(x: Sequence[Any], groups: int, enter: Callable[[Any], Any], sqrt: Callable[[Any], Any]) -> list:
    """LN-G: LN on each of ``groups`` consecutive blocks of equal length (one group: LN), in any arithmetic.

    Raises:
        InputError: the number of groups does not divide the number of coordinates.
    """
    size = _group_size(len(x), groups)
    return [
        y for start in range(0, len(x), size) for y in layer_normalization(list(x[start : start + size]), enter, sqrt)
    ]


def nonlinearity_of_layer_norm(point: Sequence[Any], groups: int = 1) -> fmpq:
    r"""H of LN-G at a point, exact: :math:`\sum_i (3-6/c)/\sigma_i^4` with c = d/g (Lemmas 12 and 13).

    Args:
        point: d rationals, or numbers exact on entry.
        groups: g; 1 means LN itself.

    Raises:
        InputError: g does not divide d.
        DegenerateNormalizationError: a group of equal coordinates.

    >>> nonlinearity_of_layer_norm([0, 1, 2])
    9/4
    """
    x = [to_rational(v) for v in point]
    size = _group_size(len(x), groups)
    factor = 3 - fmpq(6, size)
    return sum((factor / v**2 for v in group_variances(x, groups)), fmpq(0))


def group_variances(point: Sequence[Any], groups: int) -> list[fmpq]:
    """The variances σ_i² of the groups, exact and positive.

    Raises:
        InputError: g does not divide d.
        DegenerateNormalizationError: a group of equal coordinates.
    """
    x = [to_rational(v) for v in point]
    size = _group_size(len(x), groups)
    result = []
    for start in range(0, len(x), size):
        block = x[start : start + size]
        mean = sum(block, fmpq(0)) / size
        variance = sum(((v - mean) ** 2 for v in block), fmpq(0)) / size
        if variance == 0:
            raise DegenerateNormalizationError(
                f"Coordinates {start} to {start + size - 1} are equal, where LN is undefined; change the point."
            )
        result.append(variance)
    return result


def nonlinearity_ratio(point: Sequence[Any], groups: int) -> fmpq:
    """H(LN-G)/H(LN) at a point (Proposition 8), exact.

    Args:
        point: d numbers, exact on entry.
        groups: g, a divisor of d.

    Raises:
        InputError: d < 3, where H(LN) = 0, or g does not divide d.
        DegenerateNormalizationError: a group of equal coordinates.

    >>> nonlinearity_ratio([0, 1, 2, 0, 1, 2], 2)
    1
    """
    if len(point) < 3:
        raise InputError(f"H of LN vanishes in dimension {len(point)}; the ratio needs at least 3 coordinates.")
    return nonlinearity_of_layer_norm(point, groups) / nonlinearity_of_layer_norm(point)


def smallest_ratio(d: int, groups: int) -> fmpq:
    """The infimum over all points of H(LN-G)/H(LN): g(d − 2g)/(d − 2), attained where all groups look alike.

    Raises:
        InputError: d < 3, or g does not divide d, or groups of one coordinate.

    >>> smallest_ratio(256, 64), smallest_ratio(6, 2)
    (4096/127, 1)
    """
    if d < 3:
        raise InputError(f"H of LN vanishes in dimension {d}; the ratio needs at least 3 coordinates.")
    if _group_size(d, groups) < 2:
        raise InputError("Groups of a single coordinate cannot be normalised; use at most d/2 groups.")
    return fmpq(groups * (d - 2 * groups), d - 2)


@dataclass(frozen=True)
class RatioRow:
    """One line of Proposition 8's table.

    Attributes:
        d: number of coordinates.
        groups: g, a divisor of d.
        smallest: infimum of the ratio H(LN-G)/H(LN).
        covered: whether Proposition 8 speaks of it (g ≤ d/3).
        best: whether no other g does better for this d.
    """

    d: int
    groups: int
    smallest: fmpq
    covered: bool
    best: bool


def ratio_table(dimensions: Sequence[int]) -> tuple[RatioRow, ...]:
    """Proposition 8 as a table over (d, g), g running through the divisors of d with d/g ≥ 2.

    Args:
        dimensions: the d of the table.

    Returns:
        Rows in the order of ``dimensions``, then of g.

    Raises:
        InputError: some d < 3, where H of LN vanishes.
    """
    rows = []
    for d in dimensions:
        smallest_ratio(d, 1)  # raises where there is no ratio at all
        divisors = [g for g in range(1, d // 2 + 1) if d % g == 0]
        values = {g: smallest_ratio(d, g) for g in divisors}
        top = max(values.values())
        rows += [RatioRow(d, g, values[g], 3 * g <= d, values[g] == top) for g in divisors]
    return tuple(rows)


def nonlinearity_of_network(net: LNNet, point: Sequence[Any], bits: int = 128) -> arb:
    """H of a whole LN-Net at a point, as a ball that contains it.

    Args:
        net: any LN-Net; its outputs before the read-out are what is differentiated.
        point: d numbers, exact on entry.
        bits: working precision.

    Raises:
        ShapeError: the point's dimension is not the network's.
        DegenerateNormalizationError: the ball is not finite: an LN is undefined here, or the precision is too low.
    """
    with ctx.workprec(bits):
        ball = nonlinearity(
            _program(net, lambda w: w.ball() if isinstance(w, Algebraic) else arb(w)),
            [arb(to_rational(v)) for v in _checked(net, point)],
            lambda v: v.sqrt(),
        )
    if not ball.is_finite():
        raise DegenerateNormalizationError(
            f"With {bits} bits an LN's variance cannot be told from zero at this point; raise 'bits' or move the point."
        )
    return ball


def exact_nonlinearity_of_network(net: LNNet, point: Sequence[Any]) -> Algebraic:
    """H of a whole LN-Net at a point as an exact algebraic number (small networks).

    Raises:
        ShapeError: the point's dimension is not the network's.
    """
    x = [algebraic(to_rational(v)) for v in _checked(net, point)]
    return nonlinearity(_program(net, algebraic), x, lambda v: v.sqrt())  # type: ignore[no-any-return]


def _program(net: LNNet, enter: Callable[[Any], Any]) -> JetMap:
    def run(x: list[Jet], sqrt: Callable[[Jet], Jet]) -> list[Jet]:
        for number, layer in enumerate(net.layers):
            h = []
            for row, b in zip(layer.weight, layer.bias, strict=True):
                terms = [v * enter(w) for w, v in zip(row, x, strict=True)]
                h.append(sum(terms[1:], terms[0]) + enter(b))
            x = h if number == net.depth else layer_normalization(h, enter, sqrt, net.epsilon)
        return x

    return run


def _checked(net: LNNet, point: Sequence[Any]) -> Sequence[Any]:
    if len(point) != net.dimension:
        raise ShapeError(f"Expected a point with {net.dimension} coordinates, not {len(point)}.")
    return point


def _group_size(d: int, groups: int) -> int:
    if groups < 1 or d % groups:
        raise InputError(f"The number of groups must divide the {d} coordinates; {groups} does not.")
    return d // groups
