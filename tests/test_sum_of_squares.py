"""SSR and LSSR: by definition, by the eigenvalues of N⁻¹M, and by definiteness."""

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from hypothesis import assume, given
from hypothesis import strategies as st

from constructions.errors import EmptyInputError, InputError, LNNetError, NonFiniteError, ShapeError
from constructions.sum_of_squares import (
    LinearBound,
    as_samples,
    linear_bound,
    project_samples,
    sum_of_squares,
    sum_of_squares_ratio,
    two_classes,
)
from proofs.linear_bound_check import as_fmpq, check_linear_bound, eigenvalues, is_positive_semidefinite

XOR = [[0, 0], [1, 1]], [[0, 1], [1, 0]]
SMALL = st.integers(-4, 4)


@st.composite
def classes(draw, dimensions=(1, 2, 3), sizes=(1, 5)):
    d = draw(st.sampled_from(dimensions))
    row = st.tuples(*[SMALL] * d)
    first, second = (draw(st.lists(row, min_size=sizes[0], max_size=sizes[1])) for _ in range(2))
    assume(len({*first, *second}) > 1)
    return first, second


def _as_written(first, second):
    """Definition 1 with plain fractions."""

    def ss(rows):
        mean = [Fraction(sum(column), len(rows)) for column in zip(*rows, strict=True)]
        return sum((x - c) ** 2 for row in rows for x, c in zip(row, mean, strict=True))

    return (ss(first) + ss(second)) / ss([*first, *second])


@given(classes())
def test_ratio_is_the_definition_and_lies_in_the_unit_interval(data):
    ratio = sum_of_squares_ratio(*data)
    expected = _as_written(*data)
    assert (int(ratio.p), int(ratio.q)) == (expected.numerator, expected.denominator)
    assert 0 <= ratio <= 1


@given(classes())
def test_bound_passes_the_independent_check(data):
    check_linear_bound(*data, linear_bound(*data))


@given(classes(), st.lists(st.lists(SMALL, min_size=3, max_size=3), min_size=1, max_size=3), SMALL)
def test_no_linear_map_is_below_the_bound(data, matrix, shift):
    images = [
        [[sum(w * x for w, x in zip(row, sample, strict=False)) + shift for row in matrix] for sample in part]
        for part in data
    ]
    assume(sum_of_squares(images[0] + images[1]) > 0)
    assert sum_of_squares_ratio(*images) >= linear_bound(*data).value


@given(classes(dimensions=(2, 3), sizes=(2, 5)))
def test_bound_is_the_least_eigenvalue_and_the_others_are_one(data):
    bound = linear_bound(*data)
    assume(bound.rank == bound.total.nrows())
    values = eigenvalues(bound.within, bound.total)
    assert all(value.is_Rational for value in values)
    assert as_fmpq(values[0]) == bound.value
    assert values[1:] == [1] * (len(values) - 1)


def test_bound_agrees_with_a_floating_point_eigenvalue_solver():
    generator = np.random.default_rng(1)
    first, second = generator.normal(size=(40, 5)), generator.normal(size=(25, 5)) + 0.5
    together = np.concatenate([first, second])
    m = sum((part - part.mean(axis=0)).T @ (part - part.mean(axis=0)) for part in (first, second))
    n = (together - together.mean(axis=0)).T @ (together - together.mean(axis=0))
    value = linear_bound(first, second).value
    assert min(np.linalg.eigvals(np.linalg.solve(n, m)).real) == pytest.approx(int(value.p) / int(value.q), rel=1e-9)


def test_xor_has_bound_one_and_no_unique_direction():
    bound = linear_bound(*XOR)
    assert (bound.value, bound.unique, bound.rank) == (1, False, 2)


def test_singular_scatter_is_no_obstacle():
    # The second coordinate doubles the first, so N is singular; the bound is that of the first coordinate alone.
    first, second = [[0, 0], [1, 2], [5, 10]], [[3, 6], [9, 18]]
    bound = linear_bound(first, second)
    assert bound.rank == 1
    assert bound.value == linear_bound([0, 1, 5], [3, 9]).value == sum_of_squares_ratio([0, 1, 5], [3, 9])
    assert bound.unique
    with pytest.raises(InputError, match="singular"):
        eigenvalues(bound.within, bound.total)


def test_separable_by_a_coordinate_means_bound_zero():
    assert linear_bound([[0, 5], [0, 7]], [[1, -3], [1, 100]]).value == 0


@pytest.mark.parametrize("change", [fmpq(1, 1000), fmpq(-1, 1000)])
def test_wrong_bounds_are_rejected(change):
    data = [[0, 0], [1, 2], [4, 1]], [[3, 3], [5, 0]]
    bound = linear_bound(*data)
    wrong = LinearBound(bound.value + change, bound.direction, bound.within, bound.total, bound.rank, True)
    with pytest.raises(LNNetError):
        check_linear_bound(*data, wrong)


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ((2, -1, -1, 2), True),
        ((1, 2, 2, 1), False),
        ((0, 0, 0, 0), True),
        ((0, 1, 1, 0), False),
        ((-1, 0, 0, 1), False),
    ],
)
def test_semidefiniteness(entries, expected):
    assert is_positive_semidefinite(fmpq_mat(2, 2, list(entries))) is expected


@given(st.lists(st.lists(SMALL, min_size=3, max_size=3), min_size=1, max_size=3))
def test_gram_matrices_are_semidefinite_and_their_negatives_are_not(rows):
    gram = fmpq_mat(3, len(rows), [x for column in zip(*rows, strict=True) for x in column])
    square = gram * gram.transpose()
    assert is_positive_semidefinite(square)
    if any(x != 0 for x in square.entries()):
        assert not is_positive_semidefinite(-square)


def test_samples_are_exact_and_keep_repetitions():
    samples = as_samples([["0.1", "1/3"], ["0.1", "1/3"]])
    assert samples == ((fmpq(1, 10), fmpq(1, 3)),) * 2
    assert as_samples(np.array([1.5, 2.0])) == ((fmpq(3, 2),), (fmpq(2),))
    assert project_samples(samples, (10, 3)) == (2, 2)


def test_unusable_input():
    with pytest.raises(InputError, match="all samples coincide"):
        sum_of_squares_ratio([[1, 2]], [[1, 2]])
    with pytest.raises(InputError, match="all samples coincide"):
        linear_bound([[1, 2]], [[1, 2]])
    with pytest.raises(ShapeError):
        linear_bound([[1, 2]], [[1]])
    with pytest.raises(ShapeError):
        as_samples([[1, 2], [1]])
    with pytest.raises(EmptyInputError):
        as_samples([])
    with pytest.raises(NonFiniteError):
        as_samples([[float("nan")]])
    with pytest.raises(InputError, match="two classes, not 3"):
        two_classes([[0], [1], [2]], ["a", "b", "c"])
    assert two_classes([[0], [1], [2]], ["b", "a", "b"]) == (((1,),), ((0,), (2,)), ("a", "b"))
