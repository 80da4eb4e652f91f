"""The architecture, kept: imports point one way, without cycles, and the pages and the picture show what there is."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout, suppress
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from tests.support.paths import PACKAGE, ROOT, TESTS

sys.path.insert(0, str(ROOT / "docs"))
from architecture_picture import COMMAND, CORE, PICTURE, PUBLIC, Imports, below, picture, with_arrows

sys.path.pop(0)

MAY_IMPORT = {
    "_version": set(),
    "arrays": set(),
    "errors": set(),
    "findings": set(),
    "renamed": set(),
    "atomic_write": {"errors"},
    "late_import": {"errors", "renamed"},
    "numpy_files": {"errors"},
    "plain_text": {"errors"},
    "scalars": {"errors"},
    "compiler": {"errors", "scalars"},
    "notation": {"errors", "plain_text", "scalars"},
    "spatial": {"scalars"},
    "model": {"errors", "plain_text", "scalars", "spatial"},
    "mechanics": {"scalars", "spatial", "model"},
    "formats": {"errors", "findings", "atomic_write", "late_import", "scalars", "spatial", "model", "mechanics"},
    "documents": {"_version", "atomic_write", "errors", "findings", "notation"},
    "quantities": {"arrays", "errors", "late_import", "scalars", "spatial", "model", "mechanics"},
    "closed_form": {
        "_version",
        "errors",
        "atomic_write",
        "late_import",
        "scalars",
        "compiler",
        "notation",
        "documents",
        "spatial",
        "model",
        "mechanics",
        "quantities",
    },
    "control": {"arrays", "errors", "scalars", "compiler", "spatial", "model", "mechanics", "quantities"},
    "pictures": {"arrays", "errors", "atomic_write", "late_import", "scalars", "spatial", "model", "quantities"},
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
    "cli": {"<public>", "errors", "late_import", "documents", "quantities", "pictures"},
    "derivation": {
        "_version",
        "errors",
        "late_import",
        "scalars",
        "notation",
        "documents",
        "spatial",
        "model",
        "mechanics",
        "formats",
        "closed_form",
    },
    "simulation": {
        "_version",
        "arrays",
        "errors",
        "atomic_write",
        "late_import",
        "numpy_files",
        "scalars",
        "compiler",
        "notation",
        "documents",
        "spatial",
        "model",
        "mechanics",
        "formats",
        "quantities",
        "closed_form",
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
        "documents",
        "spatial",
        "model",
        "mechanics",
        "formats",
        "quantities",
        "closed_form",
        "runtime",
    },
    "identification": {
        "_version",
        "arrays",
        "errors",
        "findings",
        "atomic_write",
        "late_import",
        "numpy_files",
        "scalars",
        "notation",
        "documents",
        "spatial",
        "model",
        "mechanics",
        "formats",
        "quantities",
        "closed_form",
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
    within = {path.parent for path in PACKAGE.rglob("*") if path.is_file() and path.parent.name != "__pycache__"}
    assert [str(folder.relative_to(PACKAGE)) for folder in sorted(within) if not (folder / "README.md").exists()] == []


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


@pytest.mark.slow
def test_requests_travel_as_the_page_says(tmp_path):
    """Each walk of docs/architecture.md names only files that are entered, in a process of its own."""
    environment = {**os.environ, "LEVERARM_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(PACKAGE.parent)}
    command = [sys.executable, "-m", "tests.test_layers", str(tmp_path)]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    entered = json.loads(run.stdout)
    walks = MAP.read_text().partition("## Four requests")[2].partition("\n## ")[0].split("\n**")[1:]
    assert len(walks) == len(entered) == 4
    for walk, (request, files) in zip(walks, entered.items(), strict=True):
        named = [name for name in named_paths(walk) if name.endswith(".py")]
        assert len(named) >= 10
        assert [name for name in named if name not in files] == [], request


def requests(folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """The four requests of docs/architecture.md, each with its preparations made."""
    import numpy as np

    import leverarm as la
    from leverarm.cli import cli

    def command(*words: str) -> Callable[[], object]:
        return lambda: cli.main(list(words), standalone_mode=False)

    yield "derive", command("derive", "elbow", "-o", str(folder / "elbow.html"))
    fast = la.compile(la.load("panda"))
    state = [[0.1] * 7] * 3
    yield "compile", lambda: (fast.inverse_dynamics(*state), fast.inverse_dynamics(*np.full((3, 5, 7), 0.1)))
    yield "simulate", command("simulate", "elbow", "--q0", "0.1,0.2", "--until", "0.1")
    t = np.arange(0, 8, 0.01)[:, None]
    slow, quick = np.array([1.3, 1.7]), np.array([3.1, 4.1])
    q = np.sin(slow * t) + 0.4 * np.cos(quick * t)
    qd = slow * np.cos(slow * t) - 0.4 * quick * np.sin(quick * t)
    qdd = -(slow**2) * np.sin(slow * t) - 0.4 * quick**2 * np.cos(quick * t)
    tau = la.compile(la.load("elbow")).inverse_dynamics(q, qd, qdd) + np.random.default_rng(0).normal(0, 0.01, q.shape)
    log = folder / "log.csv"
    np.savetxt(log, np.hstack([t, q, qd, tau]), delimiter=",", header="t,q1,q2,qd1,qd2,tau1,tau2", comments="")
    yield "identify", command("identify", "elbow", str(log), "-o", str(folder / "result"))


def print_walks(folder: Path) -> None:
    """Prints the files that each request enters, as JSON, in their order: `python -m tests.test_layers FOLDER`."""
    for name in imports().paths:  # first, so that only calls count
        if not name.endswith("__main__"):
            with suppress(ImportError):  # of an extra that is not installed
                import_module(name)
    begin, walks = f"{PACKAGE}{os.sep}", {}
    with redirect_stdout(io.StringIO()):
        for name, request in requests(folder):
            entered: dict[str, None] = {}

            def note(frame, event, _, entered=entered):
                if event == "call" and frame.f_code.co_filename.startswith(begin):
                    entered[frame.f_code.co_filename.removeprefix(begin).replace(os.sep, "/")] = None

            sys.setprofile(note)
            try:
                request()
            finally:
                sys.setprofile(None)
            walks[name] = list(entered)
    print(json.dumps(walks, indent=1))


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


if __name__ == "__main__":
    print_walks(Path(sys.argv[1]))
