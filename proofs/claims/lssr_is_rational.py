"""Own claim: LSSR of two classes is a rational function of the samples, also where N is singular."""

from __future__ import annotations

import random

import sympy
from flint import fmpq

from constructions.errors import InputError
from constructions.sum_of_squares import linear_bound, sum_of_squares
from proofs.claim import Claim, Finding, Step, as_arguments, conclude
from proofs.identities import identity
from proofs.linear_bound_check import as_fmpq, check_linear_bound, eigenvalues

_TRIALS = 60


def _check(weight: int) -> Finding:
    """LSSR = 1 − weight·w·δᵀu, weight 1 in the claim."""
    w, s, v_m, v_d = sympy.symbols("w s v_m v_d")
    agree, singular, failing = _instances(weight)
    return conclude(
        *as_arguments(
            identity(
                r"$N=M+w\,\delta\delta^{\mathsf T}$ (Proposition 2), so $v^{\mathsf T}Nv=v^{\mathsf "
                r"T}Mv+w(\delta^{\mathsf T}v)^2$.",
                v_m + w * v_d**2 - v_m,
                w * v_d**2,
            ),
            identity(
                r"If $Nv=0$ then both terms, which are not negative, vanish: $\delta^{\mathsf T}v=0$. So δ is "
                r"orthogonal to the kernel "
                "of the symmetric N, that is, in its range: Nu = δ has a solution u, and δᵀu is the same for all "
                "of them.",
                (v_m + w * v_d**2).subs({v_m: 0, v_d: 0}),
                sympy.Integer(0),
            ),
            identity(
                r"On the range of N (directions outside it change neither sum of squares) N is definite, and "
                r"Proposition 2's argument "
                r"gives $\mathrm{LSSR}=1-w\,\delta^{\mathsf T}u$, reached at u: $u^{\mathsf T}Nu=\delta^{\mathsf "
                r"T}u=s$ and "
                r"$u^{\mathsf T}Mu=s-ws^2$.",
                (s - w * s**2) / s,
                1 - weight * w * s,
            ),
        ),
        Step(
            f"{_TRIALS} seeded samples of small integers, d ≤ 4, class sizes 1 to 6, {singular} of them with "
            f"singular N: M − LSSR·N "
            "is positive semidefinite and u reaches LSSR; where N is invertible the eigenvalues of N⁻¹M agree.",
            agree,
            "tested",
            role="corroboration",
        ),
        counterexample=failing,
    )


def _instances(weight: int) -> tuple[bool, int, str | None]:
    generator = random.Random(2024)
    singular = 0
    for _ in range(_TRIALS):
        d = generator.randint(1, 4)
        first, second = (
            [[generator.randint(-3, 3) for _ in range(d)] for _ in range(generator.randint(1, 6))] for _ in range(2)
        )
        if sum_of_squares(first + second) == 0:
            continue
        bound = linear_bound(first, second)
        try:
            check_linear_bound(first, second, bound)
            least = as_fmpq(eigenvalues(bound.within, bound.total)[0])
        except InputError:  # N is singular: definiteness has been checked, there are no eigenvalues to compare with
            singular += 1
            least = bound.value
        claimed = 1 - weight * (1 - bound.value)
        if least != claimed or bound.value != claimed:
            return False, singular, f"X1 = {first}, X2 = {second}: {claimed} is claimed, LSSR = {fmpq(least)}"
    return True, singular, None


CLAIM = Claim(
    key="lssr-is-rational",
    title="LSSR is rational",
    where="lnnet",
    statement=(
        r"For any two classes whose samples do not all coincide, of any sizes and with N singular or not, "
        r"$\mathrm{LSSR}=1-w\,\delta^{\mathsf T}u$ for any solution u of $Nu=\delta$, $\delta=\bar x_1-\bar x_2$, "
        r"$w=\frac{m_1m_2}{m_1+m_2}$; u is a minimiser unless δ = 0, when every direction with $u^{\mathsf "
        r"T}Nu\ne0$ is one."
    ),
    hypotheses=("not all samples coincide",),
    check=lambda: _check(1),
    false_statement=r"$\mathrm{LSSR}=1-2w\,\delta^{\mathsf T}u$.",
    check_false=lambda: _check(2),
)
