"""Which fold lays the outermost run onto the next run of its class, for batches of lines at once.

Runs from the left end: first (class a), second (class b), then a point or run x of class a, then the rest. The
fold's apex goes into the second run and brings the first between the second and the rest, so that the number of
runs falls by one (and x is joined with the first). In the angle θ of `constructions.fold` with apex angle φ that means

    (θ(l2) + θ(x))/2 < φ,   (θ(l1) + θ(y))/2 < φ,   φ < (θ(r1) + θ(r2))/2,

for the runs [l1, r1] and [l2, r2] and y the nearest of the rest. Shift and height stay free; of several candidates the
one with the largest gaps, relative to the accuracy of float64 at their place, is taken. Where the three bounds allow
φ = π/2, exactly that is taken: the fold then is even about its shift, and accurate near 0, where the far points crowd.

Nothing here is trusted: a bad choice can only make the enclosures too wide to certify. But it must be reproducible, so
only operations that IEEE 754 rounds correctly are used.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from proofs.shattering.enclosure import Floats, Folds

_Vector = tuple[Floats, Floats]
#: Heights tried about a shift that makes the fold even, relative to half the distance of first run and x.
_EVEN_HEIGHTS = (0.5, 1.0, 1.5)
#: Heights tried about the middle between second run and rest, relative to half their distance.
_TILTED_HEIGHTS = (0.5, 1.0, 2.0, 4.0)
#: Parameters are rounded to this many bits, so that sums and differences of two are floats too.
_BITS = 51


def choose(lower: Floats, upper: Floats) -> Folds:
    """One fold a column.

    Args:
        lower, upper: shape (k, n), k ≥ 3: the clusters of n lines from left to right, as intervals.
    """
    candidates = _candidates(lower, upper)
    best, best_score = _rated(*next(candidates), lower, upper)
    for shift, height in candidates:
        folds, score = _rated(shift, height, lower, upper)
        better = score > best_score
        best = Folds(*(np.where(better, new, old) for new, old in zip(folds, best, strict=True)))
        best_score = np.where(better, score, best_score)
    return _rounded(best)


def bending(lower: Floats, upper: Floats) -> Folds:
    """A fold that keeps the order, p ↦ h/√(h² + 1/3), for lines that have not been folded: they fill [0, 1]."""
    one = np.ones_like(lower[0])
    return _rounded(Folds((lower[0] + upper[-1]) / 2, one, one, 0 * one))


def _candidates(lower: Floats, upper: Floats) -> Iterator[_Vector]:
    """Pairs (s, D), where D = C/√3 is the height in the frame of Lemma 1."""
    l1, r1, l2, r2, x = lower[0], upper[0], lower[1], upper[1], lower[2]
    y = lower[3] if len(lower) > 3 else upper[2] + (upper[2] - r2)
    least = (r1 + r2) / 2
    most = np.minimum((l1 + y) / 2, (l2 + x) / 2)
    merging = (l1 + x) / 2
    for shift in (merging, (least + most) / 2):
        for factor in _EVEN_HEIGHTS:
            yield shift, (x - l1) / 2 * factor
    for factor in _TILTED_HEIGHTS:
        yield (r2 + y) / 2, (y - r2) / 2 * factor
    yield x, (x - l1) / 2


def _rated(shift: Floats, height: Floats, lower: Floats, upper: Floats) -> tuple[Folds, Floats]:
    """The fold with this shift and height, and its score: negative where it does not do what it should."""
    l1, r1, l2, r2, x = (_unit(p, shift, height) for p in (lower[0], upper[0], lower[1], upper[1], lower[2]))
    y = _unit(lower[3], shift, height) if len(lower) > 3 else (np.ones_like(shift), np.zeros_like(shift))
    highest = _bisector(r1, r2)
    lowest = _larger(_bisector(l1, y), _bisector(l2, x))
    even = (lowest[0] > 0) & (highest[0] < 0)
    first, second = _bisector(lowest, highest)
    first, second = np.where(even, 0.0, first), np.where(even, 1.0, second)

    def value(p: Floats) -> tuple[Floats, Floats]:
        h = p - shift
        root = np.sqrt(h * h + height * height)
        a, b = first * h, second * height
        return (a + b) / root, (np.abs(a) + np.abs(b)) / root

    (low, low_error), (high, high_error) = value(lower), value(upper)
    near = (np.minimum(low[1], high[1]) - np.maximum(high[0], low[2])) / high_error[1]
    worst = near
    if len(lower) > 3:
        before = np.concatenate([np.minimum(low[0], high[2])[None], high[3:-1]])
        gaps = (before - low[3:]) / low_error[3:]
        worst = np.minimum(worst, gaps.min(axis=0))
        near = np.minimum(near, gaps[0])
    score = np.where((worst > 0) & (height > 0), near * worst, -1.0)
    return Folds(shift, height * np.sqrt(3.0), first, second * np.sqrt(3.0)), score


def _unit(p: Floats, shift: Floats, height: Floats) -> _Vector:
    """(cos θ, sin θ) of a position."""
    h = p - shift
    root = np.sqrt(h * h + height * height)
    return h / root, height / root


def _bisector(a: _Vector, b: _Vector) -> _Vector:
    """The direction half way between two directions of the upper half circle."""
    x, y = a[0] + b[0], a[1] + b[1]
    root = np.sqrt(x * x + y * y)
    return x / root, y / root


def _larger(a: _Vector, b: _Vector) -> _Vector:
    """The one with the larger angle."""
    swap = a[0] * b[1] - a[1] * b[0] > 0
    return np.where(swap, b[0], a[0]), np.where(swap, b[1], a[1])


def _rounded(folds: Folds) -> Folds:
    """Parameters with C ± s and u1 ± u2 exact in float64, as the weights of the network have to be."""
    s, c = _on_common_grid(folds.s, folds.c)
    u1, u2 = _on_common_grid(folds.u1, folds.u2)
    return Folds(s, c, u1, u2)


def _on_common_grid(a: Floats, b: Floats) -> _Vector:
    exponent = np.frexp(np.maximum(np.abs(a), np.abs(b)))[1] - _BITS
    return tuple(np.ldexp(np.rint(np.ldexp(x, -exponent)), exponent) for x in (a, b))  # type: ignore[return-value]
