import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq

from constructions.errors import InputError, UnreadableFileError
from constructions.points import LabeledPoints
from lnnet.cli import main
from proofs import witnesses
from proofs.checker import check
from proofs.checker_mpmath import check_with_mpmath
from proofs.shattered_recheck import recheck_set
from proofs.shattered_set import ShatteredSet, load_witness, witness_from_document, witness_names

FOLDER = Path(witnesses.__file__).parent
#: Of sets with more labelings than this only a share is checked here, evenly spread; the deep profile checks all, and
#: so does ``lnnet vc-table --recheck``.
ALL_UP_TO = 1 << 16
DEEP = os.environ.get("LNNET_HYPOTHESIS") == "deep"


def document(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", witness_names())
def test_every_witness_is_certified(name):
    witness = load_witness(name)
    step = 1 if DEEP or witness.labelings <= ALL_UP_TO else 8 * witness.labelings // ALL_UP_TO - 1
    found = recheck_set(witness, range(0, witness.labelings, step))
    assert found.checked == len(range(0, witness.labelings, step))
    assert found.by_filter + found.by_checker == found.checked
    assert found.failures == ()
    assert found.margin > 0
    assert name == f"depth{witness.depth}-dimension{witness.dimension}-points{len(witness.points)}"


def test_labelings_are_all_different():
    witness = load_witness("depth1-dimension2-points6")
    seen = {tuple(labels) for labels in witness.labels(range(32)).tolist()}
    assert len(seen) == witness.labelings == 32
    assert {labels[0] for labels in seen} == {0}
    assert witness.labelled(5).labels == (0, 1, 0, 1, 0, 0)
    for number in (-1, 32):
        with pytest.raises(InputError, match="from 0 to 31"):
            witness.network(number)


def test_complement_padding_and_embedding():
    """What the table takes for granted: exchanged classes, more layers, more coordinates."""
    witness = load_witness("depth3-dimension1-points9")
    for number in (0, 1, 85, 170, 255):
        net, points = witness.network(number), witness.labelled(number)
        assert (
            check(replace(net, classes=(1, 0)), points.relabel([1 - x for x in points.labels])).outcome == "certified"
        )
        deeper = net.padded(5)
        assert deeper.depth == 5
        assert check(deeper, points).outcome == "certified"
        assert check_with_mpmath(net, points).outcome == "certified"
        first = net.layers[0]
        wider = replace(first, weight=tuple((*row, fmpq(0)) for row in first.weight))
        flat = LabeledPoints.of([[*p, 0] for p in points.points], points.labels)
        assert check(replace(net, layers=(wider, *net.layers[1:])), flat).outcome == "certified"


@pytest.mark.parametrize("name", ["depth2-dimension2-points11", "depth3-dimension1-points9"])
def test_a_damaged_chain_is_noticed(name):
    """Negative control: with chains missing, or moved, some labelling is not certified."""
    whole = document(name)
    gone = {**whole, "chains": whole["chains"][:2]}
    failures = recheck_set(witness_from_document(gone)).failures
    assert 0 < len(failures) < load_witness(name).labelings
    with pytest.raises(InputError, match="no network"):
        witness_from_document(gone).network(failures[0])
    bent = [[[-layers[0][0], *layers[0][1:]], *layers[1:]] for layers in whole["chains"]]
    assert recheck_set(witness_from_document({**whole, "chains": bent})).failures != ()


def test_a_wrong_label_is_noticed(monkeypatch):
    """Negative control of the filter and of what it leaves: networks for other labels than those asked about."""
    witness = load_witness("depth3-dimension1-points9")
    honest = ShatteredSet.last_layers
    monkeypatch.setattr(
        ShatteredSet, "last_layers", lambda self, group, numbers: honest(self, group, np.asarray(numbers) ^ 1)
    )
    found = recheck_set(witness, range(2, 64, 4))
    assert (found.by_filter, found.by_checker, len(found.failures)) == (0, 0, 16)


def test_a_moved_point_is_noticed():
    whole = document("depth1-dimension2-points6")
    centre = [sum(x) // 6 for x in zip(*whole["points"], strict=True)]
    moved = {**whole, "points": [*whole["points"][:-1], centre]}
    missing = {**whole, "half_spaces": whole["half_spaces"][2:]}
    assert recheck_set(witness_from_document(moved)).failures != ()
    assert recheck_set(witness_from_document(missing)).failures != ()


def test_a_network_of_another_depth_does_not_count(monkeypatch):
    witness = load_witness("depth3-dimension1-points9")
    honest = ShatteredSet.network
    monkeypatch.setattr(ShatteredSet, "network", lambda self, number: honest(self, number).padded(4))
    assert recheck_set(witness, range(1, 4), spot=1).failures == (1, 2, 3)


@pytest.mark.parametrize("name", ["depth1-dimension3-points10", "depth2-dimension2-points11"])
def test_filter_and_checker_agree(name):
    """Both ways on the same networks: the same verdicts, and the filter's margin never above the checker's."""
    witness = load_witness(name)
    numbers = range(0, witness.labelings, 3)
    seen = []
    both = recheck_set(witness, numbers, spot=1, watch=lambda done, total: seen.append((done, total)))
    assert both.failures == ()
    assert both.spot_checked == both.by_filter == len(numbers) - 1
    assert seen[-1] == (len(numbers) - 1, len(numbers))
    filtered = recheck_set(witness, [1], spot=10**9)
    verdict = check(witness.network(1), witness.labelled(1))
    assert verdict.margin * fmpq(999999, 1000000) < filtered.margin <= verdict.margin + fmpq(1, 10**6)


@pytest.mark.parametrize("name", ["depth1-dimension3-points10", "depth3-dimension1-points9"])
def test_networks_do_not_depend_on_company(name):
    """A labelling's last layer has the same bits alone as among many, so that it can be rebuilt and checked alone."""
    witness = load_witness(name)
    for group, members in witness.groups(range(1, 256)):
        together = witness.last_layers(group, members)
        for k in range(0, len(members), 17):
            assert together.affines(k) == witness.last_layers(group, members[k : k + 1]).affines(0)
            assert together.affines(k) == witness.network(int(members[k])).layers[-2:]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"kind": "magic"}, "kind"),
        ({"kind": None}, "kind"),
        ({"version": 2}, "version 1"),
        ({"points": []}, "not empty"),
        ({"points": [[1, 2], [1, 2]]}, "distinct"),
        ({"points": [[1, 2], [1.5, 2]]}, "2 integers"),
        ({"points": [[1, 2], [True, 2]]}, "2 integers"),
        ({"points": [[1], [2]]}, "2 integers"),
        ({"points": [[k, 0] for k in range(25)]}, "2 to 24"),
        ({"depth": 0}, "integers from 1"),
        ({"depth": 3}, "2 integers below"),
        ({"binary_places": [14, 14]}, "1 integers"),
        ({"chains": [[[1, 2, 3]]]}, "6 integers"),
        ({"chains": [[[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]]]}, "1 layers for"),
        ({"extra": 1}, "unknown keys"),
    ],
)
def test_bad_documents(change, complaint):
    with pytest.raises((UnreadableFileError, InputError), match=complaint):
        witness_from_document({**document("depth2-dimension2-points11"), **change})


