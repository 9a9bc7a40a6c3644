"""Depth by method: random labels, the data sets of scikit-learn, and structured sets, each certified; a Markdown table.

python -m benchmarks.bench_depth            # everything but the largest random sets
python -m benchmarks.bench_depth --large    # those too (minutes)
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from constructions.points import LabeledPoints
from lnnet.building import build_certified
from lnnet.sources import load_dataset

SEEDS = range(5)


def uniform(m: int, classes: int, seed: int) -> LabeledPoints:
    generator = random.Random(seed)
    rows = [[generator.random(), generator.random()] for _ in range(m)]
    return LabeledPoints.of(rows, [generator.randrange(classes) for _ in rows])


def structured() -> dict[str, LabeledPoints]:
    line = list(range(32))
    board = [(x, y) for x in range(8) for y in range(8)]
    lattice = [(x, y, z) for x in range(4) for y in range(4) for z in range(4)]
    return {
        "alternating, 32": LabeledPoints.of(line, [k % 2 for k in line]),
        "nested intervals, 16": LabeledPoints.of(range(-16, 17), [abs(k) % 2 for k in range(-16, 17)]),
        "checkerboard, 8 × 8": LabeledPoints.of(board, [(x + y) % 2 for x, y in board]),
        "parity of a lattice, 4³": LabeledPoints.of(lattice, [sum(p) % 2 for p in lattice]),
    }


def measured(sets: list[LabeledPoints], method: str) -> tuple[float, float]:
    """Median depth and seconds; every network is certified."""
    depths, seconds = [], []
    for points in sets:
        started = time.perf_counter()
        built = build_certified(points, method=method)
        if not built.certificate:
            raise RuntimeError(f"{method} was not certified: {built.certificate.reason}")
        depths.append(built.network.depth)
        seconds.append(time.perf_counter() - started)
    return statistics.median(depths), statistics.median(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true")
    large = parser.parse_args().large
    cases: list[tuple[str, Any, list[LabeledPoints], Any, Any]] = []
    for m, classes, must, aim in ((50, 2, "-", "-"), (100, 2, "-", "-"), (200, 2, 32, 20), (60, 10, "-", "-")):
        bound = m - 2 if classes == 2 else 2 * (m - classes)
        cases.append((f"random, K = {classes}, m = {m}", bound, [uniform(m, classes, s) for s in SEEDS], must, aim))
    for name, must, aim in (("iris", 4, 2), ("wine", 6, 3), ("breast_cancer", 9, 5)):
        points = LabeledPoints.of(*load_dataset(name))
        cases.append((name, len(points) - len(points.classes), [points], must, aim))
    for name, points in structured().items():
        cases.append((name, len(points) - 2, [points], "-", "-"))
    if large:
        cases.append(("random, K = 10, m = 200", 390, [uniform(200, 10, s) for s in SEEDS], 120, 60))
        cases.append(("random, K = 2, m = 1000", 998, [uniform(1000, 2, s) for s in SEEDS], 170, 100))
    print("| set | paper | must | aim | shallow | seconds |\n|---|---|---|---|---|---|")
    for name, paper, sets, must, aim in cases:
        depth, seconds = measured(sets, "shallow")
        print(f"| {name} | {paper} | {must} | {aim} | {depth:g} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()
