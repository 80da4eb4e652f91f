"""A document as a file, in the form that the ending of its name means: replaced as a whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

from leverarm.atomic_write import atomic_write
from leverarm.documents.document import LEVELS, Document, Level
from leverarm.documents.html import to_html
from leverarm.documents.latex import to_latex_document
from leverarm.documents.markdown import to_markdown
from leverarm.documents.notebook import to_notebook
from leverarm.documents.terminal import to_terminal, to_text
from leverarm.errors import FormatError, InputError, unknown_name

if TYPE_CHECKING:
    from rich.text import Text

RENDERERS: dict[str, Callable[[Document, Level], str]] = {
    ".html": to_html,
    ".md": to_markdown,
    ".tex": to_latex_document,
    ".ipynb": to_notebook,
    ".txt": to_text,
}
"""By the ending of a file's name."""


def to_json(document: Document, level: Level = Level.FULL) -> str:
    """The document's data; what is not finite must be null in it."""
    return json.dumps(document.data, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def save(document: Document, path: str | os.PathLike[str], level: str = "full") -> None:
    """Writes .html, .md, .tex, .ipynb, .txt or, where the document has data, .json; replaces a file atomically.

    `level` is "brief" (results), "full" or "every-line". Raises InputError or FormatError.
    """
    forms = RENDERERS | ({} if document.data is None else {".json": to_json})
    ending, chosen = file_ending(path, forms), level_named(level)
    atomic_write(forms[ending](document, chosen), path)


def file_ending(path: str | os.PathLike[str], forms: Collection[str]) -> str:
    """The ending of a file's name; FormatError where it is none of these."""
    if not isinstance(path, str | os.PathLike) or str(path).endswith("/"):
        raise FormatError(f"{path!r} is not a file name. Give one with an ending. Valid: {', '.join(forms)}.")
    given = Path(os.fspath(path))
    ending = given.suffix.lower()
    if ending not in forms:
        raise FormatError(f"{given.name!r} does not end like a document. Valid: {', '.join(forms)}.")
    return ending


def terminal(document: Document, level: str = "full", width: int = 80) -> Text:
    """The document as rich text in lines of at most `width` columns; `.plain` is the text without colours."""
    return to_terminal(document, level_named(level), width)


def level_named(name: str) -> Level:
    """brief, full or every-line; raises InputError."""
    if not isinstance(name, str) or name not in LEVELS:
        raise InputError(unknown_name("level", name, LEVELS))
    return LEVELS[name]
