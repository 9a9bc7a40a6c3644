r"""Folds that bring two pairs of clusters together, both exactly.

The order after a fold depends on two parameters, and so two pairs can be made to meet. Clusters of one class that meet
are one cluster from then on: nothing will ever be laid in between, which luck alone does not grant.
"""

from __future__ import annotations

import numpy as np

from constructions.trial_folds import Array, Folds, Numbers, images


def exact_folds(places: Array, labels: Numbers, folds: Folds, nearest: int) -> Folds:
    """Folds close to those given under which two pairs meet that nearly do so.

    Args:
        places: n positions in ascending order, from 0 to 1.
        labels: n class numbers.
        folds: that bring clusters of one class from both sides of the apex next to each other.
        nearest: how many such pairs are considered for each fold, the nearest in relation to the gaps beside them.
    """
    found = [Folds.free(*(np.zeros(0) for _ in range(3)))]
    for number, image in enumerate(images(places, folds)):
        order = np.argsort(image, kind="stable")
        left = places[order] < folds.apex[number]
        gaps = np.diff(image[order])
        near = np.flatnonzero((labels[order[1:]] == labels[order[:-1]]) & (left[1:] != left[:-1]))
        beside = np.minimum(np.append(np.inf, gaps)[near], np.append(gaps[1:], np.inf)[near])
        near = near[np.argsort(gaps[near] / beside, kind="stable")[:nearest]]
        pairs = np.sort(np.stack([order[near], order[near + 1]], axis=1), axis=1)
        inner, outer = (pairs[k] for k in np.triu_indices(len(pairs), 1))
        swap = inner[:, 0] < outer[:, 0]
        inner, outer = np.where(swap[:, None], outer, inner), np.where(swap[:, None], inner, outer)
        nested = (outer[:, 0] < inner[:, 0]) & (inner[:, 1] < outer[:, 1])
        four = np.concatenate([inner, outer], axis=1)[nested]
        apex, kappa = involutions(*places[four].T)
        valid = np.isfinite(apex) & np.isfinite(kappa)
        some = Folds(apex, kappa, np.full(len(apex), folds.bend[number]), four)
        found.append(some.pick(np.flatnonzero(valid)))
    return Folds.all_of(found)


def involutions(y: Array, z: Array, v: Array, w: Array) -> tuple[Array, Array]:
    """Apex and κ of the folds that exchange y with z and v with w, where v < y < z < w; not finite if none is found."""
    z, v, w = z - y, v - y, w - y
    product = v * w
    # As in `found_folds.exchanging_fold`: the fixed points t solve (v + w − z)t² − 2vw·t + zvw = 0.
    root = np.sqrt(product * product - (v + w - z) * z * product)
    apex, inverse = z * product / (product - root), (product + root) / (z * product)
    return y + apex, inverse / (1 - apex * inverse)
