"""A derivation as a document: terminal text, Markdown, LaTeX, a web page or a notebook."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from leverarm.atomic_write import atomic_write
from leverarm.derivation.document import Derivation, Level
from leverarm.derivation.render.html import to_html
from leverarm.derivation.render.latex import to_latex_document
from leverarm.derivation.render.markdown import to_markdown
from leverarm.derivation.render.notebook import to_notebook
from leverarm.derivation.render.terminal import to_terminal
from leverarm.errors import FormatError

__all__ = [
    "RENDERERS", "save", "to_html", "to_latex_document", "to_markdown", "to_notebook", "to_plain_text", "to_terminal",
]  # fmt: skip


def to_plain_text(derivation: Derivation, level: Level = Level.FULL) -> str:
    """The terminal text without colours, 80 columns wide."""
    return to_terminal(derivation, level).plain


RENDERERS: dict[str, Callable[[Derivation, Level], str]] = {
    ".html": to_html,
    ".md": to_markdown,
    ".tex": to_latex_document,
    ".ipynb": to_notebook,
    ".txt": to_plain_text,
}
"""By file extension."""


def save(derivation: Derivation, path: str | os.PathLike[str], level: Level = Level.FULL) -> None:
    """Writes the derivation as .html, .md, .tex, .ipynb or .txt; an existing file is replaced atomically."""
    if not isinstance(path, str | os.PathLike) or str(path).endswith("/"):
        raise FormatError(f"{path!r} is not a file name. Give one with an ending. Valid: {', '.join(RENDERERS)}.")
    given = os.fspath(path)
    renderer = RENDERERS.get(Path(given).suffix.lower())
    if renderer is None:
        raise FormatError(f"{Path(given).name!r} does not end like a document. Valid: {', '.join(RENDERERS)}.")
    atomic_write(renderer(derivation, level), given)
