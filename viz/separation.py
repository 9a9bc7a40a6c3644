"""SSR and LSSR of samples (Ni et al. 2024, Definitions 1 and 2, Proposition 2), and SSR along Theorem 1's family.

In floating point, for pictures only; nothing here is a proof.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from constructions.errors import InputError, ShapeError
from viz.picture import Picture, show
from viz.scene import Frame, Label, Marker, Path, Scene

if TYPE_CHECKING:
    from numpy.typing import NDArray

Samples = "NDArray[np.float64]"


def ssr(first: Any, second: Any) -> float:
    """Sum of squares within the classes over that of all samples (Definition 1).

    Args:
        first, second: arrays of shape (m, d), or (m,) for d = 1.

    >>> ssr([[0.0], [1.0]], [[0.0], [1.0]])
    1.0
    """
    a, b = _samples(first, second)
    both = np.concatenate([a, b])
    total = _squares(both)
    if total == 0:
        raise InputError("SSR is undefined: all samples are equal.")
    return float((_squares(a) + _squares(b)) / total)


def lssr(first: Any, second: Any) -> tuple[float, NDArray[np.float64]]:
    """The least SSR over linear maps and the direction u* that reaches it (Proposition 2).

    Returns:
        λ*, the least eigenvalue of N⁻¹M, and a unit eigenvector of length d.

    Raises:
        InputError: N is singular: the samples lie in a hyperplane.
    """
    a, b = _samples(first, second)
    within = sum(((c - c.mean(0)).T @ (c - c.mean(0)) for c in (a, b)), np.zeros((a.shape[1],) * 2))
    both = np.concatenate([a, b])
    total = (both - both.mean(0)).T @ (both - both.mean(0))
    if np.linalg.matrix_rank(total) < len(total):
        raise InputError("LSSR by Proposition 2 needs samples that do not lie in a hyperplane.")
    root = np.linalg.cholesky(total)
    inverse = np.linalg.inv(root)
    values, vectors = np.linalg.eigh(inverse @ within @ inverse.T)
    direction = inverse.T @ vectors[:, 0]
    direction /= np.linalg.norm(direction)
    return float(values[0]), direction * (np.sign(direction[np.abs(direction).argmax()]) or 1.0)


def ssr_curve(first: Any, second: Any, ts: Any) -> NDArray[np.float64]:
    """SSR of g(t; x) = (1 + xt)/√(1 + x²t²) with x = u*ᵀ·sample, for each t; at t = 0 the limit, LSSR.

    Args:
        first, second: arrays of shape (m, d).
        ts: values of t.
    """
    a, b = _samples(first, second)
    least, direction = lssr(a, b)
    x, y = a @ direction, b @ direction

    def image(t: float, v: NDArray[np.float64]) -> NDArray[np.float64]:
        return (1 + v * t) / np.sqrt(1 + v * v * t * t)

    return np.array([least if t == 0 else ssr(image(t, x), image(t, y)) for t in np.asarray(ts, float)])


def ssr_scene(first: Any, second: Any, *, steps: int = 241) -> Scene:
    """SSR(t), LSSR, and the best t found, as data.

    The range of t is chosen so that |x·t| reaches 3 on the samples.
    """
    a, b = _samples(first, second)
    least, direction = lssr(a, b)
    reach = 3.0 / float(np.abs(np.concatenate([a, b]) @ direction).max() or 1.0)
    ts = np.linspace(-reach, reach, steps | 1)
    ts[len(ts) // 2] = 0.0
    values = ssr_curve(a, b, ts)
    best = int(values.argmin())
    items: list[Any] = [
        Path(tuple(zip(ts.tolist(), values.tolist())), "curve", 0),
        Path(((-reach, least), (reach, least)), "level"),
        Label(reach, least, f"LSSR = {least:.4f}", "nw"),
    ]
    if values[best] < least - 1e-12:
        side: Any = "s" if abs(ts[best]) < 0.6 * reach else ("se" if ts[best] < 0 else "sw")
        items.append(Marker(float(ts[best]), float(values[best]), 1))
        items.append(Label(float(ts[best]), float(values[best]), f"SSR($t^*$) = {values[best]:.4f}", side))
    low, high = float(values.min()), float(max(values.max(), least))
    pad = 0.2 * ((high - low) or 0.1)
    bounds = (-reach * 1.05, reach * 1.05, low - pad, high + pad)
    return Scene(tuple(items), bounds, frame=Frame("$t$", "SSR"))


def plot_ssr(first: Any, second: Any, ax: Any = None, *, theme: str = "light", size: str = "notebook") -> Picture:
    """How far one LN layer gets below the linear bound (Theorem 1): SSR(t) with LSSR and t*.

    Args:
        first, second: samples of two classes, arrays of shape (m, d).
        ax: axes to draw on; a new figure by default.
        theme: ``"light"`` or ``"dark"``.
        size: ``"column"``, ``"page"`` or ``"notebook"``.

    >>> from viz.figure_data import table1_samples
    >>> plot_ssr(*table1_samples("c"))
    Picture('SSR along the family of Theorem 1', 1 panel)
    """
    return show([ssr_scene(first, second)], "SSR along the family of Theorem 1", ax=ax, theme=theme, size=size)


def _samples(first: Any, second: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    arrays = []
    for name, value in (("first", first), ("second", second)):
        array = np.asarray(value, float)
        array = array[:, None] if array.ndim == 1 else array
        if array.ndim != 2 or not len(array):
            raise ShapeError(f"Argument '{name}' must have shape (m, d), not {array.shape}.")
        if not np.isfinite(array).all():
            raise InputError(f"Argument '{name}' must be finite.")
        arrays.append(array)
    if arrays[0].shape[1] != arrays[1].shape[1]:
        raise ShapeError(f"The samples have {arrays[0].shape[1]} and {arrays[1].shape[1]} coordinates.")
    return arrays[0], arrays[1]


def _squares(x: NDArray[np.float64]) -> float:
    return float(((x - x.mean(0)) ** 2).sum())
