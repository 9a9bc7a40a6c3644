"""``lnnet animate FIGURE -o A.gif`` and ``lnnet animate NET.json POINTS.csv -o A.html``."""

from __future__ import annotations

import argparse
from typing import Any

from lnnet.report import Report

HELP = "animate a figure of the paper, or any network on any points"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    from lnnet.sources import add_point_arguments
    from viz.catalogue import ANIMATIONS

    known = "; ".join(f"{name}: {text}" for name, (_, _, text) in ANIMATIONS.items())
    parser.add_argument("subject", metavar="FIGURE|NET.json", help=f"{known}; or a network file, with POINTS")
    add_point_arguments(parser, optional=True)
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="a .gif, .webp, .mp4 or (with player) .html file"
    )
    parser.add_argument("--theme", default="light", choices=("light", "dark"))
    parser.add_argument(
        "--frames", type=int, metavar="N", help="number of frames, at most (default: 60, or 240 for a network)"
    )
    parser.add_argument("--pixels", type=int, default=500, metavar="N", help="width of a frame (default %(default)s)")
    parser.add_argument(
        "--neurons", type=int, metavar="L", help="a network's LN layer number L as a step in R^3, with turning camera"
    )


def run(options: argparse.Namespace) -> Report:
    """Animate and save."""
    from constructions.errors import InputError
    from lnnet.progress import progress_bar
    from viz.catalogue import ANIMATIONS, animation_named
    from viz.frames import check_pixels
    from viz.output import ANIMATION_SUFFIXES, output_path

    target = output_path(options.output, ANIMATION_SUFFIXES)
    check_pixels(options.pixels)
    if options.subject not in ANIMATIONS and options.points is None:
        raise InputError(
            f"{options.subject!r} is none of {', '.join(ANIMATIONS)}; to animate a network file, name its points too."
        )
    with progress_bar(quiet=options.json) as watch:
        if options.points is None:
            chosen = {} if options.frames is None else {"frames": options.frames}
            animation = animation_named(options.subject)(theme=options.theme, pixels=options.pixels, **chosen)
        else:
            animation = _network(options, lambda done, total: watch("following", done, total))
        animation.save(target, watch=lambda done, total: watch("drawing", done, total))
    facts = {"file": str(target), "bytes": target.stat().st_size, "frames": len(animation.motion)}
    notes = animation.motion.notes
    return Report(animation.motion.name, facts=facts, notes=notes, extra={"notes": list(notes)} if notes else {})


def _network(options: argparse.Namespace, watch: Any) -> Any:
    from constructions.network_file import load_network
    from lnnet.sources import read_points
    from viz.network_animation import animate_network
    from viz.neurons import animate_neurons

    net = load_network(options.subject)
    points = read_points(options)
    chosen: dict[str, Any] = {} if options.frames is None else {"frames": options.frames}
    if options.neurons is not None:
        return animate_neurons(net, points, layer=options.neurons, theme=options.theme, pixels=options.pixels, **chosen)
    return animate_network(net, points, theme=options.theme, pixels=options.pixels, watch=watch, **chosen)
