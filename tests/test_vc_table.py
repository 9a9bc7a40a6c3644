from math import comb, log2
from pathlib import Path

import pytest

from constructions.errors import InputError
from proofs.vc_table import entry, upper_bound, vc_table

DOCS = Path(__file__).parents[1] / "docs" / "vc_table.md"


def test_more_than_the_paper():
    """Corollary 3 is beaten everywhere, and 2L + 2d − 1 is reached."""
    for row in vc_table():
        assert row.paper == row.depth + 2
        assert row.found > row.paper or (row.depth, row.dimension) == (1, 1)
        assert row.best >= 2 * row.depth + 2 * row.dimension - 1
        assert row.proved <= row.upper
        assert row.found <= row.upper


def test_a_deeper_or_wider_cell_is_never_worse():
    table = {(row.depth, row.dimension): row.best for row in vc_table()}
    for (depth, d), best in table.items():
        assert best <= table.get((depth + 1, d), best)
        assert best <= table.get((depth, d + 1), best)


def test_exact_values_on_the_line():
    assert [(row.best, row.upper, row.exact) for row in vc_table([1, 2, 3], [1])] == [
        (3, 3, True),
        (5, 5, True),
        (9, 9, True),
    ]
    assert not entry(4, 1).exact


@pytest.mark.parametrize("d", [2, 3, 4])
def test_upper_bound_for_depth_1(d):
    """The last m that the counting inequality allows, in logarithms."""

    def allows(m):
        splits = 2 * sum(comb(m - 1, i) for i in range(d + 1))
        return m <= log2(splits) + log2(splits + 1)

    bound = upper_bound(1, d)
    assert allows(bound)
    assert not any(allows(m) for m in range(bound + 1, bound + 400))


@pytest.mark.parametrize(("depth", "d"), [(2, 2), (3, 2), (6, 4), (4, 3), (10, 2)])
def test_upper_bound_for_more_layers(depth, d):
    """The first m that one of the two counts of labelings, in logarithms, rules out."""

    def warren(n, degree, k):
        return 1 + k * log2(2 * degree) + log2(sum(comb(n, i) * 2**i for i in range(k + 1)))

    def allows(m):
        pairs = comb(m, 2)
        orders = log2(1 + pairs + comb(pairs, 2)) if d == 2 else warren(pairs, 2, 2 * d - 2)
        by_changes = orders + 1 + log2(sum(comb(m - 1, i) for i in range(2**depth + 1)))
        by_parameters = 3 + warren(2 * m, depth * 2 ** (depth - 1), 2 * d + 4 * (depth - 1))
        return m <= min(by_changes, by_parameters)

    bound = upper_bound(depth, d)
    assert allows(bound)
    assert not any(allows(m) for m in range(bound + 1, bound + 200))


def test_bad_input():
    for arguments in ((0, 1), (1, 0)):
        with pytest.raises(InputError, match="at least 1"):
            upper_bound(*arguments)


def test_the_page_shows_this_table():
    rows = [line for line in DOCS.read_text(encoding="utf-8").splitlines() if line.startswith("| **")]
    shown = []
    for line in rows:
        depth, *cells = (cell.strip(" *") for cell in line.strip("|").split("|"))
        shown.append((int(depth), int(cells[0]), [tuple(map(int, cell.split(" to "))) for cell in cells[1:]]))
    expected = []
    for depth in range(1, 7):
        cells = [entry(depth, d) for d in range(1, 5)]
        numbers = [(c.best,) if c.exact else (c.best, c.upper) for c in cells]
        expected.append((depth, depth + 2, numbers))
    assert shown == expected
