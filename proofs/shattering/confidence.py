"""What a random sample of labelings shows, and what it does not."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from flint import arb, ctx, fmpq

from constructions.errors import InputError

_BITS = 128
_STEPS = 40


def clopper_pearson_lower(successes: int, trials: int, confidence: Fraction) -> Fraction:
    """The one-sided Clopper-Pearson lower confidence bound on a proportion, rounded down.

    It is the p at which as many successes or more have probability 1 − confidence; for any smaller proportion they are
    less likely still. With successes only it is (1 − confidence)^(1/trials). Computed with ball arithmetic.

    Args:
        successes, trials: counts, 0 ≤ successes ≤ trials, trials ≥ 1.
        confidence: strictly between 0 and 1.

    Raises:
        InputError: counts or confidence out of range.

    >>> float(clopper_pearson_lower(1000, 1000, Fraction(99, 100))) <= 0.01 ** (1 / 1000)
    True
    """
    if trials < 1 or not 0 <= successes <= trials:
        raise InputError(f"Expected 0 ≤ successes ≤ trials and trials ≥ 1, not {successes} of {trials}.")
    if not 0 < confidence < 1:
        raise InputError(f"Argument 'confidence' must be strictly between 0 and 1, not {confidence}.")
    if successes == 0:
        return Fraction(0)
    with ctx.workprec(_BITS):
        risk = arb(fmpq(confidence.denominator - confidence.numerator, confidence.denominator))
        low, high = Fraction(0), Fraction(1)
        for _ in range(_STEPS):
            middle = (low + high) / 2
            if _at_least(successes, trials, middle) < risk:  # surely: the bound is at least here
                low = middle
            else:
                high = middle
    return low


def _at_least(successes: int, trials: int, p: Fraction) -> arb:
    """P(X ≥ successes) for X binomial with proportion p in (0, 1), summed over the failures."""
    ratio = arb(fmpq(p.denominator - p.numerator, p.numerator))
    term = arb(fmpq(p.numerator, p.denominator)) ** trials
    total = term
    for failures in range(1, trials - successes + 1):
        term = term * ratio * (trials - failures + 1) / failures
        total = total + term
    return total


def confidence_statement(
    realised: int, trials: int, points: int, classes: int, depth: int, confidence: Fraction, seed: int
) -> str:
    """What a sample shows, in words that say no more than is true.

    Args:
        realised: how many of the drawn labelings were certified.
        trials: how many were drawn.
        points, classes, depth: m, K and L.
        confidence: strictly between 0 and 1.
        seed: of the drawing.
    """
    bound = clopper_pearson_lower(realised, trials, confidence)
    percent = floor(bound * 10**8) / 10**6
    level = f"{float(confidence * 100):g}%"
    return (
        f"{trials:,} labelings were drawn uniformly and independently from the {classes}^{points}, with replacement, "
        f"by numpy's PCG64 with seed {seed}; {realised:,} of them have a network of depth exactly {depth} that was "
        f"built and certified, each by proof. Hence, taking these numbers for random: with {level} confidence "
        f"(one-sided, Clopper-Pearson), at least {percent:.6f}% of all {classes}^{points} labelings have such a "
        "network. The confidence is in the drawing alone. This does not show that the points are shattered, which "
        "takes every single labelling: it gives no lower bound on the VC dimension, and it says nothing about any "
        "labelling that was not drawn."
    )
