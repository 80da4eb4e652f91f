"""The public names: few, each listed once, and those of the version before still found."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

import leverarm as la
from leverarm.renamed import RENAMED


def test_there_are_few_names_and_each_is_there():
    assert len(la.__all__) <= 90
    assert len(set(la.__all__)) == len(la.__all__)
    assert [name for name in la.__all__ if getattr(la, name, None) is None] == []
    assert set(la.__all__) <= set(dir(la))
    assert set(la.types.__all__) <= set(dir(la.types))


def test_a_public_function_is_the_one_of_its_room():
    assert la.load is importlib.import_module("leverarm.formats").load
    assert la.signals is importlib.import_module("leverarm.control.signals")
    assert la.types.Trajectory is importlib.import_module("leverarm.simulation.trajectories").Trajectory


@pytest.mark.parametrize("name", sorted(RENAMED))
def test_a_name_of_the_version_before_is_found_with_a_warning(name):
    new, _ = RENAMED[name]
    with pytest.warns(FutureWarning, match="is now ") as noted:
        value = getattr(la, name)
    assert value is not None
    assert new in str(noted[0].message)
    if new.startswith("la."):
        found = la
        for part in new.removeprefix("la.").split("."):
            found = getattr(found, part)


def test_a_name_that_never_was_is_an_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        la.nothing  # noqa: B018


def test_importing_leverarm_loads_nothing_heavy():
    code = (
        "import sys, leverarm; print(sorted({'numpy', 'sympy', 'flint', 'llvmlite', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
