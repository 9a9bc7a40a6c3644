"""The second checker's enclosures enclose, and it knows nothing of the first."""

import ast
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from exact_evaluation import layer_normalization, real
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions.algebraic import algebraic
from constructions.network import Affine, LNNet
from constructions.points import LabeledPoints
from proofs import checker_mpmath
from proofs.checker_mpmath import check_with_mpmath

rationals = st.integers(-60, 60).map(lambda n: Fraction(n, 7)) | st.fractions(max_denominator=10**40)


def evaluator(bits, epsilon=0):
    context = type(mpmath.iv)()
    context.prec = bits
    net = LNNet((Affine.of([[1], [2]], [0, 1]), Affine.of([[1, 0]], [0])), (0, 1), epsilon=epsilon)
    return checker_mpmath._Evaluator(net, context), context


def exact(value):
    return fmpq(value.numerator, value.denominator)


def holds(interval, value, slack="1e-90"):
    low, high = (mpmath.mpf(mpmath.mpf(end)) for end in (interval.a, interval.b))
    slack = mpmath.mpf(slack) * (1 + abs(value))
    return low - slack <= value <= high + slack


@pytest.mark.parametrize("bits", [8, 53, 200])
@given(rationals, rationals)
def test_interval_operations_contain(bits, x, y):
    judge, context = evaluator(bits)
    a, b = judge.enter(exact(x)), judge.enter(exact(y))
    with mpmath.workdps(150):
        p, q = real(exact(x)), real(exact(y))
        results = [
            (a, p),
            (a + b, p + q),
            (a - b, p - q),
            (a * b, p * q),
            (checker_mpmath._square(context, a - b), (p - q) ** 2),
        ]
        if y:
            results.append((a / b, p / q))
        if x > 0:
            results.append((judge.root(a), mpmath.sqrt(p)))
        for interval, value in results:
            assert holds(interval, value)


@pytest.mark.parametrize("bits", [8, 64])
@given(st.lists(st.integers(-9, 9), min_size=2, max_size=4), st.sampled_from(["0", "1/10"]))
def test_normalization_contains(bits, row, epsilon):
    judge, _ = evaluator(bits, epsilon)
    if len(set(row)) == 1:
        return
    found = judge._normalize([judge.enter(fmpq(v, 7)) for v in row], 0)
    if found is None:
        return
    with mpmath.workdps(150):
        expected = layer_normalization([mpmath.mpf(v) / 7 for v in row], real(exact(Fraction(epsilon))))
        assert all(holds(a, b) for a, b in zip(found, expected, strict=True))


@pytest.mark.parametrize("bits", [8, 64])
def test_algebraic_weights_are_enclosed(bits):
    judge, _ = evaluator(bits)
    number = ((algebraic(2).sqrt() + 1) / 3 - algebraic("1/7")).sqrt()
    with mpmath.workdps(150):
        assert holds(judge.enter(number), mpmath.sqrt((mpmath.sqrt(2) + 1) / 3 - mpmath.mpf(1) / 7))


def test_roots_cut_off_what_rounding_made_negative_but_invent_nothing():
    judge, context = evaluator(53)
    assert holds(judge.root(context.mpf([-1, 4])), mpmath.mpf(2))
    assert judge.root(context.mpf([-1, 4])).a == 0
    assert not mpmath.isfinite(judge.root(context.mpf([-4, -1])).b)


def test_ends_are_exact_or_unbounded():
    _, context = evaluator(53)
    assert checker_mpmath._ends(context.mpf([-0.5, 3])) == (fmpq(-1, 2), 3)
    assert checker_mpmath._ends(context.mpf(["-inf", "inf"])) == (None, None)


def test_the_checkers_share_values_only():
    tree = ast.parse(Path(checker_mpmath.__file__).read_text(encoding="utf-8"))
    names = [
        a.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "proofs.checker"
        for a in node.names
    ]
    assert set(names) <= {"Outcome", "Verdict"}


def test_bits_and_margin():
    net = LNNet((Affine.of([[1]], ["1/3"]),), (0, 1))
    verdict = check_with_mpmath(net, LabeledPoints.of([1, 2], [1, 1]))
    assert (verdict.outcome, verdict.bits) == ("certified", 64)
    assert 0 < fmpq(4, 3) - verdict.margin < fmpq(1, 2**60)
    assert check_with_mpmath(net, LabeledPoints.of([1], [1]), max_bits=20).bits == 20
