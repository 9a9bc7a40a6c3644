"""Certificates: what they say, and that nothing in them is believed."""

import json

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from strategies import hostile_points

from constructions.arithmetic import arithmetic_named
from constructions.errors import InputError, LNNetError, UnreadableFileError
from constructions.network_file import write_json
from constructions.rational import parse_rational
from constructions.xor import figure1_network, xor_points
from lnnet import build, certify, recheck
from proofs.certificate import approximate, certificate_facts
from proofs.checker_mpmath import check_with_mpmath


@pytest.fixture
def certificate():
    return certify(figure1_network(), xor_points())


def test_contents(certificate):
    document = certificate.document()
    assert document["verdict"] == "certified"
    assert document["semantics"] == "exact"
    assert parse_rational(document["margin"]) == certificate.margin > 0
    assert document["bits"] == certificate.bits >= 64
    assert {"python", "lnnet", "python-flint", "flint"} <= set(document["versions"])
    assert len(document["network_sha256"]) == len(document["points_sha256"]) == 64
    assert bool(certificate)
    assert "certified" in certificate._repr_html_()
    assert certificate_facts(certificate)["points"] == 4


@pytest.mark.parametrize("arithmetic", ["exact", "dyadic", "mpf", "float64", "float32"])
@pytest.mark.parametrize("labels", [(0, 1, 1, 0), (2, 0, 0, 1), ("a", "a", "a", "a")])
def test_certificates_survive_the_file(tmp_path, arithmetic, labels):
    corners = [(0, 0), (0, 1), (1, 0), (1, 1)]
    net = build(corners, labels, arithmetic=arithmetic)
    first = certify(net, corners, labels)
    first.save(tmp_path / "c.json")
    again = recheck(tmp_path / "c.json")
    assert again.verdict == "certified"
    assert again.margin == first.margin
    assert again.document()["network_sha256"] == first.document()["network_sha256"]
    assert again.network.semantics == arithmetic_named(arithmetic).semantics


def recheck_with(tmp_path, certificate, **changes):
    write_json(tmp_path / "c.json", {**certificate.document(), **changes})
    return recheck(tmp_path / "c.json")


@pytest.mark.parametrize(
    "changes",
    [{"verdict": "refuted"}, {"verdict": "maybe"}, {"verdict": []}, {"margin": "10"}, {"semantics": "dyadic"}],
    ids=str,
)
def test_false_claims_are_refuted(tmp_path, certificate, changes):
    assert recheck_with(tmp_path, certificate, **changes).verdict == "refuted"


@pytest.mark.parametrize(
    "changes",
    [{"verdict": "undecided", "margin": None}, {"margin": None}, {"margin": "1*2^-9"}, {"bits": 1}, {"reason": ""}],
    ids=str,
)
def test_modest_claims_stand(tmp_path, certificate, changes):
    assert recheck_with(tmp_path, certificate, **changes).verdict == "certified"


def test_a_lie_about_the_verdict_of_a_wrong_network(tmp_path):
    wrong = certify(figure1_network(), xor_points().relabel([1, 1, 1, 0]))
    assert wrong.verdict == "refuted"
    assert wrong.margin is None
    assert recheck_with(tmp_path, wrong).verdict == "refuted"
    lie = recheck_with(tmp_path, wrong, verdict="certified", margin="1*2^-9")
    assert lie.verdict == "refuted"


@pytest.mark.parametrize(
    "changes",
    [
        {"network_sha256": "0" * 64},
        {"points_sha256": None},
        {"labels": [1, 1, 1, 0]},
        {"labels": [0]},
        {"points": [["0", "0"]] * 4},
        {"points": [["nan", "0"]]},
        {"margin": "much"},
        {"margin": 0.5},
        {"margin": [1]},
        {"format": "lnnet-network"},
        {"version": 2},
        {"network": None},
        {"surprise": 1},
    ],
    ids=str,
)
def test_files_that_cannot_be_used(tmp_path, certificate, changes):
    with pytest.raises(InputError):
        recheck_with(tmp_path, certificate, **changes)


@given(hostile_points(max_points=4, max_dimension=2, max_classes=2), st.randoms(use_true_random=False))
def test_a_flipped_character_never_makes_a_false_certificate(tmp_path_factory, points, generator):
    """Whatever one changed digit does to a file, what is certified is true, says the second checker."""
    folder = tmp_path_factory.mktemp("flip")
    certify(build(points), points).save(folder / "c.json")
    text = (folder / "c.json").read_text(encoding="utf-8")
    digits = [k for k, c in enumerate(text) if c.isdigit()]
    for _ in range(5):
        k = generator.choice(digits)
        changed = text[:k] + generator.choice("0123456789") + text[k + 1 :]
        (folder / "d.json").write_text(changed, encoding="utf-8")
        try:
            found = recheck(folder / "d.json")
        except LNNetError:
            continue
        if found.verdict == "certified":
            assert check_with_mpmath(found.network, found.points).outcome == "certified"


def test_unusable_files(tmp_path):
    for content in ("", "{", "[]", "{}", '{"format": "lnnet-certificate"}'):
        (tmp_path / "c.json").write_text(content)
        with pytest.raises(UnreadableFileError):
            recheck(tmp_path / "c.json")
    with pytest.raises(UnreadableFileError):
        recheck(tmp_path / "none.json")


def test_certify_takes_points_and_labels_or_both_in_one():
    net = figure1_network()
    assert certify(net, [(0, 0), (0, 1)], [0, 1])
    assert certify(net, xor_points())
    with pytest.raises(InputError):
        certify(net, [(0, 0)])
    with pytest.raises(InputError):
        certify(net, xor_points(), [0, 1, 1, 0])


@pytest.mark.parametrize(
    ("value", "expected"),
    [(fmpq(1, 3), "0.333"), (fmpq(1, 10**400), "1.00e-400"), (fmpq(10) ** 400, "1.00e+400"), (fmpq(5), "5.00")],
)
def test_approximate(value, expected):
    assert approximate(value) == expected


def test_the_document_is_json(certificate):
    assert json.loads(json.dumps(certificate.document())) == certificate.document()
