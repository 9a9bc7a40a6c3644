"""Figure A1 (Ni et al. 2024, Table I): four data sets, and how SSR and LSSR judge them.

256 samples a class. The distribution of (a) and the means of (c) and (d) are the paper's; the covariances of (b), (c)
and (d) are not legible in print, so they are our own choice: such that SSR and LSSR come out in the paper's regimes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from constructions.errors import InputError
from viz.picture import Picture, show
from viz.scene import Frame, Item, Label, Marker, Scene

if TYPE_CHECKING:
    from numpy.typing import NDArray

SAMPLES, SEED = 256, 2024
#: Panel → (title, mean of the first class, covariance of both classes); the second class has the opposite mean.
GAUSSIANS: dict[str, tuple[str, tuple[float, float], tuple[tuple[float, float], tuple[float, float]]]] = {
    "b": ("(b) inseparable Gaussians", (0.0, 0.0), ((4.0, 0.0), (0.0, 4.0))),
    "c": ("(c) separable Gaussians", (3.0, 3.0), ((2.7, 0.0), (0.0, 2.7))),
    "d": ("(d) parallel Gaussians", (2.0, 0.0), ((1.0, 0.0), (0.0, 12.0))),
}


def table1_samples(panel: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The two classes of a panel, arrays of shape (256, 2); the same ones every time.

    Args:
        panel: ``"a"`` (XOR), ``"b"``, ``"c"`` or ``"d"``.

    Raises:
        InputError: any other panel.
    """
    generator = np.random.Generator(np.random.PCG64([SEED, ord(panel[0]) if panel else 0]))
    if panel == "a":
        coins = generator.integers(0, 2, (2, SAMPLES)).astype(float)
        return np.stack([coins[0], coins[0]], 1), np.stack([coins[1], 1 - coins[1]], 1)
    if panel not in GAUSSIANS:
        raise InputError(f"Argument 'panel' must be one of 'a', 'b', 'c', 'd', not {panel!r}.")
    _, mean, covariance = GAUSSIANS[panel]
    root = np.linalg.cholesky(np.array(covariance))
    first, second = generator.standard_normal((2, SAMPLES, 2)) @ root.T
    return first + mean, second - mean


def figure_a1_scenes(panels: str = "abcd") -> tuple[Scene, ...]:
    """The panels of Figure A1 as data."""
    return tuple(_panel(panel) for panel in panels)


def figure_a1(
    ax: Any = None, *, panels: str = "abcd", theme: str = "light", size: str = "notebook", columns: int | None = None
) -> Picture:
    """Figure A1: four data sets with their SSR and LSSR.

    Args:
        ax: axes to draw on, one a panel; a new figure by default.
        panels: which of the four.
        theme: ``"light"`` or ``"dark"``.
        size: ``"column"``, ``"page"`` or ``"notebook"``.
        columns: number of panels side by side.

    >>> figure_a1()
    Picture('Figure A1: four data sets (covariances chosen here)', 4 panels)
    """
    columns = columns or (2 if size != "page" else 4)
    name = "Figure A1: four data sets (covariances chosen here)"
    return show(figure_a1_scenes(panels), name, ax=ax, theme=theme, size=size, columns=columns)


def _panel(panel: str) -> Scene:
    from constructions.sum_of_squares import linear_bound, sum_of_squares_ratio

    first, second = table1_samples(panel)
    values = f"SSR {_decimal(sum_of_squares_ratio(first, second))}, LSSR {_decimal(linear_bound(first, second).value)}"
    if panel == "a":
        items: list[Item] = []
        for group, cloud in enumerate((first, second)):
            places, counts = np.unique(cloud, axis=0, return_counts=True)
            for (x, y), count in zip(places.tolist(), counts.tolist()):
                items += [Marker(x, y, group), Label(x, y, f"×{count}", "n", "note")]
        return Scene(tuple(items), (-0.5, 1.5, -0.5, 1.6), f"(a) XOR\n{values}", frame=Frame())
    clouds = [Marker(x, y, g, size=0.42) for g, cloud in enumerate((first, second)) for x, y in cloud.tolist()]
    clouds = clouds[::2] + clouds[1::2]  # neither class hides the other
    mixed = tuple(m for pair in zip(clouds[: len(clouds) // 2], clouds[len(clouds) // 2 :]) for m in pair)
    return Scene(mixed, (-14, 14, -14, 14), f"{GAUSSIANS[panel][0]}\n{values}", frame=Frame())


def _decimal(value: Any) -> str:
    return f"{int(value.p) / int(value.q):.3f}"
