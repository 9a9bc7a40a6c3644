"""Folds that roundings survive: what is foretold is what the float checker finds, and nothing wrong is certified."""

import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from constructions.arithmetic import FLOAT32, FLOAT64, Dyadic
from constructions.blurred_line import BlurredLine, FirstJudge, Judge, entered
from constructions.circle_view import view_circle
from constructions.errors import InputError, UndecidedError
from constructions.first_blur import first_blur
from constructions.first_fold import fold_circle
from constructions.float_folding import fold_in_floats, sharp
from constructions.fold_costs import Prices
from constructions.found_folds import as_fold, in_floats
from constructions.line import Line
from constructions.lowering import lower
from constructions.points import LabeledPoints
from constructions.projection import project, project_wide_gaps
from constructions.run_folding import lower_runs
from constructions.trial_folds import Folds, images
from lnnet import build_certified, check_ieee, check_with_mpmath
from proofs.ieee_checker import _Program
from proofs.ieee_rounding import FORMATS
from proofs.ieee_sets import RowSet, normalized


def random_points(m, seed, classes=2, d=2):
    rng = random.Random(900_000 + 1000 * m + seed)
    return LabeledPoints.of(
        [[rng.random() for _ in range(d)] for _ in range(m)], [rng.randrange(classes) for _ in range(m)]
    )


def folded_line(points, arithmetic, seed=0):
    """The network along the widest gaps, the first line, and where the folds lead."""
    row = tuple(arithmetic.round(x) for x in project(points, "wide-gaps").direction)
    line = Line.of(points.project(row), points.labels, arithmetic)
    sequence = fold_in_floats(line, seed=seed)
    line = replace(line, arithmetic=sequence.line.arithmetic)
    return lower_runs(row, sequence.folds, sequence.line, points.classes), line, sequence


def checker_radii(net, point, dtype):
    """Radii of the checker's balls around the position after every layer but the last."""
    f = FORMATS[dtype]
    found, position = [], None
    with ctx.workprec(192):
        program = _Program(net, f)
        x = RowSet.of([arb(f.round(v)) for v in point], [], [arb(0)] * len(point))
        for layer, step in zip(program.layers, program.steps, strict=False):
            position, x = step(layer.scalar(x) if position is None else position, x)
            found.append(float(position.rad()))
    return found


def circle_fold(points, arithmetic):
    """A first layer that is good enough, and the line it leads to."""
    view = view_circle(points, steps=0)
    return fold_circle(view, points, sharp(arithmetic), 500, Prices(), np.random.default_rng(0))


def first_radius(net, point, dtype):
    """Radius of the checker's ball around what is read off the first layer."""
    f = FORMATS[dtype]
    with ctx.workprec(192):
        program = _Program(net, f)
        x = RowSet.of([arb(f.round(v)) for v in point], [], [arb(0)] * len(point))
        x = normalized(f, program.layers[0](x, None), net.epsilon)
        return sum(
            float(abs(sum((w * v for w, v in zip(net.layers[-1].weight[0], g)), arb(0))).upper())
            for g in (*x.directions, *x.axes())
        )


def worst_risk(state):
    """Bits of the largest sum of two blurs over the gap between their clusters, of different labels."""
    blur, pairs = dict(zip((c.source for c in state.line.clusters), state.blur)), pairwise(state.line.clusters)
    return max(
        np.log2((blur[a.source] + blur[b.source]) / float(b.position - a.position))
        for a, b in pairs
        if a.label != b.label
    )


@pytest.mark.parametrize(("dtype", "m"), [("float32", 50), ("float64", 60)])
def test_more_points_than_plain_merging_can_take_are_certified_for_ieee_evaluation(dtype, m):
    points = random_points(m, seed=0)
    built = build_certified(points, method="shallow", arithmetic=dtype)
    assert built.certificate
    assert built.ieee
    assert built.network.width == 3
    assert check_ieee(built.network, points) == built.ieee
    merged = build_certified(points, method="pma", arithmetic=dtype)
    assert built.network.depth < merged.network.depth // 2
    if dtype == "float32":
        assert not merged.ieee


