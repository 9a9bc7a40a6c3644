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
autodoc_default_options = {
    "members": True,
    "member-order": "bysource",
    "exclude-members": "set_fit_request, set_score_request",  # made by scikit-learn, documented there
}
autodoc_typehints = "description"
autodoc_preserve_defaults = True
napoleon_use_rtype = False
napoleon_use_ivar = True
# ref.python: attributes of one name in several classes are documented where they belong.
suppress_warnings = ["config.cache", "ref.python"]


def picture_scraper(block, block_vars, gallery_conf):
    """Save every new Picture and Animation among an example's variables: viz draws without pyplot."""
    from pathlib import Path

    from sphinx_gallery.scrapers import figure_rst

    names = []
    for value in list(block_vars["example_globals"].values()):
        kind = type(value).__name__
        if kind in ("Picture", "Animation") and id(value) not in _SAVED:
            _SAVED[id(value)] = value  # kept alive, so that its id stays taken
            path = Path(next(block_vars["image_path_iterator"]))
            path = path if kind == "Picture" else path.with_suffix(".gif")
            value.save(path)
            names.append(str(path))
    return figure_rst(names, gallery_conf["src_dir"])


_SAVED: dict = {}


def escape_bars(app, what, name, obj, options, lines):
    """Keep |x| an absolute value: outside of literals and roles reStructuredText reads it as a substitution."""
    for k, line in enumerate(lines):
        if not line.lstrip().startswith(("|", ">>>")):
            pieces = line.split("`")
            lines[k] = "`".join(p if i % 2 else p.replace("|", r"\|") for i, p in enumerate(pieces))


def setup(app):
    """Hook into the build."""
    app.connect("autodoc-process-docstring", escape_bars)


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
