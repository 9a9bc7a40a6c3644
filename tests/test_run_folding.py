"""Run folding: nothing wrong is certified, depth follows from the number of runs, and every fold is what it claims."""

import random
from itertools import groupby, pairwise

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from constructions.arithmetic import Dyadic, Mpf
from constructions.errors import InputError, UndecidedError
from constructions.fewest_runs import project_fewest_runs
from constructions.fold_search import Budget, best_folds
from constructions.found_folds import as_fold, different_steps, exchanging_fold, first_that_holds, in_floats
from constructions.line import Line
from constructions.points import LabeledPoints
from constructions.projection import project
from constructions.run_folding import _found, _State, fold_runs
from constructions.trial_folds import Folds, images
from lnnet.building import build_certified
from proofs.checker import check
from proofs.checker_mpmath import check_with_mpmath

positions = st.lists(st.fractions(-100, 100, max_denominator=10**5), min_size=1, max_size=24, unique=True)


@st.composite
def labelled(draw, most=6):
    places = draw(positions)
    classes = draw(st.integers(1, most))
    return places, draw(st.lists(st.integers(0, classes - 1), min_size=len(places), max_size=len(places)))


def runs_of(places, labels):
    ordered = [label for _, label in sorted(zip(places, labels, strict=True))]
    return 1 + sum(a != b for a, b in pairwise(ordered))


@given(labelled())
def test_certified_by_both_checkers_for_one_to_six_classes(data):
    places, labels = data
    built = build_certified(places, labels, method="shallow")
    assert built.certificate
    assert built.network.width <= 3
    if len(set(labels)) <= 2:  # with more classes a fallback merges a pair but may leave more runs
        assert built.network.depth <= max(0, len(places) - len(set(labels)))
    assert check_with_mpmath(built.network, built.certificate.points).outcome != "refuted"


@given(labelled(most=2))
def test_two_classes_depth_is_below_the_number_of_runs(data):
    """Depth ≤ k − 3 for k ≥ 5 runs, 2 for four, 1 for three, 0 otherwise, whatever the number of points."""
    places, labels = data
    k = runs_of(places, labels)
    depth = build_certified(places, labels, method="shallow").network.depth
    assert depth <= (k - 3 if k >= 5 else {4: 2, 3: 1}.get(k, 0))


@given(st.lists(st.fractions(-50, 50, max_denominator=1000), min_size=4, max_size=4, unique=True), st.booleans())
def test_the_fold_exchanges_both_pairs_and_only_within_them_is_the_apex(places, flip):
    arithmetic = Dyadic(256)
    with arithmetic.work():
        v, y, z, w = (arithmetic.enter(fmpq(x.numerator, x.denominator)) for x in sorted(places))
        if flip:
            v, y, z, w = w, z, y, v
        image = exchanging_fold(arithmetic, (y, z), (v, w)).mapping(arithmetic)
        size = 1 + abs(image(v))
        assert abs(image(y) - image(z)) < size * arithmetic.enter(fmpq(1, 2**200))
        assert abs(image(v) - image(w)) < size * arithmetic.enter(fmpq(1, 2**200))
        assert abs(image(y) - image(v)) > size * arithmetic.enter(fmpq(1, 2**60))


def test_pairs_that_do_not_nest_are_refused():
    arithmetic = Dyadic(64)
    with arithmetic.work(), pytest.raises(UndecidedError):
        exchanging_fold(arithmetic, *((arithmetic.enter(a), arithmetic.enter(b)) for a, b in ((0, 1), (2, 3))))


@pytest.mark.parametrize("classes", [2, 5])
def test_the_search_foresees_the_line_after_every_fold(classes):
    """The places and runs that floats foresee are those of the fold in 512-bit arithmetic."""
    generator = random.Random(classes)
    arithmetic = Dyadic(512)
    with arithmetic.work():
        places = [fmpq(k, 60) + fmpq(generator.randrange(10**6), 10**9) for k in range(60)]
        line = Line.of(places, [generator.randrange(classes) for _ in places], arithmetic)
        for _ in range(4):
            floats, labels = in_floats(line)
            folds, _ = best_folds(floats, labels, Budget(apexes=40, steps=250, rounds=2), np.random.default_rng(0))
            first = folds.pick(np.array([0]))
            after = line.after(as_fold(folds, 0, line))
            foreseen = images(floats, first)[0]
            order = np.argsort(foreseen)
            assert after.runs == 1 + np.count_nonzero(np.diff(labels[order])) < line.runs
            seen = in_floats(after)[0]
            expected = np.sort((foreseen - foreseen.min()) / np.ptp(foreseen))
            assert np.allclose(1 - seen[::-1], expected, atol=1e-9)  # the apex is where cos δ is largest
            line = after


