"""Which package may import which, and what the checker may know."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
#: What each package may import of the others.
ALLOWED = {
    "constructions": {"constructions"},
    "proofs": {"constructions", "proofs"},
    "viz": {"constructions", "proofs", "viz"},
}
#: Modules of values and numbers: all that a checker may load.
VALUES = {"algebraic", "errors", "network", "points", "rational"}


def imported_packages(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names & {*ALLOWED, "lnnet"}


@pytest.mark.parametrize("package", ALLOWED)
def test_imports_flow_one_way(package):
    for path in (ROOT / package).rglob("*.py"):
        assert imported_packages(path) <= ALLOWED[package], path


@pytest.mark.parametrize("module", ["proofs.checker", "proofs.checker_mpmath", "proofs.ieee_checker"])
def test_a_checker_loads_no_construction(module):
    code = f"import sys, {module}; print(*(m for m in sys.modules if m.startswith('constructions.')))"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {name.removeprefix("constructions.") for name in loaded.split()} <= VALUES


def test_starting_up_is_light():
    code = "import sys, lnnet.cli; lnnet.cli.parser(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert not {"numpy", "sympy", "matplotlib", "sklearn", "rich", "mpmath"} & set(loaded.split())
