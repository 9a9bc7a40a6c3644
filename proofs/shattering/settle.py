"""Single labelings: their networks from the trie or a builder, and the ball checker's word on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from constructions.errors import LNNetError
from constructions.network import LNNet
from constructions.network_file import digest, network_document
from constructions.points import LabeledPoints
from constructions.rational import to_rational
from proofs.certificate import Certificate, certify
from proofs.shattering.enclosure import Floats
from proofs.shattering.labelings import to_bits
from proofs.shattering.recipe import Paths, network_of, read_out, recipe_digest
from proofs.shattering.task import TRIE, Task
from proofs.shattering.trie import walk

Labels = tuple[int, ...]
Builder = Callable[[LabeledPoints, int, str], LNNet]
"""Called with labelled points, a depth and a method; returns a network of exactly that depth or raises LNNetError."""


@dataclass(frozen=True)
class Settled:
    """What became of one labelling.

    Attributes:
        labels: one label a point.
        certificate: the network and the ball checker's verdict; None if there is no network.
        source: ``"trie"``, or the builder's method.
        digest: of the recipe for a network of the trie, else of the network's document.
        layers: LN layers before padding, where known.
        reason: one sentence.
        filtered: the margin that the float64 filter certifies of the trie's network; None if it doesn't.
    """

    labels: Labels
    certificate: Certificate | None
    source: str
    digest: str | None
    layers: int | None
    reason: str
    filtered: fmpq | None = None

    def __bool__(self) -> bool:
        return self.certificate is not None and bool(self.certificate)


def settle(task: Task, labelings: Sequence[Labels], builder: Builder | None = None) -> list[Settled]:
    """Build each labelling's network from its recipe and check it with balls; if that fails, ask the builder.

    Args:
        task: the points and the depth.
        labelings: one label a point each.
        builder: makes networks in another way.
    """
    if task.method == TRIE:
        first = settle_on_trie(task, labelings)
    else:
        first = [Settled(labels, None, task.method, None, None, "No builder was given.") for labels in labelings]
    return [s if s or builder is None else _built(task, s, builder) for s in first]


def settle_on_trie(task: Task, labelings: Sequence[Labels]) -> list[Settled]:
    """The trie's networks for labelings of two classes, rebuilt without the others and checked with balls."""
    if not labelings:
        return []
    placement = task.placement
    leftmost = placement.order[0]
    bits = [to_bits(tuple(x ^ labels[leftmost] for x in labels)) for labels in labelings]
    wanted = np.array(sorted(set(bits)), np.int64)
    paths = Paths.start(len(wanted), max(1, len(task.points)))
    rebuilt: dict[int, _Rebuilt] = {}
    for leaves in walk(placement.order, placement.lower, placement.upper, paths, chosen=wanted):
        out = read_out(leaves)
        for k, code in enumerate(leaves.labels.tolist()):
            readings = float(out.sign[k]), float(out.cut[k]), float(out.margin[k])
            rebuilt[code] = _Rebuilt(leaves.record.folds(k), *readings, int(leaves.depth[k]))
    return [_checked(task, labels, rebuilt[code]) for labels, code in zip(labelings, bits, strict=True)]


@dataclass(frozen=True)
class _Rebuilt:
    folds: Floats
    sign: float
    cut: float
    margin: float
    layers: int


def _checked(task: Task, labels: Labels, found: _Rebuilt) -> Settled:
    placement, layers = task.placement, found.layers
    if max(layers, 1) > task.depth:
        reason = f"The trie's network needs {layers} layers, more than {task.depth}."
        return Settled(labels, None, TRIE, None, layers, reason)
    code = recipe_digest(placement, found.folds, found.sign, found.cut, task.depth)
    sign = -found.sign if labels[placement.order[0]] else found.sign
    try:
        net = network_of(placement, found.folds, sign, found.cut, task.depth)
        certificate = certify(net, task.exact.relabel(labels))
    except LNNetError as error:
        return Settled(labels, None, TRIE, code, layers, str(error))
    filtered = to_rational(found.margin) if found.margin > 0 else None
    return Settled(labels, certificate, TRIE, code, layers, certificate.reason, filtered)


def _built(task: Task, before: Settled, builder: Builder) -> Settled:
    """What the builder makes of a labelling that has no certified network yet."""
    labels = before.labels
    method = "auto" if task.method == TRIE else task.method
    points = task.exact.relabel(labels)
    try:
        net = builder(points, task.depth, method)
        certificate = certify(net, points)
    except LNNetError as error:
        reason = f"{before.reason} {error}" if before.source == TRIE else str(error)
        return Settled(labels, before.certificate, method, None, None, reason)
    if net.depth != task.depth:
        return Settled(labels, None, method, None, None, f"The builder's network has {net.depth} layers.")
    return Settled(labels, certificate, method, digest(network_document(net)), None, certificate.reason)
