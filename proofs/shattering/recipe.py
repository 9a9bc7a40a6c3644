"""From the folds of a labelling to its network, and a digest by which it is recognised.

A recipe is a placement, the folds' float64 parameters, a cut and a depth; they determine the network. Its digest is a
chain: SHA-256 of the placement, then for each fold SHA-256 of the digest so far and (s, C, u1, u2) as little-endian
doubles, then of the digest so far, the read-out's sign and cut as doubles and the depth as a 64-bit integer. Labelings
that share folds share the beginning of the chain.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from constructions.errors import InputError
from constructions.network import Affine, LNNet
from constructions.network_file import digest
from constructions.rational import format_rational, scale_binary, to_rational
from constructions.spherical_projection import INTEGER
from proofs.shattering.enclosure import Floats, Folds
from proofs.shattering.placement import Placement
from proofs.shattering.trie import Leaves

_DIGEST_BYTES = 32


@dataclass(frozen=True)
class Chain:
    """The digests of n recipes so far, shape (n, 32)."""

    digests: NDArray[np.uint8]

    @classmethod
    def start(cls, placement: Placement, count: int = 1) -> Chain:
        """Recipes without folds."""
        document = {
            "points": [[format_rational(x) for x in point] for point in placement.points],
            "direction": [format_rational(x) for x in placement.direction],
            "exponent": placement.exponent,
            "origin": format_rational(placement.origin),
        }
        return cls(np.repeat(np.frombuffer(bytes.fromhex(digest(document)), np.uint8)[None], count, axis=0))

    def after(self, folds: Folds) -> Chain:
        return self.extended(*folds)

    def extended(self, *columns: NDArray[np.generic]) -> Chain:
        """Hash one more row of 64-bit numbers into each digest."""
        parts = [
            np.ascontiguousarray(c.astype(c.dtype.newbyteorder("<"))).view(np.uint8).reshape(-1, 8) for c in columns
        ]
        rows = np.concatenate([self.digests, *parts], axis=1)
        width, data, sha = rows.shape[1], rows.tobytes(), hashlib.sha256
        joined = b"".join([sha(data[k : k + width]).digest() for k in range(0, len(data), width)])
        return Chain(np.frombuffer(joined, np.uint8).reshape(-1, _DIGEST_BYTES))

    def take(self, kept: NDArray[np.bool_]) -> Chain:
        return Chain(self.digests[kept])

    def join(self, others: Sequence[Chain]) -> Chain:
        return Chain(np.concatenate([self.digests, *(other.digests for other in others)]))


@dataclass(frozen=True)
class Paths:
    """The folds themselves, for a few labelings.

    Attributes:
        parameters: shape (n, most, 4): (s, C, u1, u2) of each fold, room for the most that there can be.
        counts: shape (n,): how many folds there are.
    """

    parameters: Floats
    counts: NDArray[np.int64]

    @classmethod
    def start(cls, count: int, most: int) -> Paths:
        """Without folds."""
        return cls(np.zeros((count, most, 4)), np.zeros(count, np.int64))

    def after(self, folds: Folds) -> Paths:
        parameters = self.parameters.copy()
        parameters[np.arange(len(self.counts)), self.counts] = np.stack(folds, axis=1)
        return Paths(parameters, self.counts + 1)

    def take(self, kept: NDArray[np.bool_]) -> Paths:
        return Paths(self.parameters[kept], self.counts[kept])

    def join(self, others: Sequence[Paths]) -> Paths:
        paths = (self, *others)
        return Paths(np.concatenate([p.parameters for p in paths]), np.concatenate([p.counts for p in paths]))

    def folds(self, k: int) -> Floats:
        """The folds of labelling k, shape (layers, 4)."""
        return self.parameters[k, : self.counts[k]]


@dataclass(frozen=True)
class ReadOut:
    """The last affine map, sign·(p − cut), for n labelings.

    Attributes:
        sign: 1 where points right of the cut are of class 1, else −1.
        cut: between the runs, or left of a single one.
        margin: a lower bound on every point's distance to the cut; not positive where it is unknown.
    """

    sign: Floats
    cut: Floats
    margin: Floats


def read_out(leaves: Leaves[Any]) -> ReadOut:
    """Cut between the two runs, or left of a single one."""
    with np.errstate(all="ignore"):
        if len(leaves.lower) == 1:
            cut = leaves.lower[0] - 1
            room = leaves.lower[0] - cut
            sign = np.where(leaves.first == 1, 1.0, -1.0)
        else:
            cut = leaves.upper[0] / 2 + leaves.lower[1] / 2
            room = np.minimum(cut - leaves.upper[0], leaves.lower[1] - cut)
            sign = np.where(leaves.first == 0, 1.0, -1.0)
        return ReadOut(sign, cut, room * (1 - 2.0**-50))  # the difference was rounded


def recipe_digests(chain: Chain, out: ReadOut, depth: int) -> NDArray[np.uint8]:
    """The digests of n finished recipes padded to a depth, shape (n, 32)."""
    return chain.extended(out.sign, out.cut, np.full(len(out.cut), depth, np.int64)).digests


def recipe_digest(placement: Placement, folds: Floats, sign: float, cut: float, depth: int) -> str:
    """The digest of one recipe in hexadecimal; the sign is that of the labelling whose leftmost label is 0."""
    chain = Chain.start(placement)
    for row in folds:
        chain = chain.after(Folds(*row[:, None]))
    out = ReadOut(np.array([sign]), np.array([cut]), np.zeros(1))
    return recipe_digests(chain, out, depth)[0].tobytes().hex()


def network_of(placement: Placement, folds: Floats, sign: float, cut: float, depth: int) -> LNNet:
    """The network of a recipe: width 3, padded to a depth, with classes 0 and 1.

    Args:
        folds: shape (layers, 4): (s, C, u1, u2).

    Raises:
        InputError: more folds than the depth allows, or parameters that are not finite.
    """
    scale = [scale_binary(x, -placement.exponent) for x in placement.direction]
    row, origin = tuple(scale), placement.origin
    layers = []
    for parameters in folds:
        s, c, u1, u2 = (to_rational(float(x)) for x in parameters)
        column, bias = INTEGER.inlet(s + origin, c / 3)
        layers.append(Affine(_outer(column, row), tuple(bias)))
        row, origin = INTEGER.outlet(u1, u2), fmpq(0)
    last = to_rational(sign)
    layers.append(Affine(_outer((last,), row), (-last * to_rational(cut),)))
    try:
        net = LNNet(tuple(layers), (0, 1), "threshold", fmpq(0), "float64")
    except InputError:  # points far from 0 need a first layer of higher precision
        net = LNNet(tuple(layers), (0, 1), "threshold", fmpq(0), "dyadic")
    return net.padded(depth)


def _outer(column: Sequence[fmpq], row: Sequence[fmpq]) -> tuple[tuple[fmpq, ...], ...]:
    return tuple(tuple(a * b for b in row) for a in column)
