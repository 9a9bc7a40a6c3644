"""Theorem 1 as a construction, its certificates, and the certified minimum over t."""

import json

import mpmath
import pytest
from flint import arb, fmpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from constructions.arithmetic import Dyadic, Exact, Mpf
from constructions.errors import InputError
from constructions.network_file import load_network
from constructions.sum_of_squares import linear_bound, project_samples
from constructions.taylor_break import network_from_fold, scale_fold, search_fold, taylor_statistics
from constructions.xor import xor_points
from lnnet.cli import main
from proofs.lssr_break import break_lssr, check_ratio
from proofs.scale_minimum import TOLERANCE, best_scale

SMALL = st.integers(-6, 6)
LINE = st.lists(SMALL, min_size=1, max_size=6)


def _mpf(value):
    with mpmath.workdps(60):
        return mpmath.mpf(int(value.p)) / int(value.q)


def _squares(values):
    mean = sum(values) / len(values)
    return sum((v - mean) ** 2 for v in values)


def _ratio(t, first, second):
    """SSR(g(tX1), g(tX2)) with 60 digits, by definition."""
    with mpmath.workdps(60):
        parts = [
            [(1 + t * mpmath.mpf(x)) / mpmath.sqrt(1 + (t * mpmath.mpf(x)) ** 2) for x in p] for p in (first, second)
        ]

        return (_squares(parts[0]) + _squares(parts[1])) / _squares(parts[0] + parts[1])


@given(LINE, LINE)
def test_derivative_is_the_limit_of_the_difference_quotient(first, second):
    assume(len({*first, *second}) > 1)
    derivative = taylor_statistics(first, second).derivative
    with mpmath.workdps(60):
        h = mpmath.mpf(10) ** -15
        central = (_ratio(h, first, second) - _ratio(-h, first, second)) / (2 * h)
        assert abs(central - mpmath.mpf(int(derivative.p)) / int(derivative.q)) < mpmath.mpf(10) ** -20


def test_statistics_by_hand():
    # Means −1/3 and 7/3, variances 2/9 and 8/9, third central moments −2/27 and −16/27; δ = −8/3.
    found = taylor_statistics([-1, 0, 0], [1, 3, 3])
    assert (found.t1, found.t2, found.t3) == (fmpq(-128, 27), fmpq(32, 3), fmpq(784, 9))
    assert taylor_statistics([1, 0, 0], [-1, -3, -3]).derivative == -found.derivative
    assert taylor_statistics([0, 0], [-1, 1]).derivative == 0
    with pytest.raises(InputError, match="coincide"):
        taylor_statistics([2, 2], [2])


@given(LINE, LINE)
def test_minimum_over_all_t_is_enclosed(first, second):
    assume(len({*first, *second}) > 1)
    best = best_scale(first, second)
    assert 0 <= best.lower <= best.upper <= best.lower + TOLERANCE
    scales = [s * 2.0**k for k in range(-12, 13, 2) for s in (1, -1)]
    values = [_ratio(t, first, second) for t in scales if len({*first, *second}) > 2]
    assert all(v >= _mpf(best.lower) for v in values)
    if not best.constant:
        assert _ratio(_mpf(best.scale), first, second) <= _mpf(best.upper)
    # t → 0 is among the limits, and there SSR is the SSR of the line itself.
    assert best.lower <= linear_bound(first, second).value


def test_two_values_have_one_ratio_whatever_t():
    # x ∈ {1, 4}, and both go to the same place at t = 1/2, where SSR is undefined; elsewhere it is constant.
    best = best_scale([1, 1, 4], [4, 4])
    assert best.constant
    assert best.lower == best.upper == linear_bound([1, 1, 4], [4, 4]).value


def test_minimum_at_infinity():
    # Signs alone separate these classes, so SSR → 0 for t → ±∞ only.
    best = best_scale([-3, -1, -2], [1, 5, 2])
    assert best.lower == 0
    assert best.upper < fmpq(1, 10**6)


