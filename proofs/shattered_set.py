"""Point sets that are shattered at a stated depth, from witness files, certified labelling by labelling.

A witness says how to build, for every one of the 2^m labelings, a network; how it was found does not matter, for
`proofs.checker` checks each network on all points. Complements come by symmetry: exchanging the two classes is the
network with its last affine map negated. The files are in `proofs.witnesses` and written by
``benchmarks/search_shattering.py``; ``docs/formats.md`` describes them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from multiprocessing import get_context
from typing import Any, Literal

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from constructions.arithmetic import Dyadic
from constructions.chains import Chain, chain_labelings, chain_network
from constructions.errors import InputError, UnreadableFileError
from constructions.half_spaces import HalfSpace, How, balance, combine_half_spaces
from constructions.network import Affine, LNNet
from constructions.network_file import expect_format, expect_keys, read_json
from constructions.points import LabeledPoints, Point
from constructions.rational import scale_binary
from proofs.checker import check

FORMAT, VERSION = "lnnet-shattered-set", 1
Kind = Literal["half-spaces", "chains"]
#: More points than this are refused: 2^(m−1) networks would have to be checked.
MAX_POINTS = 24
#: Labelings that one process checks at a time.
_PIECE = 256
_FIELDS = {"half-spaces": ("half_spaces",), "chains": ("binary_places", "chains")}


@dataclass(frozen=True)
class ShatteredSet:
    """Points and what builds a network for each of their labelings.

    Attributes:
        depth: L, the number of LN layers of every network.
        points: m distinct points of R^d.
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

    def labels(self, number: int) -> tuple[int, ...]:
        """Labelling by number: point 0 has label 0, bit k − 1 is the label of point k.

        Raises:
            InputError: a number out of range.
        """
        if not 0 <= number < self.labelings:
            raise InputError(f"Labelings are numbered from 0 to {self.labelings - 1}, not {number}.")
        return (0, *(number >> k & 1 for k in range(len(self.points) - 1)))

    def labelled(self, number: int) -> LabeledPoints:
        """The points with a labelling."""
        return LabeledPoints(self.points, self.labels(number), tuple(range(len(self.points))))

    def network(self, number: int) -> LNNet:
        """The network for a labelling; only its check says whether it is right.

        Raises:
            InputError: a number out of range, or a witness without a network for it.
        """
        points = self.labelled(number)
        if number == 0:
            return _constant(self.dimension, self.depth)
        source = int(self._sources[number])
        if source < 0:
            raise InputError(f"The witness has no network for labelling {number}.")
        if self.kind == "chains":
            return chain_network(self.chains[source], points)
        first, second = (self.half_spaces[k] for k in divmod(source, len(self.half_spaces)))
        how: How = "and"
        if first.value(self.points[0]) > 0 < second.value(self.points[0]):  # the AND has point 0: take the complement
            first, second, how = first.complement, second.complement, "or"
        return combine_half_spaces(first, balance(first, second, points, how), how, arithmetic=Dyadic(53))

    @cached_property
    def _sources(self) -> NDArray[np.int64]:
        """For every labelling the number of a chain, or of a pair of half-spaces; −1 if there is none."""
        best = np.full(self.labelings, -np.inf)
        source = np.full(self.labelings, -1)
        places = np.array([[int(x.p) / int(x.q) for x in point] for point in self.points])
        for number, (labels, quality) in enumerate(self._offers(places)):
            better = quality > best[labels]
            kept = np.flatnonzero(better)
            kept = kept[np.argsort(quality[kept], kind="stable")]  # labelings repeat: the last and best one stays
            best[labels[kept]] = quality[kept]
            source[labels[kept]] = number if self.kind == "chains" else number * len(self.half_spaces) + kept
        return source

    def _offers(self, places: NDArray[np.float64]) -> Iterable[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """Chain by chain, or half-space by half-space (ANDed with all): labelings and how well they are realised."""
        if self.kind == "chains":
            for chain in self.chains:
                labels, gaps = chain_labelings([a[None] for a in chain.arrays], places)
                yield labels[0], gaps[0]
            return
        normals = np.array([[int(x.p) / int(x.q) for x in (*h.normal, h.offset)] for h in self.half_spaces])
        values = np.concatenate([places, np.ones((len(places), 1))], axis=1) @ normals.T  # (m, H)
        masks = ((values > 0).astype(np.int64) << np.arange(len(places))[:, None]).sum(axis=0)
        width = np.abs(values).min(axis=0) / np.abs(values).max(axis=0)
        full = (1 << len(places)) - 1
        for k in range(len(masks)):
            both = masks[k] & masks
            yield np.where(both & 1, both ^ full, both) >> 1, np.minimum(width[k], width)


@dataclass(frozen=True)
class Recheck:
    """What the checker found for a set's labelings.

    Attributes:
        checked: how many labelings were checked (complements not counted).
        failures: numbers of those without a certified network of the stated depth and width 3.
        margin: the least margin of a certified one.
        bits: the most bits that the checker needed.
    """

    checked: int
    failures: tuple[int, ...]
    margin: fmpq | None
    bits: int

    def __bool__(self) -> bool:
        return not self.failures


def recheck_set(
    witness: ShatteredSet,
    numbers: Sequence[int] | None = None,
) -> Recheck:
    """Build and certify the network of every labelling.

    Args:
        witness: the set.
        numbers: only these labelings (default: all).
    """
    chosen = range(witness.labelings) if numbers is None else numbers
    failures, bits = [], 0
    margin: fmpq | None = None
    for number in chosen:
        try:
            net = witness.network(number)
        except InputError:
            failures.append(number)
            continue
        verdict = check(net, witness.labelled(number))
        if not verdict or net.depth != witness.depth or net.width > 3:
            failures.append(number)
            continue
        bits = max(bits, verdict.bits)
        if verdict.margin is not None and (margin is None or verdict.margin < margin):
            margin = verdict.margin
    return Recheck(len(chosen), tuple(failures), margin, bits)


def recheck_in_parallel(
    source: str | os.PathLike[str],
    numbers: Sequence[int],
    *,
    workers: int = 1,
    watch: Callable[[int, int], object] | None = None,
) -> Recheck:
    """`recheck_set` for a witness that every process loads itself, in pieces.

    Args:
        source: as for `load_witness`.
        numbers: the labelings to check.
        workers: how many processes.
        watch: called with (labelings checked, labelings in all).
    """
    pieces = [(os.fspath(source), tuple(numbers[k : k + _PIECE])) for k in range(0, len(numbers), _PIECE)]
    parts: list[Recheck] = []
    with ExitStack() as stack:
        if workers > 1:
            context = get_context("spawn")
            results = stack.enter_context(context.Pool(workers)).imap(_recheck_piece, pieces)
        else:
            results = map(_recheck_piece, pieces)  # type: ignore[assignment]
        done = 0
        for part in results:
            parts.append(part)
            done += part.checked
            if watch is not None:
                watch(done, len(numbers))
    margins = [part.margin for part in parts if part.margin is not None]
    failures = tuple(number for part in parts for number in part.failures)
    return Recheck(done, failures, min(margins, default=None), max((part.bits for part in parts), default=0))


def _recheck_piece(piece: tuple[str, tuple[int, ...]]) -> Recheck:
    source, numbers = piece
    return recheck_set(_loaded(source), numbers)


@cache
def _loaded(source: str) -> ShatteredSet:
    return load_witness(source)


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
    if len(numbers) != length or not all(type(x) is int for x in numbers):
        raise UnreadableFileError(f"Expected {length} integers for a {where} of a witness.")
    return numbers
