"""What a fold costs: the label changes that it leaves, and what each of them will cost later on.

A change is dear if the runs beside it are wide for its gap, since little can then be laid in between, and if the gap is
small for the line, since a line has only so much resolution.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from constructions.trial_folds import Array, Folds, Numbers, images

#: The cost of leaving as many label changes as there were, and that of a fold of no use; no honest cost comes near.
IDLE, USELESS = 2.0**30, 2.0**40
#: What rounding may do to an image, relative to it, for each of the label bits that replace its last ones.
_ROUNDING = 2.0**-48
#: Numbers evaluated at once, which bounds memory and fits a processor's cache.
_BLOCK = 1 << 17

Judge = Callable[[Array, Numbers, Folds], Array]
"""What folds cost, given n places in ascending order from 0 to 1, n class numbers from 0 on, and the folds."""


@dataclass(frozen=True)
class Prices:
    """What is held to be dear; a `Judge`.

    Attributes:
        resolution: gaps below 2^−resolution of the line do not count as resolved.
        narrow: what doubling the width of a run relative to a gap beside it costs, in label changes.
        small: what halving a gap relative to the line costs, in label changes.
    """

    resolution: float = 30.0
    narrow: float = 0.3
    small: float = 0.3

    def __call__(self, places: Array, labels: Numbers, folds: Folds) -> Array:
        """The cost of every fold, as `judged` has it."""
        return judged(places, folds, lambda image, _: self.line_costs(image, labels))

    def line_costs(self, image: Array, labels: Numbers) -> tuple[Array, Numbers]:
        """Costs and numbers of label changes of lines, the rows of ``image``, which is overwritten."""
        # Labels travel in the last bits of the images, so that sorting floats sorts both, and fast.
        mask = np.int64((1 << max(1, int(labels.max()).bit_length())) - 1)
        bits = image.view(np.int64)
        bits &= ~mask
        bits |= labels
        image.sort(axis=1)
        name = image.view(np.int64) & mask
        row, column = np.nonzero(name[:, 1:] != name[:, :-1])
        left, right, start, end = neighbours(image, row, column)
        gap, length = right - left, (image[:, -1] - image[:, 0])[row]
        cost = 1 + self.narrow * np.log2((right - start) * (end - left) / (gap * gap))
        cost -= self.small * np.log2(gap / length)
        least = np.maximum(length * 2.0**-self.resolution, right * float(mask) * _ROUNDING)
        cost = np.where((gap > least) & np.isfinite(cost), cost, USELESS)
        return totals(image, row, cost)


def judged(
    places: Array, folds: Folds, line_costs: Callable[[Array, Folds | None], tuple[Array, Numbers]], block: int = _BLOCK
) -> Array:
    """The cost of every fold: 2^30 more if no label change is removed, 2^40 more if nothing gets better either.

    Args:
        places: n of them, in ascending order.
        folds: to judge.
        line_costs: costs and numbers of label changes of lines, the rows of a matrix, given the folds that led to them.
        block: how many numbers are evaluated at once.
    """
    size = max(1, block // len(places))
    (now,), (before,) = line_costs(places[None].copy(), None)
    found = [np.zeros(0)]
    for start in range(0, len(folds.apex), size):
        some = folds.pick(np.arange(start, min(start + size, len(folds.apex))))
        cost, changes = line_costs(images(places, some), some)
        better = (changes == before) & (cost < now - 1)
        found.append(cost + np.where(changes < before, 0.0, np.where(better, IDLE, USELESS)))
    return np.concatenate(found)


def neighbours(image: Array, row: Numbers, column: Numbers) -> tuple[Array, Array, Array, Array]:
    """Both sides of label changes after the given columns, and where the runs beside them start and end."""
    left, right = image[row, column], image[row, column + 1]
    new = np.append(True, row[1:] != row[:-1])
    start = np.where(new, image[row, 0], np.append(0.0, right[:-1]))
    end = np.where(np.append(new[1:], True), image[row, -1], np.append(left[1:], 0.0))
    return left, right, start, end


def totals(image: Array, row: Numbers, cost: Array) -> tuple[Array, Numbers]:
    """The costs of label changes added up for every line, and how many there are."""
    total = np.bincount(row, weights=cost, minlength=len(image))
    return np.where(np.isfinite(image[:, -1]), total, np.inf), np.bincount(row, minlength=len(image))
