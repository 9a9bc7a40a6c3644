"""The smallest float format: what is judged is the rounded network, and each verdict holds when it is run."""

import json
import random

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from constructions.errors import InputError, NonFiniteError
from constructions.network import Affine, LNNet
from constructions.points import LabeledPoints
from lnnet import build, build_certified, judge_floats
from lnnet.cli import main
from lnnet.verdicts import verdict_report
from proofs.certificate import certify
from proofs.ieee_checker import check_ieee


def threshold(cut, slope=1):
    """Above the cut or not, without any LN."""
    return LNNet((Affine.of([[slope]], [-cut * slope]),), ("below", "above"))


def between(exponent):
    """Points 1 and 1 + 2^-exponent with a cut between them, which a format with fewer bits cannot tell apart."""
    step = fmpq(1, 2**exponent)
    return threshold(1 + step / 2), LabeledPoints.of([1, 1 + step], ["below", "above"])


@pytest.mark.parametrize(
    ("exponent", "float32", "float64", "smallest"),
    [
        (10, "certified", "certified", "float32"),
        (40, "refuted", "certified", "float64"),  # float32 has 24 bits, float64 has 53
        (60, "refuted", "refuted", None),
    ],
)
def test_the_smallest_format(exponent, float32, float64, smallest):
    net, points = between(exponent)
    assert certify(net, points)
    floats = judge_floats(net, points)
    assert (floats.float32.outcome, floats.float64.outcome, floats.smallest) == (float32, float64, smallest)
    assert bool(floats) == (smallest is not None)
    assert floats.outcome == ("certified" if smallest else float64)
    assert floats.decisive.dtype == (smallest or "float64")


@pytest.mark.parametrize(("exponent", "smallest"), [(100, "float32"), (200, "float64"), (2000, None)])
def test_weights_that_overflow(exponent, smallest):
    net = threshold(fmpq(1, 2), fmpq(2) ** exponent)
    floats = judge_floats(net, [0, 1], ["below", "above"])
    assert floats.smallest == smallest
    if smallest != "float32":
        assert "overflows float32" in floats.float32.reason
        assert floats.float32.outcome == "refuted"


def test_rounding_rounds_to_the_nearest():
    net = LNNet((Affine.of([["1/3"], ["-1/7"]], [0, "1/10"]), Affine.of([[1, 2]], [3])), (0, 1), epsilon="1e-5")
    for dtype, kind in (("float32", np.float32), ("float64", np.float64)):
        rounded = net.rounded(dtype)
        assert rounded == net.rounded(kind)
        assert rounded.semantics == dtype
        assert rounded.epsilon == net.epsilon
        assert rounded.layers[0] == Affine.of([[float(kind(1 / 3))], [float(kind(-1 / 7))]], [0, float(kind(0.1))])
        assert rounded.layers[1] == net.layers[1]
    with pytest.raises(InputError, match="float16"):
        net.rounded("float16")
    with pytest.raises(NonFiniteError, match="float32"):
        threshold(0, 2**128).rounded("float32")


@given(st.integers(2, 14), st.sampled_from(["pma", "double", "shallow", "wide"]), st.integers(0, 10**6))
def test_what_is_certified_works_when_it_is_run(m, method, seed):
    """Plain numpy evaluation in the format, which is one of those that the verdict is about."""
    generator = random.Random(seed)
    rows = [[generator.random(), generator.random()] for _ in range(m)]
    points = LabeledPoints.of(rows, [generator.randrange(2) for _ in range(m)])
    built = build_certified(points, method=method)
    assert built.smallest_dtype == built.floats.smallest == judge_floats(built.network, points).smallest
    for verdict in (built.floats.float32, built.floats.float64):
        assert verdict == check_ieee(built.network.rounded(verdict.dtype), points)
        if verdict and len(points.classes) == 2:
            x = np.array(rows, verdict.dtype)
            layers = built.network.to_numpy(verdict.dtype)
            for number, (weight, bias) in enumerate(layers):
                h = x @ weight.T + bias
                centred = h - h.mean(axis=1, keepdims=True)
                last = number == len(layers) - 1
                x = h if last else centred / np.sqrt((centred**2).mean(axis=1, keepdims=True))
            assert x.dtype == verdict.dtype
            assert [built.network.classes[int(y > 0)] for y in x[:, 0]] == list(points.labels)


def test_ideal_weights_are_judged_too():
    """Irrational weights are rounded like any others."""
    points, labels = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    net = build(points, labels, arithmetic="exact")
    assert net.semantics == "exact"
    assert judge_floats(net, points, labels).smallest == "float32"
    assert judge_floats(net, points, [1, 1, 1, 0]).outcome == "refuted"


def test_the_report_follows_the_smallest_format():
    codes = {10: 0, 40: 0, 60: 1}
    for exponent, code in codes.items():
        net, points = between(exponent)
        certificate, floats = certify(net, points), judge_floats(net, points)
        report = verdict_report(certificate, floats=floats)
        assert report.exit_code == code
        assert report.facts["smallest_dtype"] == (floats.smallest or "none")
        assert report.title == f"{floats.outcome} for {floats.smallest or 'float64'} evaluation"
        assert [floats.float32.reason, floats.float64.reason] == list(report.notes)
        wrong = certify(net, points.relabel(["above", "above"]))
        assert verdict_report(wrong, floats=floats).exit_code == 1  # the verdict over the reals comes first
        assert verdict_report(wrong, floats=floats).title == "refuted"


def test_undecided_formats_leave_the_exit_code_undecided():
    """A hundred merges by Algorithm 1 lose more than 53 bits; no evaluation need fail for that."""
    generator = random.Random(100000)
    rows = [[generator.random(), generator.random()] for _ in range(100)]
    points = LabeledPoints.of(rows, [generator.randrange(2) for _ in range(100)])
    built = build_certified(points, method="pma")
    assert built.certificate.bits_lost > 53
    assert built.smallest_dtype is None
    assert verdict_report(built.certificate, floats=built.floats).exit_code in (1, 3)


def test_on_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "easy.csv").write_text("0,0,a\n0,1,b\n1,0,b\n1,1,a\n")
    (tmp_path / "narrow.csv").write_text("1,a\n1.0000000000001,b\n")  # 44 bits
    (tmp_path / "narrower.csv").write_text("1,a\n1.00000000000000000001,b\n")  # 67 bits
    for name, code, smallest in (("easy", 0, "float32"), ("narrow", 0, "float64"), ("narrower", 1, "none")):
        arguments = [f"{name}.csv"]
        assert main(["build", *arguments, "-o", f"{name}.json", "--ieee", "--json"]) == code
        facts = json.loads(capsys.readouterr().out)
        assert facts["smallest_dtype"] == smallest
        assert facts["verdict"] == "certified"
        assert {"depth", "bits", "bits_lost", "condition", "float32_evaluation", "float64_evaluation"} <= set(facts)
        assert main(["verify", f"{name}.json", *arguments, "--ieee", "smallest"]) == code
        assert smallest in capsys.readouterr().out
        assert main(["build", *arguments]) == 0
        assert "smallest" not in capsys.readouterr().out  # on request only
