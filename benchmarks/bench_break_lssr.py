"""How far one LN layer of width 3 gets below LSSR: Theorem 1's family, and the search over Appendix C.4."""

import time
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from flint import arb

from constructions.sum_of_squares import project_samples, two_classes
from constructions.table1_data import REGIMES, table1_samples
from lnnet.sources import load_dataset
from proofs.lssr_break import break_lssr
from proofs.scale_minimum import best_scale


def main() -> None:
    print("| data | d | samples | LSSR | Theorem 1 | its minimum over all t | Appendix C.4 | seconds |")
    print("|---|---|---|---|---|---|---|---|")
    for name, first, second in _data():
        started = time.perf_counter()
        narrow, wide = break_lssr(first, second), break_lssr(first, second, search=True)
        line = [project_samples(part, narrow.bound.direction) for part in (first, second)]
        best = best_scale(*line)
        seconds = time.perf_counter() - started
        cells = [
            name,
            str(len(first[0])),
            f"{len(first)} + {len(second)}",
            _short(narrow.bound.value),
            _upper(narrow),
            f"≥ {_short(best.lower)}",
            _upper(wide),
            f"{seconds:.1f}",
        ]
        print("| " + " | ".join(cells) + " |")


def _data() -> Iterator[tuple[str, Any, Any]]:
    for regime in REGIMES:
        yield f"Table I ({regime.key}), our draw", *table1_samples(regime.key)
    rows, labels = load_dataset("iris")
    for pair in combinations(range(3), 2):
        chosen = [k for k in range(len(labels)) if labels[k] in pair]
        first, second, _ = two_classes([rows[k] for k in chosen], [int(labels[k]) for k in chosen])
        yield f"iris {pair[0]}/{pair[1]}", first, second
    rows, labels = load_dataset("breast_cancer")
    first, second, _ = two_classes(list(rows), [int(x) for x in labels])
    yield "breast cancer", first, second


def _upper(broken: Any) -> str:
    ratio = broken.verdict.ratio
    shown = "-" if ratio is None else f"≤ {_short(ratio[1])}"
    return shown if broken.verdict else f"{shown} ({broken.verdict.outcome})"


def _short(value: Any) -> str:
    return str(arb(value).str(5, radius=False))


if __name__ == "__main__":
    main()
