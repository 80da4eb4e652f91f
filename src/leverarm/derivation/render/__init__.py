"""A derivation as a document: for the terminal, as Markdown, LaTeX, a web page or a notebook."""

from leverarm.derivation.render.html import to_html
from leverarm.derivation.render.latex import to_latex_document
from leverarm.derivation.render.markdown import to_markdown
from leverarm.derivation.render.notebook import to_notebook
from leverarm.derivation.render.saving import RENDERERS, save, to_plain_text
from leverarm.derivation.render.terminal import to_terminal

__all__ = [
    "RENDERERS",
    "save",
    "to_html",
    "to_latex_document",
    "to_markdown",
    "to_notebook",
    "to_plain_text",
    "to_terminal",
]
