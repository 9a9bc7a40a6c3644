"""Which method builds a network, where that is left open."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from constructions.circle_view import view_circle
from constructions.errors import InputError, UndecidedError
from constructions.points import LabeledPoints
from constructions.projection import project
from lnnet.built import Built, shallower
from proofs.ieee_rounding import FORMATS

#: With so few label changes along a line or around a circle ``"auto"`` searches folds, however many points there are.
FEW_RUNS = 24
#: Otherwise for so many points of two classes, and of more; and when asked for effort.
_AFFORDABLE, _WITH_EFFORT = (200, 50), (2000, 300)
#: With so few label runs folds are searched in float arithmetic for more than two classes too.
_FEW_FOR_FLOATS = 40


def choose_method(points: LabeledPoints, arithmetic: str, effort: int, make: Callable[[str, int], Built]) -> Built:
    """Folds found by search where a few seconds suffice for that, Algorithm 1 elsewhere.

    The search takes the longer the more label changes there are, and pays most for two classes. Of networks of similar
    depth the shallower wins. In float arithmetic the search comes first, and Algorithm 1 where it fails.
    """
    if arithmetic != "dyadic" and arithmetic not in FORMATS:
        return make("pma", 0)
    runs = project(points, "few-runs").runs
    if arithmetic in FORMATS:
        return _steadier(make) if len(points.classes) <= 2 or runs <= _FEW_FOR_FLOATS else make("pma", 0)
    most = (_WITH_EFFORT if effort else _AFFORDABLE)[len(points.classes) > 2]
    if runs > FEW_RUNS and len(points) > most and not _few_around_circle(points):
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


def _few_around_circle(points: LabeledPoints) -> bool:
    """Whether a circle that is found at once shows few label changes."""
    view = view_circle(points, steps=0)
    return view is not None and view.changes <= FEW_RUNS


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
