r"""How deep a width-3 LN-Net (ε = 0) must be: bounds from below on the depth, by counting labelings and on lines.

If m points of R^d have K^m labelings and networks of depth at most L realise fewer than that, some labelling needs more
layers; if they realise fewer than K^m/2^s, all but one in 2^s do. Two counts are used, derived in ``docs/depth.md``:

* *Orders and changes.* The first layer puts the points on a circle, in one of few cyclic orders; around it
  the label changes at most (K − 1)·2^L times, whatever the other layers do.
* *Parameters*, following Goldberg and Jerrum (1995): the signs of few polynomials in few parameters decide the
  labelling, and Warren (1968) bounds the number of connected components of the set where none of them vanishes.

The second is of order 4L² bits, hence depth of order √m; the first is better for a few hundred points.
All arithmetic is in integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise
from math import comb
from typing import Any

from flint import fmpq

from constructions.errors import InputError
from constructions.points import LabeledPoints


def least_depth(points: int, dimension: int, classes: int = 2, *, spare: int = 0) -> int:
    """A depth that width-3 LN-Nets need for some labelling of any m points of R^d, or for nearly all of them.

    Args:
        points: m, at least 1.
        dimension: d, at least 1.
        classes: K, at least 2.
        spare: s bits; labels drawn uniformly need the depth with a probability above 1 − 2^−s.

    Raises:
        InputError: a number below those.

    >>> least_depth(200, 2), least_depth(200, 2, spare=20), least_depth(4, 1), least_depth(6, 1)
    (6, 6, 2, 3)
    """
    if spare < 0:
        raise InputError(f"Argument 'spare' must be at least 0, not {spare}.")
    depth = 0
    while labelings_bound(points, depth, dimension, classes) << spare < classes**points:
        depth += 1
    return depth


def labelings_bound(points: int, depth: int, dimension: int, classes: int = 2) -> int:
    """How many of the K^m labelings of m points of R^d width-3 LN-Nets of depth at most L realise, from above.

    Args:
        points, depth, dimension, classes: m ≥ 1, L ≥ 0, d ≥ 1 and K ≥ 2.

    Raises:
        InputError: a number below those.

    On the line one layer realises exactly the labelings of at most two changes:

    >>> labelings_bound(5, 1, 1)
    22
    """
    if points < 1 or depth < 0 or dimension < 1 or classes < 2:
        raise InputError(
            "Expected at least 1 point, depth 0, dimension 1 and 2 classes, "
            f"not {points}, {depth}, {dimension} and {classes}."
        )
    everything = classes**points
    linear = central_cells(comb(classes, 2) * points, (classes - 1) * (dimension + 1))
    if depth == 0:
        return min(everything, linear)
    counts = [_by_changes(points, depth, dimension, classes), _by_parameters(points, depth, dimension, classes)]
    if depth == 1 and classes == 2:  # an AND or an OR of two half-spaces, perhaps of one with itself
        counts.append(linear * (linear + 1))
    # A linear read-out of two classes is a network of depth 1 as well, that of more classes need not be.
    return min(everything, min(counts) + (linear if classes > 2 else 0))


def cyclic_orders(points: int, dimension: int) -> int:
    """In how many cyclic orders, up to reversal, one layer can put m points of R^d on a circle, from above.

    On the plane it is the number of cells into which n lines cut it, n = m(m − 1)/2; on the line there is one.
    """
    pairs = comb(points, 2)
    if dimension == 1:
        return 1
    if dimension == 2:
        return 1 + pairs + comb(pairs, 2)
    return components(pairs, 2, 2 * dimension - 2)


def central_cells(planes: int, dimension: int) -> int:
    """Into how many cells n hyperplanes through 0 cut R^k, at most: 2·Σ_{i<k} C(n − 1, i) (Cover 1965)."""
    return 2 * sum(islice(_binomials(planes - 1), dimension))


def components(polynomials: int, degree: int, variables: int) -> int:
    """Components of R^k without the zeros of n polynomials of degree D, at most: 2(2D)^k·Σ_{i≤k} 2^i·C(n, i).

    Warren (1968), Theorem 2. For k = 0 there is one.
    """
    if variables == 0:
        return 1
    chosen = islice(_binomials(polynomials, 2), variables + 1)
    return 2 * (2 * degree) ** variables * sum(chosen)


def most_changes(depth: int, classes: int = 2) -> int:
    """How often the label may change along a line, or around the circle after the first layer: (K − 1)·2^L."""
    return (classes - 1) << depth


def changes_on_lines(points: LabeledPoints) -> int:
    """The most changes of label along any one straight line through some of the points; takes O(m²) steps."""
    most = 0
    for first, origin in enumerate(points.points):
        lines: dict[tuple[fmpq, ...], list[tuple[fmpq, Any]]] = {}
        for other in range(first + 1, len(points)):
            way = [b - a for a, b in zip(origin, points.points[other], strict=True)]
            lead = next(x for x in way if x != 0)
            lines.setdefault(tuple(x / lead for x in way), []).append((lead, points.labels[other]))
        for there in lines.values():
            if len(there) > most:  # else it cannot have more changes
                along = [(fmpq(0), points.labels[first]), *there]
                along.sort(key=lambda pair: pair[0])
                most = max(most, sum(a != b for (_, a), (_, b) in pairwise(along)))
    return most


def least_depth_on_lines(points: LabeledPoints) -> int:
    """A depth that width-3 LN-Nets need for these labels, since L layers allow (K − 1)·2^L changes along a line.

    >>> least_depth_on_lines(LabeledPoints.of(range(10), [0, 1] * 5))
    4
    """
    changes, classes, depth = changes_on_lines(points), max(len(points.classes), 2), 0
    while most_changes(depth, classes) < changes:
        depth += 1
    return depth


def _by_changes(m: int, depth: int, d: int, classes: int) -> int:
    words = classes * sum(islice(_binomials(m - 1, classes - 1), most_changes(depth, classes) + 1))
    return cyclic_orders(m, d) * words


def _by_parameters(m: int, depth: int, d: int, classes: int) -> int:
    inner = 2 * d + 4 * (depth - 1)
    if classes == 2:  # the last layer as an AND or an OR of two half-planes: 8 cases
        return 8 * components(2 * m, depth * 2 ** (depth - 1), inner)
    return 2 * components(comb(classes, 2) * m, (depth + 1) << depth, inner + 3 * classes - 4)


def _binomials(n: int, base: int = 1) -> Iterator[int]:
    """C(n, i)·base^i for i = 0, …, n, each from the one before."""
    term = 1
    for i in range(n + 1):
        yield term
        term = term * (n - i) * base // (i + 1)