@given(
    st.lists(st.tuples(SMALL, SMALL), min_size=2, max_size=5), st.lists(st.tuples(SMALL, SMALL), min_size=2, max_size=5)
)
def test_theorem_1_breaks_the_bound(first, second):
    assume(len({*first, *second}) > 1)
    bound = linear_bound(first, second)
    line = [project_samples(tuple(map(tuple, part)), bound.direction) for part in (first, second)]
    assume(taylor_statistics(*line).derivative != 0)
    broken = break_lssr(first, second)
    assert broken.verdict
    assert (broken.network.depth, broken.network.width) == (1, 3)
    assert broken.verdict.ratio[1] < bound.value
    assert 0 < broken.verdict.drop <= bound.value - broken.verdict.ratio[0]
    # The same by the definition, from outputs that mpmath computes with 60 digits.
    lower, upper = map(_mpf, broken.verdict.ratio)
    numbers = Mpf(200)
    with numbers.work(), mpmath.workdps(60):
        outputs = [[broken.network.outputs(x, numbers)[0] for x in part] for part in (first, second)]
        measured = sum(map(_squares, outputs)) / _squares(outputs[0] + outputs[1])
        assert lower - mpmath.mpf(10) ** -40 <= measured <= upper + mpmath.mpf(10) ** -40


def test_exact_network_is_the_one_of_the_proof():
    first, second = [[-1], [0], [0]], [[1], [3], [3]]
    arithmetic, t = Exact(), fmpq(-1, 4)
    net = network_from_fold((fmpq(1),), scale_fold(t, arithmetic), [-1, 0, 0], [1, 3, 3], arithmetic=arithmetic)
    assert net.semantics == "exact"
    verdict = check_ratio(net, first, second)
    expected = _ratio(mpmath.mpf(-1) / 4, [-1, 0, 0], [1, 3, 3])
    assert float(arb(verdict.ratio[0])) <= expected <= float(arb(verdict.ratio[1]))
    assert float(arb(verdict.ratio[1] - verdict.ratio[0])) < 1e-6


def test_wrong_side_is_refuted_and_a_tie_stays_undecided():
    numbers = Exact()
    line = [-1, 0, 0], [1, 3, 3]
    samples = [[[x] for x in part] for part in line]
    up = fmpq(1 if taylor_statistics(*line).derivative > 0 else -1, 64)  # where SSR grows
    net = network_from_fold((fmpq(1),), scale_fold(up, numbers), *line, arithmetic=numbers)
    assert check_ratio(net, *samples).outcome == "refuted"
    # The same places in both classes: SSR is LSSR = 1 whatever the layer does, which balls cannot tell from a drop.
    same = [[0], [1], [2]], [[0], [1], [2]]
    tie = check_ratio(break_lssr(*same).network, *same, max_bits=256)
    assert (tie.outcome, tie.bits, tie.drop) == ("undecided", 256, None)


@pytest.mark.parametrize(
    ("first", "second"), [([[0], [3]], [[3], [3]]), ([[0]], [[1]]), ([[0, 5], [0, 7]], [[1, -3], [1, 100]])]
)
def test_bounds_that_no_network_breaks_are_refuted(first, second):
    # Two places: SSR depends on the counts alone. LSSR = 0: nothing is below.
    assert break_lssr(first, second).verdict.outcome == "refuted"


def test_a_layer_that_sees_two_places_is_refuted_with_its_exact_ratio():
    xor = [[0, 0], [1, 1]], [[0, 1], [1, 0]]
    numbers = Dyadic(53)
    blind = network_from_fold((1, 0), scale_fold(fmpq(1, 2), numbers), [0, 1], [0, 1], arithmetic=numbers)
    verdict = check_ratio(blind, *xor)
    assert (verdict.outcome, verdict.ratio) == ("refuted", (1, 1))


