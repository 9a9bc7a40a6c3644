"""The methods that `build` knows, by name; light, because the command line lists them before anything is loaded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from constructions.line import Line
    from constructions.network import LNNet


#: With more than two classes and so many runs only the ends of the line are folded, which costs more bits a layer.
_MANY = 350


@dataclass(frozen=True)
class Method:
    """One way to build a network.

    Attributes:
        summary: half a sentence for the help page.
        home: ``"module:function"`` of an algorithm that takes a `Line` to a `FoldSequence`.
        lowering: ``"module:function"`` that makes a network of the folds.
        floating: ``"module:function"`` of the algorithm for float arithmetic, if that is another one.
        bits: mantissa length (bits) with which an automatic search begins.
        projection: the projection that suits the method.
        seeded: whether the algorithm searches, and takes a ``seed`` and an ``effort``.
        classes: how many classes it takes at most (None: any number).
    """

    summary: str
    home: str
    lowering: str = "constructions.lowering:lower"
    floating: str | None = None
    bits: int = 64
    projection: str = "spread"
    seeded: bool = False
    classes: int | None = None

    def first_bits(self, runs: int, classes: int) -> int:
        """Mantissa length (bits) with which to begin for so many label runs: a search is not to be made twice."""
        if not self.seeded:
            return self.bits
        return self.bits * max(1, runs // (24 if classes > 2 and runs > _MANY else 40))

    def algorithm(self, *, floats: bool = False) -> Callable[..., Any]:
        """The algorithm, or that for float arithmetic, imported on first use."""
        return _resolve(self.floating if floats and self.floating else self.home)

    def lower(self) -> Callable[..., Any]:
        """The lowering, imported on first use."""
        return _resolve(self.lowering)

    def on_line(self, line: Line) -> LNNet:
        """The network for the points of a line, whose labels are class numbers; errors as the algorithm's."""
        sequence = self.algorithm()(line)
        return self.lower()((1,), sequence.folds, sequence.line, sorted({c.label for c in line.clusters}))  # type: ignore[no-any-return]


def _resolve(home: str) -> Callable[..., Any]:
    module, name = home.split(":")
    return getattr(import_module(module), name)  # type: ignore[no-any-return]


#: Method name → method.
METHODS: dict[str, Method] = {
    "pma": Method("Algorithm 1 repaired", "constructions.projection_merge:merge_repaired"),
    "pma-printed": Method("Algorithm 1 as printed", "constructions.projection_merge:merge_as_printed"),
    "pma-pba": Method(
        "Algorithm 1 with Algorithm 2, as in Theorem 3", "constructions.projection_merge:merge_with_breaking"
    ),
    "chord": Method(
        "one merge a layer along a chord's normal, for any number of classes",
        "constructions.chord_merge:merge_by_chords",
    ),
    "double": Method(
        "two merges a layer, for two classes",
        "constructions.double_merge:merge_doubly",
        "constructions.double_merge:lower_looks",
        bits=128,
        classes=2,
    ),
    "shallow": Method(
        "the fold is searched that leaves the fewest label changes, layer by layer",
        "constructions.run_folding:fold_runs",
        "constructions.run_folding:lower_runs",
        floating="constructions.float_folding:fold_in_floats",
        bits=256,
        projection="fewest-runs",
        seeded=True,
    ),
}
