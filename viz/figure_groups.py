"""Figure 5(c, d) (Ni et al. 2024): the nonlinearity H of grouped LN against the number of groups.

H is computed from the closed form of Lemma 13, not by differentiation. The paper averages over activations of trained
networks; the analogues here use 1000 seeded inputs of d = 256 neurons of our own choice: independent normal ones
in (c), and smooth ones (a random walk along the neurons) in (d), where a group varies less than the whole layer.
The median is shown, because the mean does not exist: for four independent normal neurons E[1/σ⁴] is infinite.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from constructions.errors import InputError, ShapeError
from proofs.nonlinearity import ratio_table
from viz.picture import Picture, show
from viz.scene import Frame, Item, Label, Marker, Path, Scene

if TYPE_CHECKING:
    from numpy.typing import NDArray

WIDTH, SAMPLES, SEED = 256, 1000, 2024
GROUPS = (1, 2, 4, 8, 16, 32, 64, 128)


def group_nonlinearity(x: Any, groups: int) -> NDArray[np.float64]:
    """H of LN with g groups at each row of x: Σ_i (3 − 6/c)/σ_i⁴ with c = d/g (Lemmas 12 and 13).

    Args:
        x: shape (n, d).
        groups: g, a divisor of d.

    Returns:
        n values; all zero for groups of two, on which LN is locally constant.

    Raises:
        ShapeError: x is not a matrix, or g does not divide d.
        InputError: a group of equal coordinates, where LN is undefined.

    >>> group_nonlinearity([[1.0, 2.0, 3.0, 1.0, 2.0, 3.0]], 2).round(6).tolist()
    [4.5]
    """
    rows = np.asarray(x, float)
    if rows.ndim != 2 or groups < 1 or rows.shape[1] % groups:
        raise ShapeError(f"Expected shape (n, d) with {groups} dividing d, not {rows.shape}.")
    size = rows.shape[1] // groups
    variances = rows.reshape(len(rows), groups, size).var(axis=2)
    if not (variances > 0).all():
        raise InputError("A group of equal coordinates has no LN.")
    return np.asarray((3 - 6 / size) * (variances**-2.0).sum(axis=1))


def sample_inputs(kind: str) -> NDArray[np.float64]:
    """The 1000 inputs of 256 neurons: ``"independent"`` normal ones or ``"smooth"`` ones."""
    generator = np.random.Generator(np.random.PCG64([SEED, len(kind)]))
    steps = generator.standard_normal((SAMPLES, WIDTH))
    if kind == "independent":
        return steps
    if kind != "smooth":
        raise InputError(f"Argument 'kind' must be 'independent' or 'smooth', not {kind!r}.")
    return np.cumsum(steps, axis=1) / np.sqrt(WIDTH)


def figure5_scenes(panels: str = "cd") -> tuple[Scene, ...]:
    """The analogues of Figure 5(c, d) as data."""
    kinds = {"c": ("independent", "(c) independent neurons"), "d": ("smooth", "(d) smooth over the neurons")}
    if not panels or set(panels) - set(kinds):
        raise InputError(f"Argument 'panels' must be a selection of 'cd', not {panels!r}.")
    return tuple(_curve(*kinds[panel]) for panel in panels)


def figure5(
    ax: Any = None, *, panels: str = "cd", theme: str = "light", size: str = "notebook", columns: int | None = None
) -> Picture:
    """Figure 5(c, d): H grows with the number of groups, until groups of two make it vanish.

    Args:
        ax: axes to draw on, one a panel; a new figure by default.
        panels: which of the two.
        theme: ``"light"`` or ``"dark"``.
        size: ``"column"``, ``"page"`` or ``"notebook"``.
        columns: number of panels side by side.

    >>> figure5()
    Picture('Figure 5(c, d): H against the number of groups (inputs chosen here)', 2 panels)
    """
    columns = columns or (1 if size == "column" else 2)
    name = "Figure 5(c, d): H against the number of groups (inputs chosen here)"
    return show(figure5_scenes(panels), name, ax=ax, theme=theme, size=size, columns=columns)


def ratio_scene(widths: Sequence[int] = (16, 32, 64, 128, 256)) -> Scene:
    """The least H ratio of grouped to plain LN over (d, g), as data: Proposition 8 with its best g ringed."""
    items: list[Item] = []
    top = 1.0
    for number, d in enumerate(widths):
        rows = [(float(row.groups), int(row.smallest.p) / int(row.smallest.q), row) for row in ratio_table([d])]
        curve = [(x, y, row) for x, y, row in rows if y > 0]
        top = max(top, *(y for _, y, _ in curve))
        items.append(Path(tuple((x, y) for x, y, _ in curve), "curve", number))
        items += [Marker(x, y, number, accent="merge" if row.best else "") for x, y, row in curve]
    right = max(widths) / 3
    items.append(Path(((1.0, 1.0), (right, 1.0)), "level"))
    legend = tuple((k, f"$d={d}$") for k, d in enumerate(widths))
    ticks = tuple((2.0**k, str(2**k)) for k in range(int(np.log2(right)) + 1))
    frame = Frame("groups $g$", "least $H$ ratio to plain LN", "log2", "log2", xticks=ticks)
    return Scene(tuple(items), (0.85, right, 0.85, top * 1.5), legend=legend, frame=frame)


def plot_group_ratio(
    widths: Sequence[int] = (16, 32, 64, 128, 256), ax: Any = None, *, theme: str = "light", size: str = "notebook"
) -> Picture:
    """Proposition 8 over (d, g): how much grouping amplifies H at least; the best g is ringed.

    Args:
        widths: numbers d of neurons.
        ax: axes to draw on; a new figure by default.
        theme: ``"light"`` or ``"dark"``.
        size: ``"column"``, ``"page"`` or ``"notebook"``.

    >>> plot_group_ratio()
    Picture('H of grouped over plain LN', 1 panel)
    """
    return show([ratio_scene(widths)], "H of grouped over plain LN", ax=ax, theme=theme, size=size)


def _curve(kind: str, title: str) -> Scene:
    inputs = sample_inputs(kind)
    typical = [(float(g), float(np.median(group_nonlinearity(inputs, g)))) for g in GROUPS]
    positive = [pair for pair in typical if pair[1] > 0]
    low, high = min(y for _, y in positive), max(y for _, y in positive)
    floor = low / (high / low) ** 0.12
    items: list[Any] = [Path(tuple(positive), "curve", 0), *(Marker(x, y, 0) for x, y in positive)]
    for x, y in typical:
        if y == 0:
            items += [Marker(x, floor, 0, hollow=True), Label(x, floor, "0", "n")]
    ticks = tuple((float(g), str(g)) for g in GROUPS)
    frame = Frame("groups $g$", "median $H$", "log2", "log", xticks=ticks)
    return Scene(tuple(items), (0.85, 150.0, floor, high * (high / low) ** 0.1), title, frame=frame)
