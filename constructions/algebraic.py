"""Exact real numbers built from rationals with + − × ÷ √, as a shared expression graph.

Nothing is ever rounded: a number *is* its expression, and :meth:`Algebraic.ball` encloses it at any precision.
Two numbers are unequal as soon as their balls are disjoint. Equality is never read off a small radius: it is
concluded from the structure of the two expressions or from a root separation bound (Burnikel, Funke, Mehlhorn,
Schirra and Schmitt, "A separation bound for real algebraic expressions", 2001), and where the bound would ask
for more bits than `MAX_BITS` the answer is :class:`~constructions.errors.UndecidedError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import ceil
from typing import Any, TypeVar

from flint import arb, ctx, fmpq

from constructions.errors import InputError, UndecidedError
from constructions.rational import to_rational

#: Precision, in bits, up to which an equality is worked out before it is given up as undecided.
MAX_BITS = 1 << 17
#: Precision, in bits, from which on two numbers are suspected to be equal.
_PATIENCE = 2048
#: How deep the structural rules for equality recurse.
_RULE_DEPTH = 40

_T = TypeVar("_T")


class Algebraic:
    """One node of the expression graph: a rational, or an operation on earlier nodes.

    Numbers are immutable and may share subexpressions. Use :func:`algebraic` to enter a rational, then
    ordinary arithmetic and :meth:`sqrt`. Comparisons are exact; they raise
    :class:`~constructions.errors.UndecidedError` rather than guess.

    >>> two = algebraic(2)
    >>> two.sqrt() * two.sqrt() == two
    True
    >>> algebraic("1/3") < two.sqrt() / 4
    True
    """

    __slots__ = ("_ball", "_prec", "arguments", "operation", "value")

    def __init__(self, operation: str, arguments: tuple[Algebraic, ...], value: fmpq | None = None):
        self.operation, self.arguments, self.value = operation, arguments, value
        self._ball: Any = None  # an arb once `ball` has been called
        self._prec = 0

    def ball(self) -> arb:
        """Enclose the number at the current ``flint.ctx.prec`` (bits) or better."""
        prec = ctx.prec
        if self._prec < prec:
            for node in _pending(self, lambda node: node._prec >= prec):
                node._ball = _enclose(node)
                node._prec = prec
        return self._ball

    def sqrt(self) -> Algebraic:
        """The square root.

        Raises:
            InputError: the number is negative.
            UndecidedError: it is too close to zero to tell whether it is negative.
        """
        if self.value is not None:
            if self.value < 0:
                raise InputError(f"Expected a number with a real square root, not {self.value}.")
            root = self.value.p.isqrt(), self.value.q.isqrt()
            if root[0] ** 2 == self.value.p and root[1] ** 2 == self.value.q:
                return algebraic(fmpq(*root))
        elif (sign := self.sign()) <= 0:
            if sign < 0:
                raise InputError(f"Expected a number with a real square root, not {self!r}.")
            return ZERO
        return Algebraic("sqrt", (self,))

    def sign(self) -> int:
        """−1, 0 or 1.

        Raises:
            UndecidedError: zero can be neither proved nor excluded within `MAX_BITS`.
        """
        return compare(self, ZERO)

    def nodes(self) -> Iterator[Algebraic]:
        """All nodes of the expression, each once and after its arguments."""
        seen: set[int] = set()
        for node in _pending(self, lambda node: id(node) in seen):
            seen.add(id(node))
            yield node

    def fold(self, leaf: Callable[[fmpq], _T], operations: dict[str, Callable[..., _T]]) -> _T:
        """Evaluate the expression in another arithmetic.

        Args:
            leaf: maps a rational into it.
            operations: the functions for ``"add"``, ``"sub"``, ``"mul"``, ``"div"`` and ``"sqrt"``.
        """
        known: dict[int, _T] = {}
        for node in _pending(self, lambda node: id(node) in known):
            if node.value is not None:
                known[id(node)] = leaf(node.value)
            else:
                known[id(node)] = operations[node.operation](*(known[id(a)] for a in node.arguments))
        return known[id(self)]

    def to_sympy(self) -> Any:
        """The same number as an (unsimplified) sympy expression."""
        import sympy

        one, two = sympy.Integer(1), sympy.Rational(1, 2)
        return self.fold(
            lambda q: sympy.Rational(int(q.p), int(q.q)),
            {
                "add": lambda a, b: a + b,
                "sub": lambda a, b: a - b,
                "mul": lambda a, b: a * b,
                "div": lambda a, b: a * (one / b),
                "sqrt": lambda a: a**two,
            },
        )

    def __add__(self, other: Any) -> Algebraic:
        other = _coerce(other)
        if self.value is not None and other.value is not None:
            return algebraic(self.value + other.value)
        if self.value == 0:
            return other
        return self if other.value == 0 else Algebraic("add", (self, other))

    def __sub__(self, other: Any) -> Algebraic:
        other = _coerce(other)
        if self.value is not None and other.value is not None:
            return algebraic(self.value - other.value)
        if self is other:
            return ZERO
        return self if other.value == 0 else Algebraic("sub", (self, other))

    def __mul__(self, other: Any) -> Algebraic:
        other = _coerce(other)
        if self.value is not None and other.value is not None:
            return algebraic(self.value * other.value)
        if self.value == 0 or other.value == 0:
            return ZERO
        if self.value == 1 or other.value == 1:
            return other if self.value == 1 else self
        if self.operation == other.operation == "sqrt" and _same(self, other):
            return self.arguments[0]
        return Algebraic("mul", (self, other))

    def __truediv__(self, other: Any) -> Algebraic:
        other = _coerce(other)
        if other.value is not None:
            if other.value == 0:
                raise ZeroDivisionError("division by zero")
            return self * algebraic(1 / other.value)
        if other.sign() == 0:
            raise ZeroDivisionError("division by zero")
        return ZERO if self.value == 0 else Algebraic("div", (self, other))

    def __neg__(self) -> Algebraic:
        return ZERO - self

    def __radd__(self, other: Any) -> Algebraic:
        return _coerce(other) + self

    def __rsub__(self, other: Any) -> Algebraic:
        return _coerce(other) - self

    def __rmul__(self, other: Any) -> Algebraic:
        return _coerce(other) * self

    def __rtruediv__(self, other: Any) -> Algebraic:
        return _coerce(other) / self

    def __abs__(self) -> Algebraic:
        return -self if self.sign() < 0 else self

    def __eq__(self, other: object) -> bool:
        try:
            return compare(self, _coerce(other)) == 0
        except InputError:
            return NotImplemented

    def __lt__(self, other: Any) -> bool:
        return compare(self, _coerce(other)) < 0

    def __le__(self, other: Any) -> bool:
        return compare(self, _coerce(other)) <= 0

    def __gt__(self, other: Any) -> bool:
        return compare(self, _coerce(other)) > 0

    def __ge__(self, other: Any) -> bool:
        return compare(self, _coerce(other)) >= 0

    def __hash__(self) -> int:
        raise TypeError("Algebraic numbers are not hashable: equal numbers can have different expressions.")

    def __float__(self) -> float:
        bits = 96
        while True:
            with ctx.workprec(bits):
                ball = self.ball()
                if ball.rel_accuracy_bits() >= 64 or abs(ball) < arb(2) ** -1200 or bits >= MAX_BITS:
                    return float(ball)
            bits *= 2

    def __repr__(self) -> str:
        with ctx.workprec(64):
            return f"Algebraic({self.ball().str(12, radius=False)})"

    def _repr_latex_(self) -> str:
        import sympy

        return f"${sympy.latex(self.to_sympy())}$"


def algebraic(value: Any) -> Algebraic:
    """Enter a rational (or anything `to_rational` takes) as an exact real number.

    Args:
        value: an integer, a fraction, a float (exact), a text such as ``"1/3"``, or an algebraic number already.

    Raises:
        InputError: none of these, or not finite.
    """
    return value if isinstance(value, Algebraic) else Algebraic("rational", (), to_rational(value))


ZERO = algebraic(0)


def compare(a: Algebraic, b: Algebraic) -> int:
    """The sign of a − b, decided and never guessed.

    Raises:
        UndecidedError: the two are equal to more bits than `MAX_BITS`, and neither structure nor the
            separation bound proves them equal within that limit.
    """
    if a.value is not None and b.value is not None:
        return int(a.value > b.value) - int(a.value < b.value)
    bits = 64
    separation = 0
    while bits <= MAX_BITS:
        with ctx.workprec(bits):
            x, y = a.ball(), b.ball()
            if x < y:
                return -1
            if x > y:
                return 1
            if separation and abs(x - y) < arb(2) ** -separation:
                return 0
        if bits == 64 and _same(a, b):
            return 0
        bits *= 2
        if bits > _PATIENCE and not separation:  # numbers this close are usually equal: go where that is decided
            separation = _separation_bits(a - b)
            if separation + 64 <= MAX_BITS:
                bits = max(bits, separation + 64)
    raise UndecidedError(f"Two numbers are too close to be told apart with {MAX_BITS} bits, yet not provably equal.")


def _coerce(other: Any) -> Algebraic:
    return other if isinstance(other, Algebraic) else algebraic(other)


def _pending(root: Algebraic, done: Callable[[Algebraic], bool]) -> Iterator[Algebraic]:
    """Yield the nodes below ``root`` that are not done, arguments first, without recursion."""
    stack = [root]
    while stack:
        node = stack[-1]
        waiting = [a for a in node.arguments if not done(a)]
        if waiting:
            stack.extend(waiting)
            continue
        stack.pop()
        if not done(node):
            yield node


def _enclose(node: Algebraic) -> arb:
    if node.value is not None:
        return arb(node.value)
    balls: list[Any] = [a._ball for a in node.arguments]
    if node.operation == "add":
        return balls[0] + balls[1]
    if node.operation == "sub":
        return balls[0] - balls[1]
    if node.operation == "mul":
        return balls[0] * balls[1]
    if node.operation == "div":
        return balls[0] / balls[1]
    return balls[0].sqrt()


def _same(a: Algebraic, b: Algebraic) -> bool:
    """Whether the structure of two expressions proves them equal (a sufficient condition only)."""
    return _same_nodes(a, b, 0, {})


def _same_nodes(a: Algebraic, b: Algebraic, depth: int, known: dict[tuple[int, int], bool]) -> bool:
    """As `_same`; every pair of nodes is compared once, for shared nodes would multiply the work at every level."""
    if a is b:
        return True
    if a.value is not None or b.value is not None:
        return a.value == b.value
    if depth > _RULE_DEPTH or a.operation != b.operation:
        return False
    if (id(a), id(b)) not in known:
        known[id(a), id(b)] = _same_operation(a, b, depth + 1, known)
    return known[id(a), id(b)]


def _same_operation(a: Algebraic, b: Algebraic, depth: int, known: dict[tuple[int, int], bool]) -> bool:
    (x, *xs), (y, *ys) = a.arguments, b.arguments
    if not xs:
        return _same_nodes(x, y, depth, known)
    if _same_nodes(x, y, depth, known) and _same_nodes(xs[0], ys[0], depth, known):
        return True
    if a.operation == "mul" and x is xs[0] and y is ys[0]:  # squares: equal up to sign is enough
        return _opposite(x, y)
    crossed = a.operation in ("add", "mul")
    return crossed and _same_nodes(x, ys[0], depth, known) and _same_nodes(xs[0], y, depth, known)


def _opposite(x: Algebraic, y: Algebraic) -> bool:
    """Whether x = p − s and y = q − s with p + q = 2s, by a comparison of smaller expressions.

    This is how the images of two points under a fold coincide: the fold is even about its shift s.
    """
    if x.operation != "sub" or y.operation != "sub" or not _same(x.arguments[1], y.arguments[1]):
        return False
    shift = x.arguments[1]
    try:
        return compare(x.arguments[0] + y.arguments[0], shift + shift) == 0
    except UndecidedError:
        return False


def _separation_bits(a: Algebraic) -> int:
    """A number N of bits such that a = 0 or |a| > 2^−N (an upper bound that may be huge).

    a = numerator/denominator, both algebraic integers in a field of degree D ≤ 2^(number of radicals), with all
    conjugates at most u and l in absolute value (√(x/y) is written √(xy)/y or x/√(xy)). The norm of a nonzero
    numerator is at least 1, so |a| ≥ 1/(l·u^(D−1)). Sizes are base-two logarithms, rounded up. Radicals that occur
    repeatedly, as nodes of their own but in the same words, are one radical: it is the same field.
    """
    sizes: dict[int, tuple[Fraction, Fraction]] = {}
    names: dict[Any, int] = {}  # operation and named arguments → name
    named: dict[int, int] = {}  # node → name
    radicals = 0
    for node in _pending(a, lambda node: id(node) in sizes):
        arguments = tuple(named[id(k)] for k in node.arguments)
        ordered = tuple(sorted(arguments)) if node.operation in ("add", "mul") else arguments
        words = (node.operation, node.value, ordered)
        new = words not in names
        named[id(node)] = names.setdefault(words, len(names))
        if node.value is not None:
            sizes[id(node)] = Fraction(abs(node.value.p).bit_length()), Fraction(node.value.q.bit_length())
            continue
        u, l = sizes[id(node.arguments[0])]  # noqa: E741
        if node.operation == "sqrt":
            radicals += new
            pair = ((u + l) / 2, l) if u >= l else (u, (u + l) / 2)
        else:
            v, k = sizes[id(node.arguments[1])]
            if node.operation in ("add", "sub"):
                pair = max(u + k, l + v) + 1, l + k
            elif node.operation == "mul":
                pair = u + v, l + k
            else:
                pair = u + k, l + v
        sizes[id(node)] = Fraction(ceil(pair[0])), Fraction(ceil(pair[1]))
    u, l = sizes[id(a)]  # noqa: E741
    return 2 * MAX_BITS if radicals > 40 else int(l + u * (2**radicals - 1)) + 1
