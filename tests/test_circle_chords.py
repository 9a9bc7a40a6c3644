import itertools

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions.arithmetic import FLOAT32, FLOAT64, Dyadic, Exact, Mpf
from constructions.circle_chords import chord_layers, chord_network, interval_fold, lower_with_chords
from constructions.errors import InputError
from constructions.line import Line
from constructions.points import LabeledPoints
from constructions.projection_merge import merging_fold
from proofs.checker import check
from proofs.checker_mpmath import check_with_mpmath


def changes(labels):
    return sum(a != b for a, b in itertools.pairwise(labels))


@st.composite
def lines(draw, most=5):
    """Points on a line with at most so many runs of equal labels, in any order."""
    runs = draw(st.integers(1, most))
    sizes = draw(st.lists(st.integers(1, 3), min_size=runs, max_size=runs))
    first = draw(st.integers(0, 1))
    labels = [(first + k) % 2 for k, size in enumerate(sizes) for _ in range(size)]
    count = len(labels)
    positions = draw(st.lists(st.fractions(-50, 50, max_denominator=9), min_size=count, max_size=count, unique=True))
    order = draw(st.permutations(range(count)))
    positions.sort()
    return LabeledPoints.of([positions[k] for k in order], [labels[k] for k in order]), runs


@given(lines(), st.sampled_from([Dyadic(96), Exact(), Mpf(96)]))
def test_up_to_four_changes_need_two_layers(case, arithmetic):
    points, runs = case
    net = chord_network(points, arithmetic=arithmetic)
    assert net.depth == {1: 0, 2: 0, 3: 1, 4: 2, 5: 2}[runs]
    assert net.width == (3 if net.depth else 0)
    assert check(net, points).outcome == "certified"
    assert check_with_mpmath(net, points).outcome == "certified"


@pytest.mark.parametrize("arithmetic", [Dyadic(64), FLOAT64, FLOAT32, Exact()], ids=lambda a: a.name)
def test_two_layers_shatter_five_points(arithmetic):
    for labels in itertools.product((0, 1), repeat=5):
        points = LabeledPoints.of(range(5), labels)
        net = chord_network(points, arithmetic=arithmetic)
        verdict = check(net, points)
        assert verdict.outcome == "certified"
        assert net.semantics == arithmetic.semantics
        if len(set(labels)) == 2:
            wrong = points.relabel([1 - labels[0], *labels[1:]])
            assert check(net, wrong).outcome == "refuted"


def test_margins_of_five_even_points():
    """The chords are placed with care: each of the 32 labelings has a margin above 1/20."""
    for labels in itertools.product((0, 1), repeat=5):
        if len(set(labels)) == 2:
            points = LabeledPoints.of(range(5), labels)
            assert check(chord_network(points, arithmetic=Dyadic(64)), points).margin > fmpq(1, 20)


def test_six_runs_are_refused():
    with pytest.raises(InputError, match="three to five runs"):
        chord_network(LabeledPoints.of(range(6), list("ababab")))
    with pytest.raises(InputError, match="two classes"):
        chord_network(LabeledPoints.of(range(3), list("abc")))


def test_after_a_fold():
    """Six runs, one fold, then two chords: the fold brings 0 and 2 together."""
    points = LabeledPoints.of(range(6), list("ababab"))
    arithmetic = Dyadic(96)
    with arithmetic.work():
        line = Line.of([fmpq(k) for k in range(6)], points.labels, arithmetic)
        fold = merging_fold(arithmetic, line.clusters[0].position, line.clusters[2].position)
        folded = line.after(fold, merging=(0, 2))
        assert folded.runs == 5
        net = lower_with_chords((fmpq(1),), [fold], folded, points.classes)
    assert (net.depth, net.width) == (3, 3)
    assert check(net, points).outcome == "certified"


def test_along_a_direction():
    points = LabeledPoints.of([[0, 0], [1, 0], [1, 1], [2, 1], [3, 3]], list("ababa"))
    net = chord_network(points, direction=(1, 2), arithmetic=Dyadic(64))
    assert net.dimension == 2
    assert check(net, points).outcome == "certified"


def test_scales_and_clusters():
    """Gaps from 10^-12 to 10^12, where floating point that chooses the lift resolves nothing or overflows."""
    for scale in (fmpq(1, 10**30), fmpq(10) ** 400):
        positions = [scale * x for x in (0, fmpq(1, 10**12), 1, 1 + fmpq(1, 10**12), 10**12)]
        points = LabeledPoints.of(positions, list("ababa"))
        assert check(chord_network(points, arithmetic=Dyadic(400)), points).outcome == "certified"
        assert check(chord_network(points, arithmetic=Exact()), points).outcome == "certified"


def test_the_pieces_say_what_they_need():
    line = Line.of([fmpq(0), fmpq(1)], (0, 1), Exact())
    with pytest.raises(InputError, match="three runs"):
        interval_fold(line)
    with pytest.raises(InputError, match="three to five"):
        chord_layers(line, (0, 1))


def test_three_runs_by_chords_too():
    """The two chords may coincide: then the AND or OR is a single half-plane."""
    points = LabeledPoints.of(range(3), (0, 1, 0))
    arithmetic = Dyadic(64)
    from constructions.lowering import lower

    with arithmetic.work():
        line = Line.of([fmpq(k) for k in range(3)], points.labels, arithmetic)
        net = lower((fmpq(1),), (), line, (0, 1), tail=chord_layers(line, (0, 1)))
    assert net.depth == 2
    assert check(net, points).outcome == "certified"
