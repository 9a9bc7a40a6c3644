"""Build a network and certify it in one go: method and precision are found automatically."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from constructions.errors import InputError, UndecidedError
from constructions.network import LNNet
from constructions.points import LabeledPoints
from constructions.rational import to_rational
from lnnet.attempts import MAX_BITS, WIDE, Options, Watch
from lnnet.built import Built, shallower
from lnnet.method_choice import choose_method
from lnnet.methods import METHODS
from lnnet.starts import build_best

__all__ = ["MAX_BITS", "Watch", "build", "build_certified"]


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
            ``"wide-gaps"``, ``"powers"``, ``"random"``, a direction of d numbers, or, for ``"shallow"`` in an
            arithmetic other than ``"exact"``, ``"circle"``.
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
        return build_best(
            labelled,
            Options(name, arithmetic, bits, projection, seed + trial, depth, width, smoothing, watch, trial),
        )

    built = choose_method(labelled, arithmetic, effort, make) if method == "auto" else make(method, 0)
    if built.method in METHODS and METHODS[built.method].seeded:
        for trial in range(1, effort + 1):
            if watch is not None:
                watch("searching harder", trial, effort)
            with suppress(UndecidedError):
                built = shallower(built, make(built.method, trial))
    return built
