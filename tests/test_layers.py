"""Imports point one way. Walks every import of the package and fails on any edge that the design does not have."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.support.paths import PACKAGE, TESTS

MAY_IMPORT = {
    "_version": set(),
    "arrays": set(),
    "errors": set(),
    "findings": set(),
    "atomic_write": {"errors"},
    "late_import": {"errors"},
    "scalars": {"errors"},
    "compiler": {"errors", "scalars"},
    "notation": {"errors", "scalars"},
    "spatial": {"scalars"},
    "model": {"errors", "scalars", "spatial"},
    "mechanics": {"scalars", "spatial", "model"},
    "closed_form": {
        "_version",
        "errors",
        "atomic_write",
        "late_import",
        "scalars",
        "notation",
        "spatial",
        "model",
        "mechanics",
    },
    "formats": {"errors", "findings", "atomic_write", "late_import", "scalars", "spatial", "model", "mechanics"},
    "quantities": {"arrays", "errors", "spatial", "model", "mechanics"},
    "control": {"arrays", "errors", "scalars", "compiler", "spatial", "model", "mechanics", "quantities"},
    "derivation": {
        "_version",
        "errors",
        "atomic_write",
        "scalars",
        "notation",
        "spatial",
        "model",
        "mechanics",
        "closed_form",
        "formats",
    },
    "pictures": {
        "arrays",
        "errors",
        "atomic_write",
        "late_import",
        "scalars",
        "spatial",
        "model",
        "quantities",
    },
    "runtime": {
        "_version",
        "errors",
        "atomic_write",
        "late_import",
        "scalars",
        "compiler",
        "spatial",
        "model",
        "mechanics",
        "quantities",
    },
    "cli": {"<public>", "errors", "late_import", "pictures"},
    "simulation": {
        "_version",
        "arrays",
        "errors",
        "atomic_write",
        "late_import",
        "scalars",
        "compiler",
        "spatial",
        "model",
        "mechanics",
        "formats",
        "quantities",
        "control",
        "pictures",
        "runtime",
    },
    "verify": {
        "_version",
        "arrays",
        "errors",
        "atomic_write",
        "late_import",
        "scalars",
        "notation",
        "spatial",
        "model",
        "mechanics",
        "closed_form",
        "formats",
        "quantities",
        "runtime",
    },
    "identification": {
        "_version",
        "arrays",
        "errors",
        "findings",
        "atomic_write",
        "late_import",
        "scalars",
        "notation",
        "spatial",
        "model",
        "mechanics",
        "closed_form",
        "formats",
        "quantities",
        "control",
        "pictures",
        "runtime",
        "simulation",
    },
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


def offences(path: Path) -> list[str]:
    """The imports of a file that the design does not have."""
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    found = []
    for line, name in imports(path):
        first = name.split(".")[0]
        is_inner = first == "leverarm" and (room(name) == own or room(name) in MAY_IMPORT[own])
        if (first == "leverarm" and not is_inner) or first in MAY_NOT_IMPORT.get(own, ()):
            found.append(f"{path.relative_to(PACKAGE)}:{line}: {own} may not import {name}")
    return found


def test_imports_follow_the_arrows():
    files = [
        path
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.stem not in ("__init__", "_version") or path.parent != PACKAGE
    ]
    assert len(files) > 500
    assert [offence for path in files for offence in offences(path)] == []


def test_every_room_has_a_readme():
    rooms = [PACKAGE, *(f for f in PACKAGE.rglob("*") if f.is_dir() and not f.name.startswith("_"))]
    assert [str(folder.relative_to(PACKAGE)) for folder in rooms if not (folder / "README.md").exists()] == []


def test_readmes_name_files_that_exist():
    missing = []
    for readme in sorted(PACKAGE.rglob("README.md")):
        near = (readme.parent, readme.parents[1], PACKAGE, PACKAGE.parents[1])
        named = re.findall(r"`([\w./]+\.py)`", readme.read_text())
        missing += [
            f"{readme.relative_to(PACKAGE)}: {name}" for name in named if not any((f / name).exists() for f in near)
        ]
    assert missing == []


def test_no_room_is_called_utils():
    names = {part.lower() for path in PACKAGE.rglob("*") for part in path.relative_to(PACKAGE).with_suffix("").parts}
    assert names.isdisjoint({"utils", "util", "core", "common", "helpers", "misc"})


BESIDE_THE_ROOMS = {"parity", "golden", "sources", "mutants", "pages", "support", "data"}


def folders(root: Path) -> set[str]:
    return {path.name for path in root.iterdir() if path.is_dir() and not path.name.startswith("_")}


def test_the_tests_of_a_room_stand_in_a_folder_of_its_name():
    rooms = folders(PACKAGE)
    assert folders(TESTS) - BESIDE_THE_ROOMS == rooms
    assert [room for room in sorted(rooms) if not list((TESTS / room).rglob("test_*.py"))] == []
    assert sorted(path.name for path in TESTS.glob("test_*.py")) == ["test_bench.py", "test_layers.py"]
