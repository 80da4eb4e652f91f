"""Imports point one way. Walks every import of the package and fails on any edge that the design does not have."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.support.paths import PACKAGE

MAY_IMPORT = {
    "errors": set(),
    "_version": set(),
    "whole_file": {"errors"},
    "scalars": {"errors"},
    "spatial": {"scalars"},
    "model": {"errors", "scalars", "spatial"},
    "mechanics": {"errors", "scalars", "spatial", "model"},
    "formats": {"errors", "whole_file", "scalars", "spatial", "model"},
    "notation": {"errors", "scalars"},
    "closed_form": {"_version", "errors", "whole_file", "scalars", "spatial", "model", "mechanics", "notation"},
    "derivation": {
        "_version",
        "errors",
        "whole_file",
        "formats",
        "scalars",
        "spatial",
        "model",
        "mechanics",
        "notation",
        "closed_form",
    },
    "evaluate": {"errors", "scalars", "spatial", "model", "mechanics"},
    "compiler": {"errors", "scalars"},
    "runtime": {
        "_version",
        "errors",
        "whole_file",
        "scalars",
        "spatial",
        "model",
        "mechanics",
        "evaluate",
        "compiler",
    },
    "signals": {"errors", "scalars"},
    "control": {"errors", "scalars", "spatial", "model", "mechanics", "evaluate", "compiler", "signals"},
    "trajectories": {
        "_version",
        "errors",
        "whole_file",
        "scalars",
        "spatial",
        "model",
        "mechanics",
        "evaluate",
        "formats",
        "runtime",
        "draw",
        "signals",
    },
    "simulation": {
        "_version",
        "errors",
        "scalars",
        "spatial",
        "model",
        "mechanics",
        "evaluate",
        "compiler",
        "runtime",
        "signals",
        "control",
        "trajectories",
    },
    "reading": {"errors"},
    "verify": {
        "_version",
        "errors",
        "whole_file",
        "scalars",
        "spatial",
        "model",
        "mechanics",
        "evaluate",
        "formats",
        "notation",
        "closed_form",
        "compiler",
        "runtime",
        "reading",
    },
    "logs": {"errors", "lint", "model", "runtime"},
    "identification": {
        "_version",
        "errors",
        "whole_file",
        "lint",
        "scalars",
        "spatial",
        "model",
        "mechanics",
        "evaluate",
        "formats",
        "notation",
        "closed_form",
        "runtime",
        "draw",
        "logs",
        "trajectories",
    },
    "excitation": {
        "_version",
        "errors",
        "whole_file",
        "lint",
        "scalars",
        "spatial",
        "model",
        "mechanics",
        "evaluate",
        "formats",
        "runtime",
        "draw",
        "signals",
        "trajectories",
        "logs",
        "identification",
    },
    "lint": {"errors", "scalars", "spatial", "model", "mechanics"},
    "draw": {"errors", "scalars", "spatial", "model", "evaluate"},
    "cli": {"<public>", "errors", "draw"},
}
NO_ARRAYS = {"numpy", "sympy", "scipy"}
MAY_NOT_IMPORT = dict.fromkeys(("scalars", "spatial", "model", "mechanics"), NO_ARRAYS | {"llvmlite"}) | {
    "compiler": NO_ARRAYS
}


def imports(path: Path) -> list[tuple[int, str]]:
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found += [(node.lineno, f"{node.module}.{alias.name}") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            raise AssertionError(f"{path}:{node.lineno}: imports are written in full")
    return found


def room(name: str) -> str:
    """The room an imported name of leverarm lives in."""
    parts = name.split(".")
    if len(parts) == 1 or parts[1] not in MAY_IMPORT:
        return "<public>"
    return parts[1]


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_follow_the_arrows(path):
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if own in ("__init__", "_version"):
        return
    for line, name in imports(path):
        if name.split(".")[0] == "leverarm":
            target = room(name)
            is_fine = target == own or target in MAY_IMPORT[own]
            assert is_fine, f"{path.relative_to(PACKAGE)}:{line}: {own} may not import {name}"
        is_foreign = name.split(".")[0] in MAY_NOT_IMPORT.get(own, ())
        assert not is_foreign, f"{path.relative_to(PACKAGE)}:{line}: {own} may not import {name}"


def test_every_room_has_a_readme():
    rooms = [PACKAGE, *(f for f in PACKAGE.rglob("*") if f.is_dir() and not f.name.startswith("_"))]
    assert [str(folder.relative_to(PACKAGE)) for folder in rooms if not (folder / "README.md").exists()] == []


@pytest.mark.parametrize("readme", sorted(PACKAGE.rglob("README.md")), ids=lambda p: str(p.relative_to(PACKAGE).parent))
def test_readmes_name_files_that_exist(readme):
    near = (readme.parent, readme.parents[1], PACKAGE, PACKAGE.parents[1])
    named = re.findall(r"`([\w./]+\.py)`", readme.read_text())
    assert [name for name in named if not any((folder / name).exists() for folder in near)] == []


def test_no_room_is_called_utils():
    names = {part.lower() for path in PACKAGE.rglob("*") for part in path.relative_to(PACKAGE).with_suffix("").parts}
    assert names.isdisjoint({"utils", "util", "core", "common", "helpers", "misc"})
