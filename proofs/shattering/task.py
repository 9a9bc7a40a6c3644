"""What is to be shown, in a form that travels to other processes and machines and identifies a run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from constructions.errors import InputError
from constructions.network_file import digest
from constructions.points import LabeledPoints
from constructions.rational import format_rational
from proofs.shattering.labelings import MAX_CLASSES, MAX_POINTS
from proofs.shattering.placement import Placement, place

#: The method that walks all labelings of two classes along a trie; others build them one by one.
TRIE = "trie"


@dataclass(frozen=True)
class Task:
    """Show that LN-Nets of one depth realise every labelling of some points.

    Attributes:
        points: m distinct points, each d exact numbers as text.
        classes: number K of classes.
        depth: number L ≥ 1 of LN layers that every network must have.
        method: ``"trie"``, or the name of a builder's method.
        sample: how many labelings are drawn at random, instead of taking all; 0 for all.
        seed: of the drawing.
    """

    points: tuple[tuple[str, ...], ...]
    classes: int
    depth: int
    method: str
    sample: int = 0
    seed: int = 0

    @classmethod
    def of(
        cls,
        points: Any,
        depth: int | None = None,
        *,
        classes: int = 2,
        method: str | None = None,
        sample: int = 0,
        seed: int = 0,
    ) -> Task:
        """Take points as `LabeledPoints.of` does.

        Args:
            depth: L; by default m − 2, and at least 1.
            classes: K, from 2 to 10.
            method: by default ``"trie"`` for two classes, else ``"auto"``.
            sample, seed: as the attributes.

        Raises:
            InputError: equal points (named), fewer than one layer, or an argument out of range.
        """
        rows = list(points)
        exact = LabeledPoints.of(rows, [0] * len(rows))
        if len(exact) < len(rows):
            first, second = _equal_pair(rows)
            raise InputError(f"Points {first} and {second} are equal; remove one: no network tells them apart.")
        if not 2 <= classes <= MAX_CLASSES:
            raise InputError(f"Argument 'classes' must be from 2 to {MAX_CLASSES}, not {classes}.")
        if depth is None:
            depth = max(1, len(exact) - 2)
        if depth < 1:
            raise InputError(f"Argument 'depth' must be at least 1, not {depth}.")
        if method is None:
            method = TRIE if classes == 2 else "auto"
        if method == TRIE and classes != 2:
            raise InputError(f"Method 'trie' is for two classes, not {classes}; use 'auto'.")
        if method == TRIE and len(exact) > MAX_POINTS:
            raise InputError(
                f"Method 'trie' takes at most {MAX_POINTS} points, not {len(exact)}; use method 'pma', one by one."
            )
        if sample < 0 or seed < 0:
            raise InputError(f"Arguments 'sample' and 'seed' must not be negative: {sample}, {seed}.")
        exact_text = tuple(tuple(format_rational(x) for x in p) for p in exact.points)
        return cls(exact_text, classes, depth, method, sample, seed)

    @cached_property
    def exact(self) -> LabeledPoints:
        """The points, all under one label."""
        return LabeledPoints.of(self.points, [0] * len(self.points))

    @cached_property
    def placement(self) -> Placement:
        """The points on a line."""
        return place(self.exact)

    @cached_property
    def identity(self) -> str:
        """SHA-256 of what the task is; runs with different ones have nothing to do with each other."""
        return digest(self.document())

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel without what has been computed from the fields."""
        return Task, (self.points, self.classes, self.depth, self.method, self.sample, self.seed)

    def document(self) -> dict[str, Any]:
        """JSON-ready form."""
        return {
            "points": [list(p) for p in self.points],
            "classes": self.classes,
            "depth": self.depth,
            "method": self.method,
            "sample": self.sample,
            "seed": self.seed,
        }


def default_points(count: int, dimension: int = 1) -> list[list[int]]:
    """The points (k, k², …, k^d) for k = 0, …, m − 1, on the moment curve; on the line 0, 1, …, m − 1.

    No d + 1 of them lie on a hyperplane.

    Raises:
        InputError: no point or no dimension.
    """
    if count < 1 or dimension < 1:
        raise InputError(f"Expected at least one point and one dimension, not {count} and {dimension}.")
    return [[k**power for power in range(1, dimension + 1)] for k in range(count)]


def _equal_pair(rows: list[Any]) -> tuple[int, int]:
    seen: dict[Any, int] = {}
    for index, row in enumerate(rows):
        point = LabeledPoints.of([row], [0]).points[0]
        if point in seen:
            return seen[point], index
        seen[point] = index
    raise InputError("Expected equal points.")  # pragma: no cover
