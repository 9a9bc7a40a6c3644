"""From a certificate to the report of a command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lnnet.report import Report
from proofs.certificate import Certificate, certificate_facts

EXIT_CODES = {"certified": 0, "refuted": 1, "undecided": 3}


def verdict_report(certificate: Certificate, extra: Mapping[str, Any] | None = None) -> Report:
    """Facts of a certificate, with the exit code of its verdict."""
    facts = {**certificate_facts(certificate), **(extra or {})}
    title, code = certificate.verdict, EXIT_CODES[certificate.verdict]
    floats = certificate.ieee
    if code == 0 and floats is not None:
        title, code = f"{floats.outcome} for {floats.dtype} evaluation", EXIT_CODES[floats.outcome]
    return Report(title, code, facts, notes=() if floats is None else (floats.reason,))


def second_opinion(certificate: Certificate) -> dict[str, Any]:
    """The verdict of the independent checker on mpmath intervals."""
    from proofs.checker_mpmath import check_with_mpmath

    verdict = check_with_mpmath(certificate.network, certificate.points)
    return {"second_checker": verdict.outcome, "second_checker_bits": verdict.bits}
