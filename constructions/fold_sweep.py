r"""The label changes that all folds about one apex leave, counted at once.

In the coordinate :math:`t=1/|p-x|` a fold about x slides the places left of x over those right of it: their order after
the fold is that of :math:`t+2\kappa` on the left and of :math:`t` on the right. So as κ grows, a place i on the left
passes a place j on the right at :math:`2\kappa=t_j-t_i`, and the two are neighbours from when the first of their
neighbours is out of the way to when the next one is there, which depends on the gaps beside them alone. Neighbours of
one class on the same side are parted while anything from the other side is between them. Adding up where these
intervals begin and end gives the number of neighbours of one class for every κ, for the price of one pass over all
pairs: thousands of folds for the price of a few.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from constructions.trial_folds import Array, Numbers

Singles = NDArray[np.float32]
#: Wider than any gap between values of t.
_FAR = np.float32(2.0**60)
#: Values of κ at which neighbours are counted: so many for every place, within these limits.
_DENSITY, _FEWEST, _MOST = 16, 1024, 16384
#: Ends of intervals that are put into bins at once, so that they fit a processor's cache.
_BLOCK = 1 << 16


class Sweep:
    """Counts for the folds of one line.

    Args:
        places: n positions in ascending order.
        labels: n class numbers from 0 on.
    """

    def __init__(self, places: Array, labels: Numbers) -> None:
        self._places = places
        self._twins = np.flatnonzero(labels[1:] == labels[:-1])
        classes = (np.flatnonzero(labels == name) for name in range(int(labels.max()) + 1))
        self._classes = [members for members in classes if len(members) > 1]
        self._samples = min(_MOST, max(_FEWEST, _DENSITY * len(places)))
        part = (2 * np.arange(1, self._samples + 1) / self._samples - 1) * (1 - 2.0**-20)
        self._shifts = part / (1 - np.abs(part))

    def __call__(self, apex: float) -> tuple[Array, Numbers]:
        """Values of κ in ascending order, and how many neighbours of one class the folds about the apex leave."""
        places = self._places
        cut = int(np.searchsorted(places, apex))
        exact = 1 / np.maximum(np.abs(places - apex), 2.0**-40)
        smaller = exact[:cut] if 0 < cut <= len(exact) - cut or cut == len(exact) else exact[cut:]
        unit = float(smaller[len(smaller) // 2])
        t: Singles = exact.astype(np.float32)
        gaps: Singles = np.abs(np.diff(exact)).astype(np.float32)
        inner, outer = (np.full(len(t), _FAR) for _ in range(2))  # gaps towards the apex and away from it
        inner[: max(0, cut - 1)], outer[1:cut] = gaps[: max(0, cut - 1)], gaps[: max(0, cut - 1)]
        inner[cut + 1 :], outer[cut:-1] = gaps[cut:], gaps[cut:]
        bins = _Bins(unit, self._samples)
        for members in self._classes:
            k = int(np.searchsorted(members, cut))
            i, j = members[:k, None], members[k:]
            meet = t[j] - t[i]
            bins.enter(meet - np.minimum(inner[i], outer[j]), 1)
            bins.enter(meet + np.minimum(outer[i], inner[j]), -1)
        left = self._twins[self._twins + 1 < cut][:, None]
        right = self._twins[self._twins >= cut][:, None]
        # The first, and the last, of those between twins: the next one is farther away than the twins are.
        twins, others = gaps[left], slice(cut, None)
        bins.enter((t[others] - t[left + 1])[outer[others] > twins], -1)
        bins.enter((t[others] - t[left])[inner[others] > twins], 1)
        twins, others = gaps[right], slice(cut)
        bins.enter((t[right + 1] - t[others])[inner[others] > twins], -1)
        bins.enter((t[right] - t[others])[outer[others] > twins], 1)
        return self._shifts * (unit / 2), bins.total().cumsum() + len(left) + len(right)

    def peaks(self, apex: float, stretches: int) -> tuple[Array, Numbers]:
        """Of every stretch of values of κ the best one, and its number of neighbours of one class."""
        kappa, count = self(apex)
        width = len(kappa) // stretches
        best = count[: width * stretches].reshape(stretches, width).argmax(axis=1) + width * np.arange(stretches)
        return kappa[best], count[best]


class _Bins:
    """A histogram of shifts, in units of ``unit``, finer the smaller they are."""

    def __init__(self, unit: float, count: int) -> None:
        self._unit, self._count = np.float32(unit), count
        self._sum = np.zeros(count, dtype=np.int64)
        self._waiting: dict[int, list[Singles]] = {1: [], -1: []}

    def enter(self, shifts: Singles, weight: int) -> None:
        """Add ±1 at every shift."""
        waiting = self._waiting[weight]
        waiting.append(shifts.ravel())
        if sum(map(len, waiting)) > _BLOCK:
            self._count_waiting(weight)

    def total(self) -> Numbers:
        """What has been added up in every bin."""
        for weight in self._waiting:
            self._count_waiting(weight)
        return self._sum

    def _count_waiting(self, weight: int) -> None:
        waiting = self._waiting[weight]
        if not waiting:
            return
        shifts = np.concatenate(waiting)
        waiting.clear()
        size = np.abs(shifts)
        size += self._unit
        shifts /= size
        shifts += np.float32(1)
        shifts *= np.float32(self._count / 2 * (1 - 2.0**-20))
        self._sum += weight * np.bincount(shifts.astype(np.intp), minlength=self._count)
