"""The largest number of points that PyTorch classifies, certified for every IEEE evaluation.

Points uniform in the unit square, two random classes. For each format and method, the number of points grows until
fewer than half of the seeds are certified by `check_ieee`; what is certified is then run by PyTorch, if that is
installed. Up to three directions are tried for a network, if the method does not choose them itself.

    python benchmarks/bench_float.py [--seeds 5] [--formats float32 float64] [--methods pma shallow]
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from typing import Any

from constructions.errors import UndecidedError
from constructions.points import LabeledPoints
from lnnet.building import build_certified
from lnnet.methods import METHODS
from proofs.ieee_checker import check_ieee

LADDER = {
    "float32": (10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150),
    "float64": (30, 40, 60, 80, 100, 150, 200, 300, 400, 500, 700, 1000),
}


def problem(m: int, seed: int) -> LabeledPoints:
    generator = random.Random(1000 * m + seed)
    points = [(generator.random(), generator.random()) for _ in range(m)]
    return LabeledPoints.of(points, [generator.randrange(2) for _ in range(m)])


def attempt(points: LabeledPoints, dtype: str, method: str, directions: int) -> tuple[bool, int | None, int | None]:
    """Certified for IEEE evaluation; depth; and how many points PyTorch gets wrong (None: not built, not run)."""
    own = METHODS[method].floating is not None  # it looks from several directions by itself
    projection = "auto" if own else "spread"
    result: tuple[bool, int | None, int | None] = (False, None, None)
    for seed in range(1 if own else directions):
        try:
            net = build_certified(points, method=method, arithmetic=dtype, projection=projection, seed=seed).network
        except UndecidedError:
            continue
        result = bool(check_ieee(net, points)), net.depth, torch_errors(net, points, dtype)
        if result[0]:
            break
    return result


def torch_errors(net: Any, points: LabeledPoints, dtype: str) -> int | None:
    try:
        import torch
    except ImportError:
        return None
    from lnnet import to_torch

    rows = torch.tensor([[int(v.p) / int(v.q) for v in p] for p in points.points], dtype=torch.float64)
    with torch.no_grad():
        outputs = to_torch(net)(rows.to(getattr(torch, dtype)))[:, 0].tolist()
    return sum(net.classes[int(y > 0)] != label for y, label in zip(outputs, points.labels, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--formats", nargs="+", default=list(LADDER))
    parser.add_argument("--methods", nargs="+", default=[name for name in METHODS if name != "pma-printed"])
    parser.add_argument("--sizes", nargs="+", type=int, help="numbers of points (default: a ladder)")
    parser.add_argument(
        "--directions", type=int, default=3, help="directions to try for a network (default %(default)s)"
    )
    options = parser.parse_args()
    print("| format | method | m | certified for IEEE | median depth | wrong in PyTorch | seconds a network |")
    print("|---|---|---|---|---|---|---|")
    for dtype in options.formats:
        for method in options.methods:
            for m in options.sizes or LADDER[dtype]:
                started = time.perf_counter()
                results = [
                    attempt(problem(m, seed), dtype, method, options.directions) for seed in range(options.seeds)
                ]
                seconds = (time.perf_counter() - started) / options.seeds
                good = sum(certified for certified, _, _ in results)
                depths = [depth for _, depth, _ in results if depth is not None]
                depth = round(statistics.median(depths)) if depths else "-"
                wrong = [errors for certified, _, errors in results if certified and errors is not None]
                errors = sum(wrong) if wrong else "-"
                print(
                    f"| {dtype} | {method} | {m} | {good}/{options.seeds} | {depth} | {errors} | {seconds:.1f} |",
                    flush=True,
                )
                if 2 * good < options.seeds:
                    break


if __name__ == "__main__":
    main()
