r"""Folds in floating point, very many at once, on a line from 0 to 1.

With apex x and second fixed point y of its involution, :math:`n=p-x`, :math:`\kappa=1/(y-x)`, every fold of the line is
:math:`p\mapsto 1-\cos\delta` with :math:`\tan\delta=\lambda n/(1-\kappa n)`, up to an affine map. So a fold has three
parameters: where its apex is, which points meet (κ), and how the line is bent (λ).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]


class Folds(NamedTuple):
    """Folds, one entry each (n).

    Attributes:
        apex: x.
        kappa: inverse distance from the apex to the other fixed point of the involution.
        bend: λ > 0.
        pairs: (n, 4) numbers of clusters of which the fold brings the first to the second and the third to the fourth,
            the second pair lying around the first; −1 where it brings none together by intention.
    """

    apex: Array
    kappa: Array
    bend: Array
    pairs: Numbers

    @classmethod
    def free(cls, apex: Array, kappa: Array, bend: Array) -> Folds:
        """Folds that bring no clusters together by intention."""
        return cls(apex, kappa, bend, np.full((len(apex), 4), -1))

    def pick(self, index: Numbers) -> Folds:
        """Some of them."""
        return Folds(self.apex[index], self.kappa[index], self.bend[index], self.pairs[index])

    def joined(self, other: Folds) -> Folds:
        """These and others."""
        return Folds.all_of([self, other])

    @classmethod
    def all_of(cls, some: Sequence[Folds]) -> Folds:
        """Several lots together."""
        return cls(*(np.concatenate(parts) for parts in zip(*some, strict=True)))  # type: ignore[arg-type]

    @property
    def meeting(self) -> NDArray[np.bool_]:
        """Which of them bring two pairs of clusters together."""
        return self.pairs[:, 0] >= 0


def images(places: Array, folds: Folds) -> Array:
    """Where folds (rows) take places (columns): 1 − cos δ, without cancellation near the apex."""
    n = places - folds.apex[:, None]
    y = 1 - folds.kappa[:, None] * n
    n *= folds.bend[:, None]
    return below_top(n, y)


def below_top(n: Array, y: Array) -> Array:
    """1 − cos δ for the directions (n, y) at an angle δ from the axis of y; ``n`` is overwritten."""
    n *= n
    radius = np.sqrt(n + y * y)
    return np.where(y > 0, n / (radius * (radius + y)), 1 - y / radius)
