"""The command line on bad input: exit 2, a message, no traceback; and its other exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from constructions import limited_file
from lnnet.cli import COMMANDS, main

XOR = "x,y,label\n0,0,0\n0,1,1\n1,0,1\n1,1,0\n"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "xor.csv").write_text(XOR)


def write(name, content):
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())


def run(capsys, *arguments):
    """Exit code, standard output, standard error; an exception would be a traceback."""
    try:
        code = main(arguments)
    except SystemExit as leaving:  # argparse
        code = leaving.code
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err + captured.out
    return code, captured.out, captured.err


def refused(capsys, *arguments):
    """The message of a command that must exit with 2, the same with --json."""
    code, out, err = run(capsys, *arguments)
    assert code == 2, out + err
    assert out == ""
    assert len(err) > 25
    code, out, _ = run(capsys, *arguments, "--json")
    document = json.loads(out)
    assert code == document["exit_code"] == 2
    assert " ".join(document["message"].split()) in " ".join(err.split())
    return document["message"]


BAD_TABLES = {
    "empty": ("", "no data"),
    "blank lines": ("\n\n \n", "no data"),
    "header only": ("x,y,label\n", "no data"),
    "one column": ("1\n2\n", "single column"),
    "ragged": ("1,2,a\n1,b\n", "row 2"),
    "not a number": ("x,y,l\n1,2,a\n2,foo,b\n", "row 3, column 'y'"),
    "a slip in the first row": ("1,2.O,a\n2,3,b\n", "row 1, column '1'"),
    "nan": ("1,nan,a\n2,3,b\n", "row 1, column '1'"),
    "inf": ("x,y,l\n1,-inf,a\n", "row 2, column 'y'"),
    "huge exponent": ("1,2,a\n1e99999999,3,b\n", "Exponent"),
    "missing cell": ("x,y,l\n1,,a\n2,3,b\n", "row 2, column 'y'"),
    "missing label": ("x,y,l\n1,3,\n2,3,b\n", "row 2, column 'l'"),
    "foreign digits": ("1,2,a\n١,3,b\n", "row 2, column '0'"),
    "a NUL": ("1,2,a\n\0,3,b\n", "row 2, column '0'"),
    "conflicting labels": ("1,2,a\n1.0,2,b\n", "Points 0 and 1"),
    "an endless cell": (f"1,2,a\n{'9' * 200_000},3,b\n", "field"),
    "quotes left open": ('"1,2,a\n2,3,b\n', "column"),
    "not UTF-8": (b"\xe9,2,a\n", "UTF-8"),
    "UTF-16": ("1,2,a\n".encode("utf-16"), "UTF-8"),
}


@pytest.mark.parametrize("name", BAD_TABLES)
@pytest.mark.parametrize("command", ["build", "verify"])
def test_bad_tables(capsys, tmp_path, command, name):
    content, expected = BAD_TABLES[name]
    write("bad.csv", content)
    if command == "verify":
        assert run(capsys, "build", "xor.csv", "-o", "net.json")[0] == 0
    message = refused(capsys, command, *(["net.json"] if command == "verify" else []), "bad.csv")
    assert expected in message


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["build", "nowhere.csv"], "Cannot read nowhere.csv"),
        (["build", "."], "Cannot read"),
        (["build", "a\0b"], "name of a file"),
        (["build", "dataset:nothing"], "Unknown data set"),
        (["build", "dataset:"], "Unknown data set"),
        (["build", "iris"], "Did you mean dataset:iris?"),
        (["build", "dataset:iris", "--labels", "4"], "labels of its own"),
        (["build", "first.csv"], "add --labels kind"),
        (["build", "xor.csv", "--labels", "colour"], "no label column 'colour'"),
        (["build", "xor.csv", "--labels", "9"], "no label column '9': there are columns 0 to 2"),
        (["build", "xor.csv", "--labels=-9"], "no label column '-9'"),
        (["build", "xor.csv", "--labels=--5"], "no label column '--5'"),
        (["build", "xor.csv", "--random-labels", "0"], "at least 1"),
        (["build", "xor.csv", "--bits", "1"], "between 2 and"),
        (["build", "xor.csv", "--bits", "1000000000"], "between 2 and"),
        (["build", "xor.csv", "--bits", "64", "--arithmetic", "exact"], "does not go with"),
        (["build", "xor.csv", "--depth=-1"], "cannot be padded"),
        (["build", "xor.csv", "--depth", "0"], "cannot be padded"),
        (["build", "xor.csv", "--depth", "1000000000"], "at most"),
        (["build", "xor.csv", "-o", "."], "name of a file"),
        (["build", "xor.csv", "-o", ""], "name of a file"),
        (["build", "xor.csv", "-o", "no/such/folder.json"], "Cannot write"),
        (["verify", "nowhere.json", "xor.csv"], "Cannot read nowhere.json"),
        (["verify", "xor.csv", "xor.csv"], "JSON"),
        (["recheck", "nowhere.json"], "Cannot read"),
        (["recheck", "xor.csv"], "JSON"),
        (["nonlinearity", "--dimensions", "1"], "at least 3"),
        (["vc-table", "--witness", "nobody"], "depth1-dimension2-points6"),
        (["audit", "lemma-99"], "Did you mean one of lemma-1,"),
        (["break-lssr", "dataset:iris"], "--between 0 1"),
        (["break-lssr", "dataset:iris", "--between", "setosa", "0"], "no class 'setosa'; the labels are 0, 1, 2"),
        (["demo", "-o", "xor.csv"], "Cannot make the folder"),
        (["demo", "-o", "xor.csv/below"], "Cannot make the folder"),
    ],
    ids=" ".join,
)
def test_bad_arguments(capsys, arguments, expected):
    write("first.csv", "kind,x,y\na,1,2\nb,3,4\n")
    assert expected in refused(capsys, *arguments)


@pytest.mark.parametrize(
    "arguments", [[], ["dance"], ["build"], ["build", "xor.csv", "--bits", "many"], ["verify", "a"]]
)
def test_argparse_errors(capsys, arguments):
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert "error:" in err


@pytest.fixture
def documents(capsys):
    """A network and a certificate, as files and as objects."""
    assert run(capsys, "build", "xor.csv", "-o", "net.json")[0] == 0
    assert run(capsys, "verify", "net.json", "xor.csv", "-o", "cert.json")[0] == 0
    return {name: json.loads(Path(name).read_text(encoding="utf-8")) for name in ("net.json", "cert.json")}


def first_layer(**changes):
    def change(document):
        network = document.get("network", document)
        network["layers"][0].update(changes)

    return change


def top(**changes):
    return lambda document: document.get("network", document).update(changes)


BAD_NETWORKS = {
    "a weight that is NaN": (first_layer(weight=[["NaN", "0"]] * 3), "finite number"),
    "an infinite bias": (first_layer(bias=["1", "inf", "0"]), "finite number"),
    "a float": (first_layer(bias=[0.5, 0, 0]), "exact number as text"),
    "a boolean": (first_layer(bias=[True, 0, 0]), "exact number as text"),
    "a missing row": (first_layer(weight=[["1", "0"]] * 2), "one entry a row"),
    "a ragged weight": (first_layer(weight=[["1", "0"], ["1"], ["0", "0"]]), "equal lengths"),
    "no columns": (first_layer(weight=[[], [], []]), "at least one"),
    "too few outputs": (first_layer(weight=[["1", "0"]] * 2, bias=["1", "0"]), "takes 3"),
    "a weight that is no list": (first_layer(weight="1"), "list"),
    "an unknown key": (top(colour="red"), "colour"),
    "no layers": (top(layers=[]), "at least one"),
    "layers that are no list": (top(layers={}), "list"),
    "a list as read-out": (top(readout=[]), "read-out"),
    "an unknown read-out": (top(readout="softmax"), "read-out"),
    "negative epsilon": (top(epsilon="-1"), "Epsilon"),
    "unknown semantics": (top(semantics="bfloat16"), "semantics"),
    "semantics that do not hold": (top(semantics="float32", epsilon="0"), "float32"),
    "one class for a threshold": (top(classes=[0]), "two classes"),
    "a class twice": (top(classes=[1, True]), "distinct"),
    "a list as class": (top(classes=[[0], 1]), "label"),
    "another format": (top(format="onnx"), "format"),
    "another version": (top(version=99), "version"),
    "an operation that is none": (top(expressions=["2", [["sqrt"], 0]]), "expression 1"),
    "a root of a negative number": (top(expressions=["-2", ["sqrt", 0]]), "expression 1"),
    "a division by zero": (top(expressions=["2", "0", ["div", 0, 1]]), "expression 2"),
    "a row that refers to itself": (top(expressions=["2", ["add", 0, 1]]), "expression 1"),
    "a reference to nothing": (first_layer(bias=["#7", "0", "0"]), "refers to no expression"),
}


@pytest.mark.parametrize("name", BAD_NETWORKS)
def test_bad_networks(capsys, documents, name):
    change, expected = BAD_NETWORKS[name]
    network = documents["net.json"]
    if name == "semantics that do not hold":
        network["layers"][0]["bias"][0] = "1/3"
    change(network)
    write("bad.json", json.dumps(network))
    assert expected in refused(capsys, "verify", "bad.json", "xor.csv")
    certificate = documents["cert.json"]
    certificate["network"] = network
    write("bad.json", json.dumps(certificate))
    assert expected in refused(capsys, "recheck", "bad.json")


def test_a_document_of_another_kind(capsys, documents):
    assert "its format is 'lnnet-network'" in refused(capsys, "recheck", "net.json")
    assert "its format is 'lnnet-certificate'" in refused(capsys, "verify", "cert.json", "xor.csv")


def test_no_command_shows_all_of_them(capsys):
    err = run(capsys)[2]
    assert all(command in err for command in COMMANDS)


def test_a_constant_row_into_an_ln(capsys, documents):
    network = documents["net.json"]
    network["layers"][0].update(weight=[["0", "0"]] * 3, bias=["1", "1", "1"])
    write("bad.json", json.dumps(network))
    assert "row of equal coordinates" in refused(capsys, "verify", "bad.json", "xor.csv")
    assert "row of equal coordinates" in refused(capsys, "verify", "bad.json", "xor.csv", "--second")


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.99])
@pytest.mark.parametrize("name", ["net.json", "cert.json"])
def test_truncated_files(capsys, documents, name, part):
    text = Path(name).read_text(encoding="utf-8").rstrip()
    write("cut.json", text[: int(len(text) * part)])
    arguments = ["recheck", "cut.json"] if name == "cert.json" else ["verify", "cut.json", "xor.csv"]
    assert "JSON" in refused(capsys, *arguments)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"format": "lnnet-network", "format": "x"}', "same key twice"),
        ('{"epsilon": NaN}', "NaN"),
        ("[" * 100_000, "nests too deeply"),
        ("1" * 10_000, "4000 digits"),
        ("null", "object"),
        ("[1, 2]", "object"),
        (b"\xff\xfe", "JSON"),
    ],
)
def test_files_that_are_no_documents(capsys, text, expected):
    write("odd.json", text)
    assert expected in refused(capsys, "verify", "odd.json", "xor.csv")
    assert expected in refused(capsys, "recheck", "odd.json")


def test_oversized_files_are_refused(capsys, documents, monkeypatch):
    monkeypatch.setattr(limited_file, "MAX_FILE_BYTES", 30)
    assert "more than 30 bytes" in refused(capsys, "recheck", "cert.json")
    assert "more than 30 bytes" in refused(capsys, "verify", "net.json", "xor.csv")
    assert "more than 30 bytes" in refused(capsys, "build", "xor.csv")


@pytest.mark.parametrize(
    ("table", "expected"),
    [("1,2,3,0\n", "takes 2 coordinates"), ("0,0,7\n", "Label 7"), ("0,0,red\n", "Label 'red'")],
)
def test_points_that_do_not_fit_the_network(capsys, documents, table, expected):
    write("other.csv", table)
    assert expected in refused(capsys, "verify", "net.json", "other.csv")


@pytest.mark.parametrize("bits", ["0", "1", "-4"])
def test_senseless_precision_limits(capsys, documents, bits):
    assert "max_bits" in refused(capsys, "verify", "net.json", "xor.csv", f"--max-bits={bits}")


def test_certified_is_0(capsys, documents):
    for arguments in (
        ["verify", "net.json", "xor.csv", "--second"],
        ["recheck", "cert.json", "--second"],
        ["build", "xor.csv"],
    ):
        code, out, err = run(capsys, *arguments)
        assert (code, err) == (0, "")
        assert out.startswith("certified")
        code, out, _ = run(capsys, *arguments, "--json")
        document = json.loads(out)
        assert (code, document["verdict"], document["points"]) == (0, "certified", 4)
        if "--second" in arguments:
            assert document["second_checker"] == "certified"


def test_refuted_and_confused_are_1(capsys, documents):
    write("wrong.csv", "0,0,0\n0,1,0\n")
    code, out, _ = run(capsys, "verify", "net.json", "wrong.csv")
    assert (code, "refuted" in out, "Point 1" in out) == (1, True, True)
    write("line.csv", "0,0\n1,1\n2,1\n3,1\n")
    code, out, _ = run(capsys, "build", "line.csv", "--method", "pma-printed", "--json")
    assert (code, json.loads(out)["error"]) == (1, "MergeConfusionError")
    for claim in ({"verdict": "refuted"}, {"margin": "1000"}, {"semantics": "exact"}, {"verdict": []}):
        write("claim.json", json.dumps({**documents["cert.json"], **claim}))
        assert run(capsys, "recheck", "claim.json")[0] == 1, claim


def test_undecided_is_3(capsys, documents):
    assert run(capsys, "build", "xor.csv", "--bits", "2")[0] == 3
    network = documents["net.json"]
    last = network["layers"][-1]
    last["weight"], last["bias"] = [["0", "0", "0"]], [f"1*2^-{10**5}"]
    network["layers"][-1] = last
    network["expressions"] = ["2", "3", "6", ["sqrt", 0], ["sqrt", 1], ["sqrt", 2], ["mul", 3, 4], ["sub", 6, 5]]
    network["semantics"], last["bias"] = "exact", ["#7"]  # √2·√3 − √6, which is 0
    write("boundary.json", json.dumps(network))
    code, out, _ = run(capsys, "verify", "boundary.json", "xor.csv", "--max-bits", "128")
    assert (code, "undecided" in out) == (3, True)


def test_a_certificate_that_was_undecided_may_be_certified_later(capsys, documents):
    claim = {**documents["cert.json"], "verdict": "undecided", "margin": None}
    write("claim.json", json.dumps(claim))
    assert run(capsys, "recheck", "claim.json")[0] == 0


@pytest.mark.parametrize("what", ["network", "points", "labels"])
def test_altered_certificates_are_refused(capsys, documents, what):
    document = documents["cert.json"]
    if what == "network":
        document["network"]["layers"][0]["bias"][0] = "7"
    elif what == "points":
        document["points"][0][0] = "9"
    else:
        document["labels"][0] = 1
    write("altered.json", json.dumps(document))
    assert "SHA-256" in refused(capsys, "recheck", "altered.json")


def test_demo(capsys, tmp_path):
    code, out, _ = run(capsys, "demo", "-o", "shown", "--json")
    document = json.loads(out)
    assert code == 0
    assert [(row["example"], row["verdict"], row["points"]) for row in document["rows"]] == [
        ("xor", "certified", 4),
        ("iris-random-labels", "certified", 149),  # one of the 150 rows occurs twice
    ]
    for path in (tmp_path / "shown").glob("*.certificate.json"):
        assert run(capsys, "recheck", str(path))[0] == 0
    names = {"xor.png", "xor.gif", "iris-random-labels.png"}
    assert names <= {path.name for path in (tmp_path / "shown").iterdir() if path.stat().st_size > 10_000}


@pytest.mark.parametrize("method", ["auto", "pma", "pma-pba", "chord"])
@pytest.mark.parametrize("arithmetic", ["exact", "dyadic", "mpf", "float64"])
def test_every_method_in_every_arithmetic(capsys, method, arithmetic):
    code, out, _ = run(
        capsys, "build", "xor.csv", "--method", method, "--arithmetic", arithmetic, "-o", "n.json", "--json"
    )
    document = json.loads(out)
    assert (code, document["verdict"], document["width"]) == (0, "certified", 3)
    assert run(capsys, "verify", "n.json", "xor.csv")[0] == 0


def test_label_columns_by_name_and_number(capsys):
    write("t.csv", "kind;x;y\nred;0,5;1\n".replace(",", ".") + "blue;1;2\n")
    for column in ("kind", "0", "-3"):
        code, out, _ = run(capsys, "build", "t.csv", "--labels", column, "--json")
        assert (code, json.loads(out)["classes"], json.loads(out)["dimension"]) == (0, 2, 2)


@pytest.mark.parametrize("arguments", [["show", "net.json"], ["show", "net.json", "--json"]])
def test_a_reader_that_leaves_changes_no_exit_code(documents, arguments):
    root = str(Path(__file__).parents[1])
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "lnnet", *arguments],
            stdout=writer,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": root},
            check=False,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_interrupt_is_no_traceback(capsys, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("lnnet.sources.read_points", interrupt)
    assert run(capsys, "build", "xor.csv")[0] == 130
