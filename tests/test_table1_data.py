"""Figure A1's data: seeded, exact, of the kinds described."""

import pytest
from flint import fmpq

from constructions.errors import InputError
from constructions.sum_of_squares import linear_bound, mean
from constructions.table1_data import REGIMES, SIZE, table1_samples
from proofs.claims.table_i import _bound, _with_ratio


@pytest.mark.parametrize("regime", REGIMES, ids=lambda r: r.key)
def test_samples_are_seeded_and_complete(regime):
    first, second = table1_samples(regime.key, seed=5)
    assert (first, second) == table1_samples(regime.key, seed=5)
    assert (first, second) != table1_samples(regime.key, seed=6)
    assert len(first) == len(second) == SIZE
    assert all(x.q <= 1000 for row in first + second for x in row)
    for part, centre in zip((first, second), regime.centres or ((0.5, 0.5), (0.5, 0.5)), strict=True):
        assert all(abs(m - fmpq(round(10 * c), 10)) < 1 for m, c in zip(mean(part), centre, strict=True))


def test_xor_lies_on_the_two_diagonals():
    first, second = table1_samples("a")
    assert set(first) == {(0, 0), (1, 1)}
    assert set(second) == {(0, 1), (1, 0)}


def test_unknown_letters_are_named():
    with pytest.raises(InputError, match="'e'"):
        table1_samples("e")


@pytest.mark.parametrize(("n1", "n2"), [(1, 2), (100, 140), (128, 128), (200, 3)])
def test_closed_form_of_row_a(n1, n2):
    first = [[1, 1]] * n1 + [[0, 0]] * (SIZE - n1)
    second = [[1, 0]] * n2 + [[0, 1]] * (SIZE - n2)
    assert _bound(n1, n2) == linear_bound(first, second).value


def test_row_a_search_finds_a_sample_that_is_there():
    # n1 = 116, n2 = 118 has SSR 0.9963 (by the definition, below), so the search must return it.
    s1, s2 = 116 * 140, 118 * 138
    within, between = 4 * (s1 + s2), 2**2 + (116 + 118 - 256) ** 2
    assert abs(fmpq(within, within + between) - fmpq(9963, 10000)) <= fmpq(1, 20000)
    assert (116, 118) in {(a, b) for a, b, _ in _with_ratio(fmpq(9963, 10000))}
