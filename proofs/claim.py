"""What a claim is: a statement, a checker for it, and a deliberately false variant that the checker must refute.

One claim, one module in `proofs.claims`, named for it; the module defines ``CLAIM``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Literal

from constructions.errors import InputError

Outcome = Literal["holds", "refuted", "repaired", "needs-hypothesis", "undecided"]
Assurance = Literal["proved", "proved-bounded", "certified", "tested"]

#: From strong to weak: all inputs by algebra; all inputs of stated sizes; ball arithmetic on instances; examples.
ASSURANCES: tuple[Assurance, ...] = ("proved", "proved-bounded", "certified", "tested")


@dataclass(frozen=True)
class Step:
    """One step of an argument, checked by machine.

    Attributes:
        text: what is shown, in words and LaTeX.
        holds: what the machine found.
        assurance: how sure that is.
        detail: the computed evidence, for readers.
    """

    text: str
    holds: bool
    assurance: Assurance = "proved"
    detail: str = ""


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
        """The weakest assurance among the steps."""
        return max((step.assurance for step in self.steps), key=ASSURANCES.index)


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
    """

    key: str
    title: str
    where: str
    statement: str
    hypotheses: tuple[str, ...]
    check: Callable[[], Finding]
    false_statement: str
    check_false: Callable[[], Finding]


def conclude(*steps: Step, counterexample: str | None = None) -> Finding:
    """``holds`` if every step does, else ``refuted``."""
    return Finding("holds" if all(step.holds for step in steps) else "refuted", steps, counterexample)


def all_claims() -> dict[str, Claim]:
    """Every claim by key, in the order of the module names."""
    import proofs.claims

    modules = sorted(module.name for module in iter_modules(proofs.claims.__path__) if not module.name.startswith("_"))
    claims = [import_module(f"proofs.claims.{name}").CLAIM for name in modules]
    return {claim.key: claim for claim in claims}


def claim_named(key: str) -> Claim:
    """The claim with a key.

    Raises:
        InputError: unknown key.
    """
    claims = all_claims()
    if key not in claims:
        raise InputError(f"Unknown claim {key!r}; run 'lnnet audit' for the list.")
    return claims[key]
