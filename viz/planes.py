"""The plane in which a layer is drawn: a line at a height above the centre of the unit circle, wherever possible."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from flint import arb
from numpy.typing import NDArray

from constructions.network import LNNet
from constructions.points import LabeledPoints
from viz.enclosures import LayerBalls

Places = tuple[tuple[float, float], ...]
#: How far from the centre a layer's input is drawn at most; the unit circle has radius 1.
REACH = 2.2


def data_plane(points: LabeledPoints, first: LayerBalls) -> tuple[Places, tuple[float, float] | None]:
    """The data, scaled to the picture, and the direction along which the first map reads them.

    One dimension is drawn on the x-axis, two as they are, more in the first principal plane.
    """
    cloud = cloud_of(points)
    centre = (cloud.max(axis=0) + cloud.min(axis=0)) / 2
    scaled = cloud - centre
    scaled /= float(np.abs(scaled).max()) or 1.0
    read = None if first.read is None else _floats(first.read)
    flat, direction = flat_view(scaled), None
    if read is not None and points.dimension <= 2:
        direction = _unit(read) if points.dimension == 2 else (float(np.sign(read[0])), 0.0)
    return _places(1.35 * flat / (float(np.abs(flat).max()) or 1.0)), direction


def cloud_of(points: LabeledPoints) -> NDArray[np.float64]:
    """The points as floats, shape (m, d), divided by the largest coordinate of all, whatever its size."""
    flat = _floats([arb(x) for p in points.points for x in p])
    return flat.reshape(len(points), points.dimension)


def flat_view(cloud: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points in the plane: on the x-axis for d = 1, as they are for d = 2, else in their first principal plane."""
    if cloud.shape[1] == 1:
        return np.column_stack([cloud[:, 0], np.zeros(len(cloud))])
    if cloud.shape[1] == 2:
        return cloud
    centred = cloud - cloud.mean(axis=0)
    return np.asarray(centred @ principal_axes(centred).T)


def layer_plane(layer: LayerBalls, following: LayerBalls) -> tuple[Places, Places, tuple[float, float] | None]:
    """Input and output of an LN in one plane, and the direction in which the next map reads the output."""
    size = max((abs(x).upper() for row in layer.before for x in row), default=arb(1))
    before = np.array([[float((x / size).mid()) for x in row] for row in layer.before]).T
    after = np.array([[float(x.mid()) for x in row] for row in layer.after or ()]).T
    read = None if following.read is None else _floats(following.read)
    if layer.slope is not None:
        axes = _line_axes(_floats(layer.slope), layer.offset)
        whole = True
    elif before.shape[1] <= 2:
        axes, whole = np.eye(2)[:, : before.shape[1]], True
    else:
        axes, whole = principal_axes(after), False
    before, after = before @ axes.T, after @ axes.T
    direction = None if read is None or not whole else axes @ read
    far, height = float(np.abs(before).max()), float(np.abs(before[:, 1]).max())
    scale = REACH / (far or 1.0)
    if layer.slope is not None and height > 0:
        scale = min(scale, 1.0 / height)
    unit = None if direction is None or not np.any(direction) else _unit(direction)
    return _places(before * scale), _places(after), unit


def cuts_of(net: LNNet, last: LayerBalls) -> tuple[tuple[float, int, int], ...] | None:
    """Where along the last line the read-out changes class, relative to the points' extent, with both classes.

    Every output is a linear function of the position; of several, the largest counts.
    """
    if last.slope is None or last.positions is None:
        return None
    low, high = (f(p.mid() for p in last.positions) for f in (min, max))
    extent = high - low if high > low else arb(1)
    slopes, offsets = [a.mid() for a in last.slope], [b.mid() for b in last.offset]
    if net.readout == "threshold":  # the same as argmax over 0 and the output
        slopes, offsets = [arb(0), *slopes], [arb(0), *offsets]
    cuts: list[tuple[float, int, int]] = []
    place = low - 2 * extent
    best = max(range(len(slopes)), key=lambda k: slopes[k] * place + offsets[k])
    while True:
        crossings = []
        for k in range(len(slopes)):
            if slopes[k] > slopes[best]:
                crossing = (offsets[best] - offsets[k]) / (slopes[k] - slopes[best])
                if crossing.mid() > place.mid():
                    crossings.append((crossing.mid(), k))
        if not crossings:
            return tuple(cuts)
        place, following = min(crossings, key=lambda pair: pair[0])
        cuts.append((float(((place - low) / extent).mid()), best, following))
        best = following


def principal_axes(cloud: NDArray[np.float64]) -> NDArray[np.float64]:
    """Two orthonormal rows: the directions of largest extent, signs fixed."""
    axes = np.linalg.svd(cloud, full_matrices=False)[2][:2]
    if len(axes) < 2:
        axes = np.vstack([axes, np.zeros((2 - len(axes), cloud.shape[1]))])
    signs = [np.sign(axis[np.abs(axis).argmax()]) or 1.0 for axis in axes]
    return np.asarray(axes * np.array(signs)[:, None])


def _line_axes(slope: NDArray[np.float64], offset: Sequence[arb]) -> NDArray[np.float64]:
    """Rows e1 along the line, e2 from the origin to it (any perpendicular if the line passes the origin)."""
    first = slope / np.linalg.norm(slope)
    up = _floats(offset)
    up = up - (up @ first) * first
    if np.linalg.norm(up) <= 1e-12 * max(1.0, float(np.abs(up).max())) or len(slope) == 1:
        others = np.eye(len(slope))
        others = others - np.outer(others @ first, first)
        up = others[np.linalg.norm(others, axis=1).argmax()]
    length = float(np.linalg.norm(up))
    return np.stack([first, up / length if length > 1e-9 else np.zeros_like(up)])


def _floats(values: Sequence[arb]) -> NDArray[np.float64]:
    """Balls as floats, divided by a common factor so that the largest is 1."""
    largest = max(abs(x.mid()) for x in values)
    if largest == 0:
        return np.zeros(len(values))
    return np.array([float((x.mid() / largest).mid()) for x in values])


def _unit(vector: NDArray[np.float64]) -> tuple[float, float]:
    x, y = (float(v) for v in vector / np.linalg.norm(vector))
    return x, y


def _places(cloud: NDArray[np.float64]) -> Places:
    return tuple((float(x), float(y)) for x, y in cloud.tolist())