def test_a_fold_that_removes_no_run_holds_only_where_idle_layers_are_allowed():
    arithmetic = Dyadic(128)
    with arithmetic.work():
        line = Line.of([fmpq(k) for k in range(8)], [k % 2 for k in range(8)], arithmetic)
        bending = Folds.free(np.array([-1.0]), np.array([0.0]), np.array([1.0]))  # the apex is left of everything
        assert first_that_holds(bending, line, idle=False) is None
        step = first_that_holds(bending, line, idle=True)
        assert step is not None
        assert step[0].runs == line.runs


@pytest.mark.parametrize("arithmetic", [Dyadic(256), Mpf(256)])
def test_pairs_that_are_to_meet_are_one_cluster_afterwards(arithmetic):
    """The search knows the fold to 53 bits only; the line after it has two clusters less."""
    generator = random.Random(1)
    with arithmetic.work():
        places = sorted(fmpq(generator.randrange(10**9), 10**9) for _ in range(40))
        line = Line.of(places, [generator.randrange(4) for _ in places], arithmetic)
        floats, labels = in_floats(line)
        budget = Budget(apexes=30, steps=200, rounds=1, met=5.0)
        folds, _ = best_folds(floats, labels, budget, np.random.default_rng(0))
        assert folds.meeting[0]
        step = first_that_holds(folds, line, idle=True)
        assert step is not None
        assert len(step[0].clusters) == 38
        free = first_that_holds(folds._replace(pairs=np.full_like(folds.pairs, -1)), line, idle=True)
        assert free is not None
        assert len(free[0].clusters) == 40


@pytest.mark.parametrize("beam", [1, 5])
def test_lines_that_are_followed_differ_and_are_what_their_folds_lead_to(beam):
    generator = random.Random(3)
    arithmetic = Dyadic(256)
    with arithmetic.work():
        places = sorted(fmpq(generator.randrange(10**9), 10**9) for _ in range(40))
        start = Line.of(places, [generator.randrange(5) for _ in places], arithmetic)
        budget = Budget(apexes=40, steps=200, rounds=2, beam=beam, met=1.0)
        states = [_State(start, ())]
        for layer in range(1, 4):
            states = _found(states, budget, np.random.default_rng(layer), idle=True)
            assert min(beam, 2) <= len(states) <= beam
            assert {len(state.folds) for state in states} == {layer}
        sequences = set()
        for state in states:
            line = start
            for fold in state.folds:
                line = line.after(fold)
            assert [c.label for c in line.clusters] == [c.label for c in state.line.clusters]
            sequences.add(tuple(label for label, _ in groupby(c.label for c in line.clusters)))
            assert line.runs < start.runs
        assert len(sequences) == len(states)


def test_lines_that_mirror_one_another_are_followed_once():
    labels = [0, 1, 0, 1, 1, 2, 0, 2]
    arithmetic = Dyadic(128)
    with arithmetic.work():
        line, mirrored = (Line.of(range(8), some, arithmetic) for some in (labels, labels[::-1]))
        left, right, end = (Folds.free(*(np.array([x]) for x in (apex / 7, 0.0, 1.0))) for apex in (1.2, 5.8, 0.3))
        trials = [(0.0, 0, left), (1.0, 1, right), (2.0, 0, right), (3.0, 0, end)]

        def kept(idle, most):
            steps = different_steps(trials, [line, mirrored], [idle, idle], most)
            return [(number, [c.label for c in after.clusters]) for number, after, _ in steps]

        found = kept(True, 4)
        assert [number for number, _ in found] == [0, 0, 0]
        assert kept(True, 1) == found[:1]
        assert kept(False, 4) == found[:2]  # the fold of the end removes no run


def test_following_several_lines_makes_networks_shallower():
    generator = random.Random(8)
    arithmetic = Dyadic(256)
    depths = {1: 0, 12: 0}
    with arithmetic.work():
        for seed in range(3):
            places = sorted(fmpq(generator.randrange(10**9), 10**9) for _ in range(30))
            line = Line.of(places, [generator.randrange(6) for _ in places], arithmetic)
            for beam in depths:
                budget, states = Budget(apexes=10, steps=60, rounds=2, beam=beam, met=1.0), [_State(line, ())]
                while not any(state.line.separable for state in states):
                    states = _found(states, budget, np.random.default_rng(seed), idle=True)
                depths[beam] += len(states[0].folds)
    assert depths[12] < depths[1]


