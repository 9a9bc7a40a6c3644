"""Certify the networks of a shattered set, all labelings or some of them.

Most are certified by `interval_filter`, many at a time: the layers that a group of labelings shares are enclosed once
by the ball checker, the last layer in float64 intervals. What the filter leaves open, and a share of what it certified,
goes to `proofs.checker` network by network.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from constructions.errors import InputError
from constructions.network import Affine, LNNet
from constructions.rational import to_rational
from proofs.checker import check, enclose
from proofs.interval_filter import Intervals, certified_margins, enclose_balls, exactly
from proofs.shattered_set import ShatteredSet

#: Precision (bits) of the shared layers.
_BITS = 128
#: Labelings that the filter takes at a time.
_BATCH = 1024


@dataclass(frozen=True)
class Recheck:
    """What was found for a set's labelings.

    Attributes:
        checked: how many labelings were checked (complements not counted).
        by_filter: how many of them the interval filter certified.
        by_checker: how many of the others `proofs.checker` certified.
        spot_checked: how many of the filter's `proofs.checker` certified as well.
        failures: numbers of those without a certified network of the stated depth and width 3.
        margin: a lower bound on every certified margin.
    """

    checked: int
    by_filter: int
    by_checker: int
    spot_checked: int
    failures: tuple[int, ...]
    margin: fmpq | None

    def __bool__(self) -> bool:
        return not self.failures


def recheck_set(
    witness: ShatteredSet,
    numbers: Sequence[int] | None = None,
    *,
    spot: int = 199,
    watch: Callable[[int, int], object] | None = None,
) -> Recheck:
    """Build and certify the network of every labelling.

    Args:
        witness: the set.
        numbers: only these labelings (default: all).
        spot: every ``spot``-th labelling is checked by `proofs.checker` too (1: all).
        watch: called with (labelings checked, labelings in all).

    Raises:
        InputError: a number out of range.
    """
    wanted = np.arange(witness.labelings) if numbers is None else np.unique(np.asarray(numbers, dtype=np.int64))
    margins = np.full(len(wanted), np.nan)
    place = {int(number): k for k, number in enumerate(wanted)} if numbers is not None else None
    done = 0
    for group, members in witness.groups(wanted):
        inputs = _inputs(witness, group)
        for start in range(0, len(members), _BATCH):
            batch = members[start : start + _BATCH]
            rows = batch if place is None else np.array([place[int(number)] for number in batch])
            margins[rows] = _filtered(witness, group, batch, inputs)
            done += len(batch)
            if watch is not None:
                watch(done, len(wanted))
    sure = margins > 0
    spots = {int(number) for number in wanted[sure] if number % spot == 0}
    failures: list[int] = []
    bounds = [to_rational(float(margins[sure].min()))] if sure.any() else []
    certified = 0
    for number in [*map(int, wanted[~sure]), *sorted(spots)]:
        margin = _checked(witness, number)
        if margin is None:
            failures.append(number)
        else:
            bounds.append(margin)
            certified += number not in spots
    agreeing = len(spots) - len(spots & set(failures))
    return Recheck(len(wanted), int(sure.sum()), certified, agreeing, tuple(failures), min(bounds, default=None))


def _inputs(witness: ShatteredSet, group: int) -> Intervals:
    """Enclosures of what the last layer of a group is given, point by point."""
    layers = witness.first_layers(group)
    if not layers:
        return exactly(witness.places)
    identity = Affine.of(np.eye(3), np.zeros(3))
    return enclose_balls(enclose(LNNet((*layers, identity), (0, 1, 2), "argmax"), witness.points, _BITS))


def _filtered(witness: ShatteredSet, group: int, numbers: NDArray[np.int64], inputs: Intervals) -> NDArray[np.float64]:
    return certified_margins(witness.last_layers(group, numbers), inputs, witness.labels(numbers))


def _checked(witness: ShatteredSet, number: int) -> fmpq | None:
    """A lower bound on the margin of a labelling's network from `proofs.checker`, or None."""
    try:
        net = witness.network(number)
        verdict = check(net, witness.labelled(number))
    except InputError:  # no network, or one that is undefined at a point
        return None
    return verdict.margin if verdict and (net.depth, net.width) == (witness.depth, 3) else None