def test_auto_folds_in_floats_and_merges_where_that_fails():
    points = random_points(24, seed=1)
    built = build_certified(points, arithmetic="float32")
    assert built.method == "shallow"
    assert built.ieee
    crowded = LabeledPoints.of([[k] for k in range(3)] + [[3 + fmpq(1, 2**21)]], [0, 1, 0, 1])
    assert build_certified(crowded, arithmetic="float32").certificate


def test_the_blur_is_what_the_float_checker_concedes():
    """Layer by layer within a factor of two, for points neither merged with others nor at an apex."""
    points = random_points(30, seed=2)
    with FLOAT64.work():
        net, line, sequence = folded_line(points, FLOAT64)
        state, blurs = BlurredLine.of(line), []
        for fold in sequence.folds:
            state = state.after(fold, state.line.after(fold))
            blurs.append({c.source: b for c, b in zip(state.line.clusters, state.blur, strict=True)})
    ratios = []
    for k in blurs[-1]:
        radii = checker_radii(net, points.points[k], "float64")
        ratios += [blurs[n][k] / radii[n] for n in range(len(blurs))]
    assert len(ratios) > 50
    assert np.quantile(ratios, 0.02) > 0.4  # at an apex the first order vanishes, and blur is too small
    assert max(ratios) < 3.0
    assert 0.7 < np.median(ratios) < 1.5


@pytest.mark.parametrize(("arithmetic", "dimension"), [(FLOAT32, 2), (FLOAT64, 2), (FLOAT64, 5)])
def test_the_blur_of_a_first_layer_is_what_the_float_checker_concedes(arithmetic, dimension):
    """Within a tenth, but for points whose coordinates are rounded: they move less than the blur allows for."""
    points = random_points(40, 5, d=dimension)
    with arithmetic.work():
        sight, line = circle_fold(points, arithmetic)
        state = BlurredLine.seen(sight, points, line)
        net = lower(sight, [], line, points.classes)
    radii = [first_radius(net, point, arithmetic.name) for point in points.points]
    ratios = state.blur / np.array([radii[c.source] for c in line.clusters])
    assert ratios.min() > 0.9
    assert ratios.max() < (1.1 if arithmetic is FLOAT64 else 1.4)


def test_the_judge_of_first_layers_knows_their_blur():
    points = random_points(30, 6)
    labels = np.array(points.labels)
    with FLOAT64.work():
        sight, line = circle_fold(points, FLOAT64)
        state = BlurredLine.seen(sight, points, line)
        judge = FirstJudge.of(points, FLOAT64)
    n, v = np.array([[float(x.p) / float(x.q) for x in row] for row in sight.rows])
    forms = np.array([[n, v * np.sqrt(3)]])

    def cost(judge):
        first, second = (forms[:, k] @ judge.cloud.T for k in (0, 1))
        return judge(first, second, labels, forms)[0]

    assert abs(cost(judge)) < 2**30
    assert cost(replace(judge, unit=judge.unit * 4)) == pytest.approx(cost(judge) + 2)  # bits
    risk = worst_risk(state)
    # A unit so large that the worst change is beyond what is bearable makes the layer useless, a little less does not.
    assert cost(replace(judge, unit=judge.unit * 2.0 ** (-1.1 - risk))) < 2**30
    assert cost(replace(judge, unit=judge.unit * 2.0 ** (-0.9 - risk))) > 2**30


@pytest.mark.parametrize("seed", range(4))
def test_little_risk_is_no_risk(seed):
    points = random_points(40, seed)
    with FLOAT32.work():
        net, line, sequence = folded_line(points, FLOAT32, seed)
        state = BlurredLine.of(line)
        for fold in sequence.folds:
            state = state.after(fold, state.line.after(fold))
        risk = state.risk()
    assert risk < 0 or not check_ieee(net, points)
    if risk < -1.5:
        assert check_ieee(net, points)


