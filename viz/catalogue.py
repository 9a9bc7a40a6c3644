"""Pictures by name, as ``lnnet draw`` offers them. Nothing is imported until a picture is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from constructions.errors import InputError

#: Name → (module, function, what it shows).
FIGURES: dict[str, tuple[str, str, str]] = {
    "figure1": ("viz.figure_xor", "figure1", "XOR by one spherical projection"),
    "figure2": ("viz.figure_merge", "figure2", "one step of Algorithm 1"),
    "figure3": ("viz.figure_merge", "figure3", "a merge that confuses two classes"),
    "figure5": ("viz.figure_groups", "figure5", "H against the number of groups"),
    "figureA1": ("viz.figure_data", "figure_a1", "four data sets, SSR and LSSR"),
    "figureA2": ("viz.figure_merge", "figure_a2", "the angle of a projected point"),
    "figureA3": ("viz.figure_lemma11", "figure_a3", "the three cases of Lemma 11"),
    "group-ratio": ("viz.figure_groups", "plot_group_ratio", "H of grouped over plain LN, over (d, g)"),
}
#: The same for ``lnnet animate``.
ANIMATIONS: dict[str, tuple[str, str, str]] = {
    "figure1": ("viz.animate_figures", "animate_figure1", "XOR by one LN layer"),
    "figure2": ("viz.animate_figures", "animate_figure2", "one step of Algorithm 1"),
    "figure3": ("viz.animate_figures", "animate_figure3", "a merge that confuses two classes"),
    "counterexample": (
        "viz.animate_figures",
        "animate_counterexample",
        "Algorithm 1 as printed confuses the two classes of 0, 1, 2, 3",
    ),
}


def figure_named(name: str) -> Any:
    """The function that draws a figure.

    Args:
        name: a key of `FIGURES`, such as ``"figure2"``.

    Raises:
        InputError: unknown name.
    """
    if name not in FIGURES:
        raise InputError(f"Unknown figure {name!r}; there are {', '.join(FIGURES)}.")
    module, function, _ = FIGURES[name]
    return getattr(import_module(module), function)


def animation_named(name: str) -> Any:
    """The function that animates a figure.

    Args:
        name: a key of `ANIMATIONS`, such as ``"figure1"``.

    Raises:
        InputError: unknown name.
    """
    if name not in ANIMATIONS:
        raise InputError(f"Unknown animation {name!r}; there are {', '.join(ANIMATIONS)}.")
    module, function, _ = ANIMATIONS[name]
    return getattr(import_module(module), function)
