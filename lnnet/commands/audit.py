"""``lnnet audit [CLAIM]``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from lnnet.report import Report

if TYPE_CHECKING:
    from proofs.auditing import Audited

HELP = "check every statement of the paper by machine, or show one argument step by step"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("claim", nargs="?", metavar="CLAIM", help="e.g. proposition-2; all claims by default")
    parser.add_argument("--list", action="store_true", help="list the claims without checking them")
    parser.add_argument("-o", "--output", metavar="PAGE.md", help="write the whole audit as a Markdown page")
    parser.epilog = (
        "Exit codes: with CLAIM, 0 it holds, as printed or amended; 1 refuted; 3 undecided. For the whole audit, "
        "0 every verdict is the one on record; 1 another verdict was found; 3 a claim is undecided."
    )


def run(options: argparse.Namespace) -> Report:
    """Check, and write the page if asked."""
    from constructions.errors import InputError
    from lnnet.progress import progress_bar
    from proofs.auditing import audit, audit_claim
    from proofs.claim import all_claims, claim_named

    if options.list:
        if options.claim or options.output:
            raise InputError("Option --list goes with neither CLAIM nor -o.")
        rows = [{"claim": c.key, "where": c.where, "expected": c.expects} for c in all_claims().values()]
        return Report(f"{len(rows)} claims", rows=rows)
    if options.claim is not None:
        if options.output:
            raise InputError("Option -o writes the whole audit; leave out CLAIM.")
        return _one(audit_claim(claim_named(options.claim)))
    with progress_bar(quiet=options.json) as watch:
        results = audit(watch=watch)
    return _whole(results, options.output, full=options.json)


def _one(result: Audited) -> Report:
    from proofs.auditing import argument, audit_document

    finding = result.finding
    code = {"refuted": 1, "undecided": 3}.get(finding.verdict, 0)
    title = f"{result.claim.title} ({result.claim.where}): {finding.verdict}, {finding.assurance}"
    document = {name: value for name, value in audit_document(result).items() if name != "title"}
    return Report(title, code, notes=argument(result), extra=document)


def _whole(results: tuple[Audited, ...], output: str | None, *, full: bool) -> Report:
    from collections import Counter

    from proofs.auditing import audit_document, audit_markdown, audit_row

    surprises = [r.claim.key for r in results if not r.as_expected]
    undecided = [r.claim.key for r in results if r.finding.verdict == "undecided"]
    code = 1 if set(surprises) - set(undecided) else 3 if undecided else 0
    counts = Counter(r.finding.verdict for r in results)
    facts = {
        "claims": len(results),
        "verdicts": ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common()),
        "unexpected": ", ".join(surprises) or None,
        "total_seconds": round(sum(r.seconds for r in results), 1),
    }
    notes = ["Show one argument with  lnnet audit CLAIM"]
    if output:
        _write(output, audit_markdown(results))
        facts["page"] = output
    rows = [audit_document(r) if full else audit_row(r) for r in results]
    return Report("audit", code, facts, rows, notes)


def _write(path: str, text: str) -> None:
    from pathlib import Path

    from constructions.errors import UnreadableFileError

    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UnreadableFileError(f"Cannot write {path}: {error.strerror or error}.") from None
