"""Depth of what is built, always certified, next to the paper's bound and to one that no width-3 network can beat.

    python benchmarks/bench_depth.py                             # minutes
    python benchmarks/bench_depth.py --large                     # and the cases that take longer
    python benchmarks/bench_depth.py --only random-2-200 iris    # some of the cases
    python benchmarks/bench_depth.py --large --save              # write docs/depths.json, the table and the picture too
    python benchmarks/bench_depth.py --methods                   # how deep each method builds on the same points

Five seeds each (--seeds for fewer, which the row then says): of the points and labels where they are random, and of the
search. A seed that fails is named in its row, and the exit code is then 1. Nothing is cached.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"  # so that processor seconds are those of one core
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from constructions.errors import LNNetError
from constructions.points import LabeledPoints
from lnnet.building import build_certified
from lnnet.methods import METHODS
from lnnet.sources import load_dataset, load_pattern, random_labels
from proofs.depth_bound import least_depth, least_depth_on_lines
from viz import plot_depth_limits
from viz.limit_plot import SPARE

SEEDS = range(5)
ROOT = Path(__file__).resolve().parents[1]
#: Where --save writes.
DATA, PAGE, PICTURE = (ROOT / "docs" / name for name in ("depths.json", "depth.md", "depths.svg"))


@dataclass(frozen=True)
class Case:
    """Labelled points for every seed, the depths asked for (None: nothing was), and whether it takes long."""

    title: str
    points: Callable[[int], LabeledPoints]
    must: int | None = None
    aim: int | None = None
    large: bool = False
    family: str = "random"


@dataclass(frozen=True)
class Row:
    """What was measured in one case.

    Attributes:
        name, title, family: of the case ("random" labels, "true" ones or a "pattern").
        points, classes, dimension: m, K and d.
        paper: what the paper needs: m − 2 layers for two classes (Theorem 2), 2(m − K) for more (Theorem 3).
        below: what no network of width 3 can do without, if known.
        must, aim: what was asked for.
        method: of building.
        depths, bits, seconds: one a seed that was certified: LN layers, mantissa bits, processor seconds.
        failures: what went wrong, one a seed that was not.
    """

    name: str
    title: str
    family: str
    points: int
    classes: int
    dimension: int
    paper: int
    below: int | None
    must: int | None
    aim: int | None
    method: str
    depths: Sequence[int]
    bits: Sequence[int]
    seconds: Sequence[float]
    failures: Sequence[str]


def uniform(m: int, classes: int, seed: int) -> LabeledPoints:
    """Points uniform in the unit square with uniformly random labels."""
    generator = random.Random(seed)
    rows = [[generator.random(), generator.random()] for _ in range(m)]
    return LabeledPoints.of(rows, [generator.randrange(classes) for _ in rows])


def dataset(name: str, seed: int) -> LabeledPoints:
    """A data set with its own labels, whatever the seed."""
    return LabeledPoints.of(*load_dataset(name))


def dataset_at_random(name: str, classes: int, seed: int) -> LabeledPoints:
    """A data set under uniformly random labels."""
    return random_labels(load_dataset(name)[0], classes, seed)


def pattern(source: str, seed: int) -> LabeledPoints:
    """A set with a pattern, whatever the seed."""
    return load_pattern(source)


def cases() -> dict[str, Case]:
    """Name → case, in the order of the table."""
    found: dict[str, Case] = {}
    targets = {200: (32, 20), 1000: (170, 100)}
    for m in (12, 25, 50, 100, 200, 400, 1000):
        title = f"random labels, K = 2, m = {m:,}"
        found[f"random-2-{m}"] = Case(title, partial(uniform, m, 2), *targets.get(m, (None, None)), large=m > 200)
    for m in (50, 100, 200):
        asked = (120, 60) if m == 200 else (None, None)
        found[f"random-10-{m}"] = Case(f"random labels, K = 10, m = {m}", partial(uniform, m, 10), *asked)
    digits = partial(dataset_at_random, "digits", 10)
    found["digits-random-10"] = Case("digits under random labels, K = 10", digits, 900, 450, large=True)
    for name, must, aim in (("iris", 4, 2), ("wine", 6, 3), ("breast_cancer", 9, 5), ("digits", 600, 200)):
        title = name.replace("_", " ")
        found[name] = Case(title, partial(dataset, name), must, aim, large=name == "digits", family="true")
    for name, sizes in PATTERNS.items():
        for size in sizes:
            source = f"{name}:{size}"
            found[source] = Case(f"`{source}`", partial(pattern, source), family="pattern")
    return found


#: Pattern → sizes.
PATTERNS = {
    "alternating": (32, 256),
    "nested": (16, 128),
    "checkerboard": (8, 16),
    "spirals": (49, 97),
    "rings": (4, 8),
    "parity": (4, 8),
}


def measure(name: str, seed: int, method: str) -> tuple[int, int | None, float] | str:
    """Depth, bits of the weights and processor seconds to build and certify; or what went wrong."""
    return _attempt(cases()[name].points(seed), method, seed)


def _attempt(points: LabeledPoints, method: str, seed: int) -> tuple[int, int | None, float] | str:
    started = time.process_time()
    try:
        built = build_certified(points, method=method, seed=seed)
    except LNNetError as error:
        return f"{type(error).__name__}: {error}"
    if not built.certificate:
        return f"{built.certificate.verdict}: {built.certificate.reason}"
    return built.network.depth, built.bits, time.process_time() - started


def row_of(name: str, method: str, results: Sequence[tuple[int, int | None, float] | str]) -> Row:
    """One case, with the paper's bound and the one from below."""
    case = cases()[name]
    points = case.points(0)
    m, classes = len(points), len(points.classes)
    below = None
    if case.family == "random":
        below = least_depth(m, points.dimension, classes, spare=SPARE)
    elif case.family == "pattern":
        below = least_depth_on_lines(points)
    done = [result for result in results if not isinstance(result, str)]
    return Row(
        name,
        case.title,
        case.family,
        m,
        classes,
        points.dimension,
        m - 2 if classes == 2 else 2 * (m - classes),
        below,
        case.must,
        case.aim,
        method,
        [depth for depth, _, _ in done],
        [bits for _, bits, _ in done if bits is not None],
        [round(seconds, 2) for _, _, seconds in done],
        [result for result in results if isinstance(result, str)],
    )


