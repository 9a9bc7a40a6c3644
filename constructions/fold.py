r"""Folds: what one width-3 LN layer does to a line.

Shift the line by s, lift it to height c, project onto the unit circle (SP) and read off a linear function u:
:math:`p\mapsto (u_1 q+u_2)/\sqrt{1+q^2}` with :math:`q=(p-s)/c`. In the angle :math:`\theta=\operatorname{arccot} q`
it is :math:`|u|\cos(\theta-\varphi)`, so the line is folded once, at the apex :math:`q=u_1/u_2`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from constructions.spherical_projection import Frame

if TYPE_CHECKING:
    from constructions.arithmetic import Arithmetic


@dataclass(frozen=True)
class Fold:
    """p ↦ gain·(u1·(p−s) + u2·c)/√((p−s)² + kappa·c²), with kappa and gain those of the frame.

    With the frame of Lemma 1 (kappa = gain = 1) this is the fold of the module's description. The
    parameters are exact numbers: rationals or algebraic reals.

    Attributes:
        shift: s, the point of the line that goes to the top of the circle.
        scale: c > 0, the height of the line above the origin.
        u1, u2: the linear read-off.
        frame: the basis through which the fold becomes three neurons.
    """

    shift: Any
    scale: Any
    u1: Any
    u2: Any
    frame: Frame

    def mapping(self, arithmetic: Arithmetic) -> Callable[[Any], Any]:
        """The fold as a function on the positions of an arithmetic."""
        enter, sqrt = arithmetic.enter, arithmetic.sqrt
        shift, scale, u1, u2 = (enter(x) for x in (self.shift, self.scale, self.u1, self.u2))
        gain = sqrt(enter(self.frame.gain_squared))
        floor = scale * scale * enter(self.frame.kappa)
        top = u2 * scale * gain

        if self.u1 == 0:  # kept apart: one occurrence of p keeps balls tight

            def level(p: Any) -> Any:
                h = p - shift
                return top / sqrt(h * h + floor)

            return level
        slope = u1 * gain

        def tilted(p: Any) -> Any:
            h = p - shift
            return (slope * h + top) / sqrt(h * h + floor)

        return tilted
