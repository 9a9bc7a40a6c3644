"""Motion: pictures that change, as plain data. Every frame is a `Scene`, computed when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from viz.scene import XY, Arc, Item, Label, Marker, Scene, Side

Places = Sequence[XY]
Bounds = tuple[float, float, float, float]
Furniture = Callable[[float, Places], Sequence[Item]]


def nothing(share: float, places: Places) -> Sequence[Item]:
    """No furniture."""
    return ()


@dataclass(frozen=True)
class Segment:
    """One smooth movement of all points.

    Attributes:
        move: share of the time, from 0 to 1 → where the points are.
        title: what is going on.
        steps: number of frames.
        note: a second line.
        footer: a line below the picture.
        accents: per point, shown at the end of the movement; () for none.
        lasting: whether the accents are shown all the time.
        zoom: bounds at the start and at the end; None for those of the motion.
        side: of the points on which their names are set.
        furniture: lines and labels behind the points, from the share of the time and the points' places.
        rest: milliseconds to stay on the last frame.
    """

    move: Callable[[float], Places]
    title: str
    steps: int
    note: str = ""
    footer: str = ""
    accents: tuple[str, ...] = ()
    furniture: Furniture = nothing
    rest: int = 60
    lasting: bool = False
    zoom: tuple[Bounds, Bounds] | None = None
    side: Side = "n"


@dataclass(frozen=True)
class Motion:
    """A sequence of segments: frames by number.

    Attributes:
        name: what is shown, in one line.
        segments: in order.
        groups: class number of each point.
        bounds: of every frame.
        names: of the points, shown beside them; () for none.
        legend: (class number, name) pairs.
        step: milliseconds a frame.
        notes: what a viewer should know, such as layers that are not shown.
    """

    name: str
    segments: tuple[Segment, ...]
    groups: tuple[int, ...]
    bounds: Bounds
    names: tuple[str, ...] = ()
    legend: tuple[tuple[int, str], ...] = ()
    step: int = 60
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return sum(segment.steps for segment in self.segments)

    @property
    def durations(self) -> tuple[int, ...]:
        """Milliseconds of every frame."""
        result: list[int] = []
        for segment in self.segments:
            result += [self.step] * (segment.steps - 1) + [max(self.step, segment.rest)]
        return tuple(result)

    def scene(self, number: int) -> Scene:
        """One frame; negative numbers count from the end."""
        number = range(len(self))[number]
        ends = list(accumulate(s.steps for s in self.segments))
        place = next(k for k, end in enumerate(ends) if number < end)
        segment = self.segments[place]
        step = number - (ends[place] - segment.steps) + 1
        share = smooth(step / segment.steps)
        places = segment.move(share)
        bounds = self.bounds
        if segment.zoom is not None:
            bounds = tuple(a + share * (b - a) for a, b in zip(*segment.zoom, strict=True))  # type: ignore[assignment]
        accents: Sequence[Any] = segment.accents if share == 1 or segment.lasting else ()
        markers = self._markers(places, accents or ("",) * len(places), bounds)
        names = _names(self.names, places, accents, segment.side, 0.042 * (bounds[3] - bounds[2]))
        items = (*segment.furniture(share, places), *markers, *names, *self._texts(segment, bounds))
        return Scene(items, bounds, caption=segment.title)

    def _markers(self, places: Places, accents: Sequence[Any], bounds: Bounds) -> list[Item]:
        """The points; confused and wrong ones side by side with those they meet, or one would hide the other."""
        small = 1.0 if len(places) <= 40 else 0.7 if len(places) <= 200 else 0.45
        apart = 0.026 * (bounds[1] - bounds[0])
        rounded = [(round(x, 6), round(y, 6)) for x, y in places]
        alarms = {place for place, accent in zip(rounded, accents, strict=True) if accent == "confusion"}
        crosses = {place for place, accent in zip(rounded, accents, strict=True) if accent == "wrong"}
        crowds: dict[XY, set[int]] = {}
        for place, group in zip(rounded, self.groups, strict=True):
            if place in alarms or place in crosses:
                crowds.setdefault(place, set()).add(group)
        items: list[Item] = [Arc(x, y, 1.4 * apart, role="alarm") for x, y in sorted(alarms)]
        for (x, y), group, accent in zip(places, self.groups, accents, strict=True):
            crowd = sorted(crowds.get((round(x, 6), round(y, 6)), ()))
            shift = (crowd.index(group) - (len(crowd) - 1) / 2) * apart if len(crowd) > 1 else 0.0
            items.append(Marker(x + shift, y, group, accent="" if accent == "confusion" else accent, size=small))
        return items

    def _texts(self, segment: Segment, bounds: Bounds) -> list[Item]:
        left, right, bottom, top = bounds
        height, width = top - bottom, right - left
        lines = (
            Label((left + right) / 2, top - 0.045 * height, segment.title, "c"),
            Label((left + right) / 2, top - 0.095 * height, segment.note, "c", _role(segment.note)),
            Label((left + right) / 2, bottom + 0.04 * height, segment.footer, "c", "note"),
        )
        items: list[Item] = [line for line in lines if line.text]
        for row, (group, name) in enumerate(self.legend):
            y = top - (0.15 + 0.048 * row) * height
            items += [Marker(left + 0.035 * width, y, group), Label(left + 0.05 * width, y, name, "e")]
        return items


def _role(note: str) -> Any:
    return "accent" if note.startswith(("CONFUSION", "WRONG", "UNDECIDED")) else "note"


def _names(names: Sequence[str], places: Places, accents: Sequence[str], side: Side, room: float) -> list[Item]:
    """Names beside the points, one for all at a place; below, or left out, where it would cover another."""
    together: dict[XY, list[str]] = {}
    ringed = set()
    for k, (name, (x, y)) in enumerate(zip(names, places, strict=False)):
        place = round(x, 3), round(y, 3)
        together.setdefault(place, []).append(name)
        if accents and accents[k]:
            ringed.add(place)
    items: list[Item] = []
    taken: list[XY] = []
    for (x, y), members in sorted(together.items()):
        text = ",".join(members)
        reach = room * (0.5 + 0.35 * len(text))
        gap = 0.3 * room if (x, y) in ringed else 0.0
        others = [place for place in together if place != (x, y)]
        if side != "n":
            if _clear((x, y), taken, reach, room):
                items.append(Label(x + 1.4 * gap, y, text, side, "note"))
                taken.append((x, y))
        elif _clear((x, y + room), taken, reach, room):
            items.append(Label(x, y + gap, text, "n", "note"))
            taken.append((x, y + room))
        elif _clear((x, y - room), taken, reach, room) and _clear((x, y - room), others, reach, 0.7 * room):
            items.append(Label(x, y - gap, text, "s", "note"))
            taken.append((x, y - room))
    return items


def _clear(middle: XY, taken: Sequence[XY], reach: float, room: float) -> bool:
    return all(abs(middle[0] - u) > reach or abs(middle[1] - v) > room for u, v in taken)


def smooth(share: float) -> float:
    """A gentle start and stop: 0 ↦ 0, 1 ↦ 1, with slope 0 at both.

    >>> smooth(0.0), smooth(0.5), smooth(1.0)
    (0.0, 0.5, 1.0)
    """
    return share * share * (3 - 2 * share)


def blend(start: Places, end: Places) -> Callable[[float], Places]:
    """Every point along a straight line."""

    def move(share: float) -> Places:
        if share >= 1:
            return end
        return [(a + share * (c - a), b + share * (d - b)) for (a, b), (c, d) in zip(start, end, strict=True)]

    return move


def stay(places: Places) -> Callable[[float], Places]:
    """No movement."""
    return lambda share: places
