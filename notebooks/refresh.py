"""Execute the text form of each notebook and write its .ipynb: python notebooks/refresh.py [NAME.py …]."""

import sys
from pathlib import Path

import jupytext
import nbclient

FOLDER = Path(__file__).parent


def refresh(source: Path) -> None:
    """Run one notebook from the repository's root and save it with its outputs."""
    notebook = jupytext.read(source)
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute(cwd=str(FOLDER.parent))
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # time stamps would change with every run
    notebook.metadata["language_info"] = {"name": "python"}
    jupytext.write(notebook, source.with_suffix(".ipynb"), fmt="ipynb")
    print(source.with_suffix(".ipynb").name, source.with_suffix(".ipynb").stat().st_size, "bytes")


if __name__ == "__main__":
    names = sys.argv[1:] or [path.name for path in sorted(FOLDER.glob("[0-9]*.py"))]
    for name in names:
        refresh(FOLDER / name)
