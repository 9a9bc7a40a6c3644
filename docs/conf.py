"""Sphinx configuration. Build with: python -m sphinx -W -b html docs docs/_build/html."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from lnnet import __version__

project = "lnnet"
author = "the lnnet authors"
copyright = "2026, the lnnet authors"
release = version = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.mathjax",
    "sphinx.ext.viewcode",
    "sphinx_gallery.gen_gallery",
    "sphinxcontrib.bibtex",
]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
exclude_patterns = ["_build", "_templates", "gallery"]
html_theme = "furo"
html_title = f"lnnet {version}"
html_static_path: list[str] = []
templates_path = ["_templates"]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
bibtex_bibfiles = ["references.bib"]
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "description"
autodoc_preserve_defaults = True
napoleon_use_rtype = False
napoleon_use_ivar = True
suppress_warnings = ["config.cache"]

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "auto_gallery",
    "filename_pattern": r"/plot_",
    "remove_config_comments": True,
    "show_memory": False,
    "min_reported_time": 10_000,
    "download_all_examples": False,
}
