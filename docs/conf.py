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


def picture_scraper(block, block_vars, gallery_conf):
    """Save every new Picture among an example's variables: viz draws without pyplot."""
    from sphinx_gallery.scrapers import figure_rst

    names = []
    for value in list(block_vars["example_globals"].values()):
        if type(value).__name__ == "Picture" and id(value) not in _SAVED:
            _SAVED[id(value)] = value  # kept alive, so that its id stays taken
            path = next(block_vars["image_path_iterator"])
            value.save(path)
            names.append(path)
    return figure_rst(names, gallery_conf["src_dir"])


_SAVED: dict = {}

sphinx_gallery_conf = {
    "image_scrapers": (picture_scraper,),
    "reset_modules": (),
    "examples_dirs": "gallery",
    "gallery_dirs": "auto_gallery",
    "filename_pattern": r"/plot_",
    "remove_config_comments": True,
    "show_memory": False,
    "min_reported_time": 10_000,
    "download_all_examples": False,
}
