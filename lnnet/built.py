"""What `build_certified` returns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from flint import fmpq

from constructions.network import LNNet
from proofs.certificate import Certificate
from proofs.float_formats import FloatVerdicts, judge_floats
from proofs.ieee_checker import IEEEVerdict, check_ieee
from proofs.ieee_rounding import FORMATS


@dataclass(frozen=True)
class Built:
    """A network with its certificate and how it came about.

    Attributes:
        certificate: holds the network, the points and the verdict.
        method: the method used.
        bits: mantissa length of the weights (None if exact).
        breaks: number of parallelization breaks among the layers.
    """

    certificate: Certificate
    method: str
    bits: int | None
    breaks: int

    @property
    def network(self) -> LNNet:
        """The network."""
        return self.certificate.network

    @property
    def condition(self) -> float | None:
        """Bits of precision lost a layer (see `proofs.condition`); None if not certified, or without layers."""
        return self.certificate.condition

    @cached_property
    def ieee(self) -> IEEEVerdict | None:
        """Verdict on every IEEE evaluation in the format of the weights, None if they have none; found on first use."""
        float_weights = self.network.semantics in FORMATS
        return check_ieee(self.network, self.certificate.points) if float_weights else None

    @cached_property
    def floats(self) -> FloatVerdicts:
        """Verdicts on every float32 and float64 evaluation, the weights rounded; found on first use."""
        return judge_floats(self.network, self.certificate.points)

    @property
    def smallest_dtype(self) -> str | None:
        """The smallest float format in which the network provably works, or None."""
        return self.floats.smallest


def shallower(first: Built, second: Built) -> Built:
    """The certified one (of float weights: for every IEEE evaluation), then the shallower, then that of more margin."""

    def rank(built: Built) -> tuple[bool, bool, int, fmpq]:
        margin = built.certificate.margin or fmpq(0)
        return not built.certificate, built.ieee is not None and not built.ieee, built.network.depth, -margin

    return second if rank(second) < rank(first) else first
