"""Build and certify: time, memory and growth, beside the same check done naively and beside a ReLU memoriser.

    python benchmarks/bench_spine.py [--limit 60] [-o docs/benchmarks.md]

The points are the first m handwritten digits of scikit-learn (64 features), the labels are drawn at random. Every
measurement is a process of its own, so that its memory is its own; the naive checks get ``--limit`` seconds of
processor time each. The
tables go to standard output, and to a file with ``-o``.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

SIZES = (100, 225, 400, 1797)
CLASSES = 10
SYMPY_SIZES = (3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24, 32)
RELU_SIZE = 225


def points(m: int, classes: int) -> Any:
    """The first m digits under random labels."""
    from lnnet.sources import load_dataset, random_labels

    return random_labels(load_dataset("digits")[0][:m], classes, seed=0)


def timed(action: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    """The result, and the seconds on the clock and of the processor."""
    wall, processor = time.perf_counter(), time.process_time()
    result = action()
    return result, {"wall": time.perf_counter() - wall, "cpu": time.process_time() - processor}


def case_build(m: int, arithmetic: str = "dyadic", classes: int = CLASSES) -> dict[str, Any]:
    """Build and certify."""
    from lnnet.building import build_certified

    labelled = points(m, classes)
    built, spent = timed(lambda: build_certified(labelled, arithmetic=arithmetic))
    certificate = built.certificate
    return {
        **spent,
        "verdict": certificate.verdict,
        "depth": built.network.depth,
        "weight_bits": built.bits,
        "bits": certificate.bits,
    }


def case_check(m: int) -> dict[str, Any]:
    """The product's check alone."""
    from lnnet.building import build
    from proofs.checker import check

    labelled = points(m, CLASSES)
    net = build(labelled)
    verdict, spent = timed(lambda: check(net, labelled))
    return {**spent, "verdict": verdict.outcome, "bits": verdict.bits}


def case_intervals(m: int) -> dict[str, Any]:
    """The same check as one would write it first: every neuron an mpmath interval, all points at every precision."""
    import mpmath

    from lnnet.building import build

    labelled = points(m, CLASSES)
    net = build(labelled)
    iv = mpmath.iv

    def enter(x: Any) -> Any:
        return iv.mpf(int(x.p)) / int(x.q)

    def outputs(layers: Any, point: Any) -> Any:
        x = [enter(v) for v in point]
        for number, (weight, bias) in enumerate(layers):
            h = [sum((w * v for w, v in zip(row, x, strict=True)), b) for row, b in zip(weight, bias, strict=True)]
            if number == net.depth:
                return h
            mean = sum(h[1:], h[0]) / len(h)
            deviation = iv.sqrt(sum((v - mean) ** 2 for v in h) / len(h))
            if not deviation.a > 0:
                return None
            x = [(v - mean) / deviation for v in h]
        return None

    def settled(values: Any, target: int) -> bool:
        if values is None:
            return False
        return all((values[target] - v).a > 0 for k, v in enumerate(values) if k != target)

    def run() -> int:
        bits = 64
        while True:
            iv.prec = bits
            layers = [([[enter(w) for w in row] for row in a.weight], [enter(b) for b in a.bias]) for a in net.layers]
            targets = [net.classes.index(label) for label in labelled.labels]
            if all(settled(outputs(layers, p), t) for p, t in zip(labelled.points, targets, strict=True)):
                return bits
            bits *= 2

    bits, spent = timed(run)
    return {**spent, "verdict": "certified", "bits": bits}


def case_sympy(m: int) -> dict[str, Any]:
    """The same check with sympy's exact numbers, on the network with exact weights."""
    import sympy

    from constructions.points import LabeledPoints
    from lnnet.building import build

    labelled = LabeledPoints.of(range(m), [k % 2 for k in range(m)])  # small integers: kind to sympy, which factors
    net = build(labelled, arithmetic="exact")

    def enter(x: Any) -> Any:
        return x.to_sympy() if hasattr(x, "to_sympy") else sympy.Rational(int(x.p), int(x.q))

    def output(point: Any) -> Any:
        x = sympy.Matrix([enter(v) for v in point])
        for number, layer in enumerate(net.layers):
            h = sympy.Matrix([[enter(w) for w in row] for row in layer.weight]) * x
            h += sympy.Matrix([enter(b) for b in layer.bias])
            if number == net.depth:
                return h[0]
            centred = h - sympy.ones(len(h), 1) * (sum(h) / len(h))
            x = centred * sympy.sqrt(len(h)) / sympy.sqrt(centred.dot(centred))
        return None

    def run() -> bool:
        rising = [label == net.classes[1] for label in labelled.labels]
        return all(bool((output(p) > 0) == up) for p, up in zip(labelled.points, rising, strict=True))

    right, spent = timed(run)
    return {**spent, "verdict": "certified" if right else "wrong", "depth": net.depth}


