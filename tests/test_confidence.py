"""The Clopper-Pearson bound against scipy and against its definition, and the words of the statement."""

from fractions import Fraction

import pytest
from scipy import stats

from constructions.errors import InputError
from proofs.shattering.confidence import clopper_pearson_lower, confidence_statement


@pytest.mark.parametrize(
    ("successes", "trials", "confidence"),
    [(1, 1, "0.9"), (10, 10, "0.99"), (997, 1000, "0.95"), (3, 50, "0.999"), (5000, 5000, "0.99")],
)
def test_the_bound_is_the_beta_quantile(successes, trials, confidence):
    exact = Fraction(confidence)
    bound = clopper_pearson_lower(successes, trials, exact)
    assert float(bound) == pytest.approx(stats.beta.ppf(float(1 - exact), successes, trials - successes + 1), abs=2e-11)


def test_the_bound_by_its_definition():
    """Were the proportion at the bound or below, 2 of 3 or more would be less likely than 1/10: 3p² − 2p³ = 1/10."""
    bound = clopper_pearson_lower(2, 3, Fraction(9, 10))

    def at_least_two(p):
        return 3 * p**2 - 2 * p**3

    assert at_least_two(bound) <= Fraction(1, 10) < at_least_two(bound + Fraction(1, 2**39))


def test_no_success_shows_nothing():
    assert clopper_pearson_lower(0, 10, Fraction(1, 2)) == 0


@pytest.mark.parametrize(
    ("successes", "trials", "confidence"), [(2, 1, "0.9"), (-1, 1, "0.9"), (0, 0, "0.9"), (1, 1, "1"), (1, 1, "0")]
)
def test_impossible_arguments(successes, trials, confidence):
    with pytest.raises(InputError):
        clopper_pearson_lower(successes, trials, Fraction(confidence))


def test_the_statement_says_what_it_does_not_show():
    text = confidence_statement(1000, 1000, 40, 2, 38, Fraction(99, 100), 7)
    assert "99.540541%" in text  # 0.01^(1/1000), rounded down
    for words in (
        "1,000 labelings",
        "2^40",
        "seed 7",
        "depth exactly 38",
        "does not show that the points are shattered",
    ):
        assert words in text
    assert "any labelling that was not drawn" in text
