"""Algorithm 2 and Proposition 7."""

import itertools
from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from constructions.arithmetic import Dyadic, Exact
from constructions.errors import UndecidedError
from constructions.line import Line
from constructions.parallelization_breaking import breaking_fold, breaking_folds, has_parallelogram, small_rationals


@given(st.lists(st.integers(-8, 8), min_size=1, max_size=7, unique=True))
def test_parallelograms_are_found(places):
    pairs = itertools.combinations(itertools.combinations(places, 2), 2)
    expected = any(not set(a) & set(b) and sum(a) == sum(b) for a, b in pairs)
    assert has_parallelogram(Line.of(places, range(len(places)), Exact())) == expected
    assert has_parallelogram(Line.of(places, range(len(places)), Dyadic(64))) == expected


@pytest.mark.parametrize("places", [range(4), range(6), [0, 1, 3, 4], [-2, -1, 1, 2]])
def test_a_break_removes_them_and_merges_nothing(places):
    line = Line.of(places, range(len(places)), Exact())
    assert has_parallelogram(line)
    fold = breaking_fold(line)
    after = line.after(fold)
    assert len(after.clusters) == len(line.clusters)
    assert not has_parallelogram(after)
    assert (fold.shift, fold.scale, fold.u1) == (0, 1, 1)  # SP((p, 1)), read along (1, t)


def test_in_balls_too():
    line = Line.of(range(5), range(5), Dyadic(128))
    with line.arithmetic.work():
        after = line.after(breaking_fold(line))
        assert not has_parallelogram(after)


def test_no_break_at_hopeless_precision():
    with pytest.raises(UndecidedError, match="directions"):
        breaking_fold(Line.of([0, 1000, 1001, 2001], range(4), Dyadic(26)), tries=3)


def test_small_rationals_are_all_different():
    first = list(itertools.islice(small_rationals(), 60))
    assert [x * 6 for x in first[:5]] == [0, 3, -3, 2, -2]
    assert len(set(first)) == 60
    assert all(abs(x) < 1 and gcd(int(x.p), int(x.q)) == 1 for x in first)


def test_candidates_never_end():
    line = Line.of([0, 1, 2], range(3), Exact())
    assert len(list(itertools.islice(breaking_folds(line), 300))) == 300
    assert len(list(itertools.islice(breaking_folds(Line.of([0], [0], Exact())), 5))) == 5
