r"""The largest shattered sets known for width-3 LN-Nets of depth L on R^d, next to what is proved from above.

Lower bounds: L + 2 is Corollary 3 of Ni et al. (2024); 2L + 1 (two merges a layer, `constructions.double_merge`; 3 for
L = 1) and 2d + 1 (`constructions.half_spaces`) are proved for whole families; the rest are witness files, where every
labelling has a network that `proofs.checker` has certified. A set shattered at depth L is shattered at every greater
depth (LN is idempotent) and in every higher dimension (append zeros). Upper bounds: see `upper_bound`, and
``docs/vc_table.md`` for the derivations.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import comb

from constructions.errors import InputError
from proofs.shattered_set import load_witness, witness_names

#: Euler's number from above, as a ratio.
_E_ABOVE = 2_718_281_829, 1_000_000_000


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

    * d = 1: the output changes sign at most 2^L times, so 2^L + 1.
    * L = 1: a labelling is an AND or an OR of two half-spaces, and there are at most
      :math:`C=2\sum_{i\le d}\binom{m-1}{i}` half-spaces (Cover 1965), so :math:`2^m\le C(C+1)`.
    * L ≥ 2, following Goldberg and Jerrum (1995): k = 2d + 4(L−1) parameters, two chords a point, whose equations
      become polynomials of degree at most D = L·2^(L−1); by Warren (1968), :math:`2^m\le 8\,(8eDm/k)^k`.

    The arithmetic is exact, with e rounded up.

    Raises:
        InputError: depth or dimension below 1.

    >>> [upper_bound(depth, 1) for depth in (1, 2, 3)], upper_bound(1, 2)
    ([3, 5, 9], 15)
    """
    if depth < 1 or dimension < 1:
        raise InputError(f"Depth and dimension must be at least 1, not {depth} and {dimension}.")
    bound = _by_counting(dimension) if depth == 1 else _by_components(depth, dimension)
    return min(bound, 2**depth + 1) if dimension == 1 else bound


def _by_counting(d: int) -> int:
    m = 2 * d + 2
    while True:  # once it fails it fails for ever: the right side grows like m^(2d), by less than a factor 2 a step
        splits = 2 * sum(comb(m - 1, i) for i in range(d + 1))
        if m > 4 * d and 2**m > splits * (splits + 1):
            return m - 1
        m += 1


def _by_components(depth: int, d: int) -> int:
    k = 2 * d + 4 * (depth - 1)
    degree = depth * 2 ** (depth - 1)
    above, below = _E_ABOVE
    m = 2 * k  # from here on m − k·log2(m) grows, so once the inequality fails it fails for ever
    while 2**m * (k * below) ** k <= 8 * (8 * above * degree * m) ** k:
        m += 1
    return m - 1
