"""Imports that happen when something is first used.

`import leverarm` stays fast because what is rarely needed (commands, file formats, writers of results) is named by a
text, "module:name", in a table. `installed` imports optional packages and raises one clear error where one is missing.
"""

from __future__ import annotations

from importlib import import_module
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