def test_not_a_document():
    for value in (None, [], "text", {}):
        with pytest.raises(UnreadableFileError):
            witness_from_document(value)
    with pytest.raises(UnreadableFileError):
        load_witness("no-such-witness")
    with pytest.raises(InputError, match="of depth 1"):
        ShatteredSet(2, ((fmpq(0),), (fmpq(1),)), "half-spaces")


def test_command_line(tmp_path, capsys):
    assert main(["vc-table", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert len(rows) == 24
    assert main(["vc-table", "--witness", "depth2-dimension1-points5", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)["rows"][0]
    assert (row["labelings"], row["checked"], row["not_certified"]) == (16, 16, 0)
    whole = document("depth3-dimension1-points9")
    path = tmp_path / "less.json"
    path.write_text(json.dumps({**whole, "chains": whole["chains"][1:]}), encoding="utf-8")
    assert main(["vc-table", "--witness", str(path)]) == 1
    assert "not certified" in capsys.readouterr().out
    assert main(["vc-table", "--witness", str(tmp_path / "none.json")]) == 2
    assert main(["vc-table", "--recheck", "--every", "0"]) == 2
    assert main(["vc-table", "--recheck", "--witness", "depth3-dimension1-points9", "--every", "16"]) == 0
    assert "does not prove" in capsys.readouterr().out
