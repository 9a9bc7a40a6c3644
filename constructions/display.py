"""How networks and facts look in notebooks and on paper."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from flint import arb, ctx

from constructions.algebraic import Algebraic

if TYPE_CHECKING:
    from constructions.network import LNNet, Number
    from constructions.points import LabeledPoints

#: A matrix with more entries, or a network with more layers, is abbreviated.
_MAX_ENTRIES, _MAX_LAYERS = 36, 4
#: A number whose expression has more nodes, or whose fraction has more bits, is shown as a decimal.
_MAX_NODES, _MAX_LENGTH = 60, 20


def number_latex(value: Number) -> str:
    """One weight in LaTeX, radicals kept; long expressions and long rationals as decimals."""
    import sympy

    short = _short_form(value)
    return f"{_decimal(value)}\\ldots" if short is None else str(sympy.latex(short))


def number_text(value: Number) -> str:
    """One weight on one line of Unicode, radicals kept; long expressions and long rationals as decimals.

    >>> from constructions.algebraic import algebraic
    >>> number_text(algebraic(2).sqrt() / 6)
    '√2/6'
    """
    short = _short_form(value)
    if short is None:
        return f"{_decimal(value)}…"
    return re.sub(r"sqrt\((\d+)\)", r"√\1", str(short)).replace("sqrt", "√").replace("*", "·")


def _short_form(value: Number) -> Any:
    """A simplified sympy number, or None if it would be too long to read."""
    import sympy

    if isinstance(value, Algebraic):
        if sum(1 for _ in value.nodes()) > _MAX_NODES:
            return None
        return sympy.radsimp(sympy.sqrtdenest(sympy.simplify(value.to_sympy())))
    if max(value.p.bit_length(), value.q.bit_length()) > _MAX_LENGTH:
        return None
    return sympy.Rational(int(value.p), int(value.q))


def _decimal(value: Number) -> str:
    with ctx.workprec(96):
        ball = value.ball() if isinstance(value, Algebraic) else arb(value)
        return str(ball.mid().str(4, radius=False))


def matrix_latex(rows: Any) -> str:
    """A matrix in LaTeX, or its shape if it is large."""
    if len(rows) * len(rows[0]) > _MAX_ENTRIES:
        return rf"W_{{{len(rows)}\times{len(rows[0])}}}"
    body = r" \\ ".join(" & ".join(number_latex(x) for x in row) for row in rows)
    return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"


def network_latex(net: LNNet) -> str:
    """The layers of a network as equations (the middle ones abbreviated)."""
    lines = []
    last = net.depth
    for number, layer in enumerate(net.layers):
        if _MAX_LAYERS <= number < last:
            if number == _MAX_LAYERS:
                lines.append(rf"&\;\vdots \quad ({last - _MAX_LAYERS} \text{{ more layers}})")
            continue
        x = "x" if number == 0 else f"x^{{({number})}}"
        affine = f"{matrix_latex(layer.weight)} {x} + {matrix_latex([[b] for b in layer.bias])}"
        left = r"\text{output}" if number == last else f"x^{{({number + 1})}}"
        lines.append(f"{left} &= {affine}" if number == last else rf"{left} &= \mathrm{{LN}}\Bigl({affine}\Bigr)")
    return "$$\\begin{aligned}" + r" \\ ".join(lines) + "\\end{aligned}$$"


def facts_html(title: str, facts: Mapping[str, Any]) -> str:
    """A small table of names and values."""
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(str(name))}</th><td>{escape(str(value))}</td></tr>"
        for name, value in facts.items()
        if value is not None
    )
    return f"<table><caption>{escape(title)}</caption>{rows}</table>"


def network_html(net: LNNet) -> str:
    """What a network is, at a glance."""
    return facts_html(
        "LN-Net",
        {
            "inputs": net.dimension,
            "classes": ", ".join(str(c) for c in net.classes[:12]) + (", …" if len(net.classes) > 12 else ""),
            "depth": net.depth,
            "width": net.width,
            "parameters": net.parameters,
            "read-out": net.readout,
            "epsilon": net.epsilon,
            "weights": net.semantics,
        },
    )


def points_html(points: LabeledPoints) -> str:
    """What a point set is, at a glance: its classes with their sizes, and its extent."""
    counts = Counter(points.labels)
    shown = [f"{label} ({counts[label]})" for label in points.classes[:12]]
    columns = list(zip(*points.points, strict=True))[:4]
    ranges = [f"[{number_text(min(c))}, {number_text(max(c))}]" for c in columns]
    return facts_html(
        "Labelled points",
        {
            "points": len(points),
            "dimension": points.dimension,
            "classes (sizes)": ", ".join(shown) + (", …" if len(points.classes) > 12 else ""),
            "ranges": " × ".join(ranges) + (" × …" if points.dimension > 4 else ""),
        },
    )


def network_text(net: LNNet) -> str:
    """The layers of a network as equations in Unicode (the middle ones abbreviated), radicals kept.

    >>> from constructions.xor import figure1_network
    >>> print(network_text(figure1_network()))
    x1 = LN(W x + b)
        W = (1/2  -1/2; -1/2  1/2; 0  0)
        b = (√6/12  √6/12  -√6/6)
    y = W x1 + b
        W = (-√2/6  -√2/6  √2/3)
        b = (3/4)
    """
    lines = []
    for number, layer in enumerate(net.layers):
        if _MAX_LAYERS <= number < net.depth:
            if number == _MAX_LAYERS:
                lines.append(f"… {net.depth - _MAX_LAYERS} more layers …")
            continue
        if layer.inputs * layer.outputs > _MAX_ENTRIES:
            weight = f"({layer.outputs} × {layer.inputs} entries)"
        else:
            weight = "(" + "; ".join("  ".join(number_text(x) for x in row) for row in layer.weight) + ")"
        bias = "(" + "  ".join(number_text(x) for x in layer.bias) + ")"
        x = "x" if number == 0 else f"x{number}"
        y = "y" if number == net.depth else f"x{number + 1}"
        formula = f"W {x} + b" if number == net.depth else f"LN(W {x} + b)"
        lines += [f"{y} = {formula}", f"    W = {weight}", f"    b = {bias}"]
    return "\n".join(lines)
