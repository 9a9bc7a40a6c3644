"""Reports, for people and for programs; the progress bar; the table of verdicts."""

import json
import sys

import pytest

from constructions.errors import ConflictingLabelsError, LNNetError, MergeConfusionError, UndecidedError
from constructions.xor import figure1_network, xor_points
from lnnet import progress
from lnnet.cli import COMMANDS, parser
from lnnet.progress import progress_bar
from lnnet.report import Report
from lnnet.verdicts import second_opinion, verdict_report
from proofs.certificate import certify

FULL = Report("title", 0, {"name": "va[l]ue", "none": None, "ratio": 0.123}, [{"a": 1, "b_c": None}], ["a note"])


def test_for_programs():
    assert json.loads(json.dumps(FULL.document())) == {
        "title": "title",
        "exit_code": 0,
        "name": "va[l]ue",
        "none": None,
        "ratio": 0.123,
        "rows": [{"a": 1, "b_c": None}],
    }


def test_for_people(capsys):
    FULL.show()
    captured = capsys.readouterr()
    assert captured.err == ""
    for text in ("title", "va[l]ue", "0.12", "b c", "-", "a note"):
        assert text in captured.out


@pytest.mark.parametrize("code", [1, 2, 3])
def test_failures_say_what_happened(capsys, code):
    report = Report.failure("sorry", UndecidedError("it was like this"), code)
    report.show()
    captured = capsys.readouterr()
    assert "it was like this" in (captured.err if code == 2 else captured.out)
    assert report.document() == {
        "title": "sorry",
        "exit_code": code,
        "error": "UndecidedError",
        "message": "it was like this",
    }


def test_long_lines_are_not_broken_in_a_file(capsys):
    Report("t", 0, {"long": "x" * 250}).show()
    assert "x" * 250 in capsys.readouterr().out


def test_a_terminal_loses_nothing_and_breaks_between_words(capsys, monkeypatch):
    for name, value in (("FORCE_COLOR", "1"), ("TERM", "xterm"), ("COLUMNS", "40")):
        monkeypatch.setenv(name, value)
    rows = [{"a": "y" * 10, "b": "z" * 28}, {"a": "y" * 30, "b": "z" * 28}]
    Report("t", rows=rows[:1], notes=["word " * 12, "W = (" + "1 " * 30 + ")\nb = 0"]).show()
    Report("t", rows=rows).show()
    out = capsys.readouterr().out
    assert f"{'y' * 10}  {'z' * 28}" in out  # 40 columns are enough: nothing stands after the last column
    assert "…" not in out
    assert out.count("z") == 28 * 3
    assert "(" + "1 " * 30 + ")" in out
    assert not any("word" in line and len(line) > 40 for line in out.splitlines())


def test_verdicts_have_exit_codes():
    good = certify(figure1_network(), xor_points())
    bad = certify(figure1_network(), xor_points().relabel([1, 1, 1, 1]))
    assert (verdict_report(good).exit_code, verdict_report(bad).exit_code) == (0, 1)
    assert second_opinion(good)["second_checker"] == "certified"
    assert second_opinion(bad)["second_checker"] == "refuted"


def test_no_bar_where_there_is_no_terminal(capsys, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    for quiet in (True, False):
        with progress_bar(quiet=quiet) as watch:
            watch("working", 1, 2)
    assert capsys.readouterr() == ("", "")


def test_a_bar_on_a_terminal_after_some_patience(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar() as watch:
        watch("quick", 1, 2)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    with progress_bar() as watch:
        watch("working", 1, 2)
    assert capsys.readouterr().out == ""


def test_every_command_has_help_and_json():
    for name in COMMANDS:
        help_page = parser()._subparsers._group_actions[0].choices[name].format_help()  # type: ignore[union-attr]
        assert "--json" in help_page
        assert len(help_page) > 100


def test_errors_carry_their_evidence():
    confusion = MergeConfusionError((3, 5), ("a", "b"), 2)
    assert (confusion.points, confusion.labels, confusion.layer) == ((3, 5), ("a", "b"), 2)
    assert "Layer 2" in str(confusion)
    assert not isinstance(confusion, ValueError)  # nothing is wrong with the input
    conflict = ConflictingLabelsError(0, 4, ("a", "b"))
    assert isinstance(conflict, ValueError)
    assert isinstance(conflict, LNNetError)
    assert UndecidedError("x", 7).layer == 7