def measured(names: Sequence[str], method: str, processes: int, seeds: Sequence[int] = SEEDS) -> Iterator[Row]:
    """The rows, each as soon as it is there."""
    with ProcessPoolExecutor(processes) as pool:
        jobs: dict[str, list[Future[Any]]] = {
            name: [pool.submit(measure, name, seed, method) for seed in seeds] for name in names
        }
        try:
            for name in names:
                results = []
                for seed, job in zip(seeds, jobs[name], strict=True):
                    results.append(job.result())
                    if cases()[name].large:  # a seed may take an hour, and should not be lost with the next one
                        print(f"{name}, seed {seed}: {results[-1]}", file=sys.stderr, flush=True)
                yield row_of(name, method, results)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


HEADER = (
    "| case | paper | bound from below | must | aim | ours | method | bits of weights | seconds |\n"
    "|---|---|---|---|---|---|---|---|---|"
)


def line_of(row: Row) -> str:
    """A row of the table."""
    ours = spread(row.depths)
    count = len(row.depths) + len(row.failures)
    if count < len(SEEDS):
        ours += f", {count} seed{'s' * (count > 1)} only"
    if row.failures:
        ours += f" **{len(row.failures)} of {count} failed: {row.failures[0]}**"
    cells = [row.title, *(f"{x:,}" if x is not None else "-" for x in (row.paper, row.below, row.must, row.aim))]
    seconds = f"{statistics.median(row.seconds):.1f}" if row.seconds else "-"
    return "| " + " | ".join([*cells, ours, f"`{row.method}`", spread(row.bits), seconds]) + " |"


def spread(values: Sequence[int]) -> str:
    """The median, and least and most where they differ.

    >>> spread([3, 4, 4, 5, 9]), spread([2, 2]), spread([])
    ('4 (3–9)', '2', '-')
    """
    if not values:
        return "-"
    middle = f"{statistics.median(values):,g}".replace(",", "")
    return middle if min(values) == max(values) else f"{middle} ({min(values)}–{max(values)})"


def table_of(rows: Sequence[Row]) -> str:
    """The table in Markdown."""
    return "\n".join([HEADER, *map(line_of, rows)])


def measurements_of(rows: Sequence[Row]) -> str:
    """The table, and which cases it lacks."""
    measured_ones = {row.name for row in rows}
    missing = [f"`{name}`" for name in cases() if name not in measured_ones]
    return table_of(rows) + (f"\n\nNot measured, since they take long: {', '.join(missing)}." if missing else "")


