"""One labelling, alone: its network from the trie, and the ball checker's word on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from constructions.errors import LNNetError
from constructions.network import LNNet
from constructions.network_file import digest, network_document
from constructions.points import LabeledPoints
from proofs.certificate import Certificate, certify
from proofs.shattering.labelings import to_bits
from proofs.shattering.recipe import Chain, Path, network_of, read_out, recipe_digests
from proofs.shattering.task import TRIE, Task
from proofs.shattering.trie import walk

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
        filtered: whether the float64 filter certifies the trie's network.
    """

    labels: tuple[int, ...]
    certificate: Certificate | None
    source: str
    digest: str | None
    layers: int | None
    reason: str
    filtered: bool = False

    def __bool__(self) -> bool:
        return self.certificate is not None and bool(self.certificate)


def settle(task: Task, labels: tuple[int, ...], builder: Builder | None = None) -> Settled:
    """Build the labelling's network from its recipe and check it; if that fails, ask the builder.

    Args:
        task: the points and the depth.
        labels: one label a point.
        builder: makes networks in another way.
    """
    settled = Settled(labels, None, task.method, None, None, "No builder was given.")
    if task.method == TRIE:
        settled = settle_on_trie(task, labels)
        if settled:
            return settled
    if builder is None:
        return settled
    points = task.exact.relabel(labels)
    method = "auto" if task.method == TRIE else task.method
    try:
        net = builder(points, task.depth, method)
        certificate = certify(net, points)
    except LNNetError as error:
        reason = str(error) if settled.certificate is None else f"{settled.reason} {error}"
        return Settled(labels, settled.certificate, method, None, None, reason)
    if net.depth != task.depth:
        return Settled(labels, None, method, None, None, f"The builder's network has {net.depth} layers.")
    return Settled(labels, certificate, method, digest(network_document(net)), None, certificate.reason)


def settle_on_trie(task: Task, labels: tuple[int, ...]) -> Settled:
    """The trie's network for a labelling of two classes, rebuilt alone and checked with balls."""
    placement = task.placement
    flipped = labels[placement.order[0]] == 1
    bits = to_bits(tuple(1 - x for x in labels) if flipped else labels)
    chosen = np.array([bits], np.int64)
    order, lower, upper = placement.order, placement.lower, placement.upper
    (leaf,) = walk(order, lower, upper, Path(), chosen=chosen)
    (hashed,) = walk(order, lower, upper, Chain.start(placement), chosen=chosen)
    out = read_out(leaf)
    layers = int(leaf.depth[0])
    if max(layers, 1) > task.depth:
        reason = f"The trie's network needs {layers} layers, more than {task.depth}."
        return Settled(labels, None, TRIE, None, layers, reason)
    code = recipe_digests(hashed.record, out, task.depth)[0].tobytes().hex()
    sign = -float(out.sign[0]) if flipped else float(out.sign[0])
    points, filtered = task.exact.relabel(labels), bool(out.margin[0] > 0)
    try:
        net = network_of(placement, leaf.record, sign, float(out.cut[0]), task.depth)
        certificate = certify(net, points)
    except LNNetError as error:
        return Settled(labels, None, TRIE, code, layers, str(error))
    return Settled(labels, certificate, TRIE, code, layers, certificate.reason, filtered)
