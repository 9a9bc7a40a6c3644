"""The exceptions that lnnet raises on purpose.

Every one derives from :class:`LNNetError`; those caused by an unusable input are also ``ValueError``, so
that code which knows nothing of lnnet still catches them the usual way.
"""

from __future__ import annotations

from collections.abc import Hashable


class LNNetError(Exception):
    """Root of every exception that lnnet raises on purpose."""


class InputError(LNNetError, ValueError):
    """The input cannot be used as given; the message says what was got and what to do."""


class NonFiniteError(InputError):
    """A coordinate, weight or label is NaN or infinite, or text that is no number."""


class ShapeError(InputError):
    """Points, labels, weights or biases do not fit together."""


class EmptyInputError(InputError):
    """There is not a single point."""


class ConflictingLabelsError(InputError):
    """Equal points carry different labels, so no function classifies them.

    Attributes:
        first: index of the earlier of the two points.
        second: index of the later one.
    """

    def __init__(self, first: int, second: int, labels: tuple[Hashable, Hashable]):
        self.first, self.second, self.labels = first, second, labels
        super().__init__(
            f"Points {first} and {second} are equal but labelled {labels[0]!r} and {labels[1]!r}; "
            "remove one of them or give both the same label."
        )


class UnreadableFileError(InputError):
    """A file is missing, too large, truncated, or does not follow its format."""


class UnrepresentableError(InputError):
    """A weight does not fit the number format asked for (overflow or underflow)."""


class DegenerateNormalizationError(InputError):
    """LN with epsilon = 0 meets a row whose coordinates are all equal, where it is undefined."""


class MergeConfusionError(LNNetError):
    """A fold puts points of different classes at the same place.

    Attributes:
        points: indices of the two points.
        labels: their labels.
        layer: number of the LN layer, counted from 1.
    """

    def __init__(self, points: tuple[int, int], labels: tuple[Hashable, Hashable], layer: int):
        self.points, self.labels, self.layer = points, labels, layer
        super().__init__(
            f"Layer {layer} merges points {points[0]} and {points[1]}, "
            f"which are labelled {labels[0]!r} and {labels[1]!r}."
        )


class UndecidedError(LNNetError):
    """A comparison or a verdict could not be settled within the stated precision limit (bits).

    Attributes:
        layer: number of LN layers after which it happened, where known.
    """

    def __init__(self, message: str, layer: int | None = None):
        self.layer = layer
        super().__init__(message)
