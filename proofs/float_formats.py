"""The smallest float format in which a network provably works.

The weights are rounded to float32 and to float64, and `proofs.ieee_checker` judges every IEEE 754 evaluation of the
two networks that result. Nothing is concluded from one format for the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from constructions.errors import NonFiniteError
from constructions.network import LNNet
from constructions.points import LabeledPoints
from proofs.checker import Outcome
from proofs.ieee_checker import IEEEVerdict, check_ieee


@dataclass(frozen=True)
class FloatVerdicts:
    """What becomes of a network in floating point.

    Attributes:
        float32: of every IEEE float32 evaluation of the network with its weights rounded to float32.
        float64: likewise.
    """

    float32: IEEEVerdict
    float64: IEEEVerdict

    @property
    def smallest(self) -> str | None:
        """``"float32"``, ``"float64"``, or None: the smallest format in which the network provably works."""
        return next((verdict.dtype for verdict in (self.float32, self.float64) if verdict), None)

    @property
    def decisive(self) -> IEEEVerdict:
        """The verdict on the smallest format that works, else on float64."""
        return self.float32 if self.float32 else self.float64

    @property
    def outcome(self) -> Outcome:
        """``"certified"`` if some format works, else what is known of float64."""
        return self.decisive.outcome

    def __bool__(self) -> bool:
        return bool(self.decisive)


def judge_floats(
    net: LNNet, points: Any, labels: Any = None, *, watch: Callable[[str, int, int], object] | None = None
) -> FloatVerdicts:
    """Judge every IEEE float32 and float64 evaluation of a network, its weights rounded to the format.

    Args:
        net: any LN-Net; `LNNet.rounded` gives the network that is judged.
        points: points as for `LabeledPoints.of`, or a `LabeledPoints` (then without labels).
        labels: one label a point.
        watch: called with (what is being done, formats done, formats in all).

    Returns:
        Both verdicts; a format is *refuted* if one of the weights overflows it.

    Raises:
        as `LabeledPoints.of` and `proofs.ieee_checker.check_ieee`.

    >>> from lnnet import build
    >>> points, labels = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> judge_floats(build(points, labels), points, labels).smallest
    'float32'
    """
    labelled = points if isinstance(points, LabeledPoints) and labels is None else LabeledPoints.of(points, labels)
    verdicts = []
    for number, dtype in enumerate(("float32", "float64")):
        if watch is not None:
            watch(f"judging {dtype}", number, 2)
        try:
            verdicts.append(check_ieee(net.rounded(dtype), labelled, dtype))
        except NonFiniteError as error:
            verdicts.append(IEEEVerdict("refuted", dtype, str(error)))
    return FloatVerdicts(*verdicts)
