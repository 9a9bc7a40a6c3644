"""Build a network and certify it in one go: method and precision are found automatically."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from flint import fmpq

from constructions.arithmetic import Arithmetic, Exact, Float, arithmetic_named
from constructions.errors import InputError, MergeConfusionError, UndecidedError
from constructions.fold import Fold
from constructions.line import Line
from constructions.network import LNNet
from constructions.points import LabeledPoints
from constructions.projection import Projection, project, project_along
from constructions.projection_merge import FoldSequence, merge_as_printed
from constructions.rational import to_rational
from constructions.smoothing import with_epsilon
from constructions.wider_networks import build_wide
from lnnet.built import Built, shallower
from lnnet.method_choice import choose_method, from_directions
from lnnet.methods import METHODS
from proofs.certificate import certify
from proofs.ieee_rounding import FORMATS

Watch = Callable[[str, int, int], object]
"""Called with (what is being done, steps done, steps in all)."""

#: Precision, in bits, at which an automatic search gives up.
MAX_BITS = 1 << 16
#: How far ε is scaled away from exact weights before it is left at that.
_MOST_SMOOTHING_BITS = 1 << 12
#: Proposition 9: no line, and any width.
WIDE = "wide"


def build(
    points: Any,
    labels: Any = None,
    *,
    method: str = "auto",
    arithmetic: str = "dyadic",
    bits: int | None = None,
    projection: str | Sequence[Any] = "auto",
    seed: int = 0,
    depth: int | None = None,
    width: int | None = None,
    epsilon: Any = 0,
    effort: int = 0,
) -> LNNet:
    """Build an LN-Net, of width 3 unless the method is ``"wide"``, that gives every point its label.

    With the default arithmetic and no fixed ``bits``, the precision is raised until the network is certified.

    Args:
        points: as for `LabeledPoints.of`, or a `LabeledPoints` (then without labels).
        labels: one hashable label a point.
        method: ``"auto"``, ``"pma"`` (Algorithm 1, repaired), ``"pma-printed"`` (Algorithm 1 as printed),
            ``"pma-pba"`` (Algorithms 1 and 2, as Theorem 3 has it), ``"chord"`` (one merge a layer, any classes),
            ``"double"`` (two merges a layer, two classes), ``"shallow"`` (several label runs a layer, found by
            search; in float arithmetic those that roundings survive best) or ``"wide"`` (Proposition 9; takes dyadic,
            float64 or float32 arithmetic and ignores the projection).
        arithmetic: ``"dyadic"``, ``"exact"``, ``"mpf"``, ``"float64"`` or ``"float32"``.
        bits: mantissa length of the weights for dyadic and mpf; found automatically if not given.
        projection: ``"auto"`` (what suits the method), ``"spread"``, ``"few-runs"``, ``"fewest-runs"``,
            ``"wide-gaps"``, ``"powers"``, ``"random"``, or a direction of d numbers.
        seed: for the random directions among the projections.
        depth: pad to exactly this many LN layers.
        width: neurons a layer for the method ``"wide"``, at least 3; d + 2 by default.
        effort: how many further searches a method that searches may make, each of twice as many folds as the one
            before; the shallowest network wins.
        epsilon: the smoothing of LN, (x − μ)/√(σ² + ε), as an exact number such as ``"1e-5"``.

    Returns:
        The network. It has been certified, unless ``bits`` or the arithmetic fix a precision that does not suffice;
        call `certify` for the verdict.

    Raises:
        MergeConfusionError: ``"pma-printed"`` merges points of different classes.
        UndecidedError: the precision does not suffice to build a network.
        InputError: unusable points, labels or options.

    >>> net = build([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> net.width, [net.predict(x) for x in ([0, 0], [0, 1])]
    (3, [0, 1])
    """
    return build_certified(
        points,
        labels,
        method=method,
        arithmetic=arithmetic,
        bits=bits,
        projection=projection,
        seed=seed,
        depth=depth,
        width=width,
        epsilon=epsilon,
        effort=effort,
    ).network


def build_certified(
    points: Any,
    labels: Any = None,
    *,
    method: str = "auto",
    arithmetic: str = "dyadic",
    bits: int | None = None,
    projection: str | Sequence[Any] = "auto",
    seed: int = 0,
    depth: int | None = None,
    width: int | None = None,
    epsilon: Any = 0,
    effort: int = 0,
    watch: Watch | None = None,
) -> Built:
    """Like `build`, and returns the certificate and the circumstances too.

    Args:
        points, labels, method, arithmetic, bits, projection, seed, depth, width, effort, epsilon: as for `build`.
        watch: called with (what is being done, steps done, steps in all).

    Returns:
        The network, its certificate, and how it was built. The verdict may be "undecided" or "refuted" where ``bits``
        or the arithmetic fix a precision that does not suffice.

    Raises:
        MergeConfusionError, UndecidedError, InputError: as `build`.
    """
    labelled = points if isinstance(points, LabeledPoints) and labels is None else LabeledPoints.of(points, labels)
    if method not in ("auto", *METHODS, WIDE):
        raise InputError(f"Argument 'method' must be one of {['auto', *METHODS, WIDE]}, not {method!r}.")
    most = METHODS[method].classes if method in METHODS else None
    if most is not None and len(labelled.classes) > most:
        raise InputError(
            f"Method {method!r} takes at most {most} classes, not {len(labelled.classes)}; use 'chord' or 'shallow'."
        )
    if method != WIDE and width not in (None, 3):
        raise InputError(f"Method {method!r} builds networks of width 3, not {width}; use method='wide'.")
    smoothing = to_rational(epsilon)
    if smoothing < 0:
        raise InputError(f"Argument 'epsilon' must be at least 0, not {epsilon!r}.")
    if not isinstance(effort, int) or effort < 0:
        raise InputError(f"Argument 'effort' must be an integer of at least 0, not {effort!r}.")

    def make(name: str, trial: int) -> Built:
        options = _Options(name, arithmetic, bits, projection, seed + trial, depth, width, smoothing, watch, trial)
        several = projection == "auto" and arithmetic in FORMATS and name in METHODS and METHODS[name].floating
        if several:
            return from_directions(lambda way, k: _build_one(labelled, replace(options, projection=way, seed=seed + k)))
        return _build_one(labelled, options)

    built = choose_method(labelled, arithmetic, effort, make) if method == "auto" else make(method, 0)
    if built.method in METHODS and METHODS[built.method].seeded:
        for trial in range(1, effort + 1):
            if watch is not None:
                watch("searching harder", trial, effort)
            with suppress(UndecidedError):
                built = shallower(built, make(built.method, trial))
    return built


@dataclass(frozen=True)
class _Options:
    """The arguments of `build_certified` for one method."""

    method: str
    arithmetic: str
    bits: int | None
    projection: str | Sequence[Any]
    seed: int
    depth: int | None
    width: int | None
    epsilon: fmpq
    watch: Watch | None
    effort: int


def _build_one(labelled: LabeledPoints, options: _Options) -> Built:
    method, arithmetic, bits, projection = options.method, options.arithmetic, options.bits, options.projection
    seed, depth, width, smoothing, watch = options.seed, options.depth, options.width, options.epsilon, options.watch
    if isinstance(projection, str):
        suited = METHODS[method].projection if method in METHODS else "spread"
        direction = project(labelled, suited if projection == "auto" else projection, seed)
    else:
        direction = project_along(labelled, tuple(to_rational(x) for x in projection))
    automatic = bits is None and arithmetic in ("dyadic", "mpf")
    precision, stuck = (METHODS[method].first_bits(direction.runs) if method in METHODS else 64), None
    while True:
        numbers = arithmetic_named(arithmetic, precision if automatic else bits)
        try:
            if method == WIDE:
                built = _attempt_wide(labelled, width, numbers, seed, depth, smoothing, watch)
            else:
                built = _attempt(labelled, direction, method, numbers, depth, smoothing, watch, (seed, options.effort))
        except UndecidedError as error:
            if method == "pma-printed" and not numbers.exact and (not automatic or error.layer == stuck):
                _raise_confusion(labelled, direction, error.layer)  # no precision gets past this layer
            stuck = error.layer
            if not automatic or precision >= MAX_BITS:
                raise
            precision = _next_precision(precision, error.layer, len(labelled))
            continue
        if built.certificate or not automatic or precision >= MAX_BITS:
            return built
        precision *= 2


def _attempt(
    points: LabeledPoints,
    projection: Projection,
    method: str,
    arithmetic: Arithmetic,
    depth: int | None,
    epsilon: fmpq,
    watch: Watch | None,
    search: tuple[int, int],
) -> Built:
    row = tuple(arithmetic.round(x) for x in projection.direction)
    positions = projection.positions if arithmetic.exact else points.project(row)
    with arithmetic.work():
        line = Line.of(positions, points.labels, arithmetic)
        if watch is not None:
            line = line.watched(lambda layer: watch("building", layer, len(points)))
        try:
            algorithm, seeded = METHODS[method].algorithm(floats=isinstance(arithmetic, Float)), METHODS[method].seeded
            sequence = algorithm(line, seed=search[0], effort=search[1]) if seeded else algorithm(line)
        except MergeConfusionError as error:
            raise _in_input_order(error, points) from None
        lower = METHODS[method].lower()
        net = lower(row, sequence.folds, sequence.line, points.classes)
        if depth and net.depth == 0:
            sequence = _bent(sequence)
            net = lower(row, sequence.folds, sequence.line, points.classes)
    return _certified(net, points, method, arithmetic, sequence.breaks, depth, epsilon, watch)


def _attempt_wide(
    points: LabeledPoints,
    width: int | None,
    arithmetic: Arithmetic,
    seed: int,
    depth: int | None,
    epsilon: fmpq,
    watch: Watch | None,
) -> Built:
    report = None if watch is None else (lambda layer: watch("building", layer, len(points)))
    net = build_wide(points, width, arithmetic, seed=seed, least_depth=1 if depth else 0, watch=report)
    return _certified(net, points, WIDE, arithmetic, 0, depth, epsilon, watch)


def _certified(
    net: LNNet,
    points: LabeledPoints,
    method: str,
    arithmetic: Arithmetic,
    breaks: int,
    depth: int | None,
    epsilon: fmpq,
    watch: Watch | None,
) -> Built:
    if depth is not None:
        net = net.padded(depth)
    bits = getattr(arithmetic, "bits", 64)
    report = None if watch is None else (lambda done, total: watch("checking", done, total))
    certificate = certify(with_epsilon(net, epsilon, points, bits), points, watch=report)
    while arithmetic.exact and epsilon > 0 and certificate.verdict == "refuted" and bits < _MOST_SMOOTHING_BITS:
        bits *= 4  # without ε the network is right, so ε is still too large for it
        certificate = certify(with_epsilon(net, epsilon, points, bits), points, watch=report)
    return Built(certificate, method, getattr(arithmetic, "bits", None), breaks)


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


def _next_precision(bits: int, layer: int | None, count: int) -> int:
    """Extrapolate from the layer where precision ran out, between twice and sixteen times the present one."""
    if not layer:
        return min(2 * bits, MAX_BITS)
    wanted = 64 * (1 + bits * count // (64 * layer))
    return min(max(2 * bits, min(wanted, 16 * bits)), MAX_BITS)
