"""Shatter points: the engine of `proofs.shattering` with the constructions of `lnnet.building` behind it."""

from __future__ import annotations

import os
from typing import Any

from constructions.errors import InputError, LNNetError
from constructions.network import LNNet
from constructions.points import LabeledPoints
from lnnet.building import build_certified
from lnnet.methods import METHODS
from proofs.shattering.engine import MAX_LABELINGS, Shattered, Watch, shatter_task
from proofs.shattering.settle import Settled, settle
from proofs.shattering.task import TRIE, Task


def network_for(points: LabeledPoints, depth: int, method: str) -> LNNet:
    """A certified network of exactly one depth, by one method or by whichever succeeds first.

    Args:
        method: a key of `METHODS`, or ``"auto"`` for all of them in turn but the one that is wrong as printed.

    Raises:
        LNNetError: no method succeeds within the depth.
    """
    names = [method]
    if method == "auto":  # from the simplest to the shallowest, and the other way where layers are scarce
        names = [name for name in METHODS if name != "pma-printed"]
        names = names if depth >= len(points) - 2 else names[::-1]
    reason = "no method was tried"
    for name in names:
        try:
            built = build_certified(points, method=name, depth=depth)
        except LNNetError as error:
            reason = str(error)
            continue
        if built.certificate and built.network.depth == depth:
            return built.network
        reason = built.certificate.reason
    raise InputError(f"No network of depth {depth}: {reason}")


def shatter(
    points: Any,
    depth: int | None = None,
    *,
    classes: int = 2,
    method: str | None = None,
    sample: int = 0,
    seed: int = 0,
    workers: int = 1,
    cluster: str | None = None,
    resume: str | os.PathLike[str] | None = None,
    limit: int = MAX_LABELINGS,
    watch: Watch | None = None,
) -> Shattered:
    """Certify a width-3 LN-Net of exactly one depth for every labelling of some points.

    If the result is true, the points are shattered: for two classes, the VC dimension of LN-Nets of this depth is at
    least their number (Corollary 3 of Ni et al. 2024 for the depth m − 2).

    Args:
        points: m distinct points, as for `LabeledPoints.of`.
        depth: L; by default m − 2, and at least 1.
        classes: K. Labelings that differ by renaming the classes count as one.
        method: ``"trie"`` (two classes, all labelings at once), or one by one
            ``"auto"`` or one of `lnnet.methods.METHODS`.
        sample: draw so many labelings at random instead of taking all.
        seed: of the drawing.
        workers: number of local processes.
        cluster: address of a Dask scheduler instead.
        resume: a file of finished chunks, continued if it exists.
        limit: how many labelings are tried at most.
        watch: called with (what is being done, labelings done, labelings in all).

    Raises:
        InputError: equal points, an argument out of range, more labelings than the limit, a resume file of another run,
            an unreachable cluster.

    >>> result = shatter([0, 1, 2, 3, 4])
    >>> bool(result), result.labelings, result.task.depth
    (True, 32, 3)
    """
    task = task_for(points, depth, classes=classes, method=method, sample=sample, seed=seed)
    return shatter_task(
        task, builder=network_for, workers=workers, cluster=cluster, resume=resume, limit=limit, watch=watch
    )


def settle_labelling(task: Task, labels: tuple[int, ...]) -> Settled:
    """The network of one labelling, rebuilt and checked with balls, and its digest."""
    return settle(task, [labels], network_for)[0]


def task_for(
    points: Any,
    depth: int | None = None,
    *,
    classes: int = 2,
    method: str | None = None,
    sample: int = 0,
    seed: int = 0,
) -> Task:
    """A task whose method is known here; arguments and errors as for `shatter`."""
    if method not in (None, TRIE, "auto", *METHODS):
        raise InputError(f"Argument 'method' must be one of {[TRIE, 'auto', *METHODS]}, not {method!r}.")
    return Task.of(points, depth, classes=classes, method=method, sample=sample, seed=seed)
