r"""ReLU and LN-G compared through :math:`\tilde H(f)=\sum_i E\lVert\nabla^2 f_i\rVert_F`, x standard normal (E.3).

ReLU's second derivative is Dirac's δ, so its norm counts in the first power only. For groups of c = 4 coordinates the
norm is exact, :math:`\sqrt6\,d`; for c > 4 it lies between :math:`\sqrt{2(c-1)}` and :math:`\sqrt{3(c-2)}`, times
:math:`cg/(c-3)`; for c = 3 it is infinite, which the paper overlooks; for c = 2 it is 0 (claim ``equations-203-207``).
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, ctx

from constructions.errors import InputError


@dataclass(frozen=True)
class ExpectedNorm:
    """Bounds of the expected Frobenius norm of the Hessian, summed over the outputs.

    Attributes:
        low: a ball whose true value is a lower bound (infinite for groups of three).
        high: likewise an upper bound.
    """

    low: arb
    high: arb

    @property
    def exact(self) -> bool:
        """Whether the two bounds are the same number."""
        return bool(self.low.overlaps(self.high))


def expected_norm_of_relu(d: int) -> arb:
    """d/√(2π), equation 205.

    Raises:
        InputError: d < 1.

    >>> expected_norm_of_relu(256).str(5, radius=False)
    '102.13'
    """
    if d < 1:
        raise InputError(f"Argument 'd' must be at least 1, not {d}.")
    return d / (2 * arb.pi()).sqrt()


def expected_norm_of_layer_norm(d: int, groups: int = 1) -> ExpectedNorm:
    """Equations 206 and 207 with constants: LN-G on R^d with ``groups`` groups (one group: LN).

    Raises:
        InputError: the groups are not equally large, or have fewer than two coordinates.

    >>> norm = expected_norm_of_layer_norm(256, 64)
    >>> norm.exact, norm.low.str(5, radius=False)
    (True, '627.07')
    """
    if groups < 1 or d % groups or d // groups < 2:
        raise InputError(f"{d} coordinates cannot be shared out to {groups} equal groups of at least two.")
    c = d // groups
    if c == 2:
        return ExpectedNorm(arb(0), arb(0))
    if c == 3:
        return ExpectedNorm(arb.pos_inf(), arb.pos_inf())
    share = arb(d) / (c - 3)
    return ExpectedNorm(share * arb(2 * (c - 1)).sqrt(), share * arb(3 * (c - 2)).sqrt())


def relu_ratio(d: int, groups: int, bits: int = 64) -> tuple[float, float]:
    """Lower and upper bound of LN-G's expected norm relative to ReLU's, as floats.

    Args:
        bits: working precision.
    """
    with ctx.workprec(bits):
        norm, relu = expected_norm_of_layer_norm(d, groups), expected_norm_of_relu(d)
        return float((norm.low / relu).lower()), float((norm.high / relu).upper())
