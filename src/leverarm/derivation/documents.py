"""Derivations as files and as terminal text, with levels given by name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from leverarm.derivation.document import LEVELS, Derivation, Level
from leverarm.errors import InputError, unknown_name

if TYPE_CHECKING:
    from rich.text import Text


def save_derivation(derivation: Derivation, path: str | os.PathLike[str], level: str = "full") -> None:
    """Writes a derivation as .html, .md, .tex, .ipynb or .txt; an existing file is replaced atomically.

    `level` is "brief" (results), "full" (all steps) or "every-line". Raises InputError or FormatError.
    """
    from leverarm.derivation.render import save

    save(derivation, path, _level(level))


def terminal_derivation(derivation: Derivation, level: str = "full", width: int = 80) -> Text:
    """The derivation as rich text in lines of at most `width` columns; `.plain` is the text without colours."""
    from leverarm.derivation.render import to_terminal

    return to_terminal(derivation, _level(level), width)


def _level(name: str) -> Level:
    if not isinstance(name, str) or name not in LEVELS:
        raise InputError(unknown_name("level", name, LEVELS))
    return LEVELS[name]
