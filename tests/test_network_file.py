"""Network and point documents say exactly what they hold, and read back as it."""

import json
import os

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from strategies import hostile_points

from constructions.algebraic import algebraic
from constructions.errors import InputError, UnreadableFileError
from constructions.network import Affine, LNNet
from constructions.network_file import (
    digest,
    load_network,
    network_document,
    network_from_document,
    points_document,
    points_from_document,
    read_json,
    save_network,
    write_json,
)
from constructions.points import LabeledPoints
from constructions.xor import figure1_network, xor_points
from lnnet import build, certify, load, save


@given(hostile_points(max_points=5), st.sampled_from(["dyadic", "exact"]))
def test_networks_read_back(points, arithmetic):
    net = build(points, arithmetic=arithmetic)
    text = json.dumps(network_document(net))
    again = network_from_document(json.loads(text))
    assert json.dumps(network_document(again)) == text
    assert digest(network_document(again)) == digest(json.loads(text))
    assert (again.classes, again.readout, again.semantics) == (net.classes, net.readout, net.semantics)
    if arithmetic == "dyadic":
        assert again == net
    else:
        for a, b in zip(net.layers, again.layers, strict=True):
            for x, y in zip((*sum(a.weight, ()), *a.bias), (*sum(b.weight, ()), *b.bias), strict=True):
                assert algebraic(x) == algebraic(y)
    assert certify(again, points)


@given(hostile_points())
def test_points_read_back(points):
    again = points_from_document(json.loads(json.dumps(points_document(points))))
    assert (again.points, again.labels) == (points.points, points.labels)


def test_files_read_back(tmp_path):
    path = tmp_path / "net.json"
    save(figure1_network(), path)
    net = load(path)
    assert certify(net, xor_points())
    assert [p.name for p in tmp_path.iterdir()] == ["net.json"]  # no temporary file stays
    document = json.loads(path.read_text(encoding="utf-8"))
    assert (document["format"], document["version"], document["semantics"]) == ("lnnet-network", 1, "exact")
    assert document["expressions"]


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path):
    path = tmp_path / "net.json"
    write_json(path, [1])
    with pytest.raises(InputError, match="cannot be written"):
        save_network(LNNet((Affine.of([[1]], [0]),), ((1, 2), "b")), path)
    assert read_json(path) == [1]
    for name in (".", "/", "a\0b", str(tmp_path / "no" / "folder.json")):
        with pytest.raises(UnreadableFileError):
            save_network(figure1_network(), name)
    with pytest.raises(UnreadableFileError):
        save_network(figure1_network(), tmp_path)
    assert len(os.listdir(tmp_path)) == 1


@pytest.mark.parametrize("label", ["text", "", "ünï", 0, -7, True, None, 2.5, 10**1000])
def test_labels_that_json_holds(label):
    net = LNNet((Affine.of([[1]], [0]),), (label, "another"))
    again = network_from_document(json.loads(json.dumps(network_document(net))))
    assert again.classes == net.classes
    assert [type(x) for x in again.classes] == [type(x) for x in net.classes]


@pytest.mark.parametrize("label", [(1, 2), frozenset(), fmpq(1, 2), 10**5000, "\ud800", float("inf"), b"x"], ids=type)
def test_labels_that_json_cannot_hold(label):
    with pytest.raises(InputError, match="cannot be written"):
        network_document(LNNet((Affine.of([[1]], [0]),), (label, "another")))


def test_shared_expressions_are_written_once():
    root = algebraic(2).sqrt()
    net = LNNet((Affine.of([[root, root + 1], [root, 3]], [root, 0]),), (0, 1), "argmax", semantics="exact")
    assert len(network_document(net)["expressions"]) == 4  # 2, √2, 1, √2 + 1


def test_a_digest_does_not_depend_on_the_order_of_keys():
    assert digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1})
    assert digest({"a": 1}) != digest({"a": 2})
    assert len(digest(None)) == 64


def test_equal_points_in_a_document_must_agree():
    with pytest.raises(InputError, match="equal but labelled"):
        points_from_document({"points": [["1/2"], ["1*2^-1"]], "labels": [0, 1]})


@pytest.mark.parametrize(
    "document", [None, [], {}, {"points": []}, {"points": [], "labels": [], "x": 1}, {"points": {}, "labels": []}]
)
def test_point_documents_that_are_none(document):
    with pytest.raises(InputError):
        points_from_document(document)


def test_missing_files_and_devices(tmp_path):
    for path in (tmp_path / "none.json", tmp_path, "a\0b", "/dev/null"):
        with pytest.raises(UnreadableFileError):
            load_network(path)


def test_points_with_repeats_keep_one():
    points = LabeledPoints.of([0, 0, 1], [0, 0, 1])
    assert points_document(points)["points"] == [["0"], ["1"]]
