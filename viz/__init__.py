"""Scenes as plain data, and their drawings. The names below are imported on first use."""

from __future__ import annotations

from importlib import import_module
from typing import Any

#: Public name → the module that defines it.
_HOMES = {
    "Animation": "viz.animation",
    "Motion": "viz.motion",
    "Picture": "viz.picture",
    "Recorder": "viz.painter",
    "Scene": "viz.scene",
    "Trace": "viz.tracing",
    "animate_counterexample": "viz.animate_figures",
    "animate_figure1": "viz.animate_figures",
    "animate_figure2": "viz.animate_figures",
    "animate_figure3": "viz.animate_figures",
    "animate_network": "viz.network_animation",
    "animate_neurons": "viz.neurons",
    "animation_named": "viz.catalogue",
    "figure1": "viz.figure_xor",
    "figure2": "viz.figure_merge",
    "figure3": "viz.figure_merge",
    "figure5": "viz.figure_groups",
    "figure_a1": "viz.figure_data",
    "figure_a2": "viz.figure_merge",
    "figure_a3": "viz.figure_lemma11",
    "figure_named": "viz.catalogue",
    "DepthRecord": "viz.depth_plot",
    "measure_depths": "viz.depth_plot",
    "plot_braid": "viz.braid_plot",
    "plot_depth_limits": "viz.limit_plot",
    "plot_depths": "viz.depth_plot",
    "plot_group_ratio": "viz.figure_groups",
    "plot_layers": "viz.layer_plot",
    "plot_neurons": "viz.neurons",
    "plot_points": "viz.point_plot",
    "plot_shattering": "viz.shattering_plot",
    "plot_ssr": "viz.ssr_plot",
    "show": "viz.picture",
    "trace": "viz.tracing",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'viz' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