def test_the_judge_counts_label_changes_and_blur():
    with FLOAT32.work():
        line = Line.of([fmpq(k * k + 3 * k) / 77 for k in range(8)], list("abbaabab"), FLOAT32)
        places, labels = in_floats(line)
        state = BlurredLine.of(line)
        judge = Judge.of(state)
        folds = Folds.free(
            np.array([0.53, 0.2, 0.8, 0.36]), np.array([0.0, 0.3, -0.2, 0.1]), np.array([1.0, 2.0, 0.5, 1.0])
        )
        costs = judge(places, labels, folds)
        for number in range(4):
            image = images(places, folds)[number]
            order = np.argsort(image)
            changes = int(np.sum(labels[order][1:] != labels[order][:-1]))
            assert (costs[number] < 2**30) == (changes < 5 and costs[number] < 2**29)
            moved = line.after(as_fold(folds, number, line))
            after = state.after(as_fold(folds, number, line), moved)
            # The blur that the judge works with is that of the fold made, in units of its amplitude.
            blur = judge._blurs(places, np.arange(8), folds.pick(np.full(8, number)))
            source = [c.source for c in moved.clusters]
            np.testing.assert_allclose(after.blur / after.amplitude, blur[source], rtol=1e-3)
        worse = replace(judge, blur=judge.blur * 1000)(places, labels, folds)
        assert ((worse > costs) | (costs >= 2**40)).all()


def test_classes_that_are_apart_and_a_single_one_need_no_fold():
    with FLOAT64.work():
        assert fold_in_floats(Line.of([0, 1, 2, 3], list("aabb"), FLOAT64)).folds == ()
        alone = Line.of([0, 1], list("aa"), FLOAT64)
        assert fold_in_floats(alone).folds == ()
        assert BlurredLine.of(alone).risk() == -np.inf
        assert len(fold_in_floats(Line.of([0, 1, 2, 3, 4, 5], list("abbbba"), FLOAT64)).folds) == 1


def test_more_classes_are_folded_and_merged_where_no_fold_helps():
    points = random_points(12, 0, classes=3)
    built = build_certified(points, method="shallow", arithmetic="float64")
    assert built.certificate
    assert built.ieee


def test_the_same_seed_gives_the_same_network():
    points = random_points(20, 3)
    first, again = (build_certified(points, method="shallow", arithmetic="float32", seed=5).network for _ in range(2))
    assert first == again


@pytest.mark.parametrize("unit", [1e-300, 1e300])
def test_units_near_the_ends_of_the_range_pass_without_a_warning(unit):
    built = build_certified([k * fmpq(*unit.as_integer_ratio()) for k in range(8)], [0, 1] * 4, arithmetic="float64")
    assert check_with_mpmath(built.network, built.certificate.points).outcome == built.certificate.verdict


def test_precision_that_runs_out_is_said():
    with FLOAT32.work(), pytest.raises(UndecidedError, match="precision"):
        fold_in_floats(Line.of([k + fmpq(k % 2, 2**20) - fmpq(k % 2) for k in range(10)], [0, 1] * 5, FLOAT32))
    with pytest.raises(InputError, match="dyadic"):
        fold_in_floats(Line.of([0, 1, 2], list("aba"), Dyadic(64)))


def test_a_position_that_is_lost_is_undecided():
    with pytest.raises(UndecidedError, match="not known"):
        FLOAT32.middle(arb(0, 1) / arb(0, 1))