@pytest.mark.parametrize("gap", [fmpq(1, 10**30), fmpq(10**30)])
@pytest.mark.parametrize("classes", [2, 3])
def test_tiny_and_huge_gaps(gap, classes):
    places = [fmpq(0), gap, 1 + gap, 2 + gap, 2 + 2 * gap, 3 + 2 * gap, 3 + 3 * gap, 4 + 3 * gap]
    built = build_certified(places, [k % classes for k in range(8)], method="shallow")
    assert built.certificate


def structured():
    grid = [(x, y) for x in range(5) for y in range(5)]
    spiral = [(k * np.cos(k / 4 + s * np.pi), k * np.sin(k / 4 + s * np.pi)) for s in (0, 1) for k in range(1, 16)]
    ring = [(r * np.cos(a), r * np.sin(a)) for r in (1, 2, 3) for a in np.linspace(0, 6, 10)]
    return {
        "alternating": ([[k] for k in range(24)], [k % 2 for k in range(24)]),
        "nested intervals": ([[k] for k in range(-9, 10)], [abs(k) % 3 for k in range(-9, 10)]),
        "checkerboard": (grid, [(x + y) % 2 for x, y in grid]),
        "two spirals": (spiral, [k // 15 for k in range(30)]),
        "rings": (ring, [k // 10 for k in range(30)]),
        "parity of a lattice": (
            [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)],
            [(x + y + z) % 2 for x in (0, 1) for y in (0, 1) for z in (0, 1)],
        ),
    }


@pytest.mark.parametrize("name", structured())
def test_structured_sets(name):
    points, labels = structured()[name]
    built = build_certified(points, labels, method="shallow")
    assert built.certificate, name
    runs = project_fewest_runs(built.certificate.points).runs
    if len(set(labels)) == 2:
        assert built.network.depth <= max(2, runs - 3)
    flipped = built.certificate.points.relabel(
        [labels[1] if k == 0 else x for k, x in enumerate(built.certificate.points.labels)]
        if labels[0] != labels[1]
        else [next(x for x in labels if x != labels[0]), *built.certificate.points.labels[1:]]
    )
    assert check(built.network, flipped).outcome == "refuted"


def test_more_effort_is_never_worse():
    generator = random.Random(5)
    points = [[generator.random(), generator.random()] for _ in range(40)]
    labels = [generator.randrange(2) for _ in points]
    plain = build_certified(points, labels, method="shallow")
    harder = build_certified(points, labels, method="shallow", effort=1)
    assert harder.certificate
    assert harder.network.depth <= plain.network.depth


def test_effort_must_be_a_count():
    with pytest.raises(InputError, match="effort"):
        build_certified([0, 1], [0, 1], effort=-1)


@settings(max_examples=10)
@given(st.integers(0, 10**6))
def test_the_searched_direction_has_no_more_runs_and_keeps_classes_apart(seed):
    generator = random.Random(seed)
    points = LabeledPoints.of([[generator.randrange(50), generator.randrange(50)] for _ in range(12)], [0] * 12)
    points = points.relabel([generator.randrange(3) for _ in range(len(points))])
    found = project_fewest_runs(points, steps=40)
    assert found.runs <= project(points, "few-runs").runs
    positions = points.project(found.direction)
    assert positions == found.positions
    assert all(
        a != b or x == y
        for a, x in zip(positions, points.labels, strict=True)
        for b, y in zip(positions, points.labels, strict=True)
    )


def test_separable_classes_need_no_layer():
    generator = random.Random(1)
    points = [[generator.randrange(1000) for _ in range(6)] for _ in range(80)]
    labels = [int(3 * p[0] - 2 * p[1] + p[2] - p[3] + p[4] - p[5] > 7) for p in points]
    assert build_certified(points, labels, method="shallow").network.depth == 0


def test_a_fixed_precision_that_does_not_suffice_is_reported():
    arithmetic = Dyadic(12)
    with arithmetic.work():  # 6 bits tell these places apart, but not 20 places and more between others
        line = Line.of([fmpq(2 * k - 39, 6) for k in range(40)], [k % 2 for k in range(40)], arithmetic)
        with pytest.raises(UndecidedError):
            fold_runs(line)
