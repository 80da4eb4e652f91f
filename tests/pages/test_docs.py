"""Every example in README, docs and docstrings runs, and its output is what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import leverarm
from tests.support.paths import PACKAGE, ROOT

PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
TOML = re.compile(r"```toml\n(leverarm = .*?)```", re.DOTALL)


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if ">>> " in page.read_text()], ids=name_of)
def test_python_examples(page, tmp_path, monkeypatch, without_clock):
    monkeypatch.chdir(tmp_path)
    with np.printoptions(precision=8, suppress=True):
        result = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0


def commands(page: Path):
    """The commands of a page's console blocks with the output printed under each."""
    for block in CONSOLE.findall(page.read_text()):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            yield line, output.rstrip()


@pytest.mark.parametrize("page", [page for page in PAGES if "```console" in page.read_text()], ids=name_of)
def test_console_examples(page, tmp_path, monkeypatch, without_clock):
    from leverarm.cli import cli

    monkeypatch.chdir(tmp_path)
    for line, output in commands(page):
        words = shlex.split(line, comments=True)
        if words[0] != "leverarm":
            continue
        done = CliRunner(env={"COLUMNS": "100", "NO_COLOR": "1"}).invoke(cli, words[1:])
        assert done.exit_code == 0, f"{line}\n{done.output}"
        assert done.stdout.rstrip() == output, f"$ {line}"


@pytest.mark.parametrize("page", [page for page in PAGES if TOML.search(page.read_text())], ids=name_of)
def test_arm_files_on_the_page_load(page, tmp_path):
    for text in TOML.findall(page.read_text()):
        (tmp_path / "arm.toml").write_text(text)
        arm = leverarm.load(tmp_path / "arm.toml")
        assert np.isfinite(leverarm.mass_matrix(arm, np.zeros(arm.dof))).all()


def modules_with_examples():
    for path in sorted(PACKAGE.rglob("*.py")):
        if ">>> " in path.read_text():
            yield ".".join(("leverarm", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


@pytest.mark.parametrize("name", [*modules_with_examples()])
def test_docstring_examples(name, without_clock):
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 0 and result.failed == 0


def test_every_module_can_be_imported():
    for found in pkgutil.walk_packages(leverarm.__path__, "leverarm."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)


def test_links_between_pages_lead_somewhere():
    broken = []
    for page in PAGES:
        targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text())
        broken += [(name_of(page), t) for t in targets if "://" not in t and not (page.parent / t).exists()]
    assert broken == []


@pytest.mark.slow
def test_benchmarks_run():
    import runpy

    bench = runpy.run_path(str(ROOT / "bench" / "startup.py"))
    assert all(taken > 0 for taken in bench["measure"](runs=1).values())
