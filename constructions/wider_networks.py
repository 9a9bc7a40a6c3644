r"""Proposition 9 (Ni et al. 2024): networks of any width n + 1 ≥ 3, which merge one pair of points a layer in R^n.

The points lie in R^k, k ≤ n − 1. A layer lifts them to height c above a centre s, projects them onto a sphere of
R^(k+1) (LN on n + 1 neurons, Lemma 1) and projects along the chord of two points of one class, which thereby meet. For
all (s, c) outside finitely many hypersurfaces no other points meet (Lemmas 10 and 11); here s and c are chosen
among seeded candidates, in floating point, and every layer is verified with balls before the next one is built. The
wider the network the sooner the classes are linearly separable, and that ends the construction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from constructions.arithmetic import Arithmetic, Dyadic
from constructions.errors import InputError, UndecidedError
from constructions.line import Line
from constructions.linear_view import LinearView, identity_rows, short, to_floats
from constructions.lowering import read_out
from constructions.merge_choice import MergeChooser
from constructions.network import Affine, LNNet, layer_normalization
from constructions.points import LabeledPoints
from constructions.projection import project
from constructions.rational import scale_binary
from constructions.separation import linear_readout

Matrix = NDArray[np.float64]
Pair = tuple[int, int]
#: Distance between classes, relative to the points' spread, below which floating point cannot choose a merge.
_SMALLEST_GAP = 1e-13


@dataclass(frozen=True)
class _Cluster:
    """Points of one class that have met: exact or ball coordinates, and the class number."""

    vector: tuple[Any, ...]
    label: int


def build_wide(
    points: LabeledPoints,
    width: int | None = None,
    arithmetic: Arithmetic | None = None,
    *,
    seed: int = 0,
    least_depth: int = 0,
    watch: Callable[[int], object] | None = None,
) -> LNNet:
    """An LN-Net of any width that gives every point its label; depth at most m − K + 1.

    Args:
        points: m distinct points of R^d with labels from K classes.
        width: neurons a layer, at least 3; d + 2 by default. Beyond that the first layers may merge nothing and raise
            the dimension instead.
        arithmetic: a dyadic or IEEE arithmetic (default: `Dyadic` with 64 bits).
        seed: for the candidates; the same seed gives the same network.
        least_depth: 1 asks for an LN layer even where the classes are linearly separable as they come.
        watch: called with the number of every layer.

    Returns:
        The shallowest of up to four networks, built to separate the classes soon, to raise the dimension first, or to
        keep the classes apart (in the largest dimension, and on a line). Its layers were verified one by one; the
        certificate comes from `proofs.certificate`.

    Raises:
        InputError: width below 3, or exact or mpf arithmetic.
        UndecidedError: classes come too close for the precision.

    >>> net = build_wide(LabeledPoints.of([(0, 0), (0, 1), (1, 0), (1, 1)], list("abba")))
    >>> net.width, net.depth, net.predict((0, 1))
    (4, 1, 'b')
    """
    numbers = Dyadic() if arithmetic is None else arithmetic
    if not isinstance(numbers, Dyadic) or numbers.name == "mpf":
        raise InputError(f"Wide networks take arithmetic 'dyadic', 'float64' or 'float32', not {numbers.name!r}.")
    n = points.dimension + 2 if width is None else width
    if n < 3:
        raise InputError(f"Argument 'width' must be at least 3, not {n}.")
    best: LNNet | None = None
    obstacle: UndecidedError | None = None
    for goal, k in _strategies(points.dimension, n):
        chooser = MergeChooser(goal, np.random.default_rng(seed))
        try:
            with numbers.work():
                best = _build(points, n, k, numbers, chooser, least_depth, best, watch)
        except UndecidedError as error:
            obstacle = error
    if best is None:
        raise obstacle or UndecidedError("No network was found at this precision.")
    return best


def _strategies(d: int, width: int) -> list[tuple[str, int]]:
    """What to aim at, and in which dimension to start: the largest possible, or a line."""
    k = min(d, width - 2)
    return [
        ("fit", k),
        *([("grow", k)] if k + 2 < width else []),
        ("gap", k),
        *([("gap", 1)] if k > 1 else []),
    ]


def _build(
    points: LabeledPoints,
    width: int,
    k: int,
    numbers: Dyadic,
    chooser: MergeChooser,
    least_depth: int,
    best: LNNet | None,
    watch: Callable[[int], object] | None,
) -> LNNet:
    """One network, or the best one so far as soon as this one cannot be shallower."""
    names = {label: k for k, label in enumerate(points.classes)}
    clusters = [_Cluster(p, names[label]) for p, label in zip(points.points, points.labels, strict=True)]
    whole = _fitted(points, identity_rows(points.dimension))
    view = whole if k == points.dimension else _fitted(points, _injective_rows(points, whole, k))
    layers: list[Affine] = []
    pair: Pair | None = None
    while True:
        last = _readout(clusters, whole, len(names), numbers) if len(layers) >= least_depth else None
        if last is not None:
            break
        if best is not None and len(layers) + 1 >= best.depth:
            return best
        if layers:
            pair, view = _next_view(clusters, len(view.rows), width, numbers, len(layers), chooser)
        layers.append(_lift(clusters, view, width, numbers, chooser, pair))
        clusters = _applied(layers[-1], clusters, numbers, pair)
        _require_apart(clusters, numbers, len(layers))
        whole = LinearView(tuple(map(tuple, identity_rows(width))), (fmpq(0),) * width)
        if watch is not None:
            watch(len(layers))
    readout = "threshold" if len(names) == 2 else "argmax"
    return LNNet((*layers, last), points.classes, readout, fmpq(0), numbers.semantics)  # type: ignore[arg-type]


def _injective_rows(points: LabeledPoints, whole: LinearView, k: int) -> list[list[fmpq]]:
    """k < d directions, the first of which keeps all points apart, chosen at the scale of the view."""
    scales = [row[j] for j, row in enumerate(whole.rows)]
    scaled = tuple(tuple(x * s for x, s in zip(point, scales, strict=True)) for point in points.points)
    direction = project(replace(points, points=scaled)).direction
    first = [x * s for x, s in zip(direction, scales, strict=True)]
    return [first, *identity_rows(points.dimension)[: k - 1]]


def _fitted(points: LabeledPoints, directions: Sequence[Sequence[fmpq]]) -> LinearView:
    """The directions as a view, each centred and scaled by a power of two so that the points lie within about ±1."""
    rows, offsets = [], []
    for direction in directions:
        positions = points.project(direction)
        low, high = min(positions), max(positions)
        spread = high - low
        exponent = 0 if spread == 0 else int(spread.q.bit_length() - spread.p.bit_length())
        rows.append(tuple(scale_binary(x, exponent) for x in direction))
        offsets.append(-scale_binary((low + high) / 2, exponent))
    return LinearView(tuple(rows), tuple(offsets))


def _readout(clusters: Sequence[_Cluster], view: LinearView, classes: int, numbers: Dyadic) -> Affine | None:
    """The last affine map, if the classes are linearly separable where they are now and the balls confirm it."""
    if len(clusters) == classes:
        return _line_readout(clusters, view, numbers)
    found = linear_readout(view.see([c.vector for c in clusters]), [c.label for c in clusters], classes)
    if found is None:
        return None
    weight, bias = found
    layer = view.then([[short(x, 53) for x in row] for row in weight], [short(x, 53) for x in bias], numbers)
    for cluster in clusters:
        out = _affine(layer, cluster.vector, numbers)
        if classes == 2:
            right = out[0] > 0 if cluster.label == 1 else out[0] < 0
        else:
            right = all(out[cluster.label] > x for k, x in enumerate(out) if k != cluster.label)
        if not right:
            return None
    return layer


def _line_readout(clusters: Sequence[_Cluster], view: LinearView, numbers: Dyadic) -> Affine:
    """The last affine map where every class is a single point: along a line that keeps them apart."""
    values = view.see([c.vector for c in clusters])
    random = np.random.default_rng(0)
    directions = [*np.eye(values.shape[1]), *random.normal(size=(16, values.shape[1]))]
    direction = max(directions, key=lambda w: np.diff(np.sort(values @ w)).min(initial=np.inf) / np.linalg.norm(w))
    row = view.then([[short(x) for x in direction]], [fmpq(0)], numbers).weight[0]
    exact = isinstance(clusters[0].vector[0], fmpq)
    positions = [
        sum((w * x if exact else numbers.enter(w) * x for w, x in zip(row, c.vector, strict=True)), fmpq(0))
        for c in clusters
    ]
    line = Line.of(positions, [c.label for c in clusters], numbers)
    slopes, offsets = read_out(line, range(len(clusters)))
    return Affine(tuple(tuple(numbers.round(a * w) for w in row) for a in slopes), offsets)


def _lift(
    clusters: Sequence[_Cluster],
    view: LinearView,
    width: int,
    numbers: Dyadic,
    chooser: MergeChooser,
    pair: Pair | None,
) -> Affine:
    """The affine map x ↦ B·(view(x) − s, c) with the (s, c) that lets the best merge follow."""
    positions = view.see([c.vector for c in clusters])
    labels = np.array([c.label for c in clusters])
    if pair is not None:
        positions, labels = np.delete(positions, pair[1], axis=0), np.delete(labels, pair[1])
    frame = _frame(width, len(view.rows) + 1)
    columns = to_floats(frame)
    best, chosen = np.inf, None
    for s, c in chooser.centres(positions, labels):
        h = np.hstack([positions - s, np.full((len(positions), 1), c)]) @ columns.T
        h -= h.mean(axis=1, keepdims=True)
        loss = chooser.best_pair(h / np.sqrt((h**2).mean(axis=1, keepdims=True)), labels)[0]
        if chosen is None or loss < best:
            best, chosen = loss, (s, c)
    if chosen is None:
        raise UndecidedError("There is no candidate for the next layer.")
    centre = [short(x, 53) for x in (*-chosen[0], chosen[1])]
    bias = [sum((b * x for b, x in zip(line, centre, strict=True)), fmpq(0)) for line in frame]
    return view.then([line[:-1] for line in frame], bias, numbers)


def _next_view(
    clusters: Sequence[_Cluster], k: int, width: int, numbers: Dyadic, layer: int, chooser: MergeChooser
) -> tuple[Pair | None, LinearView]:
    """The pair to merge next, and the view of R^k along its chord; or no pair and the view of all R^(k+1)."""
    values = np.array([[float(x.mid()) for x in c.vector] for c in clusters])
    span = np.linalg.svd(values)[2][: k + 1]  # LN's values span R^(k+1)
    rows = tuple(tuple(short(x, 40) for x in row) for row in span)
    if chooser.goal == "grow" and k + 2 < width:
        return None, LinearView(rows, (fmpq(0),) * (k + 1))
    _, gap, pair = chooser.best_pair(values, np.array([c.label for c in clusters]))
    if pair is None:
        raise UndecidedError("Every class is a single point, but no read-out was found at this precision.", layer)
    if gap < _SMALLEST_GAP:
        raise UndecidedError(f"Layer {layer}: every merge brings classes too close together.", layer)
    first, second = (clusters[i].vector for i in pair)
    chord = [a - b for a, b in zip(first, second, strict=True)]
    u = [sum((r * c for r, c in zip(row, chord, strict=True)), numbers.enter(fmpq(0))) for row in rows]
    return pair, LinearView(_complement(rows, u, numbers, layer), (fmpq(0),) * k)


def _complement(
    rows: Sequence[Sequence[fmpq]], u: Sequence[Any], numbers: Dyadic, layer: int
) -> tuple[tuple[fmpq, ...], ...]:
    """All but one of the k + 1 rows reflected (Householder), so that they vanish on the chord with coordinates u."""
    norm = numbers.sqrt(sum((x * x for x in u), numbers.enter(fmpq(0))))
    pivot = max(range(len(u)), key=lambda i: abs(numbers.middle(u[i])))
    v = list(u)
    v[pivot] = v[pivot] + norm if numbers.middle(u[pivot]) > 0 else v[pivot] - norm
    square = sum((x * x for x in v), numbers.enter(fmpq(0)))
    if not square > 0:
        raise UndecidedError(f"Layer {layer}: the points to merge are not told apart with {numbers.bits} bits.", layer)
    result = []
    for a in range(len(u)):
        if a != pivot:
            factors = [numbers.middle(-(v[a] * x * 2) / square) + int(a == j) for j, x in enumerate(v)]
            result.append(
                tuple(
                    sum((f * row[j] for f, row in zip(factors, rows, strict=True)), fmpq(0))
                    for j in range(len(rows[0]))
                )
            )
    return tuple(result)


def _applied(layer: Affine, clusters: Sequence[_Cluster], numbers: Dyadic, pair: Pair | None) -> list[_Cluster]:
    """The clusters after the layer's LN, the pair of the previous merge taken as one."""
    images = [
        tuple(layer_normalization(_affine(layer, c.vector, numbers), numbers.enter, numbers.sqrt)) for c in clusters
    ]
    kept = list(clusters)
    if pair is not None:
        first, second = pair
        both = zip(images[first], images[second], strict=True)
        images[first] = tuple(numbers.hull([x, y]) for x, y in both)
        del images[second], kept[second]
    return _joined([_Cluster(image, c.label) for image, c in zip(images, kept, strict=True)], numbers)