def load_rows() -> dict[str, Row]:
    """What was saved, by the name of the case."""
    if not DATA.exists():
        return {}
    return {entry["name"]: Row(**entry) for entry in json.loads(DATA.read_text(encoding="utf-8"))["rows"]}


def publish(rows: Sequence[Row]) -> None:
    """Put rows into the data file, in place of earlier ones of the same cases, and onto the page."""
    kept = load_rows() | {row.name: row for row in rows}
    ordered = [kept[name] for name in cases() if name in kept]
    entries = ",\n".join(json.dumps(asdict(row), ensure_ascii=False) for row in ordered)
    DATA.write_text(f'{{"rows": [\n{entries}\n]}}\n', encoding="utf-8")
    put_on_page("measured", measurements_of(ordered))


def draw() -> None:
    """The picture of the data file."""
    plot_depth_limits(json.loads(DATA.read_text(encoding="utf-8")), size="page").save(PICTURE)


def put_on_page(name: str, table: str) -> None:
    """Replace the table between the page's marks of that name."""
    before, _, after = split_page(name)
    PAGE.write_text(f"{before}\n{table}\n{after}", encoding="utf-8")


def split_page(name: str) -> tuple[str, str, str]:
    """The page up to a mark, the table there, and the page from the mark that ends it."""
    opening, closing = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, found, rest = PAGE.read_text(encoding="utf-8").partition(opening)
    table, ended, after = rest.partition(closing)
    if not (found and ended):
        raise SystemExit(f"{PAGE} has no marks {opening} and {closing}.")
    return before + opening, table.strip(), closing + after


def by_method() -> Iterator[str]:
    """Depth and bits of every method on the same points, as the lines of a table."""
    sets = {
        "K = 2, m = 50": partial(uniform, 50, 2),
        "K = 2, m = 100": partial(uniform, 100, 2),
        "K = 10, m = 50": partial(uniform, 50, 10),
    }
    yield "| method | " + " | ".join(f"{title}: depth | bits" for title in sets) + " |"
    yield "|---|" + "---|---|" * len(sets)
    for method in (name for name in METHODS if name != "pma-printed"):
        cells = [cell for make in sets.values() for cell in _of_method(method, make)]
        yield f"| `{method}` | " + " | ".join(cells) + " |"


def _of_method(method: str, make: Callable[[int], LabeledPoints]) -> tuple[str, str]:
    most = METHODS[method].classes
    if most is not None and most < len(make(0).classes):
        return f"at most {most} classes", "-"
    results = [_attempt(make(seed), method, seed) for seed in SEEDS]
    failures = [result for result in results if isinstance(result, str)]
    done = [result for result in results if not isinstance(result, str)]
    ours = spread([depth for depth, _, _ in done])
    if failures:
        ours += f" **{len(failures)} of {len(results)} failed: {failures[0]}**"
    return ours, spread([bits for _, bits, _ in done if bits is not None])


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", action="store_true", help="the cases that take longer too")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these cases: " + ", ".join(cases()))
    parser.add_argument("--method", default="shallow", choices=("auto", *METHODS))
    parser.add_argument(
        "--seeds", type=int, default=len(SEEDS), choices=range(1, len(SEEDS) + 1), help="the first so many"
    )
    parser.add_argument("--processes", type=int, default=1, choices=(1, 2), help="at once (default 1)")
    parser.add_argument("--save", action="store_true", help="write docs/depths.json and what is made of it")
    parser.add_argument("--methods", action="store_true", help="a table of the methods instead")
    options = parser.parse_args()
    if options.methods:
        lines = []
        for line in by_method():
            lines.append(line)
            print(line, flush=True)
        if options.save:
            put_on_page("methods", "\n".join(lines))
        return 0
    known = cases()
    unknown = [name for name in options.only or () if name not in known]
    if unknown:
        parser.error(f"unknown case {unknown[0]!r}; there are {', '.join(known)}")
    names = options.only or [name for name, case in known.items() if options.large or not case.large]
    print(HEADER)
    rows = []
    for row in measured(names, options.method, options.processes, SEEDS[: options.seeds]):
        rows.append(row)
        print(line_of(row), flush=True)
        if options.save:
            publish([row])
    if options.save:
        draw()
    return int(any(row.failures for row in rows))


if __name__ == "__main__":
    sys.exit(main())
