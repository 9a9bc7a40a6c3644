"""The whole run: every chunk settled somewhere, put together, and spot-checked with balls."""

from __future__ import annotations

import functools
import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq

from constructions.display import facts_html
from constructions.errors import InputError, LNNetError
from constructions.rational import format_rational, parse_rational
from proofs.certificate import approximate
from proofs.checker import check
from proofs.shattering.chunk import ChunkResult, number_of_chunks, run_chunk
from proofs.shattering.confidence import clopper_pearson_lower, confidence_statement
from proofs.shattering.labelings import number_of_representatives, parse_labelling, with_more_runs
from proofs.shattering.schedule import run_here, run_on_cluster, run_on_processes
from proofs.shattering.settle import Builder, settle_on_trie
from proofs.shattering.store import Store
from proofs.shattering.task import TRIE, Task

FORMAT, VERSION = "lnnet-shatter-report", 1
#: More labelings than this are not tried exhaustively unless the caller says so.
MAX_LABELINGS = 1 << 24
#: A labelling that is built by itself counts as so many; but so few are always tried.
ALONE, FEW = 512, 4096
#: Rough costs in seconds of one labelling on one core, for estimates in messages only.
TRIE_SECONDS, SINGLE_SECONDS = 4e-5, 0.05
#: How many labelings that the filter certified are checked again with balls, besides the tightest.
SPOT_CHECKS = 8

Watch = Callable[[str, int, int], object]


class FilterContradictedError(LNNetError):
    """The ball checker refutes what the float64 filter certified, or its margin. This would be an error in lnnet."""


@dataclass(frozen=True)
class Shattered:
    """The outcome of a run.

    Attributes:
        task: what was to be shown.
        chunks: their results in order.
        spot_checked: labelings that the filter had certified and the ball checker confirmed.
        seconds: wall time of this session, resumed chunks not counted.
    """

    task: Task
    chunks: tuple[ChunkResult, ...]
    spot_checked: tuple[str, ...]
    seconds: float

    @property
    def unrealised(self) -> dict[str, str]:
        """Labelling → reason, for every labelling without a certified network (up to renaming the classes)."""
        return {text: reason for chunk in self.chunks for text, reason in chunk.unrealised.items()}

    @property
    def complete(self) -> bool:
        """Whether every labelling, or every drawn one, was certified."""
        return not self.total("failed")

    def __bool__(self) -> bool:
        return self.complete

    @property
    def labelings(self) -> int:
        """How many labelings the result speaks of, all renamings of the classes counted."""
        return sum(chunk.represented for chunk in self.chunks)

    @property
    def examined(self) -> int:
        """How many labelings were examined, one for all renamings of its classes."""
        return sum(chunk.labelings for chunk in self.chunks)

    @property
    def certified(self) -> int:
        """How many of the examined ones were certified."""
        return self.examined - self.total("failed")

    @property
    def margin(self) -> tuple[fmpq, str] | None:
        """A lower bound on the smallest margin, and the labelling with it."""
        found = [(parse_rational(c.margin), c.tightest) for c in self.chunks if c.margin and c.tightest]
        return min(found) if found else None

    @property
    def depths(self) -> dict[int, int]:
        """LN layers before padding → number of examined labelings, where known."""
        total: Counter[int] = Counter()
        for chunk in self.chunks:
            total.update({int(layers): number for layers, number in chunk.depths.items()})
        return dict(sorted(total.items()))

    def total(self, name: str) -> int:
        """The sum of a count over the chunks."""
        return sum(getattr(chunk, name) for chunk in self.chunks)

    def statement(self, confidence: Fraction) -> str | None:
        """For a sample: what it shows and what it does not."""
        task = self.task
        if not task.sample:
            return None
        return confidence_statement(
            self.certified, self.examined, len(task.points), task.classes, task.depth, confidence, task.seed
        )

    def _repr_html_(self) -> str:
        margin, task = self.margin, self.task
        facts = {
            "certified": "every labelling" if self else f"all but {self.total('failed')}",
            "points": f"{len(task.points)} in R^{len(task.points[0])}",
            "labelings": f"{self.labelings:,}" + (" drawn" if task.sample else ""),
            "depth": task.depth,
            "smallest margin": None if margin is None else f"{approximate(margin[0])} ({margin[1]})",
            "layers before padding": ", ".join(f"{layers}: {number:,}" for layers, number in self.depths.items()),
        }
        return facts_html("Shattered" if self and not task.sample else "Labelings", facts)

    def document(self, confidence: Fraction = Fraction(99, 100)) -> dict[str, Any]:
        """The JSON-ready report (see docs/formats.md)."""
        margin = self.margin
        lower = clopper_pearson_lower(self.certified, self.examined, confidence) if self.task.sample else None
        return {
            "format": FORMAT,
            "version": VERSION,
            "task": self.task.document(),
            "task_sha256": self.task.identity,
            "certified": self.complete,
            "labelings": self.labelings,
            "examined": self.examined,
            "by_filter": self.total("filtered"),
            "fell_through": self.examined - self.total("filtered"),
            "by_balls": self.total("by_balls"),
            "by_builder": self.total("by_builder"),
            "not_certified": self.total("failed"),
            "unrealised": self.unrealised,
            "margin": None if margin is None else format_rational(margin[0]),
            "tightest": None if margin is None else margin[1],
            "bits": max((chunk.bits for chunk in self.chunks), default=0),
            "depths": {str(layers): number for layers, number in self.depths.items()},
            "spot_checked": list(self.spot_checked),
            "confidence": None if lower is None else str(confidence),
            "fraction_at_least": None if lower is None else float(lower),
            "statement": self.statement(confidence),
            "chunks": [{"index": c.index, "labelings": c.labelings, "sha256": c.digest} for c in self.chunks],
        }


