"""From a certificate to the report of a command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lnnet.report import Report
from proofs.certificate import Certificate, certificate_facts, ieee_facts
from proofs.float_formats import FloatVerdicts

EXIT_CODES = {"certified": 0, "refuted": 1, "undecided": 3}


def verdict_report(
    certificate: Certificate, extra: Mapping[str, Any] | None = None, floats: FloatVerdicts | None = None
) -> Report:
    """Facts of a certificate, with the exit code of its verdict.

    Once that is certified, a verdict on float evaluations decides: the certificate's, or that of ``floats`` on the
    smallest format that works.
    """
    facts = {**certificate_facts(certificate), **(extra or {})}
    if floats is not None:
        facts |= {
            **ieee_facts(floats.float32),
            **ieee_facts(floats.float64),
            "smallest_dtype": floats.smallest or "none",
        }
    shown = [certificate.ieee] if floats is None else [floats.float32, floats.float64]
    title, code = certificate.verdict, EXIT_CODES[certificate.verdict]
    decisive = certificate.ieee if floats is None else floats.decisive
    if code == 0 and decisive is not None:
        title, code = f"{decisive.outcome} for {decisive.dtype} evaluation", EXIT_CODES[decisive.outcome]
    return Report(title, code, facts, notes=[verdict.reason for verdict in shown if verdict is not None])


def second_opinion(certificate: Certificate) -> dict[str, Any]:
    """The verdict of the independent checker on mpmath intervals."""
    from proofs.checker_mpmath import check_with_mpmath

    verdict = check_with_mpmath(certificate.network, certificate.points)
    return {"second_checker": verdict.outcome, "second_checker_bits": verdict.bits}
