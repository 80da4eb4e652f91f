"""Imports that happen when something is first used.

`import leverarm` stays quick because names are found when they are asked for: public names by a stub file that lists
them, commands, file formats and writers of results by a text "module:name" in a table. Optional packages are imported
by `installed`: a missing one is one clear error.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Callable
from importlib import import_module, resources
from typing import Any

from leverarm.errors import MissingExtraError


def late(name: str) -> Any:
    """The object "module:name" of leverarm, such as "formats.native:arm_from_toml"."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(f"leverarm.{module}"), attribute)


def installed(module: str, use: str, remedy: str) -> Any:
    """A module of an optional package. Raises MissingExtraError: what needs it, and how to install it."""
    try:
        return import_module(module)
    except ImportError as problem:
        package = module.partition(".")[0]
        is_broken = problem.name not in (package, module)
        why = f"cannot be imported ({problem})" if is_broken else "is not installed"
        raise MissingExtraError(f"{use} {package}, which {why}. {remedy}") from None


def public_names(module: str) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """`__all__`, `__getattr__` and `__dir__` of a module whose names are listed in the stub file beside it."""
    where = _listed(module)

    def find(name: str) -> Any:
        if name not in where:
            return _renamed(module, name)
        source, there = where[name]
        value = import_module(f"{source}.{there}") if source == module else _attribute(source, there)
        setattr(sys.modules[module], name, value)
        return value

    return sorted(where), find, lambda: sorted({*vars(sys.modules[module]), *where})


def _listed(module: str) -> dict[str, tuple[str, str]]:
    """(module, name there) by public name: the lines `from module import name as name` of the stub file."""
    package, _, stem = module.partition(".")
    text = (resources.files(package) / f"{stem or '__init__'}.pyi").read_text(encoding="utf-8")
    lines = [node for node in ast.parse(text).body if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name: (node.module or "", alias.name) for node in lines for alias in node.names}


def _attribute(source: str, name: str) -> Any:
    """An attribute of a module, or the module of that name inside it."""
    module = import_module(source)
    return getattr(module, name) if hasattr(module, name) else import_module(f"{source}.{name}")


def _renamed(module: str, name: str) -> Any:
    """What a public name of the version before stands for, with a warning; else there is no such name."""
    from leverarm.renamed import RENAMED

    if module != "leverarm" or name not in RENAMED:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    new, where = RENAMED[name]
    warnings.warn(f"la.{name} is now {new}; the old name goes with version 0.3.", FutureWarning, stacklevel=3)
    return late(where)
