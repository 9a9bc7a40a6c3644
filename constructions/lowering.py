"""From folds to an LN-Net: every fold is one LN on three neurons, and adjacent affine maps merge into one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import fmpq

from constructions.arithmetic import Arithmetic
from constructions.fold import Fold
from constructions.line import Line
from constructions.network import Affine, LNNet
from constructions.points import Label
from constructions.sight import Sight

Head = Sequence[Any] | Sight
"""How the points come onto the line: d exact weights of a projection, or a first layer read along its second axis."""


def lower(
    head: Head,
    folds: Sequence[Fold],
    line: Line,
    classes: Sequence[Label],
    *,
    tail: Sequence[Affine] = (),
) -> LNNet:
    """The LN-Net that projects (or folds a circle), folds and reads out.

    Args:
        head: the projection to the line, or the first layer.
        folds: one LN layer each.
        line: where the folds lead; every class occupies an interval of its own, unless there is a tail.
        classes: the labels, in the order of the network's classes.
        tail: affine maps with an LN between neighbours that take the final position (the first has one column) to the
            network's outputs, instead of the read-out of `read_out`.

    Returns:
        A network of depth ``len(folds)`` and width 3 (no LN at all without folds), deeper by ``len(tail) − 1``, and by
        1 with a first layer.
    """
    arithmetic = line.arithmetic
    layers: list[Affine] = []
    if isinstance(head, Sight):
        layers.append(head.layer)
        row = head.frame.outlet(fmpq(0), head.frame.level)
    else:
        row = tuple(arithmetic.round(x) for x in head)
    for fold in folds:
        column, bias = fold.frame.inlet(fold.shift, fold.scale)
        layers.append(Affine(_outer(column, row, arithmetic), tuple(bias)))
        row = fold.frame.outlet(fold.u1, fold.u2)
    readout = "threshold" if len(classes) == 2 else "argmax"
    slopes, offsets = (tuple(w for (w,) in tail[0].weight), tail[0].bias) if tail else read_out(line, classes)
    layers += [Affine(_outer(slopes, row, arithmetic), offsets), *tail[1:]]
    return LNNet(tuple(layers), tuple(classes), readout, fmpq(0), arithmetic.semantics)  # type: ignore[arg-type]


def read_out(line: Line, classes: Sequence[Label]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Slopes and offsets of the outputs as functions of the position.

    Two classes: one output, negative on the first class. Otherwise one logit a class: k·p + b_k for the k-th
    interval from the left, with b_{k+1} = b_k − t_k and t_k a cut between intervals k and k + 1.
    """
    arithmetic = line.arithmetic
    cuts, order = [], [line.clusters[0].label]
    for left, right in zip(line.clusters, line.clusters[1:], strict=False):
        if left.label != right.label:
            cuts.append(arithmetic.between(left.position, right.position))
            order.append(right.label)
    one = arithmetic.round(fmpq(1))
    if len(classes) == 2:
        rising = order[0] == classes[0]
        if not cuts:  # only one of the two classes occurs
            return (arithmetic.round(fmpq(0)),), (-one if rising else one,)
        return ((one,), (-cuts[0],)) if rising else ((-one,), (cuts[0],))
    offset = arithmetic.round(fmpq(0))
    logits = {order[0]: (offset, offset)}
    for k, cut in enumerate(cuts, start=1):
        offset = arithmetic.round(offset - cut)
        logits[order[k]] = (one * k, offset)
    return tuple(logits[name][0] for name in classes), tuple(logits[name][1] for name in classes)


def _outer(column: Sequence[Any], row: Sequence[Any], arithmetic: Arithmetic) -> tuple[tuple[Any, ...], ...]:
    return tuple(tuple(arithmetic.round(a * b) for b in row) for a in column)
