"""The architecture, kept: imports point one way, without cycles, and the pages and the picture show what there is."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from docs.architecture_picture import COMMAND, CORE, PICTURE, PUBLIC, Imports, below, picture, with_arrows
from tests.support.paths import PACKAGE, ROOT, TESTS

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
    "pictures": {"errors", "scalars", "spatial", "model", "quantities"},
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
        "runtime",
        "simulation",
    },
}
NO_ARRAYS = {"numpy", "sympy", "scipy"}
MAY_NOT_IMPORT = dict.fromkeys(("scalars", "spatial", "model", "mechanics"), NO_ARRAYS | {"llvmlite"}) | {
    "compiler": NO_ARRAYS
}


READMES = sorted(PACKAGE.rglob("README.md"))
MAP, CONTENTS = ROOT / "docs" / "architecture.md", PACKAGE / "README.md"
PAGES = [*READMES, MAP, ROOT / "CONTRIBUTING.md", TESTS / "README.md"]


@cache
def imports() -> Imports:
    return Imports()


def rooms() -> list[str]:
    return sorted(folders(PACKAGE))


def folders(root: Path) -> set[str]:
    return {path.name for path in root.iterdir() if path.is_dir() and not path.name.startswith(("_", "."))}


def in_cycles(graph: dict[str, set[str]]) -> list[str]:
    """What imports itself through others."""
    return sorted(name for name in graph if name in below(graph, name))


def test_imports_follow_the_arrows():
    found = imports()
    assert len(found.paths) > 300
    offences = []
    for module, names in found.names.items():
        own = found.room(module)
        for line, name in names:
            first, there = name.split(".")[0], found.room(name)
            is_inner = own == PUBLIC or there == own or there in MAY_IMPORT[own]
            if (first == "leverarm" and not is_inner) or first in MAY_NOT_IMPORT.get(own, ()):
                offences.append(f"{found.paths[module].relative_to(PACKAGE)}:{line}: {own} may not import {name}")
    assert offences == []


def test_every_arrow_of_the_table_is_used():
    found = imports().rooms
    unused = [f"{room} -> {other}" for room, others in MAY_IMPORT.items() for other in sorted(others - found[room])]
    assert unused == [], "no file uses these: take them out of MAY_IMPORT"


def test_imports_are_written_in_full():
    assert [f"{m}:{line}" for m, names in imports().names.items() for line, name in names if name[0] == "."] == []


def test_no_file_imports_itself_through_others():
    """Imports inside functions and for types count; names given as text to `late_import.late` do not."""
    assert in_cycles(imports().files) == []


def test_no_room_imports_itself_through_others():
    assert in_cycles(imports().rooms) == []


def test_a_cycle_would_be_noticed():
    assert in_cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == ["b", "c"]


def test_the_rooms_fit_on_one_picture():
    assert len(rooms()) <= 18


def test_the_core_is_what_needs_no_arrays():
    assert set(CORE) == {room for room, names in MAY_NOT_IMPORT.items() if "llvmlite" in names}


def test_the_picture_is_that_of_the_tree():
    assert PICTURE.read_text(encoding="utf-8") == picture(imports()), f"the imports have changed: run `{COMMAND}`"


@pytest.mark.parametrize("page", [MAP, CONTENTS], ids=lambda page: page.name)
def test_pages_name_every_room_and_show_the_picture(page):
    text = page.read_text()
    assert [room for room in rooms() if f"`{room}`" not in text and f"`{room}/`" not in text] == []
    assert "architecture.svg" in text


def test_every_room_has_a_readme():
    within = [PACKAGE, *(f for f in PACKAGE.rglob("*") if f.is_dir() and not f.name.startswith("_"))]
    assert [str(folder.relative_to(PACKAGE)) for folder in within if not (folder / "README.md").exists()] == []


def named_paths(text: str) -> list[str]:
    """What a page writes as code that looks like a file or a folder of the project."""
    return re.findall(r"`([\w-]+(?:/[\w-]+)*(?:/|\.py|\.md|\.css|\.js))`", text)


def test_pages_name_files_that_exist():
    missing = []
    for page in PAGES:
        near = (page.parent, page.parents[1], PACKAGE, ROOT, PACKAGE.parent)
        named = [name for name in named_paths(page.read_text()) if not any((f / name).exists() for f in near)]
        missing += [f"{page.relative_to(ROOT)}: {name}" for name in named]
    assert missing == []


def test_pages_are_wrapped():
    long = [(page, line) for page in PAGES for line in page.read_text().splitlines() if len(line) > 120]
    assert [(str(page.relative_to(ROOT)), line) for page, line in long if line[0] != "|"] == []


def test_readmes_say_what_their_rooms_may_import():
    for room in rooms():
        text = (PACKAGE / room / "README.md").read_text()
        assert "\nMay import: " in text, room
        assert text == with_arrows(text, room, imports()), f"{room}/README.md: run `{COMMAND}`"


def test_no_room_is_called_utils():
    names = {part.lower() for path in PACKAGE.rglob("*") for part in path.relative_to(PACKAGE).with_suffix("").parts}
    assert names.isdisjoint({"utils", "util", "core", "common", "helpers", "misc"})


BESIDE_THE_ROOMS = {"parity", "golden", "sources", "mutants", "pages", "support", "data"}


def test_the_tests_of_a_room_stand_in_a_folder_of_its_name():
    assert folders(TESTS) - BESIDE_THE_ROOMS == set(rooms())
    assert [room for room in rooms() if not list((TESTS / room).rglob("test_*.py"))] == []
    assert sorted(path.name for path in TESTS.glob("test_*.py")) == ["test_bench.py", "test_layers.py"]
