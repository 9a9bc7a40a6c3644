"""How networks and facts look in notebooks and on paper."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from constructions.algebraic import Algebraic

if TYPE_CHECKING:
    from constructions.network import LNNet

#: A matrix with more entries, or a network with more layers, is abbreviated.
_MAX_ENTRIES, _MAX_LAYERS = 36, 4


def number_latex(value: Any) -> str:
    """One weight in LaTeX, radicals kept; long rationals as decimals."""
    import sympy

    if isinstance(value, Algebraic):
        if sum(1 for _ in value.nodes()) <= 60:
            return str(sympy.latex(sympy.radsimp(sympy.sqrtdenest(sympy.simplify(value.to_sympy())))))
        return f"{float(value):.4g}\\ldots"
    if value.q.bit_length() <= 20 and value.p.bit_length() <= 20:
        return str(sympy.latex(sympy.Rational(int(value.p), int(value.q))))
    return f"{int(value.p) / int(value.q):.4g}\\ldots"


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