def shatter_task(
    task: Task,
    *,
    builder: Builder | None = None,
    workers: int = 1,
    cluster: str | None = None,
    resume: str | os.PathLike[str] | None = None,
    limit: int = MAX_LABELINGS,
    watch: Watch | None = None,
) -> Shattered:
    """Certify a network for every labelling, or for every drawn one.

    Args:
        task: the points, the depth, the method.
        builder: makes networks where the trie does not; picklable if there are several workers.
        workers: number of local processes.
        cluster: address of a Dask scheduler instead.
        resume: a file of finished chunks, continued if it exists.
        limit: how many labelings are tried at most.
        watch: called with (what is being done, labelings done, labelings in all).

    Raises:
        InputError: more labelings than the limit (the message estimates the time), a resume file of another run, an
            unreachable cluster.
        FilterContradictedError: a spot check failed.
    """
    require_feasible(task, limit, workers)
    store = Store(resume, task)
    started = time.perf_counter()
    missing = store.missing()
    total = number_to_examine(task)
    done = before = sum(chunk.labelings for chunk in store.chunks.values())
    function = functools.partial(run_chunk, task, builder=builder)
    for chunk in _scheduled(function, missing, workers, cluster):
        store.add(chunk)
        done += chunk.labelings
        if watch is not None:
            rate = (done - before) / max(time.perf_counter() - started, 1e-9)
            watch(f"certifying, {rate:,.0f} labelings/s", done, total)
    chunks = tuple(store.chunks[k] for k in range(number_of_chunks(task)))
    expected = task.sample or task.classes ** len(task.points)
    counted = sum(chunk.represented for chunk in chunks)
    settled = sum(chunk.filtered + chunk.by_balls + chunk.by_builder + chunk.failed for chunk in chunks)
    if counted != expected or settled != number_to_examine(task):
        raise InputError(f"The chunks account for {counted:,} labelings of {expected:,}: the resume file was altered.")
    checked = _spot_checks(task, chunks)
    return Shattered(task, chunks, checked, round(time.perf_counter() - started, 3))


def require_feasible(task: Task, limit: int = MAX_LABELINGS, workers: int = 1) -> None:
    """Refuse what would take too long.

    Raises:
        InputError: with the estimated time and what to do instead.
    """
    if task.sample:
        most = limit if task.method == TRIE else max(limit // ALONE, FEW)
        if task.sample > most:
            raise InputError(f"A sample of {task.sample:,} labelings is over the limit of {most:,}.")
        return
    m = len(task.points)
    count = number_to_examine(task)
    alone = with_more_runs(m, task.depth + 2) if task.method == TRIE else count
    if count <= limit and alone <= max(limit // ALONE, FEW):
        return
    seconds = (count * TRIE_SECONDS if task.method == TRIE else 0) + alone * SINGLE_SECONDS
    reason = f"{alone:,} of them must be built one by one" if alone else f"the limit is {limit:,}"
    raise InputError(
        f"{m} points with {task.classes} classes have {count:,} labelings up to renaming the classes; {reason}. All of "
        f"them would take about {_duration(seconds / max(workers, 1))} on {max(workers, 1)} cores. Use fewer points, "
        "raise --limit, or draw a sample with --sample N."
    )


def number_to_examine(task: Task) -> int:
    """How many labelings a run examines, one for all renamings of its classes."""
    return task.sample or number_of_representatives(len(task.points), task.classes)


def _scheduled(
    function: Callable[[int], ChunkResult], indices: Sequence[int], workers: int, cluster: str | None
) -> Iterator[ChunkResult]:
    if cluster is not None:
        return run_on_cluster(function, indices, cluster)
    if workers == 1 or not indices:
        return run_here(function, indices)
    return run_on_processes(function, indices, workers)


def _spot_checks(task: Task, chunks: Sequence[ChunkResult]) -> tuple[str, ...]:
    """Labelings drawn at random, and each chunk's tightest up to a number, checked alone by the ball checker."""
    if task.method != TRIE or not any(chunk.filtered for chunk in chunks):
        return ()
    count = len(task.points)
    generator = random.Random(task.identity)
    tightest = sorted((parse_rational(c.margin), c.tightest) for c in chunks if c.margin and c.tightest)
    texts = [text for _, text in tightest[:SPOT_CHECKS]]
    if not task.sample:
        texts += ["".join(generator.choices("01", k=count)) for _ in range(SPOT_CHECKS)]
    confirmed = []
    labelings = [parse_labelling(text, count, 2) for text in dict.fromkeys(texts)]
    for text, settled in zip(dict.fromkeys(texts), settle_on_trie(task, labelings), strict=True):
        if settled.filtered is None or settled.certificate is None:
            continue  # the filter did not certify this one
        verdict = check(settled.certificate.network, settled.certificate.points, floor=settled.filtered)
        if verdict.outcome == "refuted":
            raise FilterContradictedError(
                f"The ball checker refutes what the filter says of labelling {text}: {verdict.reason} Please report it."
            )
        if verdict:
            confirmed.append(text)
    return tuple(confirmed)


def _duration(seconds: float) -> str:
    for size, unit in ((31557600, "years"), (86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:,.0f} seconds"
