"""How fast all labelings are certified, how much memory it takes, and how that compares with one labelling at a time.

python benchmarks/bench_shatter.py [--quick] [--workers N]
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import threading
import time
from pathlib import Path
from typing import Any

from lnnet.building import build_certified
from lnnet.shattering import settle_labelling, shatter, task_for

#: How many labelings the one-by-one loops build; their time is scaled to all.
LOOP = 100


def point_sets(m: int) -> dict[str, Any]:
    """The four kinds of sets: where sums coincide, where none do, close together, and in space."""
    rng = random.Random(m)
    return {
        "lattice 0..m-1": list(range(m)),
        "general position": [rng.random() for _ in range(m)],
        "clustered": [k % 4 + rng.gauss(0, 0.01) for k in range(m)],
        "R^3, Gaussian": [[rng.gauss(0, 1) for _ in range(3)] for _ in range(m)],
    }


class PeakMemory:
    """Watches the resident memory of this process and all below it, in MB (Linux; 0 elsewhere)."""

    def __init__(self, every: float = 0.2):
        self.peak, self._stop = 0.0, threading.Event()
        self._thread = threading.Thread(target=self._watch, args=(every,), daemon=True)
        self._thread.start()

    def _watch(self, every: float) -> None:
        while not self._stop.wait(every):
            self.peak = max(self.peak, self._now())

    @staticmethod
    def _now() -> float:
        parents, sizes = {}, {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                parents[int(folder.name)] = int(fields[1])
                sizes[int(folder.name)] = int(fields[21]) * resource.getpagesize() / 2**20
            except (OSError, IndexError):
                continue  # it has ended meanwhile
        ours, total = {os.getpid()}, 0.0
        for _ in range(4):
            ours |= {process for process, parent in parents.items() if parent in ours}
        for process in ours:
            total += sizes.get(process, 0.0)
        return total

    def stop(self) -> float:
        self._stop.set()
        self._thread.join()
        return self.peak


def exhaustive(m: int, workers: int) -> None:
    print(f"\n## All labelings of {m} points, depth {m - 2}, {workers} worker(s)\n")
    print("| points | labelings | seconds | labelings/s | fell through | not certified | smallest margin |")
    print("|---|---|---|---|---|---|---|")
    for name, points in point_sets(m).items():
        started = time.perf_counter()
        result = shatter(points, workers=workers)
        seconds = time.perf_counter() - started
        fell = result.examined - result.total("filtered")
        margin = float("nan") if result.margin is None else float(result.margin[0].p) / float(result.margin[0].q)
        print(
            f"| {name} | {result.labelings:,} | {seconds:.1f} | {result.labelings / seconds:,.0f} | {fell} | "
            f"{result.total('failed')} | {margin:.2g} |",
            flush=True,
        )


def against_the_loop(m: int) -> None:
    points = list(range(m))
    started = time.perf_counter()
    result = shatter(points)
    trie = time.perf_counter() - started
    rng = random.Random(0)
    drawn = [tuple(rng.randrange(2) for _ in range(m)) for _ in range(LOOP)]
    rows = [("all at once", result.labelings, trie)]
    started = time.perf_counter()
    if not all(build_certified(points, labels, depth=m - 2).certificate for labels in drawn):
        raise SystemExit("the loop failed to certify a labelling")
    rows.append(("build and check each alone (`lnnet build`)", LOOP, time.perf_counter() - started))
    task = task_for(points)
    started = time.perf_counter()
    if not all(settle_labelling(task, labels) for labels in drawn):
        raise SystemExit("a replay failed")
    rows.append(("replay and check each alone (`--labelling`)", LOOP, time.perf_counter() - started))
    print(f"\n## Against one labelling at a time, {m} points 0..{m - 1}, depth {m - 2}, one process\n")
    print("| way | labelings timed | seconds | ms a labelling | times as long |")
    print("|---|---|---|---|---|")
    base = trie / result.labelings
    for name, count, seconds in rows:
        print(f"| {name} | {count:,} | {seconds:.2f} | {1000 * seconds / count:.3f} | {seconds / count / base:,.0f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="leave out m = 20")
    parser.add_argument("--workers", type=int, default=2, help="for m = 20 (default %(default)s)")
    options = parser.parse_args()
    memory = PeakMemory()
    against_the_loop(14)
    exhaustive(16, 1)
    if not options.quick:
        exhaustive(20, options.workers)
    print(f"\nPeak memory of all processes together: {memory.stop():,.0f} MB.")


if __name__ == "__main__":
    main()
