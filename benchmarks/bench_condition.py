"""Bits lost, condition and smallest float format by method, what computing them costs, and what padding costs.

Points uniform in the unit square, two random classes; networks with dyadic weights, judged in floats after rounding.
Medians over the seeds; "float32" and "float64" count the networks certified for every IEEE evaluation.

    python benchmarks/bench_condition.py [--seeds 3] [--methods pma double chord shallow]
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from constructions.points import LabeledPoints
from lnnet.building import build_certified
from proofs.certificate import certify
from proofs.checker import check

SIZES = {"pma": (12, 24, 60, 80, 100, 200), "double": (20, 30, 40, 60, 100), "chord": (12, 24), "shallow": (12, 24, 50)}


def problem(m: int, seed: int) -> LabeledPoints:
    generator = random.Random(1000 * m + seed)
    points = [(generator.random(), generator.random()) for _ in range(m)]
    return LabeledPoints.of(points, [generator.randrange(2) for _ in range(m)])


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    started = time.perf_counter()
    result = work()
    return result, time.perf_counter() - started


def measure(method: str, m: int, seeds: int) -> str:
    depths, lost, layer, good, seconds = [], [], [], [0, 0], [0.0, 0.0, 0.0]
    for seed in range(seeds):
        points = problem(m, seed)
        built, build = timed(lambda points=points: build_certified(points, method=method))
        bits, condition = timed(lambda built=built: built.certificate.bits_lost)
        floats, judge = timed(lambda built=built: built.floats)
        depths.append(built.network.depth)
        lost.append(bits)
        layer.append(built.condition)
        good = [n + bool(v) for n, v in zip(good, (floats.float32, floats.float64), strict=True)]
        seconds = [a + b / seeds for a, b in zip(seconds, (build, condition, judge), strict=True)]
    middle = statistics.median
    times = " | ".join(f"{s:.2f}" for s in seconds)
    row = f"| `{method}` | {m} | {middle(depths):.0f} | {middle(lost):.1f} | {middle(layer):.2f} "
    return row + f"| {good[0]}/{seeds} | {good[1]}/{seeds} | {times} |"


def padded(m: int, depth: int) -> str:
    points = problem(m, 0)
    net = build_certified(points, method="pma").network
    (plain, first), (deep, second) = (timed(lambda n=n: check(n, points)) for n in (net, net.padded(depth)))
    return f"| {m} | {net.depth}, {depth} | {plain.bits}, {deep.bits} | {first:.3f}, {second:.3f} |"


def digits() -> str:
    from lnnet.sources import load_dataset, random_labels

    points = random_labels(load_dataset("digits")[0], 10, seed=0)
    built, build = timed(lambda: build_certified(points))
    _, again = timed(lambda: certify(built.network, points))
    _, condition = timed(lambda: built.certificate.bits_lost)
    row = f"| {len(points)} | {built.network.depth} | {built.certificate.bits_lost:.0f} | {built.condition:.2f} "
    return row + f"| {build:.1f} | {again:.1f} | {condition:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--methods", nargs="+", default=list(SIZES), choices=list(SIZES))
    parser.add_argument("--digits", action="store_true", help="also the 1,797 digits under ten random classes")
    options = parser.parse_args()
    print(
        "| method | m | depth | bits lost | a layer | float32 | float64 | build, s | condition, s | judging floats, s |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for method in options.methods:
        for m in SIZES[method]:
            print(measure(method, m, options.seeds), flush=True)
    print("\n| m | depth, padded to | bits of the check | check, s |")
    print("|---|---|---|---|")
    for depth in (200, 2000):
        print(padded(100, depth), flush=True)
    if options.digits:
        print("\n| digits | depth | bits lost | a layer | build and check, s | check, s | condition, s |")
        print("|---|---|---|---|---|---|---|")
        print(digits(), flush=True)


if __name__ == "__main__":
    main()
