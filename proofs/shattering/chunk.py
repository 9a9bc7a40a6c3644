"""A share of all labelings, settled in one go. Chunks are independent and always give the same result."""

from __future__ import annotations

import hashlib
import itertools
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from constructions.errors import UnreadableFileError
from constructions.network_file import expect_keys
from constructions.rational import format_rational, parse_rational, to_rational
from proofs.shattering.labelings import from_bits, multiplicity, number_of_representatives, representatives, to_text
from proofs.shattering.recipe import Chain, read_out, recipe_digests
from proofs.shattering.settle import Builder, Settled, settle
from proofs.shattering.task import TRIE, Task
from proofs.shattering.trie import Leaves, walk

#: Labelings a chunk, at most: small enough that a batch stays below 100 MB, large enough to amortise its set-up.
_TRIE_CHUNK_BITS = 15
_SAMPLE_CHUNK = 1 << 14
_SINGLE_CHUNK = 64
#: The filter's precision, in bits.
FLOAT_BITS = 53


@dataclass
class ChunkResult:
    """What became of a chunk's labelings (each stands for all renamings of its classes).

    Attributes:
        index: number of the chunk.
        labelings: how many there are.
        represented: how many labelings they stand for.
        filtered: certified by the float64 filter.
        by_balls: certified by the ball checker, on the trie's own network.
        by_builder: certified by the ball checker, on another construction's network.
        failed: not certified; a labelling that was drawn twice counts twice.
        unrealised: those labelings, and the reasons.
        margin: an exact lower bound on the smallest margin of a certified labelling, as text.
        tightest: that labelling.
        bits: the largest precision that was needed.
        depths: LN layers before padding → number of labelings, where known.
        digest: SHA-256 over (labelling as text, its digest) of all certified ones, in ascending order.
        seconds: time taken.
    """

    index: int
    labelings: int = 0
    represented: int = 0
    filtered: int = 0
    by_balls: int = 0
    by_builder: int = 0
    failed: int = 0
    unrealised: dict[str, str] = field(default_factory=dict)
    margin: str | None = None
    tightest: str | None = None
    bits: int = 0
    depths: dict[str, int] = field(default_factory=dict)
    digest: str = ""
    seconds: float = 0.0

    def document(self) -> dict[str, Any]:
        """JSON-ready form."""
        return asdict(self)

    @classmethod
    def from_document(cls, document: Any) -> ChunkResult:
        """Read `document` back.

        Raises:
            UnreadableFileError: it is none.
        """
        example = asdict(cls(0))
        fields = expect_keys(document, "chunk", required=tuple(example))
        for name, value in example.items():
            allowed = (
                (str, type(None)) if value is None else (int, float) if isinstance(value, float) else (type(value),)
            )
            if not isinstance(fields[name], allowed):
                raise UnreadableFileError(f"In a chunk: {name!r} cannot be {fields[name]!r:.60}.")
        return cls(**fields)

    def note_margin(self, margin: fmpq, labelling: str) -> None:
        """Keep the smallest, and of equals the first in alphabetical order."""
        if self.margin is not None and self.tightest is not None:
            present = parse_rational(self.margin), self.tightest
            if (margin, labelling) >= present:
                return
        self.margin, self.tightest = format_rational(margin), labelling


