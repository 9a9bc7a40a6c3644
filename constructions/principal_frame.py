"""Coordinates in which a cloud of points is round, for searches in floating point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from constructions.points import LabeledPoints
from constructions.projection import as_float

Array = NDArray[np.float64]
#: Principal axes shorter than this, relative to the longest, count as no extent at all.
_FLAT = 1e-9


@dataclass(frozen=True)
class PrincipalFrame:
    """Principal coordinates in which the points have mean 0 and variance 1, and a constant coordinate 1.

    Attributes:
        points: m rows of k + 1 coordinates.
        back: (k + 1, d + 1); coefficients on these coordinates times it are coefficients on (x, 1).
    """

    points: Array
    back: Array

    @classmethod
    def of(cls, points: LabeledPoints) -> PrincipalFrame | None:
        """The frame of points of R^d, or None if they do not span a plane that floating point can hold."""
        cloud = np.array([[as_float(x) for x in point] for point in points.points])
        mean, spread = cloud.mean(axis=0), cloud.std(axis=0)
        if not (np.isfinite(spread).all() and spread.any()):
            return None
        scale = np.where(spread > 0, spread, 1.0)
        left, sizes, axes = np.linalg.svd((cloud - mean) / scale, full_matrices=False)
        kept = sizes > _FLAT * sizes[0]
        if kept.sum() < 2:
            return None
        root = np.sqrt(len(cloud))
        turn = axes[kept] / sizes[kept, None] * root / scale
        back = np.zeros((len(turn) + 1, cloud.shape[1] + 1))
        back[:-1, :-1], back[:-1, -1], back[-1, -1] = turn, -turn @ mean, 1.0
        return cls(np.c_[left[:, kept] * root, np.ones(len(cloud))], back)

    def see(self, forms: Array) -> Array:
        """Coefficients on (x, 1), (…, d + 1), as coefficients on the frame's coordinates."""
        return np.asarray(forms @ np.linalg.pinv(self.back))
