r"""The largest shattered sets known for width-3 LN-Nets of depth L on R^d, next to what is proved from above.

Lower bounds: L + 2 is Corollary 3 of Ni et al. (2024); 2L + 1 (two merges a layer, `constructions.double_merge`; 3 for
L = 1) and 2d + 1 (`constructions.half_spaces`) are proved for whole families; the rest are witness files, where every
labelling has a network that `proofs.checker` has certified. A set shattered at depth L is shattered at every greater
depth (LN is idempotent) and in every higher dimension (append zeros). Upper bounds: see `upper_bound`, and
``docs/vc_table.md`` and ``docs/depth.md`` for the derivations.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from constructions.errors import InputError
from proofs.depth_bound import labelings_bound
from proofs.shattered_set import load_witness, witness_names


@dataclass(frozen=True)
class Entry:
    """Bounds on the largest number of points of R^d that width-3 LN-Nets of depth L shatter.

    Attributes:
        depth: L.
        dimension: d.
        paper: L + 2.
        proved: from the families.
        found: the size of the largest witness that applies (0 if none does).
        witness: its name.
        upper: no set of more points is shattered.
    """

    depth: int
    dimension: int
    paper: int
    proved: int
    found: int
    witness: str | None
    upper: int

    @property
    def best(self) -> int:
        """The best lower bound."""
        return max(self.paper, self.proved, self.found)

    @property
    def exact(self) -> bool:
        """Whether both bounds agree."""
        return self.best == self.upper


def vc_table(depths: Iterable[int] = range(1, 7), dimensions: Iterable[int] = range(1, 5)) -> list[Entry]:
    """The table, row by row.

    >>> [entry.best for entry in vc_table(range(1, 4), [1])]
    [3, 5, 9]
    """
    dimensions = list(dimensions)
    return [entry(depth, d) for depth in depths for d in dimensions]


def entry(depth: int, dimension: int) -> Entry:
    """What is known at one depth and dimension.

    Raises:
        InputError: depth or dimension below 1.
    """
    upper = upper_bound(depth, dimension)
    found, witness = 0, None
    for name in witness_names():
        at, d, m = _of_witness(name)
        if at <= depth and d <= dimension and m > found:
            found, witness = m, name
    proved = max(2 * depth + 1, 2 * dimension + 1)
    return Entry(depth, dimension, depth + 2, proved, found, witness, upper)


@cache
def _of_witness(name: str) -> tuple[int, int, int]:
    witness = load_witness(name)
    return witness.depth, witness.dimension, len(witness.points)


def upper_bound(depth: int, dimension: int) -> int:
    r"""A number that the VC dimension of width-3 LN-Nets (ε = 0) of depth L on R^d does not exceed.

    One less than an m for which `proofs.depth_bound.labelings_bound` is below 2^m. On the line that is 2^L + 1, because
    the output changes sign at most 2^L times.

    Raises:
        InputError: depth or dimension below 1.

    >>> [upper_bound(depth, 1) for depth in (1, 2, 3)], upper_bound(1, 2), upper_bound(2, 2)
    ([3, 5, 9], 15, 33)
    """
    if depth < 1 or dimension < 1:
        raise InputError(f"Depth and dimension must be at least 1, not {depth} and {dimension}.")
    below, above = 1, 2
    while labelings_bound(above, depth, dimension) == 2**above:
        below, above = above, 2 * above
    while above - below > 1:  # all labelings of `above` points are too many
        middle = (below + above) // 2
        if labelings_bound(middle, depth, dimension) == 2**middle:
            below = middle
        else:
            above = middle
    return above - 1
