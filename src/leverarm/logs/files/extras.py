"""Packages that only some kinds of files need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from leverarm.errors import MissingExtraError


def installed(module: str, files: str, remedy: str) -> Any:
    """A module of an optional package. Raises MissingExtraError: which files need it, and how to install it."""
    try:
        return import_module(module)
    except ImportError:
        package = module.split(".")[0]
        raise MissingExtraError(f"{files} need {package}, which is not installed. {remedy}") from None
