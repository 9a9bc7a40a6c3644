"""Labelled point sets that are meant to hurt."""

from fractions import Fraction

from hypothesis import strategies as st

from constructions.points import LabeledPoints

TINY, HUGE = Fraction(1, 10**300), Fraction(10**300)

small = st.integers(-4, 4).map(Fraction)
ratios = st.fractions(min_value=-3, max_value=3, max_denominator=12)
floats = st.floats(-1e6, 1e6, allow_nan=False).map(Fraction)
extreme = st.sampled_from(
    [Fraction(0), TINY, -TINY, 2 * TINY, HUGE, -HUGE, HUGE + 1, Fraction(1, 3), 1 + TINY, Fraction(1)]
)


@st.composite
def near_collinear(draw, d, m):
    """Points on a line but for deviations of 2^-200."""
    start, step = (draw(st.lists(small, min_size=d, max_size=d)) for _ in range(2))
    step[0] += 9  # never zero
    rows = []
    for _ in range(m):
        t = draw(ratios)
        bend = draw(st.integers(-1, 1))
        rows.append([a + t * b + Fraction(bend * (k % 2), 2**200) for k, (a, b) in enumerate(zip(start, step))])
    return rows


@st.composite
def clustered(draw, d, m):
    """Points in a few clusters of relative size 1e-300, or 2^-60."""
    centres = draw(st.lists(st.lists(ratios, min_size=d, max_size=d), min_size=1, max_size=3))
    width = draw(st.sampled_from([TINY, Fraction(1, 2**60)]))
    rows = []
    for _ in range(m):
        centre = draw(st.sampled_from(centres))
        rows.append([x + width * draw(st.integers(-2, 2)) for x in centre])
    return rows


@st.composite
def hostile_points(draw, max_points=7, max_dimension=8, max_classes=5):
    """A `LabeledPoints` of 1..max_points points in R^1..R^max_dimension with 1..max_classes classes."""
    d, m = draw(st.integers(1, max_dimension)), draw(st.integers(1, max_points))
    plain = [
        st.lists(st.lists(x, min_size=d, max_size=d), min_size=m, max_size=m) for x in (small, ratios, floats, extreme)
    ]
    rows = draw(st.one_of(*plain, near_collinear(d, m), clustered(d, m)))
    classes = draw(st.integers(1, max_classes))
    distinct = list(dict.fromkeys(map(tuple, rows)))
    labels = draw(st.lists(st.integers(0, classes - 1), min_size=len(distinct), max_size=len(distinct)))
    return LabeledPoints.of(distinct, labels)
