"""Every notebook that is written runs: the first cell alone makes what each other cell needs."""

from __future__ import annotations

import json

import pytest

import leverarm as la
from leverarm.cli import cli
from leverarm.derivation.routes import ROUTES
from leverarm.documents.document import LEVELS
from leverarm.documents.notebook import to_notebook
from leverarm.errors import InputError
from tests.support.levels import at_level
from tests.support.springs import sprung

SMALL = [name for name in la.catalog_names() if la.load(name).dof <= 4]
ARMS = at_level(["elbow"], ["elbow", "rp", "scara"], SMALL)


def write(path, *words: str) -> list[str]:
    """The Python cells of what `leverarm derive` writes."""
    cli.main(["derive", *words, "-o", str(path)], standalone_mode=False)
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def has_route(arm: str, route: str) -> bool:
    try:
        la.derive(la.load(arm), route)
    except InputError:
        return False
    return True


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("arm", ARMS)
def test_every_cell_runs_after_the_first(arm, route, level, tmp_path):
    if not has_route(arm, route):
        pytest.skip("no point masses")
    first, *others = write(tmp_path / "arm.ipynb", arm, "--route", route, "--level", level)
    names: dict[str, object] = {}
    exec(first, names)
    assert others
    for cell in others:
        assert "import" not in cell
        exec(cell, dict(names))


@pytest.mark.parametrize("route", ROUTES)
def test_cells_of_an_arm_with_springs_run(route):
    cells = json.loads(to_notebook(la.derive(sprung(la.load("elbow")), route).document))["cells"]
    first, *others = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    names: dict[str, object] = {}
    exec(first, names)
    for cell in others:
        exec(cell, dict(names))


def test_the_library_and_the_command_write_the_same_notebook(tmp_path):
    own, theirs = tmp_path / "own.ipynb", tmp_path / "theirs.ipynb"
    la.derive(la.load("rp"), "newton-euler", coordinates="q").save(own, "brief")
    write(theirs, "rp", "--route", "newton-euler", "--coordinates", "q", "--level", "brief")
    assert own.read_text() == theirs.read_text()


def test_an_arm_of_a_file_stands_in_the_notebook(tmp_path, monkeypatch):
    la.save(la.load("rp"), tmp_path / "my arm.toml")
    first, *others = write(
        tmp_path / "a.ipynb", str(tmp_path / "my arm.toml"), "--symbolic", "inertia", "--level", "brief"
    )
    (tmp_path / "my arm.toml").unlink()
    names: dict[str, object] = {}
    monkeypatch.chdir(tmp_path)
    for cell in (first, *others):
        exec(cell, names)
    assert names["arm"] == la.symbolic(la.load("rp"), "inertia")
    assert [path.name for path in tmp_path.iterdir()] == ["a.ipynb"]


@pytest.mark.parametrize("arm", at_level(["elbow", "scara"], ["elbow", "scara", "rr"], SMALL))
def test_text_has_no_formula_in_ascii(arm):
    """Matrices in one line, [[a, b], [c, d]], and indices behind an underscore were signs of it."""
    for width in (60, 80):
        text = la.derive(la.load(arm)).text("every-line", width)
        assert "[[" not in text and "]]" not in text
        assert "^" not in text and "thetad" not in text
