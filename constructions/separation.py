"""Linear separation in floating point: an untrusted search whose answer is checked afterwards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

#: Smallest cosine between the functional and a vector that counts as positive.
MARGIN = 1e-10


def positive_functional(vectors: Matrix, *, steps: int = 400) -> NDArray[np.float64] | None:
    """A vector w with ``vectors @ w > 0`` in every entry and a large smallest cosine, or None if none was found.

    Finds the point of least norm in the convex hull of the unit vectors (Wolfe, "Finding the nearest point in a
    polytope", 1976).

    Args:
        vectors: shape (t, D), no zero rows.
        steps: how often a vector may be added before giving up.

    >>> positive_functional(np.array([[1.0, 0.0], [0.0, 2.0]])).round(6).tolist()
    [0.5, 0.5]
    >>> positive_functional(np.array([[1.0, 0.0], [-1.0, 0.0]])) is None
    True
    """
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    chosen, share = [0], np.ones(1)
    x = unit[0]
    for _ in range(steps):
        products = unit @ x
        new = int(np.argmin(products))
        size = float(x @ x)
        if size < MARGIN**2:
            return None
        if products[new] >= size * (1 - 1e-9) or new in chosen:
            break
        chosen, share = _corral(unit, [*chosen, new], np.append(share, 0.0))
        x = share @ unit[chosen]
    length = float(np.linalg.norm(x))
    return x if length > 0 and float((unit @ x).min()) > MARGIN * length else None


def linear_readout(positions: Matrix, labels: Sequence[int], classes: int) -> tuple[Matrix, Matrix] | None:
    """Weights and biases of outputs that classify the positions, or None if none were found.

    Args:
        positions: shape (m, D).
        labels: m class numbers.
        classes: K. Two classes: one output, positive on class 1. Otherwise K logits (argmax).

    Returns:
        Shapes (outputs, D) and (outputs,).
    """
    centre = positions.mean(axis=0)
    spread = float(np.abs(positions - centre).max()) or 1.0
    lifted = np.hstack([(positions - centre) / spread, np.ones((len(positions), 1))])
    d = lifted.shape[1]
    if classes == 2:
        signs = np.array([1.0 if label == 1 else -1.0 for label in labels])
        w = positive_functional(lifted * signs[:, None])
        rows = None if w is None else w[None, :]
    elif classes == 1:
        rows = np.zeros((1, d))
    else:
        blocks = []
        for row, label in zip(lifted, labels, strict=True):
            for other in range(classes):
                if other != label:
                    block = np.zeros((classes, d))
                    block[label], block[other] = row, -row
                    blocks.append(block.ravel())
        w = positive_functional(np.array(blocks))
        rows = None if w is None else w.reshape(classes, d)
    if rows is None:
        return None
    weight = rows[:, :-1] / spread
    return weight, rows[:, -1] - weight @ centre


def _corral(unit: Matrix, chosen: list[int], share: Matrix) -> tuple[list[int], Matrix]:
    """Move to the least-norm point of the affine hull, dropping vectors until it is a convex combination."""
    while True:
        members = unit[chosen]
        n = len(chosen)
        system = np.ones((n + 1, n + 1))
        system[0, 0] = 0
        system[1:, 1:] = members @ members.T
        target = np.zeros(n + 1)
        target[0] = 1
        affine = np.linalg.lstsq(system, target, rcond=None)[0][1:]
        if (affine > 1e-12).all() or n == 1:
            return chosen, np.asarray(affine)
        low = affine <= 1e-12
        gaps = share[low] - affine[low]
        step = min(1.0, float((share[low] / np.where(gaps > 0, gaps, 1)).min()))
        share = (1 - step) * share + step * affine
        kept = share > 1e-12
        if kept.all():
            kept[int(np.argmin(share))] = False
        chosen = [k for k, keep in zip(chosen, kept, strict=True) if keep]
        share = share[kept] / share[kept].sum()
