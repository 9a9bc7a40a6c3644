"""lnnet: build, certify, audit and show what LayerNorm networks can represent.

The names below are the public API; each is imported on first use, so that ``import lnnet`` stays light.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

__version__ = "0.1.0"

#: Public name → the module that defines it.
_HOMES = {
    "Affine": "constructions.network",
    "Algebraic": "constructions.algebraic",
    "Built": "lnnet.built",
    "Certificate": "proofs.certificate",
    "FloatVerdicts": "proofs.float_formats",
    "Fold": "constructions.fold",
    "FoldSequence": "constructions.projection_merge",
    "HalfSpace": "constructions.half_spaces",
    "IEEEVerdict": "proofs.ieee_checker",
    "LNNet": "constructions.network",
    "LNNetClassifier": "lnnet.interop.classifier",
    "LNNetError": "constructions.errors",
    "LabeledPoints": "constructions.points",
    "Line": "constructions.line",
    "Projection": "constructions.projection",
    "Shattered": "proofs.shattering.engine",
    "Verdict": "proofs.checker",
    "algebraic": "constructions.algebraic",
    "arithmetic_named": "constructions.arithmetic",
    "audit": "proofs.auditing",
    "best_scale": "proofs.scale_minimum",
    "break_lssr": "proofs.lssr_break",
    "breaking_fold": "constructions.parallelization_breaking",
    "build": "lnnet.building",
    "build_certified": "lnnet.building",
    "build_wide": "constructions.wider_networks",
    "certify": "proofs.certificate",
    "check": "proofs.checker",
    "check_ieee": "proofs.ieee_checker",
    "check_ratio": "proofs.lssr_break",
    "check_with_mpmath": "proofs.checker_mpmath",
    "chord_fold": "constructions.chord_merge",
    "chord_network": "constructions.circle_chords",
    "combine_half_spaces": "constructions.half_spaces",
    "double_merge_network": "constructions.double_merge",
    "figure1_network": "constructions.xor",
    "from_onnx": "lnnet.interop.onnx_import",
    "from_torch": "lnnet.interop.torch_models",
    "helmert_matrix": "constructions.spherical_projection",
    "judge_floats": "proofs.float_formats",
    "least_depth": "proofs.depth_bound",
    "lemma1_maps": "constructions.spherical_projection",
    "linear_bound": "constructions.sum_of_squares",
    "load": "constructions.network_file",
    "lower": "constructions.lowering",
    "lower_with_chords": "constructions.circle_chords",
    "merge_any_classes": "constructions.projection_merge",
    "merge_by_chords": "constructions.chord_merge",
    "merge_as_printed": "constructions.projection_merge",
    "merge_two_classes": "constructions.projection_merge",
    "merge_with_breaking": "constructions.projection_merge",
    "merging_fold": "constructions.projection_merge",
    "moment_curve_network": "constructions.half_spaces",
    "nonlinearity": "proofs.nonlinearity",
    "nonlinearity_of_layer_norm": "proofs.nonlinearity",
    "nonlinearity_of_network": "proofs.nonlinearity",
    "nonlinearity_ratio": "proofs.nonlinearity",
    "project": "constructions.projection",
    "ratio_table": "proofs.nonlinearity",
    "recheck": "proofs.certificate",
    "save": "constructions.network_file",
    "structured_set": "constructions.structured_sets",
    "sum_of_squares_ratio": "constructions.sum_of_squares",
    "to_onnx": "lnnet.interop.onnx_models",
    "to_torch": "lnnet.interop.torch_models",
    "vnnlib_property": "lnnet.interop.vnnlib",
    "with_epsilon": "constructions.smoothing",
    "xor_network": "constructions.half_spaces",
    "shatter": "lnnet.shattering",
}
#: Public names that are called otherwise at home.
_ALIASES = {"load": "load_network", "save": "save_network"}

#: What ``from lnnet import *`` brings; the classifier only where scikit-learn, whose base classes it has, is installed.
__all__ = sorted(name for name in _HOMES if name != "LNNetClassifier" or find_spec("sklearn") is not None)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'lnnet' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), _ALIASES.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
