"""Corollary 2: SP is an LN-Net with a single LN layer."""

from __future__ import annotations

from flint import arb

from constructions.arithmetic import Dyadic
from constructions.network import Affine, LNNet
from constructions.spherical_projection import lemma1_maps
from proofs.claim import Claim, Finding, Step, conclude
from proofs.claims.lemma_1 import CLAIM as LEMMA_1


def _check(bias: int) -> Finding:
    """The network of Lemma 1, with a bias added to every neuron's own coordinate."""
    phi1, phi2 = lemma1_maps(3)
    net = LNNet(
        (Affine.of(phi1, [bias, 0, 0]), Affine.of(phi2, [0, 0])),
        (0, 1),
        "argmax",
        semantics="exact",
    )
    arithmetic = Dyadic(128)
    failing = None
    with arithmetic.work():
        for point in ((3, 4), (-5, 12), (0, -2)):
            length = arb(point[0] ** 2 + point[1] ** 2).sqrt()
            outputs = net.outputs(point, arithmetic)
            if not all((y - arb(x) / length).contains(0) for y, x in zip(outputs, point, strict=True)):
                failing = failing or point
    lemma = LEMMA_1.check()
    return conclude(
        Step(
            "Lemma 1 holds: its two linear maps with LN between them are an LN-Net in the sense of Definition 3, "
            "with two linear "
            "layers and one LN.",
            lemma.verdict == "holds",
            lemma.assurance,
        ),
        Step(
            "As a network of depth 1 and width 3 in exact arithmetic it encloses x/‖x‖ at (3, 4), (−5, 12) and "
            "(0, −2).",
            failing is None and (net.depth, net.width) == (1, 3),
            "certified",
            role="corroboration",
        ),
        counterexample=None if failing is None else f"x = {failing}: the network's output excludes x/‖x‖",
    )


CLAIM = Claim(
    key="corollary-2",
    title="Corollary 2",
    where="Section 4.1",
    statement=r"$\mathrm{SP}$ on $\mathbb R^{d-1}$ is represented by an LN-Net (of depth 1 and width d).",
    hypotheses=("x ≠ 0",),
    check=lambda: _check(0),
    false_statement="The network still represents SP with a bias added to its first neuron.",
    check_false=lambda: _check(1),
)