def test_wide_gaps_beat_the_coordinates():
    points = random_points(40, 3)

    def gap(direction):
        order = sorted(zip(points.project(direction), points.labels))
        gaps = [b[0] - a[0] for a, b in pairwise(order) if a[1] != b[1]]
        return min(gaps) / (order[-1][0] - order[0][0])

    found = project_wide_gaps(points)
    assert gap(found.direction) > max(gap((1, 0)), gap((0, 1)))
    assert project(points, "wide-gaps") == found
    same = LabeledPoints.of([[0, 1], [2, 3]], ["a", "a"])
    assert len(project_wide_gaps(same).positions) == 2


def test_rounded_coordinates_move_what_is_read():
    points = LabeledPoints.of([[fmpq(1, 3), 1 + fmpq(1, 2**25)], [fmpq(1, 4), 5]], [0, 1])
    cloud, entry = entered(points, FLOAT32)
    assert cloud.shape == entry.shape == (2, 3)
    third = 11184811 / 2**25  # the float32 nearest to 1/3
    np.testing.assert_allclose(entry, [[abs(third - 1 / 3) * 2**24, 0.5, 0], [0, 0, 0]], rtol=1e-6)
    form, step = np.array([[[0.7, -0.4, 0.1], [0.2, 0.9, -0.5]]]), 1e-6
    weights = np.array([form[0, 1] + form[0, 0], form[0, 1] - form[0, 0], -2 * form[0, 1]])

    def read(h):
        return np.array([0.5, 0.5, -1]) @ (h - h.mean()) / h.std()

    on_neuron = [(read(weights @ cloud[0] + e) - read(weights @ cloud[0] - e)) / (2 * step) for e in step * np.eye(3)]
    for k in range(2):
        more = first_blur(form, cloud[:1], np.eye(3)[k : k + 1]) - first_blur(form, cloud[:1], np.zeros((1, 3)))
        assert more[0] * np.sqrt(4.5) == pytest.approx(np.abs(on_neuron) @ np.abs(weights[:, k]), rel=1e-5)


def test_what_roundings_move_is_at_most_the_blur_however_near_the_centre():
    """A blur of a sixteenth of the distance from the centre, which it may be at most, has effects of second order."""
    places = np.array([0.0, 0.2, 0.35, 0.6, 0.9, 1.0])
    kappa, bend, apex = 2.0, 0.5, 0.1
    squared = kappa * kappa + bend * bend
    radius = np.hypot(places - apex - kappa / squared, bend / squared)
    judge = Judge(places, radius / 16, amplitude=1.0, unit=0.0)
    folds = Folds.free(*(np.full(6, x) for x in (apex, kappa, bend)))
    blur = judge._blurs(places, np.arange(6), folds)
    one = folds.pick(np.array([0]))
    moved = np.max([np.abs(images(places + s * judge.blur, one) - images(places, one))[0] for s in (-1, 1)], axis=0)
    assert (moved <= blur).all()
    assert (moved > blur / 3).all()


def test_a_fold_whose_centre_is_within_the_blur_of_a_cluster_is_useless():
    places, labels = np.array([0.0, 0.5, 1.0]), np.array([0, 1, 0])
    folds = Folds.free(np.array([0.5]), np.array([0.0]), np.array([4.0]))  # a quarter above the cluster in the middle
    for part, useless in ((12, True), (20, False)):
        judge = Judge(places, np.full(3, 0.25 / part), amplitude=1.0, unit=2.0**-24)
        assert (judge(places, labels, folds)[0] >= 2**30) == useless
        elsewhere = replace(judge, blur=judge.blur * [1, 0, 1])  # the others are farther away
        assert elsewhere(places, labels, folds)[0] < 2**30


def test_floats_begin_on_the_circle():
    points = random_points(60, 1)
    built = build_certified(points, method="shallow", arithmetic="float32")
    along = build_certified(points, method="shallow", arithmetic="float32", projection="wide-gaps")
    assert built.ieee
    ranks = [np.linalg.matrix_rank(np.array(net.layers[0].weight, float)) for net in (built.network, along.network)]
    assert ranks == [2, 1]
