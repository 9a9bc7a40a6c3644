"""Which method builds a network, and from which direction, where that is left open."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from constructions.errors import InputError, UndecidedError
from constructions.points import LabeledPoints
from constructions.projection import project
from lnnet.built import Built, shallower
from proofs.ieee_rounding import FORMATS

#: With so few label runs ``"auto"`` folds runs.
_FEW_RUNS = 24
#: With so many points or fewer, or label runs of two classes, it tries that too when asked for effort.
_TRY_BOTH = 40
#: Directions to look from for float weights, one after the other, and how many.
_STRATEGIES, _DIRECTIONS = ("wide-gaps", "fewest-runs"), 4


def choose_method(points: LabeledPoints, arithmetic: str, effort: int, make: Callable[[str, int], Built]) -> Built:
    """Run folding where it pays, Algorithm 1 elsewhere; both where that is not known beforehand.

    Folding runs pays in dyadic weights when the label changes seldom along some direction. With some effort it is
    also tried when there are few enough points, or runs of two classes, to afford both. In float arithmetic it is
    tried first, and Algorithm 1 where it fails.
    """
    if arithmetic != "dyadic" and arithmetic not in FORMATS:
        return make("pma", 0)
    runs = project(points, "few-runs").runs
    if arithmetic in FORMATS:
        return _steadier(make) if len(points.classes) <= 2 or runs <= _TRY_BOTH else make("pma", 0)
    affordable = len(points) <= _TRY_BOTH or (len(points.classes) <= 2 and runs <= _TRY_BOTH)
    if not (runs <= _FEW_RUNS or (effort and affordable)):
        return make("pma", 0)
    try:
        built = make("shallow", 0)
    except (UndecidedError, InputError):  # not resolved, or deeper than the depth asked for
        return make("pma", 0)
    if built.certificate and 2 * built.network.depth < len(points) - len(points.classes):
        return built  # Algorithm 1 needs nearly as many layers as points
    try:
        return shallower(built, make("pma", 0))
    except InputError:
        return built


def _steadier(make: Callable[[str, int], Built]) -> Built:
    """Run folding in floats, and Algorithm 1 if an IEEE evaluation might fail."""
    try:
        built = make("shallow", 0)
    except (UndecidedError, InputError):
        return make("pma", 0)
    if not built.ieee:
        with suppress(UndecidedError, InputError):
            built = shallower(built, make("pma", 0))
    return built


def from_directions(make: Callable[[str, int], Built]) -> Built:
    """Look from several directions until every IEEE evaluation of a network is right, else the best of them.

    Args:
        make: builds from the direction of a named strategy and the number of a further seed.

    Raises:
        UndecidedError: no direction gives a network.
    """
    best: Built | None = None
    obstacle: UndecidedError | None = None
    for trial in range(_DIRECTIONS):
        try:
            built = make(_STRATEGIES[trial % len(_STRATEGIES)], trial // len(_STRATEGIES))
        except UndecidedError as error:
            obstacle = error
            continue
        best = built if best is None else shallower(best, built)
        if best.ieee:
            break
    if best is None:
        raise UndecidedError(f"{obstacle}", None if obstacle is None else obstacle.layer)
    return best
