"""Labelled point sets, exact on entry."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flint import fmpq, fmpq_mat

from constructions.errors import ConflictingLabelsError, EmptyInputError, InputError, ShapeError
from constructions.rational import to_rational

Label = Hashable
Point = tuple[fmpq, ...]
_UNORDERED = (Mapping, Set)


@dataclass(frozen=True)
class LabeledPoints:
    """Finitely many distinct points of Q^d, each with a label.

    Build one with :meth:`of`, which accepts anything number-like and collapses repeated points.

    Attributes:
        points: m distinct points, each a tuple of d rationals.
        labels: m labels.
        indices: m positions in the input, each the first at which the point occurred.

    >>> xor = LabeledPoints.of([(0, 0), (0, 1), (1, 0), (1, 1)], [0, 1, 1, 0])
    >>> len(xor), xor.dimension, xor.classes
    (4, 2, (0, 1))
    """

    points: tuple[Point, ...]
    labels: tuple[Label, ...]
    indices: tuple[int, ...]

    @classmethod
    def of(cls, points: Any, labels: Any) -> LabeledPoints:
        """Take points and labels exactly as they are written.

        Args:
            points: shape (m, d), or (m,) for points on the line: nested sequences, a numpy array of any
                dtype or a data frame. Ints, fractions, decimals and text are exact; floats are the
                dyadic rationals they store.
            labels: m hashable labels.

        Raises:
            EmptyInputError: no point, or points without coordinates.
            ShapeError: rows of different lengths, or not one label a point.
            NonFiniteError: NaN or an infinity.
            ConflictingLabelsError: equal points with different labels.
            InputError: a coordinate that is no number, or an unusable label.
        """
        if isinstance(points, LabeledPoints):
            raise InputError("Expected points and labels apart, not a LabeledPoints.")
        rows = [_as_point(row, index) for index, row in enumerate(_as_rows(points))]
        names = [_as_label(label, index) for index, label in enumerate(_as_sequence(labels, "labels"))]
        if len(names) != len(rows):
            raise ShapeError(f"Expected one label a point, not {len(names)} labels for {len(rows)} points.")
        if not rows:
            raise EmptyInputError("Expected at least one point, not an empty set.")
        _check_widths(rows)
        first: dict[Point, int] = {}
        for index, row in enumerate(rows):
            earlier = first.setdefault(row, index)
            if names[earlier] != names[index]:
                raise ConflictingLabelsError(earlier, index, (names[earlier], names[index]))
        kept = tuple(first.values())
        return cls(tuple(rows[i] for i in kept), tuple(names[i] for i in kept), kept)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.points, self.labels, self.indices)  # cached values such as `matrix` do not pickle

    @property
    def dimension(self) -> int:
        """Number d of coordinates of a point."""
        return len(self.points[0])

    @cached_property
    def classes(self) -> tuple[Label, ...]:
        """The distinct labels: sorted where they can be compared, else in order of appearance."""
        distinct = dict.fromkeys(self.labels)
        try:
            return tuple(sorted(distinct))  # type: ignore[type-var]
        except TypeError:
            return tuple(distinct)

    @cached_property
    def matrix(self) -> fmpq_mat:
        """The points as the rows of an exact m × d matrix."""
        return fmpq_mat(len(self), self.dimension, [x for point in self.points for x in point])

    def project(self, direction: Sequence[fmpq]) -> tuple[fmpq, ...]:
        """Exact scalar products of all points with a direction of d rationals."""
        column = fmpq_mat(self.dimension, 1, list(direction))
        return tuple((self.matrix * column).entries())

    def relabel(self, labels: Iterable[Any]) -> LabeledPoints:
        """The same points under other labels, one a distinct point.

        Raises:
            ShapeError: not one label a point.
        """
        names = tuple(_as_label(label, index) for index, label in enumerate(labels))
        if len(names) != len(self):
            raise ShapeError(f"Expected {len(self)} labels, one a distinct point, not {len(names)}.")
        return LabeledPoints(self.points, names, self.indices)

    def _repr_html_(self) -> str:
        from constructions.display import points_html

        return points_html(self)

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        return f"LabeledPoints({len(self)} points in R^{self.dimension}, {len(self.classes)} classes)"


def _as_rows(points: Any) -> list[Any]:
    if hasattr(points, "to_numpy"):
        points = points.to_numpy()
    shape = getattr(points, "shape", None)
    if shape is not None and len(shape) not in (1, 2):
        raise ShapeError(f"Expected points of shape (m, d) or (m,), not {tuple(shape)}.")
    return _as_sequence(points, "points")


def _as_sequence(values: Any, name: str) -> list[Any]:
    if isinstance(values, (str, bytes)):
        raise InputError(f"Expected a sequence of {name}, not the text {values!r}.")
    if isinstance(values, _UNORDERED):
        raise InputError(f"Expected a sequence of {name}, not a {type(values).__name__}: its order means nothing.")
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    try:
        return list(values)
    except TypeError:
        raise InputError(f"Expected a sequence of {name}, not {values!r}.") from None


def _as_point(row: Any, index: int) -> Point:
    scalar = isinstance(row, (str, bytes)) or not hasattr(row, "__iter__") or getattr(row, "ndim", 1) == 0
    if isinstance(row, _UNORDERED):
        raise InputError(f"Point {index}: expected a sequence of coordinates, not a {type(row).__name__}.")
    try:
        return tuple(to_rational(x) for x in ([row] if scalar else row))
    except InputError as error:
        raise type(error)(f"Point {index}: {error}") from None


def _as_label(label: Any, index: int) -> Label:
    if hasattr(label, "item") and hasattr(label, "dtype"):  # numpy scalars become what they print as
        if getattr(label, "size", 1) != 1 or (getattr(label, "mask", False) is not False and bool(label.mask)):
            raise InputError(f"Label {index} must be a single value, not {label!r}.")
        label = label.item()
    try:
        hash(label)
        itself = bool(label == label)
    except TypeError:
        raise InputError(f"Label {index} must be hashable and comparable, not {label!r}.") from None
    if not itself:
        raise InputError(f"Label {index} must equal itself, not be {label!r}.")
    return label  # type: ignore[no-any-return]


def _check_widths(rows: list[Point]) -> None:
    width = len(rows[0])
    if width == 0:
        raise EmptyInputError("Expected points with at least one coordinate, not of dimension 0.")
    for index, row in enumerate(rows):
        if len(row) != width:
            raise ShapeError(f"Point {index} has {len(row)} coordinates, but point 0 has {width}.")
