"""Certificates: a network, the points it classifies, and a verdict that anybody can check again."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import metadata
from typing import Any

import flint
from flint import fmpq

from constructions.errors import UnreadableFileError
from constructions.network import LNNet
from constructions.network_file import (
    canonical_network,
    canonical_points,
    digest,
    expect_format,
    expect_keys,
    network_document,
    network_from_document,
    points_document,
    points_from_document,
    rational_entry,
    read_json,
    write_json,
)
from constructions.points import LabeledPoints
from constructions.rational import format_rational
from proofs.checker import MAX_BITS, Verdict, check
from proofs.condition import bits_lost
from proofs.ieee_checker import IEEEVerdict, check_ieee

FORMAT, VERSION = "lnnet-certificate", 1


@dataclass(frozen=True)
class Certificate:
    """A network, labelled points, and what the checker says of them.

    Attributes:
        network: the network.
        points: the labelled points.
        result: the checker's full verdict, which speaks of real numbers.
        ieee: the float checker's verdict on every IEEE 754 evaluation, if it was asked for.
    """

    network: LNNet
    points: LabeledPoints
    result: Verdict
    ieee: IEEEVerdict | None = None

    @property
    def verdict(self) -> str:
        """``"certified"``, ``"refuted"`` or ``"undecided"``."""
        return self.result.outcome

    @property
    def margin(self) -> fmpq | None:
        """Certified only: an exact lower bound on every point's distance to the read-out's boundary."""
        return self.result.margin

    @property
    def bits(self) -> int:
        """Working precision, in bits, that settled the last point."""
        return self.result.bits

    @property
    def reason(self) -> str:
        """One readable sentence."""
        return self.result.reason

    @cached_property
    def bits_lost(self) -> float | None:
        """Certified only: how many bits of precision the decisions cost (`proofs.condition`); found on first use."""
        return bits_lost(self.network, self.points, self.result)

    @property
    def condition(self) -> float | None:
        """Certified only: bits lost a layer; None without layers or with a single class."""
        lost = self.bits_lost
        return None if lost is None or not self.network.depth else lost / self.network.depth

    def __bool__(self) -> bool:
        return bool(self.result)

    def document(self) -> dict[str, Any]:
        """The JSON-ready certificate (see docs/formats.md)."""
        network, points = network_document(self.network), points_document(self.points)
        margin = self.result.margin
        floats = {} if self.ieee is None else {"ieee": _ieee_entry(self.ieee)}
        return {
            "format": FORMAT,
            "version": VERSION,
            "verdict": self.verdict,
            "reason": self.reason,
            "bits": self.bits,
            "margin": None if margin is None else format_rational(margin),
            "semantics": self.network.semantics,
            **floats,
            "network_sha256": digest(network),
            "points_sha256": digest(points),
            "versions": _versions(),
            "network": network,
            **points,
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate as JSON, atomically.

        Raises:
            UnreadableFileError: the file cannot be written.
            InputError: a label that JSON cannot hold.
        """
        write_json(path, self.document())

    def _repr_html_(self) -> str:
        from constructions.display import facts_html

        return facts_html("Certificate", certificate_facts(self))


def certify(
    net: LNNet,
    points: Any,
    labels: Any = None,
    *,
    max_bits: int = MAX_BITS,
    floor: fmpq = fmpq(0),
    ieee: str | None = None,
    watch: Callable[[int, int], object] | None = None,
) -> Certificate:
    """Check a network on labelled points.

    Args:
        net: any LN-Net.
        points: points as for `LabeledPoints.of`, or a `LabeledPoints` (then without labels).
        labels: one label a point.
        max_bits: precision limit in bits.
        floor: a margin that every point must reach as well.
        ieee: ``"float32"`` or ``"float64"``: also check every IEEE evaluation in this format.
        watch: called now and then with (points settled, points in all).

    Raises:
        as `LabeledPoints.of`, `proofs.checker.check` and `proofs.ieee_checker.check_ieee`.
    """
    labelled = points if isinstance(points, LabeledPoints) and labels is None else LabeledPoints.of(points, labels)
    floats = None if ieee is None else check_ieee(net, labelled, ieee)
    return Certificate(net, labelled, check(net, labelled, max_bits=max_bits, floor=floor, watch=watch), floats)


