"""LabeledPoints: every kind of input, every error."""

import enum
from collections import namedtuple
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions.errors import (
    ConflictingLabelsError,
    EmptyInputError,
    InputError,
    LNNetError,
    NonFiniteError,
    ShapeError,
)
from constructions.points import LabeledPoints

Colour = enum.Enum("Colour", "RED GREEN")
Pair = namedtuple("Pair", "x y")
HALVES = ((fmpq(1, 2), fmpq(0)), (fmpq(0), fmpq(1, 2)))


@pytest.mark.parametrize(
    "points",
    [
        [[0.5, 0], [0, 0.5]],
        [("1/2", "0"), ("0.0", "5e-1")],
        [[Fraction(1, 2), 0], [0, Fraction(1, 2)]],
        [[Decimal("0.5"), 0], [0, Decimal("0.5")]],
        (Pair(0.5, 0), Pair(0, 0.5)),
        iter([[0.5, 0], [0, 0.5]]),
        np.array([[0.5, 0], [0, 0.5]]),
        np.array([[0.5, 0], [0, 0.5]], dtype=np.float16),
        np.array([["1/2", "0"], ["0", "0.5"]]),
        np.array([[Fraction(1, 2), 0], [0, Fraction(1, 2)]], dtype=object),
        np.ma.array([[0.5, 0], [0, 0.5]]),
        pd.DataFrame({"a": [0.5, 0], "b": [0, 0.5]}),
        pd.DataFrame({"a": [Decimal("0.5"), 0], "b": [0, "1/2"]}),
    ],
    ids=lambda points: type(points).__name__,  # not what it prints: an iterator prints its address
)
def test_every_kind_of_points(points):
    labelled = LabeledPoints.of(points, [1, 0])
    assert labelled.points == HALVES
    assert labelled.labels == (1, 0)
    assert labelled.dimension == 2


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.float32, np.float64, np.longdouble, bool, object])
def test_every_dtype(dtype):
    assert LabeledPoints.of(np.array([[1, 0], [0, 1]], dtype), [0, 1]).points == ((1, 0), (0, 1))


@pytest.mark.parametrize(
    "line", [[0, "1/2"], np.array([0, 0.5]), pd.Series([0, 0.5]), ("0", 0.5), range(1), np.float64([0, 1])]
)
def test_points_on_the_line_need_no_brackets(line):
    assert LabeledPoints.of(line, list(range(len(line)))).dimension == 1


@pytest.mark.parametrize(
    "labels",
    [
        ["b", "a"],
        [True, False],
        [None, "x"],
        [(1, 2), (3, 4)],
        [Colour.RED, Colour.GREEN],
        [1, "1"],
        [frozenset({1}), frozenset()],
        [Decimal("0.1"), Fraction(1, 3)],
        np.array([3, 7]),
        np.array(["x", "y"]),
        pd.Series(["x", "y"]),
        pd.Series(["x", "y"], dtype="category"),
        np.array([[3], [7]]),
    ],
    ids=str,
)
def test_any_hashable_labels(labels):
    labelled = LabeledPoints.of([[0], [1]], labels)
    assert len(labelled.classes) == 2
    assert set(labelled.classes) == set(labelled.labels)


def test_numpy_labels_become_plain_python():
    assert [type(x) for x in LabeledPoints.of([0, 1], np.array([3, 7])).labels] == [int, int]
    assert [type(x) for x in LabeledPoints.of([0, 1], np.array(["a", "b"])).labels] == [str, str]


def test_classes_are_sorted_where_possible_else_by_appearance():
    assert LabeledPoints.of([0, 1, 2], [5, 3, 5]).classes == (3, 5)
    assert LabeledPoints.of([0, 1, 2], ["b", 1, "b"]).classes == ("b", 1)


def test_equal_points_collapse():
    labelled = LabeledPoints.of([[0.5], ["1/2"], [1], [Decimal("0.5")]], ["a", "a", "b", "a"])
    assert len(labelled) == 2
    assert labelled.indices == (0, 2)
    assert labelled.labels == ("a", "b")


