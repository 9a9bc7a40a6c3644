"""Folds on charts: gaps too narrow for floats stay closed, nothing is laid beyond a chart, and networks are right."""

import random

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from constructions import chart_folds, run_folding
from constructions.arithmetic import Dyadic
from constructions.chart_folds import WHOLE, Section, _ChartPrices, _outline, fold_on_charts
from constructions.fold_costs import USELESS, Prices
from constructions.fold_search import Budget, best_folds
from constructions.found_folds import Chart, as_fold, in_floats
from constructions.line import Line
from constructions.points import LabeledPoints
from constructions.run_folding import fold_runs, lower_runs
from constructions.trial_folds import Folds, images
from proofs.checker import check
from proofs.checker_mpmath import check_with_mpmath


def scattered(count, classes, seed):
    generator = random.Random(seed)
    places = [fmpq(generator.randrange(10**12), 10**12) for _ in range(count)]
    return places, [generator.randrange(classes) for _ in places]


@given(st.integers(0, 100), st.booleans(), st.floats(0.01, 0.9), st.floats(-3, 3), st.floats(0.1, 4))
def test_a_fold_of_a_chart_does_to_its_clusters_what_the_chart_says(seed, right, apex, kappa, bend):
    arithmetic = Dyadic(256)
    with arithmetic.work():
        line = Line.of(*scattered(40, 3, seed), arithmetic)
        numbers = range(39, 19, -1) if right else range(20)
        chart = Chart.of(line, numbers)
        assert chart.places[0] == 0
        assert chart.places[-1] == pytest.approx(1)
        assert (np.diff(chart.places) > 0).all()
        folds = Folds.free(*(np.array([x]) for x in (apex, kappa, bend)))
        fold = as_fold(folds, 0, line, chart)
        assert fold.scale > 0
        mapped = fold.mapping(arithmetic)
        seen = np.array([float(mapped(line.clusters[k].position).mid()) for k in numbers])
    expected = 1 - images(chart.places, folds)[0]  # cos δ, up to a positive factor
    scale = seen @ expected / (expected @ expected)
    assert scale > 0
    assert np.allclose(seen, scale * expected, atol=1e-9)


@given(st.integers(0, 20), st.booleans(), st.sampled_from([40, 10**4]))
def test_the_outline_has_the_ends_of_runs_and_some_between(seed, right, most):
    arithmetic = Dyadic(64)
    generator = random.Random(seed)
    labels = [k for k in range(100) for _ in range(generator.randrange(1, 60))]
    with arithmetic.work():
        numbers, whole = _outline(
            Line.of([fmpq(k) for k in range(len(labels))], labels, arithmetic), Section(right, most)
        )
    assert numbers == sorted(set(numbers), reverse=right)
    assert numbers[0] == (len(labels) - 1 if right else 0)
    shown = {labels[k] for k in numbers}
    assert whole == (len(shown) == 100) == (most > 40)
    for name in shown:
        members = [k for k, label in enumerate(labels) if label == name]
        found = [k for k in numbers if labels[k] == name]
        assert {members[0], members[-1]} <= set(found)
        assert len(found) == min(20, len(members))
    before = [k for k in numbers if labels[k] != labels[numbers[-1]]]
    assert len(before) < most


def test_a_fold_beyond_the_chart_is_useless_unless_the_chart_shows_all():
    places, labels = np.linspace(0, 1, 9), np.array([0, 1, 2] * 3)
    near, far = (Folds.free(*(np.array([x]) for x in (apex, 0.0, 1.0))) for apex in (0.3, 0.7))
    prices, loose = Prices(1000.0), np.zeros(8, dtype=bool)
    for folds, beyond in ((near, False), (far, True)):
        assert (_ChartPrices(prices, False, loose)(places, labels, folds)[0] >= USELESS) == beyond
        assert _ChartPrices(prices, True, loose)(places, labels, folds) == prices(places, labels, folds)


def test_a_fold_within_what_is_solid_is_useless():
    places, labels = np.linspace(0, 1, 9), np.array([0, 1, 2] * 3)
    solid = np.arange(8) == 2
    for gap in range(4):
        folds = Folds.free(*(np.array([x]) for x in ((gap + 0.5) / 8, 0.0, 1.0)))
        added = _ChartPrices(Prices(1000.0), True, solid)(places, labels, folds) - Prices(1000.0)(places, labels, folds)
        assert added == (USELESS if gap == 2 else 0)


@pytest.mark.parametrize("relative", [True, False])
def test_narrow_gaps_between_classes_are_widened_and_nothing_else(relative):
    tiny = fmpq(1, 2**40)
    arithmetic = Dyadic(128)
    places = [0, tiny, fmpq(1, 2), fmpq(1, 2) + tiny, fmpq(3, 4), fmpq(3, 4) + tiny, 1]
    with arithmetic.work():
        chart = Chart.of(Line.of(places, list("ababbba"), arithmetic))
    solid = chart.solid(relative, 2.0**-26)
    assert solid.tolist() == [not relative, False, True, False, True, False]
    spaced = chart.spaced(relative, 2.0**-26)
    gaps = np.diff(spaced.places)
    assert spaced.places[-1] == 1
    assert gaps[0] == pytest.approx(2.0**-40 if relative else 2.0**-26, rel=1e-6)
    assert gaps[2] == pytest.approx(2.0**-27 if relative else 2.0**-26, rel=1e-6)
    assert gaps[4] == pytest.approx(2.0**-40, rel=1e-3)  # between points of one class
    assert np.allclose(spaced.places, chart.places, atol=1e-7)


