"""Figure A1 and Table I (Ni et al. 2024, Appendix A): four kinds of two-class data in the plane.

The covariances of (b) to (d) cannot be read in the paper. Those used here are our own choice, made so that SSR and LSSR
fall where Table I has them: (c) nearly round; (d) long in the direction (1, 2) along both classes, so that the classes
are parallel stripes.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from flint import fmpq

from constructions.errors import InputError
from constructions.sum_of_squares import Samples

#: Samples a class in Table I.
SIZE = 256
#: Coordinates are rounded to this many decimals, and exact from there on.
_DECIMALS = 3


@dataclass(frozen=True)
class Regime:
    """One row of Table I.

    Attributes:
        key: the letter of Figure A1.
        title: its caption.
        centres: the means of the Gaussians of the two classes (XOR has none).
        axes: standard deviations along the columns of an orthogonal frame, with the frame's first column (x, y).
        printed: SSR and LSSR as printed.
    """

    key: str
    title: str
    centres: tuple[tuple[float, float], tuple[float, float]] | None
    axes: tuple[float, float, tuple[float, float]] | None
    printed: tuple[str, str]


_DIAGONAL = (1 / 5**0.5, 2 / 5**0.5)
#: Table I, in its order.
REGIMES = (
    Regime("a", "XOR data", None, None, ("0.9963", "0.9929")),
    Regime("b", "inseparable Gaussian data", ((0, 0), (0, 0)), (2.0, 2.0, (1.0, 0.0)), ("0.9929", "0.9859")),
    Regime("c", "separable Gaussian data", ((3, 3), (-3, -3)), (1.64, 1.64, (1.0, 0.0)), ("0.2304", "0.1312")),
    Regime("d", "parallel Gaussian data", ((2, 0), (-2, 0)), (3.36, 0.97, _DIAGONAL), ("0.7536", "0.2157")),
)


def regime_named(key: str) -> Regime:
    """The row of Table I with a letter, ``"a"`` to ``"d"``.

    Raises:
        InputError: another letter.
    """
    for regime in REGIMES:
        if regime.key == key:
            return regime
    raise InputError(f"Argument 'key' must be one of {[r.key for r in REGIMES]}, not {key!r}.")


def table1_samples(key: str, seed: int = 0, size: int = SIZE) -> tuple[Samples, Samples]:
    """Seeded samples of the two classes, exact rationals with three decimals.

    Args:
        key: ``"a"`` to ``"d"``.
        seed: the same seed gives the same samples.
        size: samples a class.

    >>> first, second = table1_samples("a")
    >>> len(first), all(x == y for x, y in first), all(x + y == 1 for x, y in second)
    (256, True, True)
    """
    regime = regime_named(key)
    generator = random.Random(f"{key}:{seed}")
    if regime.centres is None or regime.axes is None:
        coins = [[fmpq(generator.randrange(2)) for _ in range(size)] for _ in range(2)]
        return tuple((x, x) for x in coins[0]), tuple((x, 1 - x) for x in coins[1])
    first, second = ((_gaussians(generator, centre, regime.axes, size)) for centre in regime.centres)
    return first, second


def _gaussians(
    generator: random.Random, centre: tuple[float, float], axes: tuple[float, float, tuple[float, float]], size: int
) -> Samples:
    long, short, (c, s) = axes
    result = []
    for _ in range(size):
        u, v = generator.gauss(0, long), generator.gauss(0, short)
        point = centre[0] + c * u - s * v, centre[1] + s * u + c * v
        result.append(tuple(fmpq(round(x * 10**_DECIMALS), 10**_DECIMALS) for x in point))
    return tuple(result)
