"""Every notebook runs from its text form, and its paired .ipynb holds the same cells."""

from pathlib import Path

import jupytext
import nbclient
import pytest

FOLDER = Path(__file__).parents[1] / "notebooks"
SOURCES = sorted(FOLDER.glob("[0-9]*.py"))
#: Bytes that a notebook may have with its outputs.
LIGHT = 600_000


def cells(notebook):
    return [(cell.cell_type, cell.source) for cell in notebook.cells]


def test_there_are_notebooks():
    assert SOURCES


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_notebook_runs(source):
    notebook = jupytext.read(source)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute(cwd=str(FOLDER.parent))
    assert any(cell.get("outputs") for cell in notebook.cells)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_pair_is_in_step_and_light(source):
    pair = source.with_suffix(".ipynb")
    assert cells(jupytext.read(pair)) == cells(jupytext.read(source)), f"run: python notebooks/refresh.py {source.name}"
    assert pair.stat().st_size < LIGHT
