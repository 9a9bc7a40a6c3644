"""From where a method begins: a line onto which the points are projected, or a circle around which they are seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from itertools import product

from constructions.circle_chords import ONE_LAYER_RUNS
from constructions.circle_view import view_circle
from constructions.errors import InputError, UndecidedError
from constructions.points import LabeledPoints
from constructions.projection import Projection, project, project_along
from constructions.rational import to_rational
from lnnet.attempts import WIDE, Options, Start, build_from
from lnnet.built import Built, shallower
from lnnet.method_choice import FEW_RUNS
from lnnet.methods import METHODS
from proofs.ieee_rounding import FORMATS

#: The name of the circle among the projections.
CIRCLE = "circle"
#: From where to begin for float weights, one after the other, each with as many seeds as there are rounds.
_FLOAT_STARTS, _ROUNDS = (CIRCLE, "wide-gaps", "fewest-runs"), 2


def build_best(points: LabeledPoints, options: Options) -> Built:
    """The network of a method from the start that suits it, or from several the best of them.

    Raises:
        MergeConfusionError, UndecidedError, InputError: as `lnnet.build`.
    """
    if options.method == WIDE:
        return build_from(None, points, options)
    if options.projection == CIRCLE:
        return build_from(_circle(points, options), points, options)
    if options.projection == "auto" and options.arithmetic in FORMATS and METHODS[options.method].floating:
        return _from_several(points, options)
    line = _line(points, options)
    if options.projection != "auto" or not _sees_circles(points, options) or line.runs <= _at_once(points):
        return build_from(line, points, options)
    view = view_circle(points, options.seed)
    if view is None:
        return build_from(line, points, options)
    starts: list[Start] = [line, view] if line.runs < view.changes else [view, line]
    try_all = min(line.runs, view.changes) <= FEW_RUNS
    return _best(
        (partial(build_from, start, points, options) for start in starts),
        lambda built: built.certificate and not try_all,
    )


def _from_several(points: LabeledPoints, options: Options) -> Built:
    """For float weights: from the circle, then along lines, until a network is certified for every evaluation."""
    around = _sees_circles(points, options) and _line(points, options).runs > _at_once(points)
    ways = product(range(_ROUNDS), _FLOAT_STARTS if around else _FLOAT_STARTS[1:])
    several = (replace(options, projection=way, seed=options.seed + number) for number, way in ways)
    return _best((partial(build_best, points, some) for some in several), lambda built: built.ieee)


def _line(points: LabeledPoints, options: Options) -> Projection:
    if not isinstance(options.projection, str):
        return project_along(points, tuple(to_rational(x) for x in options.projection))
    suited = METHODS[options.method].projection if options.projection == "auto" else options.projection
    return project(points, suited, options.seed)


def _sees_circles(points: LabeledPoints, options: Options) -> bool:
    searches = METHODS[options.method].seeded and options.arithmetic != "exact"
    return searches and points.dimension > 1 and len(points.classes) > 1


def _at_once(points: LabeledPoints) -> int:
    """So many runs along a line leave nothing to gain from a circle: they take one layer or none."""
    return ONE_LAYER_RUNS if len(points.classes) == 2 else len(points.classes)


def _circle(points: LabeledPoints, options: Options) -> Start:
    if not _sees_circles(points, options):
        raise InputError(
            f"Argument 'projection' can be {CIRCLE!r} only for method='shallow' in an arithmetic other than exact, "
            "points in two dimensions or more, and two classes or more."
        )
    view = view_circle(points, options.seed)
    if view is None:
        raise UndecidedError("Floating point finds no circle around which the classes are apart; use a projection.")
    return view


def _best(attempts: Iterable[Callable[[], Built]], enough: Callable[[Built], object]) -> Built:
    """The best network of several attempts, or of those up to the first that leads to one that is good enough."""
    best: Built | None = None
    obstacle: Exception | None = None
    for attempt in attempts:
        try:
            built = attempt()
        except (UndecidedError, InputError) as error:  # not resolved, or deeper than the depth asked for
            obstacle = error
            continue
        best = built if best is None else shallower(best, built)
        if enough(best):
            break
    if best is None and obstacle is not None:
        raise obstacle
    return best  # type: ignore[return-value]
