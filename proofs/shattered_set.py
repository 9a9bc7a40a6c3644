"""Point sets that are shattered at a stated depth, from witness files.

A witness says how to build, for every one of the 2^m labelings, a network; how it was found does not matter, for every
network is certified (`shattered_recheck`). Complements come by symmetry: exchanging the two classes is the network with
its last affine map negated. The files are in `proofs.witnesses` and written by ``benchmarks/search_shattering.py``;
``docs/formats.md`` describes them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from typing import Any, Literal

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from constructions.chains import Chain, chain_labelings, conic_angles
from constructions.errors import InputError, UnreadableFileError
from constructions.half_spaces import HalfSpace
from constructions.network import Affine, LNNet
from constructions.network_file import expect_format, expect_keys, read_json
from constructions.points import LabeledPoints, Point
from constructions.rational import scale_binary
from constructions.wedges import Wedges, best_factor, conic_wedges, wedges

FORMAT, VERSION = "lnnet-shattered-set", 1
Kind = Literal["half-spaces", "chains"]
Numbers = NDArray[np.int64]
#: More points than this are refused: 2^(m−1) networks would have to be checked.
MAX_POINTS = 24
#: Integers in a witness are below this, so that float64 holds them exactly.
_LARGEST = 1 << 48
_FIELDS = {"half-spaces": ("half_spaces",), "chains": ("binary_places", "chains")}


@dataclass(frozen=True)
class ShatteredSet:
    """Points and what builds a network for each of their labelings.

    Attributes:
        depth: L, the number of LN layers of every network.
        points: m distinct points of R^d, integers.
        kind: ``"half-spaces"``: ANDs and ORs of two of them (depth 1); ``"chains"``: a chain of layers and two chords.
        half_spaces: for the first kind.
        chains: for the second kind.
    """

    depth: int
    points: tuple[Point, ...]
    kind: Kind
    half_spaces: tuple[HalfSpace, ...] = ()
    chains: tuple[Chain, ...] = ()

    def __post_init__(self) -> None:
        if not 2 <= len(self.points) <= MAX_POINTS or len(set(self.points)) < len(self.points):
            raise InputError(f"Expected 2 to {MAX_POINTS} distinct points.")
        if any(len(chain.forms) != self.depth - 1 for chain in self.chains):
            raise InputError(f"Every chain must have {self.depth - 1} layers, one less than the depth.")
        if self.kind == "half-spaces" and self.depth != 1:
            raise InputError(f"Two half-spaces make a network of depth 1, not {self.depth}.")

    @property
    def dimension(self) -> int:
        """d."""
        return len(self.points[0])

    @property
    def labelings(self) -> int:
        """Number of labelings up to exchanging the classes: 2^(m−1)."""
        return 1 << (len(self.points) - 1)

    def labels(self, numbers: Sequence[int] | Numbers) -> NDArray[np.int64]:
        """Labelings by number, one a row: point 0 has label 0, bit k − 1 is the label of point k.

        Raises:
            InputError: a number out of range.
        """
        wanted = np.asarray(numbers, dtype=np.int64)
        if len(wanted) and not 0 <= wanted.min() <= wanted.max() < self.labelings:
            raise InputError(f"Labelings are numbered from 0 to {self.labelings - 1}, not {list(wanted)[:10]}.")
        return (wanted[:, None] << 1) >> np.arange(len(self.points)) & 1

    def labelled(self, number: int) -> LabeledPoints:
        """The points with a labelling."""
        labels = tuple(int(x) for x in self.labels([number])[0])
        return LabeledPoints(self.points, labels, tuple(range(len(labels))))

    def groups(self, numbers: Sequence[int] | Numbers) -> Iterator[tuple[int, Numbers]]:
        """Labelings that share all layers but the last, with the number of their chain (0 for half-spaces).

        Labelings without a network, and the constant one, are left out.
        """
        wanted = np.asarray(numbers, dtype=np.int64)
        sources = self._sources[wanted]
        keys = sources if self.kind == "chains" else np.minimum(sources, 0)
        for key in np.unique(keys[keys >= 0]):
            yield int(key), wanted[keys == key]

    def first_layers(self, group: int) -> tuple[Affine, ...]:
        """The layers that a group shares."""
        return self.chains[group].layers if self.kind == "chains" else ()

    def last_layers(self, group: int, numbers: Sequence[int] | Numbers) -> Wedges:
        """The last layer of every labelling of a group; the same bits whichever labelings are asked for together."""
        if self.kind == "chains":
            return conic_wedges(conic_angles(self.chains[group].arrays, self.places), self.labels(numbers))
        first, second = (self._planes[k] for k in np.divmod(self._sources[np.asarray(numbers)], len(self._planes)))
        high = np.concatenate([self.places, np.ones((len(self.places), 1))], axis=1)
        values = [forms @ high.T for forms in (first, second)]
        union = (values[0][:, 0] > 0) & (values[1][:, 0] > 0)  # the AND has point 0, whose label is 0: its complement
        sign = np.where(union, -1.0, 1.0)[:, None]
        factor, _ = best_factor(sign * values[0], sign * values[1], union)
        return wedges(sign * first, sign * second * factor[:, None], union)

    def network(self, number: int) -> LNNet:
        """The network for a labelling; only its check says whether it is right.

        Raises:
            InputError: a number out of range, or a witness without a network for it.
        """
        self.labels([number])
        if number == 0:
            return _constant(self.dimension, self.depth)
        for group, _ in self.groups([number]):
            return LNNet((*self.first_layers(group), *self.last_layers(group, [number]).affines(0)), (0, 1))
        raise InputError(f"The witness has no network for labelling {number}.")

    @cached_property
    def places(self) -> NDArray[np.float64]:
        """The points in floating point, which holds them exactly; shape (m, d)."""
        return np.array([[int(x.p) / int(x.q) for x in point] for point in self.points])

    @cached_property
    def _planes(self) -> NDArray[np.float64]:
        return np.array([[int(x.p) for x in (*half.normal, half.offset)] for half in self.half_spaces], float)

    @cached_property
    def _sources(self) -> Numbers:
        """For every labelling the number of a chain, or of a pair of half-spaces; −1 if there is none."""
        best = np.full(self.labelings, -np.inf)
        source = np.full(self.labelings, -1)
        for number, (labels, quality) in enumerate(self._offers()):
            better = quality > best[labels]
            kept = np.flatnonzero(better)
            kept = kept[np.argsort(quality[kept], kind="stable")]  # labelings repeat: the last and best one stays
            best[labels[kept]] = quality[kept]
            source[labels[kept]] = number if self.kind == "chains" else number * len(self.half_spaces) + kept
        source[0] = -1
        return source

    def _offers(self) -> Iterable[tuple[Numbers, NDArray[np.float64]]]:
        """Chain by chain, or half-space by half-space (ANDed with all): labelings and how well they are realised."""
        if self.kind == "chains":
            for chain in self.chains:
                labels, gaps = chain_labelings([a[None] for a in chain.arrays], self.places)
                yield labels[0], gaps[0]
            return
        values = np.concatenate([self.places, np.ones((len(self.places), 1))], axis=1) @ self._planes.T  # (m, H)
        masks = ((values > 0).astype(np.int64) << np.arange(len(self.places))[:, None]).sum(axis=0)
        width = np.abs(values).min(axis=0) / np.abs(values).max(axis=0)
        full = (1 << len(self.places)) - 1
        for k in range(len(masks)):
            both = masks[k] & masks
            yield np.where(both & 1, both ^ full, both) >> 1, np.minimum(width[k], width)


def witness_names() -> list[str]:
    """Names of the witness files in the package, sorted."""
    folder = resources.files("proofs.witnesses")
    return sorted(entry.name.removesuffix(".json") for entry in folder.iterdir() if entry.name.endswith(".json"))


def load_witness(source: str | os.PathLike[str]) -> ShatteredSet:
    """A witness of the package by name, or from a file by path.

    Raises:
        UnreadableFileError: missing, truncated, or not a witness document.
        InputError: values that contradict one another.
    """
    if str(source) in witness_names():
        with resources.as_file(resources.files("proofs.witnesses") / f"{source}.json") as path:
            return witness_from_document(read_json(path))
    if not os.path.exists(source):
        raise UnreadableFileError(f"{source} is no file, nor a witness; there are {', '.join(witness_names())}.")
    return witness_from_document(read_json(source))


def witness_from_document(document: Any) -> ShatteredSet:
    """The set that a witness document describes; raises as `load_witness`."""
    kind = document.get("kind") if isinstance(document, dict) else None
    if kind not in _FIELDS:
        raise UnreadableFileError(f"Expected a witness of kind {', '.join(_FIELDS)}, not {str(kind)[:40]!r}.")
    common = ("format", "version", "depth", "dimension", "points", "kind")
    fields = expect_keys(document, "witness", required=(*common, *_FIELDS[kind]))
    expect_format(fields, FORMAT, VERSION)
    depth, d = fields["depth"], fields["dimension"]
    if not (isinstance(depth, int) and isinstance(d, int) and 1 <= depth <= 64 and 1 <= d <= 64):
        raise UnreadableFileError("Depth and dimension of a witness must be integers from 1 to 64.")
    points = tuple(tuple(fmpq(x) for x in _integers(row, d, "point")) for row in _list(fields["points"], "points"))
    halves: tuple[HalfSpace, ...] = ()
    chains: tuple[Chain, ...] = ()
    if kind == "half-spaces":
        rows = [_integers(row, d + 1, "half-space") for row in _list(fields["half_spaces"], "half-spaces")]
        halves = tuple(HalfSpace.of(row[:-1], row[-1]) for row in rows)
    if kind == "chains":
        places = _integers(fields["binary_places"], depth - 1, "binary places")
        chains = tuple(_chain(entry, places, d) for entry in _list(fields["chains"], "chains"))
    return ShatteredSet(depth, points, kind, halves, chains)


def _chain(entry: Any, places: list[int], d: int) -> Chain:
    matrices = []
    if len(_list(entry, "chain")) != len(places):
        raise UnreadableFileError(f"Expected {len(places)} layers for a chain of a witness, not {len(entry)}.")
    for number, (row, bits) in enumerate(zip(entry, places, strict=True)):
        width = d + 1 if number == 0 else 3
        entries = [scale_binary(fmpq(x), -bits) for x in _integers(row, 2 * width, "layer of a chain")]
        matrices.append((tuple(entries[:width]), tuple(entries[width:])))
    return Chain(tuple(matrices))


def _constant(dimension: int, depth: int) -> LNNet:
    """Label 0 everywhere, at a depth: the first layer is a constant that LN can take."""
    first = Affine.of([[0] * dimension] * 3, [1, -1, 0])
    last = Affine.of([[0] * 3], [-1])
    return LNNet((first, last), (0, 1)).padded(depth)


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise UnreadableFileError(f"Expected a list that is not empty for the {where} of a witness.")
    return value


def _integers(value: Any, length: int, where: str) -> list[int]:
    numbers = _list(value, where)
    if len(numbers) != length or not all(type(x) is int and abs(x) < _LARGEST for x in numbers):
        raise UnreadableFileError(f"Expected {length} integers below 2^48 for a {where} of a witness.")
    return numbers
