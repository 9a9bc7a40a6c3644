"""The orthogonal matrix of Lemma 6 for a symbolic size d: facts about its entries, each an identity in k.

Column k < d is (1, …, 1, −k, 0, …, 0)/√(k(k+1)) with k ones; the last column is 1/√d. Squares of the norms are used
throughout, so that everything is rational in the symbols.
"""

from __future__ import annotations

import sympy

from constructions.spherical_projection import helmert_matrix, lemma1_maps
from proofs.claim import Step, as_arguments
from proofs.identities import identity

#: Sizes for which the exact matrix of the constructions is checked entry by entry as well.
SIZES = (3, 4, 7)


def orthogonality() -> tuple[Step, ...]:
    """The columns are orthonormal, for every d."""
    k, d = sympy.symbols("k d", positive=True)
    return as_arguments(
        identity(
            r"Column k has length 1: k ones and one −k give $(k\cdot1^2+k^2)/(k(k+1))=1$.",
            (k + k**2) / (k * (k + 1)),
            sympy.Integer(1),
        ),
        identity(
            "Columns k < l are orthogonal: column l is constant (1) on the k + 1 places where column k lives, "
            "and those sum "
            r"to $k\cdot1-k=0$.",
            k * 1 * 1 + (-k) * 1,
            sympy.Integer(0),
        ),
        identity(r"The last column has length 1: $d\cdot(1/d)=1$.", d * (1 / d), sympy.Integer(1)),
        identity(
            "Column k < d is orthogonal to the last one, that is, sums to zero: k ones and one −k.",
            (k * 1 - k) / sympy.Symbol("norm"),
            sympy.Integer(0),
        ),
    )


def sympy_maps(size: int) -> tuple[sympy.Matrix, sympy.Matrix]:
    """φ1 and φ2 of Lemma 1 with radicals, from the exact matrices of the constructions."""
    phi1, phi2 = lemma1_maps(size)
    return tuple(sympy.Matrix([[x.to_sympy() for x in row] for row in m]) for m in (phi1, phi2))  # type: ignore[return-value]


def matrices_agree() -> Step:
    """The exact matrices of `constructions.spherical_projection` are orthogonal."""
    good = all(_orthogonal(size) for size in SIZES)
    return Step(
        f"The exact matrices for d = {', '.join(map(str, SIZES))} satisfy QᵀQ = I, entry by entry in radicals.",
        good,
        role="corroboration",
    )


def _orthogonal(size: int) -> bool:
    q = sympy.Matrix([[x.to_sympy() for x in row] for row in helmert_matrix(size)])
    return all(sympy.radsimp(sympy.expand(x)) == 0 for x in q.T * q - sympy.eye(size))
