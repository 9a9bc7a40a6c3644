"""The arithmetics in which one and the same algorithm builds a network.

An arithmetic says what a *position* on the line is, how positions are ordered, and to which numbers weights
are rounded. `Exact` rounds nothing. The others round the *weights* of each layer first and read the fold back
from the rounded weights, so the fold that the algorithm goes on with is the fold of the network, exactly.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import mpmath
from flint import arb, ctx, fmpq

from constructions.algebraic import Algebraic, algebraic, compare
from constructions.errors import InputError, UndecidedError, UnrepresentableError
from constructions.fold import Fold
from constructions.network import Semantics
from constructions.rational import round_to_bits, scale_binary, to_rational
from constructions.spherical_projection import BALANCED, INTEGER, LEMMA1

#: Longest mantissa of a weight, in bits.
MAX_BITS = 1 << 20


class Arithmetic(ABC):
    """Positions, their order, and the rounding of weights.

    Attributes:
        name: as in ``build(..., arithmetic=name)``.
        semantics: what the weights of the network are, as stated in its file.
        exact: whether indistinguishable positions are proved equal.
    """

    name: str
    semantics: Semantics
    exact = False

    @contextmanager
    def work(self) -> Iterator[None]:
        """Set the working precision; algorithms run inside."""
        yield

    @abstractmethod
    def enter(self, value: Any) -> Any:
        """An exact number as a position."""

    def sqrt(self, value: Any) -> Any:
        """Square root of a position."""
        return value.sqrt()

    def middle(self, position: Any) -> Any:
        """An exact number at (or well within the ball of) a position."""
        return position

    @abstractmethod
    def round(self, value: Any) -> Any:
        """The weight nearest to an exact number."""

    @abstractmethod
    def fold(self, shift: Any, scale: Any, u1: Any, u2: Any) -> Fold:
        """The fold with weights nearest to those of a fold given by positions (scale > 0).

        The read-off (u1, u2) is in the frame of the arithmetic: in the integer frame, whose circle is an ellipse, the
        height is scale/√3, so that a tilted u of Lemma 1's frame enters as (u1, √3·u2).
        """

    @abstractmethod
    def groups(self, positions: Sequence[Any]) -> list[list[int]]:
        """Indices from left to right; indistinguishable positions share a group."""

    def hull(self, positions: Sequence[Any]) -> Any:
        """One position that stands for several indistinguishable ones."""
        return positions[0]

    def distinct(self, left: Any, right: Any) -> bool:
        """Whether two neighbours, left < right, are far enough apart to stay distinct."""
        return True

    def close(self, left: Any, right: Any) -> bool:
        """Whether two neighbours, left < right, are as near as if only rounding kept them apart."""
        return False

    @abstractmethod
    def between(self, left: Any, right: Any) -> Any:
        """A weight strictly between two positions, left < right."""


@dataclass(frozen=True)
class Exact(Arithmetic):
    """Algebraic reals; folds and weights are those of the paper, irrational and never rounded."""

    name = "exact"
    semantics: Semantics = "exact"
    exact = True

    def enter(self, value: Any) -> Algebraic:
        return algebraic(value)

    def round(self, value: Any) -> Algebraic:
        return algebraic(value)

    def fold(self, shift: Any, scale: Any, u1: Any, u2: Any) -> Fold:
        return Fold(algebraic(shift), algebraic(scale), algebraic(u1), algebraic(u2), LEMMA1)

    def groups(self, positions: Sequence[Algebraic]) -> list[list[int]]:
        bits = 64
        while True:
            with ctx.workprec(bits):
                balls = [position.ball() for position in positions]
                order = sorted(range(len(balls)), key=lambda k: balls[k].mid())
                groups = [[k] for k in order[:1]]
                close = 0
                for k in order[1:]:
                    last = groups[-1][-1]
                    if balls[last] < balls[k]:
                        groups.append([k])
                    elif compare(positions[last], positions[k]) == 0:
                        groups[-1].append(k)
                    else:  # proved different, but not yet sorted
                        close += 1
            if not close:
                return groups
            bits *= 2

    def between(self, left: Algebraic, right: Algebraic) -> Algebraic:
        bits = 64
        while True:
            with ctx.workprec(bits):
                low, high = left.ball(), right.ball()
                if low < high:
                    return algebraic(_simplest_between(low, high))
            bits *= 2


@dataclass(frozen=True)
class Dyadic(Arithmetic):
    """Weights with ``bits``-bit mantissas; positions are balls that contain those of the network.

    Attributes:
        bits: mantissa length of a weight.
    """

    bits: int = 64
    name = "dyadic"
    semantics: Semantics = "dyadic"

    def __post_init__(self) -> None:
        if not 2 <= self.bits <= MAX_BITS:
            raise InputError(f"Argument 'bits' must be between 2 and {MAX_BITS}, not {self.bits}.")

    @contextmanager
    def work(self) -> Iterator[None]:
        with ctx.workprec(self.bits + 64):
            yield

    def enter(self, value: Any) -> arb:
        return value.ball() if isinstance(value, Algebraic) else arb(to_rational(value))

    def middle(self, position: arb | fmpq) -> fmpq:
        if isinstance(position, fmpq):
            return position
        if not position.is_finite():
            raise UndecidedError("A position is not known at this precision; raise it or use arithmetic='exact'.")
        mantissa, exponent = position.mid().man_exp()
        return scale_binary(fmpq(mantissa), int(exponent))

    def round(self, value: Any) -> fmpq:
        return round_to_bits(to_rational(value), self.bits)

    def fold(self, shift: Any, scale: Any, u1: Any, u2: Any) -> Fold:
        root = self.sqrt(self.enter(INTEGER.kappa))
        _, bias = INTEGER.inlet(self.middle(shift), self.middle(scale / root))
        first, second = (self.round(x) for x in bias[:2])
        x, y = (self.round(w) for w in INTEGER.outlet(self.middle(u1), self.middle(u2))[:2])
        # Read back the fold of the layer with these very weights.
        return Fold((second - first) / 2, (first + second) / 6, x - y, x + y, INTEGER)

    def groups(self, positions: Sequence[Any]) -> list[list[int]]:
        order = sorted(range(len(positions)), key=lambda k: positions[k].mid())
        groups = [[k] for k in order[:1]]
        reach = positions[order[0]]
        for k in order[1:]:
            if reach < positions[k]:
                groups.append([k])
                reach = positions[k]
            else:
                groups[-1].append(k)
                reach = reach.union(positions[k])
        return groups

    def hull(self, positions: Sequence[Any]) -> Any:
        first, *rest = positions
        for position in rest:
            first = first.union(position)
        return first

    def distinct(self, left: Any, right: Any) -> bool:
        return bool(right - left > (abs(left) + abs(right)) * self._guard)

    def close(self, left: Any, right: Any) -> bool:
        return bool(right - left < (abs(left) + abs(right)) * self._noise)

    @cached_property
    def _guard(self) -> Any:
        """Relative gap below which neighbours are too close: half of the mantissa is kept for later layers."""
        return arb(2) ** -(self.bits // 2)

    @cached_property
    def _noise(self) -> Any:
        """Relative gap that three quarters of the mantissa do not show."""
        return arb(2) ** -(self.bits * 3 // 4)

    def between(self, left: Any, right: Any) -> fmpq:
        return self.round(_simplest_between(left, right))


@dataclass(frozen=True)
class Float(Dyadic):
    """Weights that are IEEE binary floats; positions are balls over the reals, as in `Dyadic`.

    Attributes:
        largest: exponent e such that every weight is below 2^e.
        smallest: exponent e such that every nonzero weight is at least 2^e.
    """

    bits: int = 53
    name: str = "float64"
    semantics: Semantics = "float64"
    largest: int = 1024
    smallest: int = -1022

    @contextmanager
    def work(self) -> Iterator[None]:
        with ctx.workprec(2 * self.bits + 64):
            yield

    def fold(self, shift: Any, scale: Any, u1: Any, u2: Any) -> Fold:
        """The nearest fold whose rows sum to zero exactly, so that float evaluations lose as little as possible."""
        root = self.sqrt(self.enter(BALANCED.kappa))
        s, c = self.on_grid(self.middle(shift), self.middle(scale / root))
        if c <= 0:
            raise UndecidedError(f"A fold is too narrow for {self.name}; use arithmetic='dyadic'.")
        x, y, _ = BALANCED.outlet(self.middle(u1), self.middle(u2))
        x, y = (x / abs(2 * x),) * 2 if x == y else self.on_grid(x, y)  # (1/2, 1/2, −1) multiplies without rounding
        return Fold(s, c, x - y, 3 * (x + y), BALANCED)

    def on_grid(self, a: fmpq, b: fmpq) -> tuple[fmpq, fmpq]:
        """Two numbers rounded so that their sum and difference are floats too (save for the range of exponents)."""
        size = abs(a) + abs(b)
        unit = size.p.bit_length() - size.q.bit_length() + 1 - self.bits  # size < 2^(unit + bits)
        return _rounded(a, unit), _rounded(b, unit)

    @cached_property
    def _guard(self) -> Any:
        """Nothing is kept in reserve: the weights are what they are, and the checkers decide."""
        return arb(2) ** -(self.bits - 3)

    def round(self, value: Any) -> fmpq:
        rounded = super().round(value)
        size = abs(rounded)
        if size and not scale_binary(fmpq(1), self.smallest) <= size < scale_binary(fmpq(1), self.largest):
            raise UnrepresentableError(
                f"A weight near 2^{size.p.bit_length() - size.q.bit_length()} is outside the normal range of "
                f"{self.name}; rescale the points or use arithmetic='dyadic'."
            )
        return rounded


@dataclass(frozen=True)
class Mpf(Dyadic):
    """Positions are mpmath floats: fast to reason about, but unlike balls they bound no error.

    Two positions count as equal when they agree to half of the ``bits``. The network that results is dyadic,
    and only the checker says whether it classifies.
    """

    name = "mpf"

    @contextmanager
    def work(self) -> Iterator[None]:
        with mpmath.workprec(self.bits), ctx.workprec(self.bits):
            yield

    def enter(self, value: Any) -> Any:
        if isinstance(value, Algebraic):
            value = super().middle(value.ball())
        q = to_rational(value)
        return mpmath.mpf(int(q.p)) / int(q.q)

    def sqrt(self, value: Any) -> Any:
        return mpmath.sqrt(value)

    def middle(self, position: Any) -> fmpq:
        return to_rational(position)

    def groups(self, positions: Sequence[Any]) -> list[list[int]]:
        order = sorted(range(len(positions)), key=lambda k: positions[k])
        groups = [[k] for k in order[:1]]
        for last, k in itertools.pairwise(order):
            if self.distinct(positions[last], positions[k]):
                groups.append([k])
            else:
                groups[-1].append(k)
        return groups

    def hull(self, positions: Sequence[Any]) -> Any:
        return positions[0]

    def close(self, left: Any, right: Any) -> bool:
        return False  # those that are close share a group

    @cached_property
    def _guard(self) -> Any:
        return mpmath.ldexp(1, -(self.bits // 2))

    def between(self, left: Any, right: Any) -> fmpq:
        return self.round((left + right) / 2)


FLOAT64 = Float()
FLOAT32 = Float(24, "float32", "float32", 128, -126)


def arithmetic_named(name: str, bits: int | None = None) -> Arithmetic:
    """The arithmetic called ``exact``, ``dyadic``, ``mpf``, ``float64`` or ``float32``.

    Args:
        bits: mantissa length for ``dyadic`` and ``mpf`` (default 64).

    Raises:
        InputError: unknown name, or bits given where the format fixes them.
    """
    flexible = {"dyadic": Dyadic, "mpf": Mpf}
    fixed: dict[str, Arithmetic] = {"exact": Exact(), "float64": FLOAT64, "float32": FLOAT32}
    if name in flexible:
        return flexible[name](64 if bits is None else bits)
    if name not in fixed:
        raise InputError(f"Argument 'arithmetic' must be one of {[*fixed, *flexible]}, not {name!r}.")
    if bits is not None:
        raise InputError(f"Argument 'bits' does not go with arithmetic={name!r}, which fixes its precision.")
    return fixed[name]


def _rounded(value: fmpq, unit: int) -> fmpq:
    """The nearest multiple of 2^unit."""
    scaled = scale_binary(value, -unit)
    return scale_binary(fmpq((2 * scaled.p + scaled.q) // (2 * scaled.q)), unit)


def _simplest_between(left: arb, right: arb) -> fmpq:
    """A short dyadic rational strictly between two disjoint balls, left < right, near the middle."""
    low, high = _exactly(left.mid()) + _exactly(left.rad()), _exactly(right.mid()) - _exactly(right.rad())
    gap = high - low
    if gap <= 0:
        raise UndecidedError("The gap between two positions is too narrow for a cut at this precision.")
    unit = gap.p.bit_length() - gap.q.bit_length() - 2  # less than half the gap
    return scale_binary(fmpq(scale_binary(low + high, -unit - 1).floor()), unit)


def _exactly(number: arb) -> fmpq:
    """A ball of radius zero as a rational (`arb.upper` and `arb.lower` would round)."""
    mantissa, exponent = number.man_exp()
    return scale_binary(fmpq(mantissa), int(exponent))