@pytest.mark.parametrize("seed", range(3))
def test_a_step_removes_runs_and_leaves_what_is_beyond_in_order(seed):
    arithmetic = Dyadic(512)
    charts = ((Section(False, 120), Section(True, 120)),)
    with arithmetic.work():
        line = Line.of(*scattered(300, 4, seed), arithmetic)
        after, _ = fold_on_charts(line, charts, Budget.at_ends(4), np.random.default_rng(seed), idle=False)
    assert after.runs < line.runs
    assert after.layer == 1
    old, new = ([c.source for c in some.clusters] for some in (line, after))
    beyond = [c.source for c in line.clusters[130:170]]  # neither chart shows the middle of 300 clusters
    order = [k for k in new if k in set(beyond)]
    assert order in (beyond, beyond[::-1])
    assert set(new) <= set(old)


@pytest.mark.parametrize("seed", range(3))
def test_gaps_that_floats_do_not_resolve_stay_closed_and_do_not_spoil_the_rest(seed):
    """Every sixth place has a neighbour of another class at a distance of 2^-60."""
    places, labels = scattered(120, 2, seed)
    twins = places[::6]
    places += [p + fmpq(1, 2**60) for p in twins]
    labels += [1 - k for k in labels[::6]]
    arithmetic = Dyadic(1024)
    with arithmetic.work():
        line = Line.of(places, labels, arithmetic)
        after, _ = fold_on_charts(line, WHOLE, Budget.on_chart(140, 2), np.random.default_rng(seed), idle=False)
        blind = best_folds(*in_floats(line), Budget.of(140, 2), np.random.default_rng(seed))[0]
    assert after.runs < line.runs
    order = [c.source for c in after.clusters]
    for number in range(len(twins)):
        assert abs(order.index(6 * number) - order.index(120 + number)) == 1
    assert not len(blind.apex)  # without a chart nothing is found


@pytest.mark.parametrize(
    ("gains", "found", "looks"),
    [((-1, -9, -9), 0, 1), ((3, -2, -9), 1, 2), ((3, 4, 5), 0, 3), ((3, None, None), 0, 3), ((None, 4, 5), 1, 3)],
)
def test_the_search_goes_on_while_a_fold_makes_the_line_dearer(monkeypatch, gains, found, looks):
    places, labels = scattered(30, 2, 2)
    arithmetic = Dyadic(256)
    with arithmetic.work():
        line = Line.of(places, labels, arithmetic)
        # Folds of either end, neither of which adds a run.
        folds = Folds.free(np.array([0.1, 0.9]), np.zeros(2), np.ones(2))
        budgets = []

        def tried(line, section, budget, generator):
            gain = gains[len(budgets)]
            fold = folds.pick(np.array([min(len(budgets), 1)]))
            budgets.append(budget.apexes)
            return [] if gain is None else [(float(gain), fold, Chart.of(line))]

        monkeypatch.setattr(chart_folds, "_tried", tried)
        expected = [line.after(as_fold(folds, number, line)) for number in range(2)]
        after, _ = fold_on_charts(line, WHOLE, Budget(), np.random.default_rng(0), idle=True)
    assert [c.source for c in expected[0].clusters] != [c.source for c in expected[1].clusters]
    assert [c.source for c in after.clusters] == [c.source for c in expected[found].clusters]
    assert budgets == [400, 1600, 6400][:looks]


@given(st.integers(0, 10**6), st.integers(2, 5), st.booleans())
@settings(max_examples=6)
def test_networks_folded_on_charts_are_right(seed, classes, whole):
    """As on lines of thousands of clusters, but with charts of twelve."""
    places, labels = scattered(40, classes, seed)
    points = LabeledPoints.of(places, labels)
    arithmetic = Dyadic(2048)
    with pytest.MonkeyPatch.context() as patch, arithmetic.work():
        ends = tuple(Section(right, most, relative=most == 12) for right in (False, True) for most in (12, 5))
        patch.setattr(run_folding, "WHOLE", WHOLE if whole else ())
        patch.setattr(run_folding, "ENDS", (ends,))
        patch.setattr(chart_folds, "_FACTORS", (1,))
        patch.setattr(run_folding, "LONG", 12)
        sequence = fold_runs(Line.of(points.project((fmpq(1),)), points.labels, arithmetic), seed=seed)
        net = lower_runs((fmpq(1),), sequence.folds, sequence.line, points.classes)
    if len(points.classes) == 2:  # with more, layers that save none are allowed
        assert net.depth <= len(points) - 2
    assert check(net, points)
    assert check_with_mpmath(net, points).outcome != "refuted"