def test_equal_points_with_different_labels_name_the_indices():
    with pytest.raises(ConflictingLabelsError) as caught:
        LabeledPoints.of([[0], [0.5], [2], ["1/2"]], ["w", "x", "y", "z"])
    assert (caught.value.first, caught.value.second) == (1, 3)
    assert "1 and 3" in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_a_decimal_is_not_its_double():
    assert len(LabeledPoints.of([["0.1"], [0.1]], [0, 1])) == 2


@pytest.mark.parametrize(
    ("points", "labels", "error"),
    [
        ([], [], EmptyInputError),
        ([[]], [0], EmptyInputError),
        (np.zeros((0, 3)), [], EmptyInputError),
        ([[1], [1, 2]], [0, 1], ShapeError),
        ([[1], [2]], [0], ShapeError),
        ([[1]], [0, 1], ShapeError),
        (np.zeros((2, 2, 2)), [0, 1], ShapeError),
        ([[float("nan")]], [0], NonFiniteError),
        (np.array([[1.0, np.inf]]), [0], NonFiniteError),
        ([["x"]], [0], NonFiniteError),
        ([[""]], [0], NonFiniteError),
        (np.ma.array([[1, 2]], mask=[[0, 1]]), [0], NonFiniteError),
        ([[None]], [0], InputError),
        ([[1j]], [0], InputError),
        ([[[1]]], [0], InputError),
        ([b"12"], [0], InputError),
        ("12", [0], InputError),
        (b"12", [0], InputError),
        (3, [0], InputError),
        (None, [0], InputError),
        ([{1, 2}], [0], InputError),
        ([{"x": 1}], [0], InputError),
        ({0: [1]}, [0], InputError),
        ({(1, 2)}, [0], InputError),
        ([[1]], None, InputError),
        ([[1]], "a", InputError),
        ([[1]], [[1]], InputError),
        ([[1]], [{}], InputError),
        ([[1]], [float("nan")], InputError),
        ([[1]], [Decimal("NaN")], InputError),
        ([[1]], [Decimal("sNaN")], InputError),
        ([[1]], [pd.NA], InputError),
        ([[1], [2]], {0, 1}, InputError),
        ([[1], [2]], {0: 1, 1: 2}, InputError),
        ([[1], [2]], np.eye(2), InputError),
        ([[1]], np.ma.array([1], mask=[1]), InputError),
    ],
    ids=repr,
)
def test_every_error(points, labels, error):
    with pytest.raises(error) as caught:
        LabeledPoints.of(points, labels)
    assert isinstance(caught.value, LNNetError)
    assert len(str(caught.value)) > 15


def test_an_error_names_the_point():
    with pytest.raises(NonFiniteError, match="Point 2"):
        LabeledPoints.of([[1], [2], ["nan"]], [0, 1, 0])


def test_labelled_points_are_not_relabelled_by_accident():
    labelled = LabeledPoints.of([0, 1], [0, 1])
    with pytest.raises(InputError, match="not a LabeledPoints"):
        LabeledPoints.of(labelled, [0, 1])


def test_one_point_of_one_class_and_many_dimensions():
    assert LabeledPoints.of([[7]], ["only"]).classes == ("only",)
    assert LabeledPoints.of([[0] * 3000], [0]).dimension == 3000


def test_relabel():
    labelled = LabeledPoints.of([0, 1, 1], ["a", "b", "b"])
    assert labelled.relabel([1, 2]).labels == (1, 2)
    assert labelled.labels == ("a", "b")
    with pytest.raises(ShapeError, match="one a distinct point"):
        labelled.relabel([1, 2, 3])


def test_values_do_not_change():
    labelled = LabeledPoints.of([0, 1], [0, 1])
    with pytest.raises(AttributeError):
        labelled.labels = (1, 1)  # type: ignore[misc]


vectors = st.lists(st.fractions(max_denominator=99), min_size=3, max_size=3)


@given(st.lists(vectors, min_size=1, max_size=5), vectors)
def test_projection_is_the_exact_scalar_product(rows, direction):
    labelled = LabeledPoints.of(rows, [0] * len(rows))
    distinct = list(dict.fromkeys(map(tuple, rows)))
    expected = [sum(a * b for a, b in zip(row, direction, strict=True)) for row in distinct]
    found = labelled.project([fmpq(x.numerator, x.denominator) for x in direction])
    assert [Fraction(int(x.p), int(x.q)) for x in found] == expected
