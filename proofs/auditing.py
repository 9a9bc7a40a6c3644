"""Run claims and describe what was found: as table rows, as a step-by-step argument, and as a Markdown page."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from constructions.errors import UndecidedError
from proofs.claim import Claim, Finding, Step, all_claims, conclude

#: Verdicts that belong among the errata, worst first.
ERRATA = ("refuted", "repaired", "needs-hypothesis", "undecided")
_MARKS = {True: "✓", False: "✗", None: "?"}
_EVIDENCE_CHARACTERS = 60


@dataclass(frozen=True)
class Audited:
    """A claim, what its checker found, and how long that took (seconds)."""

    claim: Claim
    finding: Finding
    seconds: float

    @property
    def as_expected(self) -> bool:
        """Whether the verdict is the one on record."""
        return self.finding.verdict == self.claim.expects

    @property
    def evidence(self) -> str:
        """The shortest thing to show for the verdict: counterexample, repair, or how many steps were checked."""
        if self.finding.counterexample:
            return self.finding.counterexample
        count = len(self.finding.steps)
        return self.finding.repair or f"{count} {'step' if count == 1 else 'steps'} checked"


def audit_claim(claim: Claim) -> Audited:
    """Run one claim's checker; a comparison that cannot be settled leaves the claim undecided."""
    started = time.perf_counter()
    try:
        finding = claim.check()
    except UndecidedError as error:
        finding = conclude(Step(str(error), None))
    return Audited(claim, finding, time.perf_counter() - started)


def audit(
    claims: Iterable[Claim] | None = None, watch: Callable[[str, int, int], object] | None = None
) -> tuple[Audited, ...]:
    """Run every claim's checker.

    Args:
        claims: which ones; all by default.
        watch: called before every claim with (its title, claims done, claims in all).

    Returns:
        One result a claim, in the same order.
    """
    chosen = tuple(all_claims().values() if claims is None else claims)
    results = []
    for number, claim in enumerate(chosen):
        if watch is not None:
            watch(claim.title, number, len(chosen))
        results.append(audit_claim(claim))
    return tuple(results)


def audit_row(result: Audited) -> dict[str, Any]:
    """One row of the table for people."""
    evidence = result.evidence.splitlines()[0]
    if len(evidence) > _EVIDENCE_CHARACTERS:
        evidence = evidence[: _EVIDENCE_CHARACTERS - 1] + "…"
    return {
        "claim": result.claim.key,
        "verdict": result.finding.verdict + ("" if result.as_expected else f" (expected {result.claim.expects})"),
        "assurance": result.finding.assurance,
        "evidence": evidence,
        "seconds": round(result.seconds, 2),
    }


def audit_document(result: Audited) -> dict[str, Any]:
    """Everything about one claim, JSON-ready."""
    claim, finding = result.claim, result.finding
    return {
        "claim": claim.key,
        "title": claim.title,
        "where": claim.where,
        "statement": claim.statement,
        "hypotheses": list(claim.hypotheses),
        "verdict": finding.verdict,
        "expected": claim.expects,
        "assurance": finding.assurance,
        "counterexample": finding.counterexample,
        "repair": finding.repair,
        "false_variant": claim.false_statement,
        "steps": [
            {
                "text": step.text,
                "holds": step.holds,
                "assurance": step.assurance,
                "role": step.role,
                "detail": step.detail,
            }
            for step in finding.steps
        ],
        "seconds": round(result.seconds, 3),
    }


def argument(result: Audited) -> list[str]:
    """A claim's argument, line by line, for people."""
    claim, finding = result.claim, result.finding
    lines = [f"Statement: {claim.statement}"]
    lines += [f"Needs: {hypothesis}" for hypothesis in claim.hypotheses]
    lines.append("")
    for number, step in enumerate(finding.steps, start=1):
        lines.append(f"{number:3}. {_MARKS[step.holds]} {step.text}  [{_how(step)}]")
        lines += [f"       {line}" for line in step.detail.splitlines()]
    lines.append("")
    if finding.counterexample:
        lines.append(f"Counterexample: {finding.counterexample}")
    if finding.repair:
        lines.append(f"{'Missing hypothesis' if finding.verdict == 'needs-hypothesis' else 'Repair'}: {finding.repair}")
    lines.append(f"A false variant that the checker refutes: {claim.false_statement}")
    return lines


