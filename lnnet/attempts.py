"""One way to build a network: one method, from one start, with as much precision as it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flint import fmpq

from constructions.arithmetic import Arithmetic, Exact, Float, arithmetic_named
from constructions.circle_start import fold_from_circle
from constructions.circle_view import CircleView
from constructions.errors import MergeConfusionError, UndecidedError
from constructions.fold import Fold
from constructions.line import Line
from constructions.network import LNNet
from constructions.points import LabeledPoints
from constructions.projection import Projection
from constructions.projection_merge import FoldSequence, merge_as_printed
from constructions.smoothing import with_epsilon
from constructions.wider_networks import build_wide
from lnnet.built import Built
from lnnet.methods import METHODS
from proofs.certificate import certify

Watch = Callable[[str, int, int], object]
"""Called with (what is being done, steps done, steps in all)."""

Start = Projection | CircleView | None
"""How the points are first seen: along a line, around a circle, or as they are (for ``"wide"``)."""

#: Precision, in bits, at which an automatic search gives up.
MAX_BITS = 1 << 16
#: How far ε is scaled away from exact weights before it is left at that.
_MOST_SMOOTHING_BITS = 1 << 12
#: Proposition 9: no line, and any width.
WIDE = "wide"


@dataclass(frozen=True)
class Options:
    """What is asked of a network; as the arguments of `lnnet.build`.

    Attributes:
        method: a method, not ``"auto"``.
        effort: a search tries 2^effort times as many folds.
        watch: called with (what is being done, steps done, steps in all).
    """

    method: str
    arithmetic: str
    bits: int | None
    projection: str | Sequence[Any]
    seed: int
    depth: int | None
    width: int | None
    epsilon: fmpq
    watch: Watch | None
    effort: int = 0

    def report(self, what: str, total: int) -> Callable[[int], object] | None:
        """``watch`` for so many steps."""
        watch = self.watch
        return None if watch is None else lambda done: watch(what, done, total)


def build_from(start: Start, points: LabeledPoints, options: Options) -> Built:
    """The network of one method from one start, with more and more precision until it is certified.

    Raises:
        MergeConfusionError, UndecidedError, InputError: as `lnnet.build`.
    """
    automatic = options.bits is None and options.arithmetic in ("dyadic", "mpf")
    precision, stuck = _first_bits(start, points, options.method), None
    while True:
        arithmetic = arithmetic_named(options.arithmetic, precision if automatic else options.bits)
        try:
            built = _attempt(start, points, arithmetic, options)
        except UndecidedError as error:
            printed = options.method == "pma-printed" and not arithmetic.exact
            if printed and isinstance(start, Projection) and (not automatic or error.layer == stuck):
                _raise_confusion(points, start, error.layer)  # no precision gets past this layer
            stuck = error.layer
            if not automatic or precision >= MAX_BITS:
                raise
            most = 4 if options.method in METHODS and METHODS[options.method].seeded else 16
            precision = _next_precision(precision, error.layer, len(points), most)
            continue
        if built.certificate or not automatic or precision >= MAX_BITS:
            return built
        precision *= 2


def _first_bits(start: Start, points: LabeledPoints, method: str) -> int:
    if start is None:
        return 64
    runs = start.changes if isinstance(start, CircleView) else start.runs
    return METHODS[method].first_bits(runs, len(points.classes))


def _attempt(start: Start, points: LabeledPoints, arithmetic: Arithmetic, options: Options) -> Built:
    breaks = 0
    watch = options.report("building", len(points))
    if start is None:
        least = 1 if options.depth else 0
        net = build_wide(points, options.width, arithmetic, seed=options.seed, least_depth=least, watch=watch)
    elif isinstance(start, CircleView):
        with arithmetic.work():
            net = fold_from_circle(start, points, arithmetic, seed=options.seed, effort=options.effort, watch=watch)
    else:
        net, breaks = _from_line(start, points, arithmetic, options)
    return _certified(net, points, arithmetic, breaks, options)


def _from_line(start: Projection, points: LabeledPoints, arithmetic: Arithmetic, options: Options) -> tuple[LNNet, int]:
    """The network, and how many of its layers are breaks."""
    method = METHODS[options.method]
    row = tuple(arithmetic.round(x) for x in start.direction)
    positions = start.positions if arithmetic.exact else points.project(row)
    watch = options.report("building", len(points))
    with arithmetic.work():
        line = Line.of(positions, points.labels, arithmetic)
        if watch is not None:
            line = line.watched(watch)
        search = {"seed": options.seed, "effort": options.effort} if method.seeded else {}
        try:
            sequence = method.algorithm(floats=isinstance(arithmetic, Float))(line, **search)
        except MergeConfusionError as error:
            raise _in_input_order(error, points) from None
        lower = method.lower()
        net = lower(row, sequence.folds, sequence.line, points.classes)
        if options.depth and net.depth == 0:
            sequence = _bent(sequence)
            net = lower(row, sequence.folds, sequence.line, points.classes)
    return net, sequence.breaks


def _certified(net: LNNet, points: LabeledPoints, arithmetic: Arithmetic, breaks: int, options: Options) -> Built:
    if options.depth is not None:
        net = net.padded(options.depth)
    bits, epsilon = getattr(arithmetic, "bits", 64), options.epsilon
    watch = options.watch
    report = None if watch is None else (lambda done, total: watch("checking", done, total))
    certificate = certify(with_epsilon(net, epsilon, points, bits), points, watch=report)
    while arithmetic.exact and epsilon > 0 and certificate.verdict == "refuted" and bits < _MOST_SMOOTHING_BITS:
        bits *= 4  # without ε the network is right, so ε is still too large for it
        certificate = certify(with_epsilon(net, epsilon, points, bits), points, watch=report)
    return Built(certificate, options.method, getattr(arithmetic, "bits", None), breaks)


def _bent(sequence: FoldSequence) -> FoldSequence:
    """One fold, for the sake of depth, after none: a fold that only bends the line keeps its order."""
    line, arithmetic = sequence.line, sequence.line.arithmetic
    fold = _bending_fold(line, arithmetic)
    return replace(sequence, folds=(fold,), line=line.after(fold))


def _bending_fold(line: Line, arithmetic: Arithmetic) -> Fold:
    """p ↦ q/√(1 + q²), strictly increasing, centred on the line."""
    first, last = line.clusters[0].position, line.clusters[-1].position
    half, one = arithmetic.enter(fmpq(1, 2)), arithmetic.enter(fmpq(1))
    width = (last - first) * half if len(line.clusters) > 1 else one
    return arithmetic.fold((first + last) * half, width, fmpq(1), fmpq(0))


def _raise_confusion(points: LabeledPoints, projection: Projection, last: int | None) -> None:
    """Run the printed algorithm in exact arithmetic up to a layer, which proves a confusion where there is one."""

    def stop(layer: int) -> None:
        if last is not None and layer > last:
            raise UndecidedError("No confusion up to the layer in question.", layer)

    try:
        merge_as_printed(Line.of(projection.positions, points.labels, Exact()).watched(stop))
    except MergeConfusionError as error:
        raise _in_input_order(error, points) from None
    except UndecidedError:
        return


def _in_input_order(error: MergeConfusionError, points: LabeledPoints) -> MergeConfusionError:
    first, second = (points.indices[k] for k in error.points)
    return MergeConfusionError((first, second), error.labels, error.layer)


def _next_precision(bits: int, layer: int | None, count: int, most: int) -> int:
    """Extrapolate from the layer where precision ran out, between twice and ``most`` times the present one."""
    if not layer:
        return min(2 * bits, MAX_BITS)
    wanted = 64 * (1 + bits * count // (64 * layer))
    return min(max(2 * bits, min(wanted, most * bits)), MAX_BITS)
