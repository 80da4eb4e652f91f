"""Sentences for LaTeX, with the code in them."""

from __future__ import annotations

from leverarm.derivation.render.inline_code import with_code
from leverarm.notation.latex_words import latex_words


def latex_text(text: str) -> str:
    """The text outside mathematics; code between backticks in typewriter letters."""
    return with_code(text, latex_words, lambda code: rf"\texttt{{{latex_words(code)}}}")
