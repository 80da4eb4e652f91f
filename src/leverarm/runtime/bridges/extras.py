"""Libraries that are not installed with leverarm."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from leverarm.errors import MissingExtraError


def extra(module: str, title: str) -> Any:
    """The module of an extra of the same name. Raises MissingExtraError, with the command that installs it."""
    try:
        return import_module(module)
    except ImportError as problem:
        name = module.partition(".")[0]
        is_broken = getattr(problem, "name", None) not in (name, module)
        why = f"cannot be imported ({problem})" if is_broken else "is not installed"
        raise MissingExtraError(
            f"to_{name} makes a function for {title}, which {why}. Run: pip install 'leverarm[{name}]'"
        ) from None
