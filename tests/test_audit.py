"""Every claim: the verdict on record is the one found, and the deliberately false variant is refuted."""

import json
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from constructions.errors import InputError, UndecidedError
from lnnet.cli import main
from proofs.auditing import _markdown, audit_claim, audit_markdown
from proofs.claim import ASSURANCES, Claim, Finding, Step, all_claims, amend, claim_named, conclude

CLAIMS = all_claims()
TRUE, FALSE, OPEN = Step("yes", True), Step("no", False), Step("maybe", None)


@pytest.mark.parametrize("key", CLAIMS)
def test_claim_has_the_verdict_on_record(key):
    claim = CLAIMS[key]
    finding = claim.check()
    assert finding.verdict == claim.expects, [s.text for s in finding.steps if not s.holds]
    assert finding.steps
    assert finding.assurance in ASSURANCES
    if finding.verdict in ("refuted", "repaired", "needs-hypothesis"):
        assert finding.counterexample
        assert any(step.holds is False for step in finding.steps)
    if finding.verdict in ("repaired", "needs-hypothesis"):
        assert finding.repair


@pytest.mark.parametrize("key", CLAIMS)
def test_the_false_variant_is_refuted(key):
    claim = CLAIMS[key]
    assert claim.check_false().verdict == "refuted"


@pytest.mark.parametrize("key", CLAIMS)
def test_claims_are_complete_and_named_for_their_module(key):
    claim = CLAIMS[key]
    assert re.fullmatch(r"[a-z0-9-]+", claim.key)
    assert import_module(f"proofs.claims.{key.replace('-', '_')}").CLAIM is claim
    assert all((claim.title, claim.where, claim.statement, claim.false_statement))


@pytest.mark.parametrize(
    ("steps", "verdict"),
    [
        ((TRUE, TRUE), "holds"),
        ((TRUE, FALSE, OPEN), "refuted"),
        ((TRUE, OPEN), "undecided"),
        ((TRUE, Step("a proof that fails", False, role="argument")), "undecided"),
        ((TRUE, Step("the other way", False, role="corroboration")), "refuted"),
        ((), "undecided"),
    ],
)
def test_conclude(steps, verdict):
    assert conclude(*steps).verdict == verdict


def test_assurance_is_that_of_the_weakest_step_that_counts():
    second = Step("sampled", True, "tested", role="corroboration")
    assert conclude(TRUE, Step("balls", True, "certified"), second).assurance == "certified"
    assert conclude(TRUE, second).assurance == "proved"
    # A refutation is as sure as its best counterexample, whatever else was only sampled.
    assert conclude(Step("sampled", True, "tested"), FALSE).assurance == "proved"


def test_amend_never_repairs_what_is_not_broken():
    good, bad, open_ = conclude(TRUE), conclude(FALSE, counterexample="x = 0"), conclude(OPEN)
    assert amend(good, good, "unneeded").verdict == "holds"
    assert amend(open_, good, "unneeded").verdict == "undecided"
    assert amend(bad, open_, "unproved").verdict == "refuted"
    fixed = amend(bad, good, "x > 0", verdict="needs-hypothesis")
    assert (fixed.verdict, fixed.counterexample, fixed.repair) == ("needs-hypothesis", "x = 0", "x > 0")


def test_order_is_by_kind_then_number():
    keys = [key for key in CLAIMS if re.fullmatch(r"(proposition|lemma)-\d+", key)]
    assert keys == sorted(keys, key=lambda k: (k.startswith("lemma"), int(k.split("-")[1])))


def test_unknown_claims_are_named():
    with pytest.raises(InputError, match="lemma-99"):
        claim_named("lemma-99")


@pytest.mark.parametrize("name", ["lemma-7", "Lemma 7", "lemma7", "LEMMA_7"])
def test_claims_are_found_as_people_write_them(name):
    assert claim_named(name).key == "lemma-7"


def test_no_two_claims_differ_by_hyphens_alone():
    assert len({key.replace("-", "") for key in CLAIMS}) == len(CLAIMS)