def recheck(
    path: str | os.PathLike[str],
    *,
    max_bits: int = MAX_BITS,
    watch: Callable[[int, int], object] | None = None,
) -> Certificate:
    """Check a certificate file again, trusting nothing in it but the network and the points.

    Args:
        path: a certificate file.
        max_bits: precision limit of the check.
        watch: called with (points decided, points in all).

    Returns:
        A fresh certificate with the checker's own verdict. It is *refuted* if the file claims a verdict, margin or
        semantics that the fresh check does not bear out ("undecided" claims nothing).

    Raises:
        UnreadableFileError: not a certificate, or its digests do not match its contents.
    """
    fields = expect_keys(
        read_json(path),
        "certificate",
        required=(
            *("format", "version", "verdict", "reason", "bits", "margin", "semantics", "network_sha256"),
            *("points_sha256", "versions", "network", "points", "labels"),
        ),
        optional=("ieee",),
    )
    expect_format(fields, FORMAT, VERSION)
    net = network_from_document(fields["network"])
    points = points_from_document({key: fields[key] for key in ("points", "labels")})
    canonical = {"network": canonical_network(fields["network"]), "points": canonical_points(fields)}
    for name, document in canonical.items():
        if fields[f"{name}_sha256"] != digest(document):
            raise UnreadableFileError(f"The certificate's {name} do not match their SHA-256: the file was altered.")
    claimed = fmpq(0) if fields["margin"] is None else rational_entry(fields["margin"], "margin")
    floats = _ieee_claim(fields["ieee"]) if "ieee" in fields else None
    dtype = None if floats is None else floats.dtype
    fresh = certify(net, points, max_bits=max_bits, floor=claimed, ieee=dtype, watch=watch)
    if complaint := _complaint(fields, fresh) or _ieee_complaint(floats, fresh.ieee):
        return Certificate(net, points, Verdict("refuted", fresh.bits, complaint, point=fresh.result.point), fresh.ieee)
    return fresh


def _complaint(fields: dict[str, Any], fresh: Certificate) -> str | None:
    if fields["semantics"] != fresh.network.semantics:
        return f"The certificate claims {fields['semantics']!r} weights, the network is {fresh.network.semantics!r}."
    if fields["verdict"] not in (fresh.verdict, "undecided") and fresh.verdict != "undecided":
        return f"The certificate claims {fields['verdict']!r}, but the check finds: {fresh.reason}"
    return None


def _ieee_entry(verdict: IEEEVerdict) -> dict[str, Any]:
    return {
        "dtype": verdict.dtype,
        "verdict": verdict.outcome,
        "reason": verdict.reason,
        "margin": None if verdict.margin is None else format_rational(verdict.margin),
        "model": verdict.model,
    }


def _ieee_claim(entry: Any) -> IEEEVerdict:
    fields = expect_keys(entry, "ieee", required=("dtype", "verdict", "reason", "margin", "model"))
    margin = None if fields["margin"] is None else rational_entry(fields["margin"], "ieee margin")
    if fields["dtype"] not in ("float32", "float64"):
        raise UnreadableFileError(
            f"The certificate speaks of {fields['dtype']!r:.40} evaluation, not of a float format."
        )
    claim = IEEEVerdict(fields["verdict"], fields["dtype"], fields["reason"], margin)
    if fields["model"] != claim.model:
        raise UnreadableFileError("The certificate states another model of IEEE evaluation than this version checks.")
    return claim


def _ieee_complaint(claim: IEEEVerdict | None, fresh: IEEEVerdict | None) -> str | None:
    if claim is None or fresh is None:
        return None
    if claim.outcome not in ("undecided", fresh.outcome):
        return (
            f"The certificate claims {claim.outcome!r} of {claim.dtype} evaluation, but the check finds: {fresh.reason}"
        )
    if claim.margin is not None and (fresh.margin is None or claim.margin > fresh.margin):
        return f"The certificate claims a larger margin of {claim.dtype} evaluation than the check finds."
    return None


def certificate_facts(certificate: Certificate) -> dict[str, Any]:
    """What a reader wants to know of a certificate, name by name."""
    net, points, lost, condition = certificate.network, certificate.points, certificate.bits_lost, certificate.condition
    return {
        "verdict": certificate.verdict,
        "reason": certificate.reason,
        "points": len(points),
        "dimension": points.dimension,
        "classes": len(points.classes),
        "depth": net.depth,
        "width": net.width,
        "parameters": net.parameters,
        "semantics": net.semantics,
        "margin": None if certificate.margin is None else approximate(certificate.margin),
        "bits": certificate.bits,
        "bits_lost": None if lost is None else round(lost, 2),
        "condition": None if condition is None else round(condition, 3),
        **({} if certificate.ieee is None else ieee_facts(certificate.ieee)),
    }


def ieee_facts(verdict: IEEEVerdict) -> dict[str, Any]:
    """What a reader wants to know of a verdict on float evaluations."""
    margin = None if verdict.margin is None else approximate(verdict.margin)
    return {f"{verdict.dtype}_evaluation": verdict.outcome, f"{verdict.dtype}_margin": margin}


def approximate(value: fmpq) -> str:
    """A rational in three significant decimals, for people; any size.

    >>> approximate(fmpq(1, 3)), approximate(fmpq(1, 10**400))
    ('0.333', '1.00e-400')
    """
    with flint.ctx.workprec(64):
        return str(flint.arb(value).mid().str(3, radius=False))


def _versions() -> dict[str, str]:
    names = ("lnnet", "python-flint")
    found = {"python": platform.python_version(), "flint": flint.__FLINT_VERSION__}
    for name in names:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found