def number_of_chunks(task: Task) -> int:
    """How many chunks a task has."""
    if task.sample:
        return -(-task.sample // _sample_chunk(task))
    if task.method == TRIE:
        return 1 << len(_prescribed(task))
    return -(-number_of_representatives(len(task.points), task.classes) // _SINGLE_CHUNK)


def run_chunk(task: Task, index: int, builder: Builder | None = None) -> ChunkResult:
    """Settle one chunk. The result depends on the task and the index only, but for its time.

    Args:
        index: from 0 to `number_of_chunks` − 1.
        builder: makes networks where the trie does not; see `settle`.
    """
    started = time.perf_counter()
    result = ChunkResult(index)
    digests: list[tuple[str, bytes]] = []
    if task.method == TRIE:
        _run_on_trie(task, result, digests, builder)
    else:
        _run_one_by_one(task, result, digests, builder)
    sha = hashlib.sha256()
    for text, code in sorted(digests):
        sha.update(text.encode("ascii") + code)
    result.digest = sha.hexdigest()
    result.depths = dict(sorted(result.depths.items(), key=lambda item: int(item[0])))
    result.seconds = round(time.perf_counter() - started, 3)
    return result


def chunk_of(task: Task, labels: tuple[int, ...]) -> int | None:
    """The number of the chunk that holds a labelling or its complement; None unless all are walked on the trie."""
    if task.method != TRIE or task.sample:
        return None
    flip = labels[task.placement.order[0]]
    return sum((labels[point] ^ flip) << k for k, point in enumerate(_prescribed(task)))


def _prescribed(task: Task) -> list[int]:
    """The points whose labels number the chunks: alternately from either end of the line, as they are decided."""
    order = task.placement.order
    from_ends = [order[k // 2] if k % 2 == 0 else order[-1 - k // 2] for k in range(len(order))]
    return from_ends[1 : 1 + max(0, len(order) - 1 - _TRIE_CHUNK_BITS)]


def _sample_chunk(task: Task) -> int:
    return _SAMPLE_CHUNK if task.method == TRIE else _SINGLE_CHUNK


def _drawn(task: Task, index: int) -> NDArray[np.int64]:
    """The chunk's share of the sample, shape (n, m): uniform and independent labels."""
    size = min(_sample_chunk(task), task.sample - index * _sample_chunk(task))
    generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence((task.seed, index))))
    return generator.integers(task.classes, size=(size, len(task.points)))


def _run_one_by_one(task: Task, result: ChunkResult, digests: list[tuple[str, bytes]], builder: Builder | None) -> None:
    if task.sample:
        chosen = [tuple(row) for row in _drawn(task, result.index).tolist()]
        result.represented = len(chosen)
    else:
        everything = representatives(len(task.points), task.classes)
        share = slice(result.index * _SINGLE_CHUNK, (result.index + 1) * _SINGLE_CHUNK)
        chosen = list(itertools.islice(everything, share.start, share.stop))
        result.represented = sum(multiplicity(labels, task.classes) for labels in chosen)
    result.labelings = len(chosen)
    for settled in settle(task, chosen, builder):
        _take(result, digests, settled)


def _walked(task: Task, index: int) -> Iterator[Leaves[Chain]]:
    placement = task.placement
    line = placement.order, placement.lower, placement.upper
    if task.sample:
        rows = _drawn(task, index)
        rows ^= rows[:, placement.order[0], None]  # the complement where the leftmost point has label 1
        bits = (rows << np.arange(rows.shape[1])).sum(axis=1)
        return walk(*line, Chain.start(placement, len(bits)), chosen=bits)
    points = _prescribed(task)
    fixed = sum(1 << point for point in points)
    values = sum(1 << point for k, point in enumerate(points) if index >> k & 1)
    return walk(*line, Chain.start(placement), fixed=fixed, values=values)


def _run_on_trie(task: Task, result: ChunkResult, digests: list[tuple[str, bytes]], builder: Builder | None) -> None:
    count = len(task.points)
    open_labelings: list[int] = []
    depths: Counter[int] = Counter()
    for leaves in _walked(task, result.index):
        out = read_out(leaves)
        certified = (out.margin > 0) & (leaves.depth <= task.depth)
        result.labelings += len(certified)
        result.filtered += int(certified.sum())
        open_labelings += leaves.labels[~certified].tolist()
        if not certified.any():
            continue
        kept = leaves.labels[certified]
        codes = recipe_digests(leaves.record, out, task.depth)[certified]
        digests += zip(_texts(kept, count), map(bytes, codes), strict=True)
        depths.update(leaves.depth[certified].tolist())
        smallest = out.margin[certified].min()
        for labelling in kept[out.margin[certified] == smallest].tolist():
            result.note_margin(to_rational(float(smallest)), to_text(from_bits(labelling, count)))
    result.represented = result.labelings * (1 if task.sample else 2)
    result.bits = FLOAT_BITS if result.filtered else 0
    result.depths = {str(layers): number for layers, number in depths.items()}
    for settled in settle(task, [from_bits(labelling, count) for labelling in sorted(open_labelings)], builder):
        _take(result, digests, settled)


def _take(result: ChunkResult, digests: list[tuple[str, bytes]], settled: Settled) -> None:
    text = to_text(settled.labels)
    if not settled or settled.certificate is None or settled.digest is None:
        result.failed += 1
        result.unrealised[text] = settled.reason
        return
    if settled.source == TRIE:
        result.by_balls += 1
    else:
        result.by_builder += 1
    digests.append((text, bytes.fromhex(settled.digest)))
    result.bits = max(result.bits, settled.certificate.bits)
    if settled.certificate.margin is not None:
        result.note_margin(settled.certificate.margin, text)
    if settled.layers is not None:
        key = str(settled.layers)
        result.depths[key] = result.depths.get(key, 0) + 1


def _texts(labelings: NDArray[np.int64], count: int) -> Iterator[str]:
    digits = (labelings[:, None] >> np.arange(count) & 1).astype(np.uint8) + ord("0")
    data = digits.tobytes().decode("ascii")
    return (data[k : k + count] for k in range(0, len(data), count))