def audit_markdown(results: Iterable[Audited]) -> str:
    """The audit as a Markdown page: errata first, then the table, then every argument."""
    results = list(results)
    lines = [
        "# Audit of the paper",
        "",
        "Written by `lnnet audit -o docs/audit.md`; do not edit. Every numbered statement of Ni, Guo, Jia, Huang,",
        "*On the Nonlinearity of Layer Normalization* (ICML 2024), as an executable claim; our own come last.",
        "",
        "How sure: **proved** for all inputs by algebra; **proved-bounded** for all inputs of stated sizes;",
        "**certified** by ball arithmetic on stated instances; **tested** on examples. A step marked *second route*",
        "confirms the result independently and adds nothing to the assurance.",
        "",
        "## Errata",
        "",
    ]
    errata = [r for verdict in ERRATA for r in results if r.finding.verdict == verdict]
    for result in errata:
        claim, finding = result.claim, result.finding
        lines += [f"### {claim.title}: {finding.verdict}", "", f"*{claim.where}.* {_markdown(claim.statement)}", ""]
        lines += [*_amendment(finding), f"- Argument: [{claim.key}](#{claim.key})", ""]
    if not errata:
        lines += ["None.", ""]
    lines += ["## All claims", "", "| claim | where | verdict | assurance | evidence |", "|---|---|---|---|---|"]
    for result in results:
        claim, finding = result.claim, result.finding
        cells = (f"[{claim.title}](#{claim.key})", claim.where, finding.verdict, finding.assurance)
        evidence = _markdown(result.evidence).replace("|", r"\|").replace("\n", " ")
        lines.append("| " + " | ".join((*cells, evidence)) + " |")
    lines += ["", "## Arguments", ""]
    for result in results:
        lines += _section(result)
    return "\n".join(lines).rstrip() + "\n"


def _section(result: Audited) -> list[str]:
    """One argument; its heading is the key, so that links reach it wherever Markdown is shown."""
    claim, finding = result.claim, result.finding
    lines = [f"### {claim.key}", "", f"**{claim.title}** ({claim.where}). {_markdown(claim.statement)}", ""]
    lines += [f"- Needs: {_markdown(hypothesis)}" for hypothesis in claim.hypotheses]
    lines += [f"- Verdict: **{finding.verdict}**, {finding.assurance}.", *_amendment(finding)]
    lines += [f"- A false variant that the checker refutes: {_markdown(claim.false_statement)}", ""]
    for number, step in enumerate(finding.steps, start=1):
        detail = f" — {_markdown(' '.join(step.detail.split()))}" if step.detail else ""
        lines.append(f"{number}. {_MARKS[step.holds]} {_markdown(step.text)} *({_how(step)})*{detail}")
    return [*lines, ""]


def _amendment(finding: Finding) -> list[str]:
    lines = []
    if finding.counterexample:
        lines.append(f"- **Counterexample.** {_markdown(finding.counterexample)}")
    if finding.repair:
        name = "Missing hypothesis" if finding.verdict == "needs-hypothesis" else "What is true"
        lines.append(f"- **{name}.** {_markdown(finding.repair)}")
    return lines


def _markdown(text: str) -> str:
    """Text with marks of Markdown escaped, formulas between dollars left alone."""
    parts = text.split("$")
    for k in range(0, len(parts), 2):
        parts[k] = re.sub(r"([*_<\[\]])", r"\\\1", parts[k])
    return "$".join(parts)


def _how(step: Step) -> str:
    return f"{step.assurance}, second route" if step.role == "corroboration" else step.assurance