def case_exact_line(m: int) -> dict[str, Any]:
    """Build and certify the network of `case_sympy`."""
    from lnnet.building import build_certified

    built, spent = timed(lambda: build_certified(range(m), [k % 2 for k in range(m)], arithmetic="exact"))
    return {**spent, "verdict": built.certificate.verdict}


def case_relu(m: int, strategy: str) -> dict[str, Any]:
    """A ReLU network of width 3 that memorises the points, with exact rational weights, checked exactly.

    On the line, with places p_1 < … < p_m and targets y_k, it computes the broken line through (p_k, y_k):
    layer k holds (p, (p − p_k)₊, the sum of the earlier terms), every one kept positive by an offset.
    """
    from constructions.projection import project

    labelled = points(m, 2)

    def run() -> tuple[int, int]:
        projection = project(labelled, strategy)
        places = [Fraction(int(p.p), int(p.q)) for p in projection.positions]
        targets = [Fraction(2 * labelled.classes.index(label) - 1) for label in labelled.labels]
        ordered = sorted(zip(places, targets, strict=True))
        slopes = [(y - x) / (q - p) for (p, x), (q, y) in pairwise(ordered)]
        kinks = [slopes[0], *(b - a for a, b in pairwise(slopes))]
        layers = relu_layers([p for p, _ in ordered], ordered[0][1], kinks)
        if any(relu_output(layers, p) * y <= 0 for p, y in zip(places, targets, strict=True)):
            raise SystemExit("the ReLU network does not memorise")
        entries = [x for weight, bias in layers for x in (*bias, *(w for row in weight for w in row))]
        return len(layers) - 1, max(max(abs(x.numerator), x.denominator).bit_length() for x in entries)

    (depth, bits), spent = timed(run)
    return {**spent, "verdict": "certified", "depth": depth, "weight_bits": bits}


Layers = list[tuple[list[list[Fraction]], list[Fraction]]]


def relu_layers(knots: list[Fraction], start: Fraction, kinks: list[Fraction]) -> Layers:
    """Width-3 affine maps with a ReLU between consecutive ones, computing start + Σ kinks_k (p − knots_k)₊.

    The neurons are p − knots_0 (never negative on the points), the newest (p − knots_k)₊, and the sum so far plus an
    offset that keeps it positive: the sum never leaves the range of the partial broken lines.
    """
    reach = sum((abs(c) * (knots[-1] - t) for c, t in zip(kinks, knots, strict=False)), abs(start))
    offset = Fraction(math.ceil(reach) + 1)  # an integer, to keep it short
    zero, one = Fraction(0), Fraction(1)
    layers: Layers = [([[one], [one], [zero]], [-knots[0], -knots[0], start + offset])]
    for k in range(1, len(kinks)):
        weight = [[one, zero, zero], [one, zero, zero], [zero, kinks[k - 1], one]]
        layers.append((weight, [zero, knots[0] - knots[k], zero]))
    layers.append(([[zero, kinks[-1], one]], [-offset]))
    return layers


def relu_output(layers: Layers, p: Fraction) -> Fraction:
    """The network's output, exactly."""
    x = [p]
    for number, (weight, bias) in enumerate(layers):
        h = [sum((w * v for w, v in zip(row, x, strict=True)), b) for row, b in zip(weight, bias, strict=True)]
        x = h if number == len(layers) - 1 else [max(v, Fraction(0)) for v in h]
    return x[0]


CASES: dict[str, Callable[..., dict[str, Any]]] = {
    "build": case_build,
    "exact": lambda m: case_build(m, "exact", 2),
    "two": lambda m: case_build(m, "dyadic", 2),
    "check": case_check,
    "intervals": case_intervals,
    "sympy": case_sympy,
    "exact-line": case_exact_line,
    "relu": lambda m: case_relu(m, "spread"),
    "relu-random": lambda m: case_relu(m, "random"),
}


def measure(case: str, m: int, limit: float | None = None) -> dict[str, Any] | None:
    """Run one case in a process of its own; None if it takes more than ``limit`` seconds of processor time."""
    command = [sys.executable, __file__, "--case", case, str(m), "--limit", str(limit or 0)]
    root = str(Path(__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode == -signal.SIGXCPU:
        return None
    if done.returncode != 0:
        raise SystemExit(f"{case} {m} failed:\n{done.stderr}")
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def growth(sizes: list[int], seconds: list[float]) -> float:
    """The exponent of the power law that fits best."""
    x, y = [math.log(m) for m in sizes], [math.log(s) for s in seconds]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True)) / sum((a - mx) ** 2 for a in x)


def table(head: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(str(x) for x in row) + " |" for row in rows)])


