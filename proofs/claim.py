"""What a claim is: a statement, a checker for it, and a deliberately false variant that the checker must refute.

One claim, one module in `proofs.claims`, named for it; the module defines ``CLAIM``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from pkgutil import iter_modules
from typing import Literal

from constructions.errors import InputError

Outcome = Literal["holds", "refuted", "repaired", "needs-hypothesis", "undecided"]
Assurance = Literal["proved", "proved-bounded", "certified", "tested"]
Role = Literal["part", "argument", "corroboration"]

#: From strong to weak: all inputs by algebra; all inputs of stated sizes; ball arithmetic on instances; examples.
ASSURANCES: tuple[Assurance, ...] = ("proved", "proved-bounded", "certified", "tested")
#: The paper's kinds of statement, in the order of the table; other keys follow.
KINDS = ("definition", "proposition", "theorem", "corollary", "lemma", "algorithm", "equation", "table", "figure")


@dataclass(frozen=True)
class Step:
    """One step of an argument, checked by machine.

    Attributes:
        text: what is shown, in words and LaTeX.
        holds: what the machine found; None if it could not tell.
        assurance: how sure that is.
        detail: the computed evidence, for readers.
        role: ``"part"``: a part or consequence of the statement, so that a failure refutes it; ``"argument"``: a
            sufficient reason, so that a failure leaves the statement undecided; ``"corroboration"``: a consequence
            checked by a second, independent route, which adds nothing to the assurance but refutes if it fails.
    """

    text: str
    holds: bool | None
    assurance: Assurance = "proved"
    detail: str = ""
    role: Role = "part"


@dataclass(frozen=True)
class Finding:
    """The result of checking a claim.

    Attributes:
        verdict: ``"holds"``; ``"refuted"``; ``"repaired"`` (refuted as printed, and the corrected statement holds);
            ``"needs-hypothesis"`` (holds once a missing hypothesis is added); ``"undecided"``.
        steps: the argument.
        counterexample: minimal and exact, where the printed statement fails.
        repair: the corrected statement or the missing hypothesis.
    """

    verdict: Outcome
    steps: tuple[Step, ...]
    counterexample: str | None = None
    repair: str | None = None

    @property
    def assurance(self) -> Assurance:
        """How sure the verdict is: the weakest of the steps it rests on.

        A refutation rests on its failing steps alone and is as sure as the surest of them.
        """
        if self.verdict == "refuted":
            failing = [step.assurance for step in self.steps if step.holds is False and step.role != "argument"]
            return min(failing, key=ASSURANCES.index, default="tested")
        resting = [step.assurance for step in self.steps if step.role != "corroboration"]
        return max(resting, key=ASSURANCES.index, default="tested")


@dataclass(frozen=True)
class Claim:
    """A statement of the paper (or of our own) as something executable.

    Attributes:
        key: as on the command line, e.g. ``"proposition-4"``.
        title: e.g. ``"Proposition 4"``.
        where: section or appendix of the paper, or ``"lnnet"`` for claims of our own.
        statement: in our own words, with LaTeX.
        hypotheses: what it needs, silent assumptions included.
        check: checks the statement.
        false_statement: a deliberately false variant.
        check_false: the same checker, run on the false variant; its verdict must be ``"refuted"``.
        expects: the verdict on record; the audit reports it when the checker finds another.
    """

    key: str
    title: str
    where: str
    statement: str
    hypotheses: tuple[str, ...]
    check: Callable[[], Finding]
    false_statement: str
    check_false: Callable[[], Finding]
    expects: Outcome = "holds"


def as_arguments(*steps: Step) -> tuple[Step, ...]:
    """The same steps as sufficient reasons: if one fails, the statement is not refuted by that."""
    return tuple(replace(step, role="argument") for step in steps)


def resting_on(claim: Claim, why: str) -> Step:
    """Another claim, checked anew, as a sufficient reason: as sure as that claim is.

    Args:
        claim: must hold as it stands.
        why: what it is used for.
    """
    finding = claim.check()
    return Step(f"{claim.title} holds: {why}", finding.verdict == "holds", finding.assurance, role="argument")


def conclude(*steps: Step, counterexample: str | None = None) -> Finding:
    """``refuted`` if a part fails, else ``undecided`` if any step is not shown, else ``holds``."""
    if any(step.holds is False and step.role != "argument" for step in steps):
        return Finding("refuted", steps, counterexample)
    if not steps or any(not step.holds for step in steps):
        return Finding("undecided", steps)
    return Finding("holds", steps)


def amend(
    printed: Finding,
    corrected: Finding,
    repair: str,
    *,
    verdict: Literal["repaired", "needs-hypothesis"] = "repaired",
) -> Finding:
    """The verdict on a statement that fails as printed, with what is true instead.

    Args:
        printed: the statement as printed, expected to be refuted.
        corrected: the corrected statement, or the statement with the missing hypothesis.
        repair: the correction in words.
        verdict: which of the two it is.

    Returns:
        ``verdict`` if the printed statement is refuted and the corrected one holds; the printed statement's own
        finding if that is not refuted; ``"refuted"`` or ``"undecided"`` if the correction does not hold either.
    """
    if printed.verdict != "refuted":
        return printed
    steps = (*printed.steps, *corrected.steps)
    if corrected.verdict != "holds":
        return Finding("refuted", steps, printed.counterexample)
    return Finding(verdict, steps, printed.counterexample, repair)


def all_claims() -> dict[str, Claim]:
    """Every claim by key: by kind of statement (`KINDS`), then by number."""
    import proofs.claims

    modules = [module.name for module in iter_modules(proofs.claims.__path__) if not module.name.startswith("_")]
    claims = [import_module(f"proofs.claims.{name}").CLAIM for name in modules]
    return {claim.key: claim for claim in sorted(claims, key=lambda claim: _rank(claim.key))}


def claim_named(key: str) -> Claim:
    """The claim with a key, or for ``"equation-N"`` the claim that covers equation N.

    Args:
        key: as `all_claims` lists them; ``"Lemma 7"`` and ``"lemma7"`` are understood too.

    Raises:
        InputError: unknown key.
    """
    claims, key = all_claims(), re.sub(r"[\s_]+", "-", key.strip().lower())
    plain = {name.replace("-", ""): claim for name, claim in claims.items()}
    if (claim := claims.get(key) or plain.get(key.replace("-", ""))) is not None:
        return claim
    if (match := re.fullmatch(r"equation-(\d+)", key)) is not None:
        number = int(match[1])
        covering = [claim for claim in claims.values() if number in _equations(claim)]
        if covering:  # the claim that is most about it
            return min(covering, key=lambda claim: len(_equations(claim)))
    near = [name for name in claims if name.startswith(key.split("-")[0])]
    hint = f" Did you mean one of {', '.join(near[:40])}?" if near else ""
    raise InputError(f"Unknown claim {key!r}; run 'lnnet audit --list' for the list.{hint}")


def _equations(claim: Claim) -> set[int]:
    """The numbers of equations that a claim's title and place name, as in "equations 21, 22, 195 to 202"."""
    numbers: set[int] = set()
    for text in (claim.title, claim.where):
        _, _, listed = text.replace("(", "").replace(")", "").partition("quation")
        for first, last in re.findall(r"(\d+)(?:\s*(?:to|–)\s*(\d+))?", listed):
            numbers.update(range(int(first), int(last or first) + 1))
    return numbers


def _rank(key: str) -> tuple[int, list[int], str]:
    kind = key.split("-")[0].removesuffix("s")
    order = KINDS.index(kind) if kind in KINDS else len(KINDS)
    return order, [int(number) for number in re.findall(r"\d+", key)], key
