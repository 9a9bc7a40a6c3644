"""Any network on any points, in motion: from the data through every layer to the read-out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from constructions.errors import InputError
from constructions.network import LNNet
from viz.animation import Animation
from viz.motion import Motion, Places, Segment, blend, stay
from viz.stagecraft import axis_behind, cuts_behind, feet, line_behind, rays_behind, swing
from viz.style import Style
from viz.tracing import MAX_BITS, State, Trace, trace

_BOUNDS = (-2.4, 2.4, -1.9, 2.9)
#: Frames that one layer takes at least and at most.
_LEAST, _MOST = 8, 30
#: Frames before the first and after the last layer.
_FRINGE = 12
#: More points than this get no names.
_NAMED = 12


def animate_network(
    net: LNNet,
    points: Any,
    labels: Any = None,
    *,
    frames: int = 240,
    theme: str = "light",
    pixels: int = 500,
    max_bits: int = MAX_BITS,
    watch: Callable[[int, int], object] | None = None,
) -> Animation:
    """The points' way through a network.

    The data are shown as they are for d ≤ 2, else in their first principal plane. A layer that sees a line is shown
    as in Figure 2: the line above the centre, slid onto the unit circle along the rays, read off along an axis.
    Networks with more layers than the frames allow are sampled: the motion's ``notes`` and every frame's header say
    which layers are not shown. Layers that confuse classes are always shown.

    Args:
        net: any LN-Net.
        points: points as for `LabeledPoints.of`, or a `LabeledPoints` (then without labels).
        labels: one label a point.
        frames: number of frames at most, from 40 to 2000.
        theme: ``"light"`` or ``"dark"``.
        pixels: width of a frame.
        max_bits: precision limit in bits.
        watch: called with (layers done, layers in all) while the points are followed.

    Raises:
        InputError: unusable points, labels or options.
        UndecidedError: the positions are not settled within the precision limit.

    >>> from constructions.xor import figure1_network, xor_points
    >>> animate_network(figure1_network(), xor_points()).motion.notes
    ()
    """
    if not 40 <= frames <= 2000:
        raise InputError(f"Argument 'frames' must be from 40 to 2000, not {frames}.")
    style = Style.named(theme)
    return Animation(network_motion(trace(net, points, labels, max_bits=max_bits, watch=watch), frames), style, pixels)


def network_motion(way: Trace, frames: int = 240) -> Motion:
    """The motion of a trace, as plain data.

    Args:
        way: of a network.
        frames: number of frames at most.
    """
    shown = sample_layers(way, (frames - 2 * _FRINGE) // _LEAST)
    steps = min(_MOST, (frames - 2 * _FRINGE) // max(1, len(shown)))
    segments = list(_opening(way))
    for place, k in enumerate(shown):
        following = shown[place + 1] if place + 1 < len(shown) else None
        segments += _layer(way, k, following, steps)
    if not way.layers:
        segments.append(Segment(blend(way.data, read_out_places(way)), "read-out", 8, furniture=cuts_behind(way)))
    segments.append(_ending(way))
    notes = []
    if len(shown) < way.depth:
        notes.append(f"{len(shown)} of {way.depth} LN layers are shown: {_ranges([k + 1 for k in shown])}")
    if way.dimension > 2:
        notes.append(f"the data have {way.dimension} coordinates and are shown in their first principal plane")
    names = tuple(str(k) for k in range(len(way.groups))) if len(way.groups) <= _NAMED else ()
    return Motion(
        f"{len(way.groups)} points through {way.depth} LN layer{'' if way.depth == 1 else 's'}",
        tuple(segments),
        way.groups,
        _BOUNDS,
        names,
        legend_of(way),
        notes=tuple(notes),
    )


def sample_layers(way: Trace, room: int) -> tuple[int, ...]:
    """Which layers (from 0) to show: all if there is room; else the first, the last, confusions, and evenly more.

    Args:
        way: of a network.
        room: how many layers can be shown, at least one.
    """
    if way.depth <= room:
        return tuple(range(way.depth))
    alarming = [k for k, layer in enumerate(way.layers) if layer.event.startswith("CONFUSION")]
    keep = {0, way.depth - 1, *alarming[: max(0, room - 2)]}
    rest = room - len(keep)
    for k in range(rest):
        wanted = round((k + 1) * (way.depth - 1) / (rest + 1))
        keep.add(min(set(range(way.depth)) - keep, key=lambda free: abs(free - wanted)))
    return tuple(sorted(keep))


def legend_of(way: Trace) -> tuple[tuple[int, str], ...]:
    """Class numbers and names; of many classes the first."""
    return class_names(way.classes)


def class_names(classes: Sequence[Any]) -> tuple[tuple[int, str], ...]:
    """Class numbers and shortened names; of many classes the first."""
    legend = [(k, _short(name)) for k, name in enumerate(classes)]
    return tuple(legend) if len(legend) <= 12 else (*legend[:11], (legend[11][0], "…"))


def read_out_places(way: Trace) -> Places:
    """Where the points are at the read-out.

    On the last line if there is one; else the distance to the boundary to the right, one row a class.
    """
    last = way.states[-1]
    if last.positions is not None and way.cuts is not None:
        return [(3.0 * p - 1.5, 0.0) for p in last.positions]
    rows = max(1, len(way.classes) - 1)
    return [(1.5 * x, 0.9 - 1.8 * g / rows) for x, g in zip(way.outputs, way.groups, strict=True)]


def _opening(way: Trace) -> list[Segment]:
    shown = "first principal plane" if way.dimension > 2 else "the data" if way.dimension == 2 else "the data on a line"
    footer = _facts(way.states[0])
    segments = [
        Segment(
            stay(way.data),
            shown,
            1,
            f"{len(way.groups)} points, {way.dimension} coordinate{'s' * (way.dimension > 1)}",
            footer,
            rest=1200,
        )
    ]
    if way.direction is None or way.dimension == 1 or not way.layers:
        return segments
    foot = feet(way.data, way.direction)
    segments.append(
        Segment(
            blend(way.data, foot),
            "linear projection to a line",
            8,
            "",
            footer,
            furniture=axis_behind(way.direction, way.data),
            rest=400,
        )
    )
    return segments


def _layer(way: Trace, k: int, following: int | None, steps: int) -> list[Segment]:
    """Onto the line, along the rays, onto the next line; the steps are shared among the three."""
    layer, old, new = way.layers[k], way.states[k], way.states[k + 1]
    head = f"layer {k + 1} of {way.depth}"
    third = max(2, steps // 3)
    facts, confused = _facts(old), layer.event.startswith("CONFUSION")
    segments = []
    if k == 0:
        segments.append(_enter(way, head, third, facts))
    segments.append(
        Segment(
            blend(layer.before, layer.after),
            f"{head}: LN, along the rays",
            third,
            "",
            facts,
            furniture=rays_behind(layer),
            rest=200,
        )
    )
    end: Places = layer.after
    if layer.read is not None and new.positions is not None:
        end = feet(layer.after, layer.read)
        segments.append(
            Segment(
                blend(layer.after, end),
                f"{head}: linear read-off",
                third,
                layer.event,
                _facts(new),
                layer.accents,
                axis_behind(layer.read, layer.after, circle=True),
                1500 if confused else 500,
                side="e" if abs(layer.read[1]) > abs(layer.read[0]) else "n",
            )
        )
    segments.append(_leave(way, k, following, end, steps - 2 * third))
    return segments


def _enter(way: Trace, head: str, steps: int, facts: str) -> Segment:
    layer = way.layers[0]
    start: Places = way.data
    angle = None
    if way.direction is not None and layer.line:
        start = feet(way.data, way.direction)
        angle = way.direction
    move = swing(start, layer.before, angle) if angle else blend(start, layer.before)
    return Segment(move, f"{head}: affine map", steps, "", facts, furniture=line_behind(layer), rest=200)


def _leave(way: Trace, k: int, following: int | None, start: Places, steps: int) -> Segment:
    """To the next layer that is shown, or to the read-out."""
    layer, new = way.layers[k], way.states[k + 1]
    steps = max(2, steps)
    lasting = any(a == "confusion" for a in layer.accents)
    accents = layer.accents if lasting else ()
    if following is None:
        end, title, note, furniture = read_out_places(way), "read-out", "", cuts_behind(way)
        turning = new.positions is not None and layer.read is not None
    else:
        target = way.layers[following]
        end, title, furniture = target.before, f"layer {following + 1} of {way.depth}: affine map", line_behind(target)
        skipped = following - k - 1
        note = (
            f"layers {k + 2} to {following} are not shown"
            if skipped > 1
            else f"layer {k + 2} is not shown"
            if skipped
            else ""
        )
        turning = target.line and layer.read is not None and not skipped
    move = swing(start, end, layer.read) if turning and layer.read else blend(start, end)
    return Segment(move, title, steps, note, _facts(new), accents, furniture, 250, lasting)


def _ending(way: Trace) -> Segment:
    places = read_out_places(way)
    wrong = {*way.wrong, *way.unsettled}
    accents = tuple("wrong" if k in wrong else "" for k in range(len(way.groups)))
    if wrong:
        miss = f"{len(way.wrong)} of {len(way.groups)} points get a wrong label"
        note = (
            f"WRONG: {miss} (crossed)"
            if way.wrong
            else f"UNDECIDED with {way.bits} bits: points on the boundary (crossed)"
        )
    else:
        note = "every point gets its label"
    footer = (
        ""
        if way.margin is None or wrong
        else f"least distance to the boundary $2^{{{_tenth(way.margin)}}}$, by {way.bits}-bit balls"
    )
    return Segment(stay(places), "read-out", 1, note, footer, accents, cuts_behind(way), 2500, True)


def _facts(state: State) -> str:
    parts = [f"{state.count} cluster{'s' * (state.count != 1)}"]
    if state.runs is not None:
        parts.append(f"{state.runs} run{'s' * (state.runs != 1)}")
    if state.confused:
        parts.append("classes coincide")
    if state.gap is not None and math.isfinite(state.gap):
        parts.append(f"least gap $2^{{{_tenth(state.gap)}}}$ of the extent")
    return ", ".join(parts)


def _ranges(numbers: Sequence[int]) -> str:
    text = ", ".join(map(str, numbers[:12]))
    return text if len(numbers) <= 12 else f"{text}, …, {numbers[-1]}"


def _short(name: Any) -> str:
    text = "".join(c if c.isprintable() else " " for c in str(name))
    return (text if len(text) <= 14 else text[:13] + "…").replace("$", r"\$")


def _tenth(value: float) -> str:
    """One decimal, and never −0.0.

    >>> _tenth(-1e-9), _tenth(-1.25)
    ('0.0', '-1.2')
    """
    return f"{round(value, 1) + 0.0:.1f}"