def test_search_finds_what_theorem_1_cannot():
    points = xor_points()
    parts = [[p for p, label in zip(points.points, points.labels, strict=True) if label == k] for k in (0, 1)]
    broken = break_lssr(*parts, search=True)
    assert broken.bound.value == 1
    assert broken.statistics.derivative == 0
    assert broken.verdict.ratio[1] < fmpq(1, 10**9)  # Figure 1: one LN layer separates XOR completely


@settings(max_examples=10)
@given(LINE, LINE)
def test_search_is_no_worse_than_theorem_1(first, second):
    assume(len({*first, *second}) > 2)
    samples = [[[x] for x in part] for part in (first, second)]
    narrow, wide = break_lssr(*samples), break_lssr(*samples, search=True)
    if narrow.verdict.ratio is not None and wide.verdict.ratio is not None:
        assert wide.verdict.ratio[0] <= narrow.verdict.ratio[1] + fmpq(1, 50)


@pytest.mark.parametrize("search", [False, True])
@pytest.mark.parametrize(("scale", "shift"), [(1, 0), (fmpq(10) ** 400, 0), (fmpq(1, 10**400), 0), (1, 10**30)])
def test_size_and_place_of_the_samples_do_not_matter(search, scale, shift):
    # Beyond float64 on both ends, and far from 0 compared with the spread.
    first, second = ([[shift + scale * x] for x in part] for part in ([0, 2, 1], [1, 3, 7]))
    broken = break_lssr(first, second, search=search)
    if search or not shift:  # far from 0 Theorem 1's layer is as good as linear
        assert broken.verdict
        plain = break_lssr([[0], [2], [1]], [[1], [3], [7]], search=search)
        assert abs(broken.verdict.ratio[1] - plain.verdict.ratio[1]) < fmpq(1, 1000)
    assert broken.bound.value == linear_bound([0, 2, 1], [1, 3, 7]).value


def test_unusable_input():
    with pytest.raises(InputError, match="must not be 0"):
        scale_fold(0, Exact())
    with pytest.raises(InputError, match="coincide"):
        best_scale([1], [1, 1])
    with pytest.raises(InputError, match="coincide"):
        search_fold([1], [1])
    with pytest.raises(InputError, match="arithmetic"):
        break_lssr([[0]], [[1]], arithmetic="float8")


def test_command_line(tmp_path, capsys):
    table = tmp_path / "points.csv"
    table.write_text("x,y,label\n0,0,a\n1,1,a\n2,1,a\n1,0,b\n3,1,b\n4,0.5,b\n")
    net = tmp_path / "net.json"
    assert main(["break-lssr", str(table), "--best", "--json", "-o", str(net)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["verdict"] == "certified"
    first, second = [[0, 0], [1, 1], [2, 1]], [[1, 0], [3, 1], [4, "1/2"]]
    assert document["lssr_exact"] == str(linear_bound(first, second).value)
    assert check_ratio(load_network(net), first, second)
    assert main(["break-lssr", str(table), "--check", str(net)]) == 0
    assert main(["break-lssr", str(table), "--check", str(net), "--best"]) == 2
    flipped = tmp_path / "flipped.csv"
    flipped.write_text(table.read_text().replace("0,0,a", "0,0,b").replace("1,0,b", "1,0,a"))
    assert main(["break-lssr", str(flipped), "--check", str(net)]) == 1  # other labels: the same network is refuted
    capsys.readouterr()
    table.write_text("x,label\n0,a\n1,a\n2,a\n0,b\n1,b\n2,b\n")
    assert main(["break-lssr", str(table)]) == 3
    assert "Theorem 1 says nothing" in capsys.readouterr().out
    table.write_text("x,label\n0,a\n1,b\n2,c\n")
    assert main(["break-lssr", str(table)]) == 2
    assert main(["break-lssr", str(table), "--between", "a", "b"]) == 1
    assert "no layer of this kind can" in capsys.readouterr().out