def build_table() -> str:
    """Time, memory and growth of build + certify."""
    rows, spent = [], []
    for case, m in (*(("build", m) for m in SIZES), ("exact", 64)):
        r = measure(case, m)
        if r is None:
            raise SystemExit(f"{case} {m} did not finish")
        if case == "build":
            spent.append(r["cpu"])
        name = f"{m}" if case == "build" else f"{m}, exact weights, 2 classes"
        weight_bits = r["weight_bits"] or "exact"
        rows.append(
            (name, r["depth"], weight_bits, r["bits"], r["verdict"], f"{r['cpu']:.2f}", f"{r['wall']:.2f}", r["mb"])
        )
    head = ("m", "depth", "bits of a weight", "bits of the check", "verdict", "processor s", "clock s", "peak MB")
    exponent = f"Growth of the processor time with m: exponent {growth(list(SIZES), spent):.2f}."
    return table(head, rows) + "\n\n" + exponent


def naive_table(limit: float) -> str:
    """The product's check beside naive ones."""
    rows: list[tuple[Any, ...]] = []
    for m in SIZES:
        ours, naive = measure("check", m), measure("intervals", m, limit)
        if ours is None:
            raise SystemExit(f"check {m} did not finish")
        ratio = "-" if naive is None else f"{naive['cpu'] / ours['cpu']:.0f}"
        shown = f"> {limit:.0f}" if naive is None else f"{naive['cpu']:.2f}"
        rows.append((m, f"{ours['cpu']:.2f}", ours["bits"], shown, "-" if naive is None else naive["bits"], ratio))
        if naive is None:
            break
    head = ("m", "lnnet: s", "bits", "mpmath intervals: s", "bits", "times as long")
    largest, last = 0, {"cpu": 0.0}
    for m in SYMPY_SIZES:
        result = measure("sympy", m, limit)
        if result is None:
            break
        largest, last = m, result
    exact = measure("exact-line", max(largest, 1))
    note = (
        f"With sympy's exact numbers, on 0, 1, 2, … with alternating labels, the largest m done in {limit:.0f} s is "
        f"**{largest}** ({last['cpu']:.1f} s);\nlnnet builds and certifies the same exact network in "
        f"{exact['cpu'] if exact else 0:.3f} s."
    )
    return table(head, rows) + "\n\n" + note


def relu_table() -> str:
    """The yardstick: an exact-rational ReLU memoriser of the same depth and width."""
    rows = []
    for name, case in (
        ("LN-Net (lnnet)", "two"),
        ("ReLU memoriser, the same projection to the line", "relu"),
        ("ReLU memoriser, a random projection with small integers", "relu-random"),
    ):
        r = measure(case, RELU_SIZE)
        if r is None:
            raise SystemExit(f"{case} did not finish")
        rows.append((name, r["depth"], 3, r["weight_bits"], f"{r['cpu']:.2f}"))
    return table(("network", "depth", "width", "bits of a weight", "build + check, s"), rows)


def main() -> None:
    """Measure everything and print the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--limit",
        type=float,
        default=60.0,
        help="processor seconds for a naive check, starting up included (default %(default)s)",
    )
    parser.add_argument("-o", "--output", help="write the page to this file too")
    parser.add_argument("--case", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.case:
        if options.limit > 0:
            seconds = math.ceil(options.limit)
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        result = CASES[options.case[0]](int(options.case[1]))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1 << 20)
        print(json.dumps({**result, "mb": round(peak)}))
        return
    page = PAGE.format(
        limit=options.limit,
        python=platform.python_version(),
        cores=os.cpu_count(),
        build=build_table(),
        naive=naive_table(options.limit),
        relu=relu_table(),
        relu_size=RELU_SIZE,
        classes=CLASSES,
    )
    print(page)
    if options.output:
        Path(options.output).write_text(page + "\n", encoding="utf-8")


PAGE = """\
# Benchmarks

Written by `python benchmarks/bench_spine.py -o docs/benchmarks.md` (a few minutes; Python {python}, {cores} cores).
Every measurement is a process of its own; "processor s" is the time it kept one core busy, which is what to compare
when the machine is shared.

## Build and certify under random labels

The first m handwritten digits of scikit-learn (64 features) under {classes} random classes.

{build}

## The same check, written naively

One row: the network of the table above, checked by `proofs.checker`, and by evaluating every neuron as an mpmath
interval and doubling the precision for all points until all are settled. Limit: {limit:.0f} s.

{naive}

## The yardstick: a ReLU memoriser

A piecewise linear function needs no square roots: a ReLU network of width 3 and about the same depth memorises
{relu_size} points (2 random classes) with rational weights and can be checked in rational arithmetic. That is what
LayerNorm's nonlinearity has to be measured against.

{relu}"""


if __name__ == "__main__":
    main()
