"""Positions on the line: exact, in order, near [0, 1], and inside their enclosures."""

import itertools

from flint import fmpq
from hypothesis import given
from strategies import hostile_points

from constructions.rational import is_dyadic, scale_binary, to_rational
from proofs.shattering.placement import place


@given(hostile_points(max_points=6, max_dimension=4, max_classes=1))
def test_enclosures_contain_the_positions_of_the_placement(points):
    placement = place(points)
    assert sorted(placement.order) == list(range(len(points)))
    exact = [
        scale_binary(sum((w * x for w, x in zip(placement.direction, points.points[k])), fmpq(0)), -placement.exponent)
        - placement.origin
        for k in placement.order
    ]
    assert all(a < b for a, b in itertools.pairwise(exact))
    for position, low, high in zip(exact, placement.lower, placement.upper, strict=True):
        assert to_rational(float(low)) <= position <= to_rational(float(high))
        assert -(2**-50) <= low <= high <= 1 + 2**-50
        assert high - low <= 2.0**-52
    assert is_dyadic(placement.origin)
    assert all(is_dyadic(x) for x in placement.direction)
    if len(points) > 1:
        assert exact[-1] - exact[0] >= fmpq(1, 4)


def test_floats_that_are_exact_have_no_width():
    from constructions.points import LabeledPoints

    placement = place(LabeledPoints.of([3, 5, 4, "9/2"], [0] * 4))
    assert (placement.lower == placement.upper).all()
    assert placement.order == (0, 2, 3, 1)
