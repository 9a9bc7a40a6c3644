"""Where the next layer should look from: a choice among all pairs of chords, in floating point.

Two chords that join points of equal labels, and do not cross, meet in a point from which a layer merges the ends of
both (`double_merge`). The three parameters that a layer has left turn and stretch what it sees. Nothing here is proved.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Pair = tuple[int, int]
_WIDTHS = (0.6, 1.0, 1.3)
_FACTORS = (0.35, 0.6, 1.0, 1.7, 2.9)
#: How many of the best pairs of chords are tried with every width and factor.
_FINALISTS = 4
#: At most about so many chords are combined, which bounds time and memory for many points.
_PAIRS = 150


@dataclass(frozen=True)
class Look:
    """Where to look from, and how to turn and stretch what is seen.

    Attributes:
        chords: the two pairs of clusters whose chords meet in O.
        axis: number of the coordinate vector e for the basis O × e, O × (O × e) of the forms that vanish at O.
        turn: 2 × 2 matrix from this basis to U and V.
        gap: least distance, in radians on the circle, between neighbours of different labels afterwards.
    """

    chords: tuple[Pair, Pair]
    axis: int
    turn: NDArray[np.float64]
    gap: float


def best_looks(conic: NDArray[np.float64], labels: NDArray[np.bool_], kappa: float) -> list[Look]:
    """Looks that merge two pairs of equal labels, the best first; a choice in floating point, not a proof.

    Args:
        conic: (n, 3) homogeneous points of a convex arc, in order.
        labels: n.
        kappa: how slopes become angles on the circle: the tangent is slope/√κ.
    """
    n = len(labels)
    pairs = [(i, j) for i, j in combinations(range(n), 2) if labels[i] == labels[j]]
    if len(pairs) > _PAIRS:  # short chords, and those of the proof
        ends = [*[p for p in pairs if p[0] == 0][:1], *[p for p in pairs if p[1] == n - 1][-1:]]
        pairs = sorted({*sorted(pairs, key=lambda p: p[1] - p[0])[:_PAIRS], *ends})
    chords = [(p, r) for p, r in combinations(pairs, 2) if not set(p) & set(r) and not p[0] < r[0] < p[1] < r[1]]
    index = np.array(chords)  # (C, 2, 2)
    lines = np.cross(conic[index[:, :, 0]], conic[index[:, :, 1]])
    origins = np.cross(lines[:, 0], lines[:, 1])
    axes = np.argmin(np.abs(origins), axis=1)
    first = np.cross(origins, np.eye(3)[axes])
    second = np.cross(origins, first)
    seen = np.stack([first @ conic.T, second @ conic.T], axis=2)  # (C, n, 2)
    scale = np.linalg.norm(first, axis=1) / np.linalg.norm(second, axis=1)
    seen[:, :, 1] *= scale[:, None]
    rough, _ = _score(seen, labels, np.ones(len(seen)), np.ones(len(seen)))
    best = np.argsort(-rough)[:_FINALISTS]
    widths, factors = (x.ravel() for x in np.meshgrid(_WIDTHS, _FACTORS))
    tries = len(widths)
    gaps, turns = _score(
        np.repeat(seen[best], tries, axis=0), labels, np.tile(widths, len(best)), np.tile(factors, len(best))
    )
    looks = []
    for number, c in enumerate(best):
        row = number * tries + int(np.argmax(gaps[number * tries : (number + 1) * tries]))
        turn = turns[row] * np.array([1.0, scale[c]])  # undo the normalisation of the second form
        turn[0] *= np.sqrt(kappa)
        looks.append(Look(chords[c], int(axes[c]), turn, float(gaps[row])))
    return sorted(looks, key=lambda look: -look.gap)


def _score(
    seen: NDArray[np.float64], labels: NDArray[np.bool_], width: NDArray[np.float64], factor: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For every row the least angle between different labels, and the 2 × 2 turn that reaches it.

    Args:
        seen: (R, n, 2) rays.
        labels: n.
        width: R angles (radians): the outermost rays go to ±width.
        factor: R positive numbers that move the middle.
    """
    with np.errstate(all="ignore"):
        rays = seen / np.linalg.norm(seen, axis=2, keepdims=True)
        axis = rays.sum(axis=1, keepdims=True)
        angle = np.arctan2(_dets(axis, rays), (axis * rays).sum(axis=2))
        rows = np.arange(len(seen))
        right, left = rays[rows, angle.argmin(axis=1)], rays[rows, angle.argmax(axis=1)]
        a, b = -_dets(left[:, None], rays), _dets(right[:, None], rays)  # ≥ 0, zero on the leftmost and rightmost ray
        balance = factor * np.exp(np.median(np.log(np.abs(a) + 1e-9) - np.log(np.abs(b) + 1e-9), axis=1))
        tangent = np.tan(width)
        v = a + balance[:, None] * b
        place = np.arctan2(tangent[:, None] * (a - balance[:, None] * b), v)
        order = np.argsort(place, axis=1)
        differ = np.diff(labels[order].astype(int), axis=1) != 0
        gaps = np.where(differ, np.diff(np.take_along_axis(place, order, axis=1), axis=1), np.pi).min(axis=1)
        usable = (v > 0).all(axis=1) & (np.ptp(angle, axis=1) < np.pi) & np.isfinite(gaps)
    form_a = np.stack([left[:, 1], -left[:, 0]], axis=1)
    form_b = np.stack([-right[:, 1], right[:, 0]], axis=1) * balance[:, None]
    turns = np.stack([tangent[:, None] * (form_a - form_b), form_a + form_b], axis=1)
    return np.where(usable, gaps, -1.0), turns


def _dets(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    return x[..., 0] * y[..., 1] - x[..., 1] * y[..., 0]  # type: ignore[no-any-return]