@pytest.mark.parametrize(
    ("number", "key"),
    [
        (55, "proposition-2"),
        (84, "equations-81-84"),
        (88, "lemma-7"),
        (103, "equation-103"),
        (145, "proposition-7"),
        (150, "lemma-10"),
        (163, "proposition-9"),
        (166, "lemma-12"),
    ],
)
def test_equations_are_found_by_number(number, key):
    assert claim_named(f"equation-{number}").key == key


def test_every_equation_from_5_on_is_covered_but_one():
    """(1) to (4) introduce notation; (19) sends a solved line to its labels."""
    missing = [number for number in range(5, 208) if not _is_covered(number)]
    assert missing == [19]


def _is_covered(number):
    try:
        return claim_named(f"equation-{number}").key in CLAIMS
    except InputError:
        return False


def test_keys_are_found_in_any_case():
    assert claim_named("Theorem-2").key == "theorem-2"
    assert claim_named("table-I").key == "table-i"


def _fake(verdict, expects):
    finding = Finding(verdict, (TRUE if verdict == "holds" else FALSE,), "x | 0" if verdict == "refuted" else None)
    claim = Claim("lemma-0", "Lemma 0", "nowhere", "one", (), lambda: finding, "two", lambda: finding, expects)
    return audit_claim(claim)


def test_an_unsettled_comparison_leaves_the_claim_undecided():
    def check():
        raise UndecidedError("too close")

    result = audit_claim(Claim("lemma-0", "Lemma 0", "nowhere", "one", (), check, "two", check))
    assert result.finding.verdict == "undecided"
    assert not result.as_expected


def test_page_puts_errata_first_and_escapes_table_cells():
    page = audit_markdown([_fake("holds", "holds"), _fake("refuted", "refuted")])
    assert page.index("## Errata") < page.index("### Lemma 0: refuted") < page.index("## All claims")
    assert r"x \| 0" in page
    assert "(#lemma-0)" in page
    assert "\n### lemma-0\n" in page  # what the link goes to


def test_page_leaves_formulas_alone_and_escapes_the_rest():
    assert _markdown("u* and λ* [1] give $u^*$") == r"u\* and λ\* \[1\] give $u^*$"


@pytest.mark.parametrize("key", CLAIMS)
def test_page_in_the_docs_is_up_to_date(key):
    claim, hint = CLAIMS[key], "docs/audit.md is out of date: run  lnnet audit -o docs/audit.md"
    section = _sections().get(key)
    assert section is not None, hint
    assert f"Verdict: **{claim.expects}**" in section, hint
    assert _markdown(claim.statement) in section, hint
    assert _markdown(claim.false_statement) in section, hint


def test_page_in_the_docs_has_no_claims_of_the_past():
    assert set(_sections()) == set(CLAIMS)


@cache
def _sections():
    page = Path(__file__).parents[1] / "docs" / "audit.md"
    _, _, arguments = page.read_text(encoding="utf-8").partition("## Arguments\n")
    return {part.splitlines()[0].strip(): part for part in arguments.split("\n### ")[1:]}


@pytest.mark.parametrize(
    ("verdict", "expects", "alone", "whole"),
    [
        ("holds", "holds", 0, 0),
        ("refuted", "refuted", 1, 0),
        ("refuted", "holds", 1, 1),
        ("undecided", "undecided", 3, 3),
        ("undecided", "holds", 3, 3),
    ],
)
def test_exit_codes(verdict, expects, alone, whole):
    from lnnet.commands import audit as command

    result = _fake(verdict, expects)
    assert command._one(result).exit_code == alone
    assert command._whole((result,), None, full=False).exit_code == whole


def test_command_line(capsys, tmp_path):
    assert main(["audit", "lemma-4", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["verdict"] == "holds"
    assert document["steps"][0]["holds"] is True
    assert main(["audit", "lemma-4"]) == 0
    shown = capsys.readouterr().out
    assert "Statement:" in shown
    assert "false variant" in shown
    assert main(["audit", "--list"]) == 0
    assert all(key in capsys.readouterr().out for key in ("lemma-4",))
    assert main(["audit", "lemma-99"]) == 2
    assert main(["audit", "lemma-4", "-o", str(tmp_path / "page.md")]) == 2