def _joined(clusters: list[_Cluster], numbers: Dyadic) -> list[_Cluster]:
    """Clusters of one class that met besides, but for rounding, taken as one: their chord would be noise."""
    noise = numbers.enter(fmpq(1, 1 << (numbers.bits * 3 // 4)))
    mids = np.array([[float(x.mid()) for x in c.vector] for c in clusters])
    result: list[_Cluster] = []
    places: list[int] = []
    for number, cluster in enumerate(clusters):
        near = np.flatnonzero((np.abs(mids[places] - mids[number]) < 1e-9).all(axis=1)).tolist() if places else []
        for k in near:
            pairs = list(zip(result[k].vector, cluster.vector, strict=True))
            if result[k].label == cluster.label and all(abs(x - y) < noise for x, y in pairs):
                result[k] = _Cluster(tuple(numbers.hull([x, y]) for x, y in pairs), cluster.label)
                break
        else:
            result.append(cluster)
            places.append(number)
    return result


def _require_apart(clusters: Sequence[_Cluster], numbers: Dyadic, layer: int) -> None:
    """Verify that the layer has confused no classes: some coordinate of every two tells their balls apart.

    Rounded midpoints settle all but the closest pairs.
    """
    mids = np.array([[float(x.mid()) for x in c.vector] for c in clusters])
    radius = max(float(x.rad()) for c in clusters for x in c.vector)
    labels = np.array([c.label for c in clusters])
    guard = numbers.enter(fmpq(1, 1 << (numbers.bits // 2)))
    clear = 2 * radius + 1e-9 + float(guard)
    for i in range(len(clusters)):
        widest = np.abs(mids[i + 1 :] - mids[i]).max(axis=1, initial=0.0)
        doubtful = (labels[i + 1 :] != labels[i]) & ~(widest > clear)
        for j in (i + 1 + np.flatnonzero(doubtful)).tolist():
            gaps = (abs(x - y) for x, y in zip(clusters[i].vector, clusters[j].vector, strict=True))
            if not any(gap > guard for gap in gaps):
                raise UndecidedError(
                    f"Layer {layer} brings two classes too close to tell apart with {numbers.bits} bits.", layer
                )


def _frame(width: int, count: int) -> list[list[fmpq]]:
    """``count`` short dyadic columns, nearly orthonormal and nearly of zero sum, in R^width (a Helmert matrix)."""
    columns = []
    for k in range(1, count + 1):
        norm = (k * (k + 1)) ** 0.5
        columns.append([short((1.0 if i < k else -k if i == k else 0.0) / norm) for i in range(width)])
    return [[column[i] for column in columns] for i in range(width)]


def _affine(layer: Affine, x: Sequence[Any], numbers: Dyadic) -> list[Any]:
    v = [numbers.enter(e) if isinstance(e, fmpq) else e for e in x]
    return [
        sum((numbers.enter(w) * e for w, e in zip(row, v, strict=True)), numbers.enter(b))
        for row, b in zip(layer.weight, layer.bias, strict=True)
    ]
