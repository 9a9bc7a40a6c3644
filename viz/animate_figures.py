"""Figures 1 to 3 (Ni et al. 2024) in motion."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from viz.animation import Animation
from viz.figure_merge import FIGURE2_GROUPS, FIGURE3_GROUPS, PAIR, POSITIONS, merge_step
from viz.figure_xor import plane_axes, xor_stages
from viz.motion import Furniture, Motion, Places, Segment, blend, stay
from viz.scene import Arc, Item, Path
from viz.style import Style

_XOR_BOUNDS = (-1.75, 1.75, -1.3, 2.2)
_MERGE_BOUNDS = (-2.9, 6.5, -3.9, 5.5)
#: The smallest set on which Algorithm 1 as printed merges different classes: positions, classes, the pair it takes.
COUNTEREXAMPLE = ((0, 1, 2, 3), (0, 1, 1, 1), (1, 2))


def animate_figure1(*, theme: str = "light", frames: int = 60, pixels: int = 500) -> Animation:
    """XOR by one LN layer, in motion: rotation, projection, along the rays onto the circle, projection.

    Args:
        theme: ``"light"`` or ``"dark"``.
        frames: number of frames, at least 12.
        pixels: width of a frame.

    >>> len(animate_figure1().motion)
    60
    """
    groups, places = xor_stages()
    steps = _shares(frames, (1, 15, 12, 14, 12, 6))
    a, b, c, d, e = (places[letter] for letter in "abcde")
    cut = (e[0][1] + e[1][1]) / 2
    merged = ("merge",) * 4
    axes = plane_axes(_XOR_BOUNDS)
    line = Path(((_XOR_BOUNDS[0], 0.5), (_XOR_BOUNDS[1], 0.5)), "guide")
    segments = (
        Segment(stay(a), "XOR: no line separates the classes", steps[0], furniture=_fixed(*axes), rest=900),
        Segment(_turn(a), "rotation by 45°", steps[1], furniture=_fixed(*axes), rest=400),
        Segment(blend(b, c), "linear projection onto $y=0.5$", steps[2], furniture=_fixed(*axes, line), rest=400),
        Segment(blend(c, d), "spherical projection along the rays", steps[3], furniture=_circle(axes, line), rest=400),
        Segment(
            blend(d, e),
            "linear projection onto $x=0$",
            steps[4],
            "both classes merge",
            "",
            merged,
            _circle(axes, rays=False),
            600,
        ),
        Segment(
            stay(e),
            "one cut separates the classes",
            steps[5],
            furniture=_circle(axes, Path(((-0.5, cut), (0.5, cut)), "cut"), rays=False),
            rest=1500,
        ),
    )
    legend = ((0, "class 0"), (1, "class 1"))
    motion = Motion("Figure 1 in motion: XOR by one LN layer", segments, groups, _XOR_BOUNDS, legend=legend)
    return Animation(motion, Style.named(theme), pixels)


def animate_figure2(*, theme: str = "light", frames: int = 60, pixels: int = 500) -> Animation:
    """One step of Algorithm 1, in motion.

    Args:
        theme: ``"light"`` or ``"dark"``.
        frames: number of frames.
        pixels: width of a frame.

    >>> animate_figure2()
    Animation('Figure 2 in motion: one step of Algorithm 1', 60 frames)
    """
    name = "Figure 2 in motion: one step of Algorithm 1"
    return _merge(name, POSITIONS, FIGURE2_GROUPS, PAIR, theme, frames, pixels)


def animate_figure3(*, theme: str = "light", frames: int = 60, pixels: int = 500) -> Animation:
    """The same step when points 2 and 3 are of different classes: they are confused.

    Args:
        theme: ``"light"`` or ``"dark"``.
        frames: number of frames.
        pixels: width of a frame.

    >>> animate_figure3()
    Animation('Figure 3 in motion: a merge that confuses two classes', 60 frames)
    """
    name = "Figure 3 in motion: a merge that confuses two classes"
    return _merge(name, POSITIONS, FIGURE3_GROUPS, PAIR, theme, frames, pixels)


def animate_counterexample(*, theme: str = "light", frames: int = 60, pixels: int = 500) -> Animation:
    """Algorithm 1 as printed on 0, 1, 2, 3 with classes 0, 1, 1, 1: two classes, and still a confusion.

    The leftmost point has no partner and is set aside; then points 2 and 3 are merged, and 1 meets 4.

    Args:
        theme: ``"light"`` or ``"dark"``.
        frames: number of frames.
        pixels: width of a frame.

    >>> animate_counterexample()
    Animation('Algorithm 1 as printed confuses two classes', 60 frames)
    """
    name = "Algorithm 1 as printed confuses two classes"
    return _merge(name, *COUNTEREXAMPLE, theme, frames, pixels)


def _merge(
    name: str,
    positions: tuple[int, ...],
    groups: tuple[int, ...],
    pair: tuple[int, int],
    theme: str,
    frames: int,
    pixels: int,
) -> Animation:
    step = merge_step(positions, pair)
    p, h, x, q = step["p"], step["h"], step["x"], step["q"]
    upright = tuple((0.0, y) for _, y in x)
    accents = _meetings(upright, groups)
    confused = "confusion" in accents
    steps = _shares(frames, (1, 15, 15, 13, 12, 4))
    bounds = (-1.9, 3.5, -2.0, 3.4) if len(positions) == 4 else _MERGE_BOUNDS
    near = (-1.5, 1.5, -1.1, 1.9)
    axes = plane_axes(bounds)
    height = h[0][1]
    line = Path(((bounds[0], height), (bounds[1], height)), "guide")
    here, lifted, rays = _fixed(*axes), _fixed(*axes, line), _circle(axes, line)
    circle, arcs = _circle(axes, rays=False), _arcs(axes, upright)
    i, j = pair
    note = "CONFUSION: different classes meet" if confused else "merged points are ringed"
    still: dict[str, Any] = {"zoom": (near, near)}
    segments = (
        Segment(stay(p), f"points {i + 1} and {j + 1} of one class are to merge", steps[0], rest=1200, furniture=here),
        Segment(blend(p, h), "translation: left to the middle of the two, up", steps[1], furniture=lifted, rest=400),
        Segment(
            blend(h, x), "spherical projection along the rays", steps[2], furniture=rays, rest=400, zoom=(bounds, near)
        ),
        Segment(
            blend(x, upright),
            "linear projection: read the height",
            steps[3],
            note,
            "",
            accents,
            circle,
            900,
            side="e",
            **still,
        ),
        Segment(
            _quarter(upright),
            "the heights are the next positions",
            steps[4],
            note if confused else "",
            "",
            accents if confused else (),
            arcs,
            400,
            lasting=confused,
            **still,
        ),
        Segment(stay(q), "the next layer's line", steps[5], note, "", accents, here, 1500, True, (near, near)),
    )
    names = tuple(str(k + 1) for k in range(len(positions)))
    legend = tuple((g, f"class {g + 1}") for g in sorted(set(groups)))
    motion = Motion(name, segments, groups, bounds, names, legend, notes=(note,) if confused else ())
    return Animation(motion, Style.named(theme), pixels)


def _meetings(places: Places, groups: Sequence[int]) -> tuple[str, ...]:
    """ "merge" for points that share their place with others, "confusion" if those are of another class."""
    result = []
    for x, y in places:
        there = {
            groups[k] for k, (u, v) in enumerate(places) if math.isclose(x, u, abs_tol=1e-9) and math.isclose(y, v)
        }
        count = sum(math.isclose(x, u, abs_tol=1e-9) and math.isclose(y, v) for u, v in places)
        result.append("confusion" if len(there) > 1 else "merge" if count > 1 else "")
    return tuple(result)


def _shares(frames: int, weights: Sequence[int]) -> list[int]:
    """Frames for each segment, in proportion, at least one each."""
    from constructions.errors import InputError

    if frames < 2 * len(weights) or frames > 2000:
        raise InputError(f"Argument 'frames' must be from {2 * len(weights)} to 2000, not {frames}.")
    total = sum(weights)
    result = [max(1, round(frames * w / total)) for w in weights]
    result[weights.index(max(weights))] += frames - sum(result)
    return result


def _fixed(*items: Item) -> Furniture:
    return lambda share, places: items


def _circle(axes: Sequence[Item], *more: Item, rays: bool = True) -> Furniture:
    def furniture(share: float, places: Places) -> Sequence[Item]:
        lines = [Path(((0.0, 0.0), place), "ray") for place in places] if rays else []
        return (*axes, *more, Arc(0, 0, 1), *lines)

    return furniture


def _arcs(axes: Sequence[Item], upright: Places) -> Furniture:
    arcs = [Arc(0, 0, y, 0, 90, "ghost") for _, y in upright]
    return _fixed(*axes, *arcs, Arc(0, 0, 1))


def _turn(places: Places) -> Callable[[float], Places]:
    def move(share: float) -> Places:
        c, s = math.cos(share * math.pi / 4), math.sin(share * math.pi / 4)
        return [(c * x - s * y, s * x + c * y) for x, y in places]

    return move


def _quarter(places: Places) -> Callable[[float], Places]:
    """From the y-axis to the x-axis on arcs about the origin."""

    def move(share: float) -> Places:
        angle = (1 - share) * math.pi / 2
        return [(y * math.cos(angle), y * math.sin(angle)) for _, y in places]

    return move
