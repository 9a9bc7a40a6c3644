"""Labelled clusters of points on a line: the state between two layers."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from constructions.arithmetic import Arithmetic
from constructions.errors import MergeConfusionError, UndecidedError
from constructions.fold import Fold
from constructions.points import Label


class Cluster(NamedTuple):
    """Points of one class at one place.

    Attributes:
        position: where, in the line's arithmetic.
        label: their common label.
        source: the index, among the distinct points, of one of them.
    """

    position: Any
    label: Label
    source: int


@dataclass(frozen=True)
class Line:
    """Clusters from left to right at pairwise distinct positions.

    Attributes:
        clusters: sorted by position.
        arithmetic: what positions are.
        layer: how many LN layers led here.
        watch: called with the number of every further layer.
    """

    clusters: tuple[Cluster, ...]
    arithmetic: Arithmetic
    layer: int = 0
    watch: Callable[[int], object] | None = None

    @classmethod
    def of(cls, positions: Sequence[Any], labels: Sequence[Label], arithmetic: Arithmetic) -> Line:
        """Enter exact positions; equal ones must carry equal labels.

        Raises:
            MergeConfusionError: equal positions, different labels (exact arithmetic).
            UndecidedError: positions that the arithmetic cannot tell apart, different labels.
        """
        return cls.at([arithmetic.enter(p) for p in positions], labels, arithmetic, 0)

    @classmethod
    def at(cls, positions: Sequence[Any], labels: Sequence[Label], arithmetic: Arithmetic, layer: int) -> Line:
        """The line of positions, in the arithmetic, to which so many layers have led.

        Raises:
            MergeConfusionError, UndecidedError: as `of`.
        """
        clusters = [Cluster(p, label, k) for k, (p, label) in enumerate(zip(positions, labels, strict=True))]
        return cls(_sorted_clusters(clusters, arithmetic, layer), arithmetic, layer)

    def after(self, fold: Fold, merging: tuple[int, int] | None = None) -> Line:
        """The line after a fold.

        Args:
            fold: the fold to apply.
            merging: two cluster numbers that the fold is known to bring together.

        Raises:
            MergeConfusionError: clusters of different classes provably coincide.
            UndecidedError: they come closer than the arithmetic resolves.
        """
        image = fold.mapping(self.arithmetic)
        return self.moved([image(c.position) for c in self.clusters], () if merging is None else (merging,))

    def moved(self, positions: Sequence[Any], merging: Sequence[tuple[int, int]] = ()) -> Line:
        """The line after any LN layer.

        Args:
            positions: where the layer takes the clusters.
            merging: disjoint pairs of cluster numbers that the layer is known to bring together.

        Raises:
            as `after`.
        """
        clusters = [Cluster(p, c.label, c.source) for p, c in zip(positions, self.clusters, strict=True)]
        for first, second in merging:
            common = self.arithmetic.hull([clusters[first].position, clusters[second].position])
            clusters[first] = clusters[first]._replace(position=common)
            clusters[second] = clusters[second]._replace(position=common)
        layer = self.layer + 1
        following = replace(self, clusters=_sorted_clusters(clusters, self.arithmetic, layer), layer=layer)
        if self.watch is not None:
            self.watch(layer)
        return following

    def watched(self, watch: Callable[[int], object]) -> Line:
        """The same line, reporting progress."""
        return replace(self, watch=watch)

    @property
    def runs(self) -> int:
        """Number of maximal runs of neighbours with equal labels."""
        labels = [c.label for c in self.clusters]
        return 1 + sum(a != b for a, b in itertools.pairwise(labels))

    @property
    def separable(self) -> bool:
        """Whether every class occupies an interval of its own, as the read-out needs."""
        return self.runs == len({c.label for c in self.clusters})

    def cuts(self) -> list[Any]:
        """A weight between every two neighbours of different labels, from left to right."""
        return [
            self.arithmetic.between(a.position, b.position)
            for a, b in itertools.pairwise(self.clusters)
            if a.label != b.label
        ]

    def partner(self, number: int) -> int | None:
        """The nearest cluster to the right of a cluster that has its label."""
        label = self.clusters[number].label
        later = range(number + 1, len(self.clusters))
        return next((k for k in later if self.clusters[k].label == label), None)


def _sorted_clusters(clusters: list[Cluster], arithmetic: Arithmetic, layer: int) -> tuple[Cluster, ...]:
    result: list[Cluster] = []
    for group in arithmetic.groups([c.position for c in clusters]):
        members = [clusters[k] for k in group]
        head = members[0]
        for other in members[1:]:
            if other.label != head.label:
                raise _confusion(head, other, layer, arithmetic.exact)
        if len(members) > 1:
            head = head._replace(position=arithmetic.hull([c.position for c in members]))
        if result and result[-1].label != head.label and not arithmetic.distinct(result[-1].position, head.position):
            raise _confusion(result[-1], head, layer, False)
        if result and result[-1].label == head.label and arithmetic.close(result[-1].position, head.position):
            # They met but for the rounding of weights; a fold about their middle would squash everything else.
            common = arithmetic.hull([result[-1].position, head.position])
            result[-1] = result[-1]._replace(position=common)
            continue
        result.append(head)
    return tuple(result)


def _confusion(a: Cluster, b: Cluster, layer: int, proved: bool) -> MergeConfusionError | UndecidedError:
    points = (min(a.source, b.source), max(a.source, b.source))
    if proved:
        labels = (a.label, b.label) if a.source < b.source else (b.label, a.label)
        return MergeConfusionError(points, labels, layer)
    return UndecidedError(
        f"After layer {layer} points {points[0]} and {points[1]} of different classes are too close to tell apart "
        "at this precision; raise the precision or use arithmetic='exact'.",
        layer,
    )
