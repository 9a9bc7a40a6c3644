"""Points from files and data sets."""

from fractions import Fraction

import pytest

from constructions.errors import InputError, UnreadableFileError
from constructions.points import LabeledPoints
from lnnet.sources import DATASETS, load_dataset, random_labels, read_csv


def parsed(tmp_path, text, column=None):
    path = tmp_path / "t.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    rows, labels = read_csv(path, column)
    return [[Fraction(int(x.p), int(x.q)) for x in row] for row in rows], labels


@pytest.mark.parametrize(
    "text",
    [
        "0.1,2,a\n-3e1,1/3,b\n",
        "x,y,label\n0.1,2,a\n-3e1,1/3,b\n",
        "0.1;2;a\n-3e1;1/3;b\n",
        "0.1\t2\ta\n-3e1\t1/3\tb\n",
        "0.1|2|a\n-3e1|1/3|b\n",
        "0.1 2   a\n -3e1  1/3 b\n",
        "0.1, 2, a\r\n-3e1, 1/3, b\r\n",
        "\n0.1,2,a\n\n-3e1,1/3,b\n\n",
        '"0.1","2","a"\n"-3e1","1/3","b"\n',
        b"\xef\xbb\xbfx,y,label\n0.1,2,a\n-3e1,1/3,b\n",  # a byte order mark
        "0.1,2,a\n-3e1,1/3,b",
    ],
)
def test_delimiters_headers_and_exact_decimals(tmp_path, text):
    assert parsed(tmp_path, text) == ([[Fraction(1, 10), 2], [-30, Fraction(1, 3)]], ["a", "b"])


def test_the_label_column(tmp_path):
    text = "kind,x,y\na,1,2\nb,3,4\n"
    expected = ([[1, 2], [3, 4]], ["a", "b"])
    assert parsed(tmp_path, text, "kind") == expected
    assert parsed(tmp_path, text, "0") == expected
    assert parsed(tmp_path, text, "-3") == expected
    assert parsed(tmp_path, "a,1,2\nb,3,4\n", "0") == expected
    for column in ("colour", "3", "-4", "", "--1", "1.0"):
        with pytest.raises(InputError, match="no label column"):
            parsed(tmp_path, text, column)


def test_labels_are_integers_if_all_read_as_integers(tmp_path):
    assert parsed(tmp_path, "1,0\n2,+1\n3,-2\n")[1] == [0, 1, -2]
    for odd in ("x", "1.5", "+-5", "--6", "0x1", "1_0", "9" * 30):
        assert parsed(tmp_path, f"1,0\n2,{odd}\n")[1] == ["0", odd]


def test_a_single_coordinate(tmp_path):
    assert parsed(tmp_path, "x,label\n1,a\n2,b\n") == ([[1], [2]], ["a", "b"])
    assert parsed(tmp_path, "1,a\n2,b\n") == ([[1], [2]], ["a", "b"])


@pytest.mark.parametrize(
    ("name", "m", "d", "classes"),
    [("iris", 150, 4, 3), ("digits", 1797, 64, 10), ("wine", 178, 13, 3), ("breast_cancer", 569, 30, 2)],
)
def test_data_sets(name, m, d, classes):
    rows, labels = load_dataset(name)
    assert (len(rows), len(rows[0]), len(set(labels.tolist()))) == (m, d, classes)
    assert name in DATASETS


def test_data_sets_that_are_none(monkeypatch):
    with pytest.raises(InputError, match="iris"):
        load_dataset("../iris")
    monkeypatch.setitem(__import__("sys").modules, "sklearn", None)
    with pytest.raises(InputError, match="pip install"):
        load_dataset("iris")


def test_random_labels_are_drawn_per_distinct_point():
    rows, _ = load_dataset("iris")
    points = random_labels(rows, 3, seed=1)
    assert len(points) == 149
    assert set(points.labels) == {0, 1, 2}
    assert points == random_labels(rows, 3, seed=1)
    assert points.labels != random_labels(rows, 3, seed=2).labels
    assert LabeledPoints.of(rows, [0] * 150).points == points.points


def test_a_pipe_without_end_is_cut_off(monkeypatch):
    monkeypatch.setattr("constructions.limited_file.MAX_FILE_BYTES", 1000)
    with pytest.raises(UnreadableFileError, match="more than 1000 bytes"):
        read_csv("/dev/zero")
