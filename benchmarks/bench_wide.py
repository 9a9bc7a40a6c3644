"""Depth of wide networks (Proposition 9) against width 3, for points with random labels in R^d, d ≥ 3.

python benchmarks/bench_wide.py
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from constructions.points import LabeledPoints
from lnnet.building import build_certified

SIZES = ((3, 20, 2), (3, 20, 4), (5, 40, 2), (5, 40, 4), (10, 60, 2), (10, 60, 4))


def points_in(d: int, m: int, classes: int) -> LabeledPoints:
    random = np.random.default_rng(1)
    return LabeledPoints.of(random.normal(size=(m, d)), random.integers(0, classes, m).tolist())


def measure(points: LabeledPoints, **options: Any) -> str:
    started = time.perf_counter()
    built = build_certified(points, **options)
    if not built.certificate:
        raise SystemExit(f"not certified: {built.network}")
    return f"{built.network.depth} ({time.perf_counter() - started:.1f} s)"


def main() -> None:
    print("Depth (and seconds to build and certify); the bound of Theorem 2 is m − 2, of Proposition 9 m − K.\n")
    print("| d | m | K | width 3: pma | width 3: chord | width 3: wide | width d + 2: wide | width 2d + 2: wide |")
    print("|---|---|---|---|---|---|---|---|")
    for d, m, classes in SIZES:
        points = points_in(d, m, classes)
        cells = [
            measure(points, method="pma"),
            measure(points, method="chord"),
            measure(points, method="wide", width=3),
            measure(points, method="wide"),
            measure(points, method="wide", width=2 * d + 2),
        ]
        print(f"| {d} | {m} | {classes} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
