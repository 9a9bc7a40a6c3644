"""``lnnet shatter`` as it is typed: exit codes, reports, replays, and messages for what cannot be done."""

import hashlib
import json

import pytest

from constructions.network_file import load_network, save_network
from lnnet.cli import main
from proofs.certificate import recheck


def run(capsys, *words):
    code = main(["shatter", *words])
    shown = capsys.readouterr()
    return code, shown.out + shown.err


def run_json(capsys, *words):
    code = main(["shatter", *words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_depth_alone(capsys, tmp_path):
    code, text = run(capsys, "--depth", "4", "-o", str(tmp_path / "report.json"))
    assert code == 0
    assert "shattered" in text
    assert "VC dimension of such networks is at least 6" in text
    report = json.loads((tmp_path / "report.json").read_text())
    assert (report["certified"], report["labelings"], report["examined"]) == (True, 64, 32)
    assert report["task"]["points"] == [["0"], ["1"], ["2"], ["3"], ["4"], ["5"]]
    assert report["by_filter"] + report["fell_through"] == 32
    assert report["unrealised"] == {}
    assert report["depths"] == {"0": 6, "1": 10, "2": 10, "3": 5, "4": 1}
    assert set(report["spot_checked"]) >= {report["tightest"]}


def test_dimension(capsys):
    code, document = run_json(capsys, "--depth", "3", "--dim", "2")
    assert code == 0
    assert document["dimension"] == 2
    assert document["result"]["task"]["points"][3] == ["3", "9"]


@pytest.mark.parametrize("content", ["0,0\n1,3\n-2,5\n0.5,0.25\n", "x y\n0 0\n1 3\n-2 5\n0.5 0.25\n"])
def test_points_from_a_file(capsys, tmp_path, content):
    path = tmp_path / "points.csv"
    path.write_text(content)
    code, document = run_json(capsys, "--points", str(path))
    assert code == 0
    assert (document["points"], document["depth"]) == (4, 2)
    assert document["result"]["task"]["points"][3] == ["1*2^-1", "1*2^-2"]


def test_a_missing_labelling_is_named(capsys, tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("0\n1\n2\n3\n")
    code, text = run(capsys, "--points", str(path), "--depth", "1")
    assert code == 1
    assert "0101" in text


def test_a_replay_can_be_checked_by_itself(capsys, tmp_path):
    report, certificate = tmp_path / "report.json", tmp_path / "certificate.json"
    assert run(capsys, "--depth", "5", "-o", str(report))[0] == 0
    code, document = run_json(
        capsys, "--depth", "5", "--labelling", "0110100", "--against", str(report), "-o", str(certificate)
    )
    assert code == 0
    assert "agrees" in document["report"]
    fresh = recheck(certificate)
    assert fresh
    assert (fresh.network.depth, fresh.network.width) == (5, 3)
    save_network(fresh.network, tmp_path / "net.json")
    assert load_network(tmp_path / "net.json") == fresh.network
    again = run_json(capsys, "--depth", "5", "--labelling", "0110100")[1]
    assert (again["digest"], again["network_sha256"]) == (document["digest"], document["network_sha256"])
    assert json.loads(certificate.read_text())["network_sha256"] == document["network_sha256"]
    assert document["digest"] != hashlib.sha256(b"").hexdigest()


def test_a_replay_that_contradicts_the_report(capsys, tmp_path):
    path = tmp_path / "report.json"
    run(capsys, "--depth", "3", "-o", str(path))
    report = json.loads(path.read_text())
    report["chunks"][0]["sha256"] = "0" * 64
    path.write_text(json.dumps(report))
    code, text = run(capsys, "--depth", "3", "--labelling", "01101", "--against", str(path))
    assert code == 2
    assert "another digest" in text
    code, text = run(capsys, "--depth", "4", "--labelling", "011011", "--against", str(path))
    assert code == 2
    assert "no report on these points" in text


def test_a_sample(capsys):
    code, document = run_json(capsys, "--depth", "20", "--sample", "50", "--confidence", "0.9")
    assert code == 0
    assert document["result"]["confidence"] == "9/10"
    assert document["result"]["fraction_at_least"] == pytest.approx(0.1 ** (1 / 50), abs=1e-9)
    assert "does not show" in document["result"]["statement"]


def test_a_replay_with_three_classes(capsys):
    code, document = run_json(capsys, "--depth", "3", "--classes", "3", "--labelling", "01202")
    assert code == 0
    assert (document["classes"], document["depth"]) == (3, 3)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "--depth L"),
        (("--depth", "0"), "at least 1"),
        (("--depth", "-3"), "at least 1"),
        (("--depth", "60"), "--sample"),
        (("--depth", "3", "--dim", "0"), "dimension"),
        (("--depth", "3", "--labelling", "0110"), "5 points"),
        (("--depth", "3", "--labelling", "01102"), "digits"),
        (("--depth", "3", "--labelling", "01100", "--sample", "3"), "--labelling"),
        (("--depth", "3", "--against", "x.json"), "--against"),
        (("--depth", "3", "--method", "pba"), "method"),
        (("--depth", "3", "--workers", "0"), "workers"),
        (("--depth", "3", "--workers", "2", "--cluster", "tcp://localhost:1"), "not both"),
        (("--depth", "3", "--confidence", "1"), "confidence"),
        (("--depth", "3", "--sample", "3", "--confidence", "lots"), "finite"),
        (("--points", "missing.csv"), "missing.csv"),
        (("--points", "missing.csv", "--dim", "2"), "--dim"),
        (("--depth", "3", "--resume", "/nonexistent/run.json"), "Cannot write"),
        (("--depth", "3", "-o", "/nonexistent/report.json"), "Cannot write"),
    ],
)
def test_bad_input(capsys, words, message):
    code, text = run(capsys, *words)
    assert code == 2
    assert message in text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("0\n1\n1.0\n", "Points 1 and 2 are equal"),
        ("", "no points"),
        ("x\n", "no points"),
        ("0,1\n2\n", "row 2"),
        ("0\nnan\n", "finite"),
        ("0,\n1,2\n", "empty"),
    ],
)
def test_bad_files(capsys, tmp_path, content, message):
    path = tmp_path / "points.csv"
    path.write_text(content)
    code, text = run(capsys, "--points", str(path))
    assert code == 2
    assert message in text


def test_a_resume_file_of_another_run(capsys, tmp_path):
    path = tmp_path / "run.json"
    assert run(capsys, "--depth", "3", "--resume", str(path))[0] == 0
    code, text = run(capsys, "--depth", "4", "--resume", str(path))
    assert code == 2
    assert "another run" in text
