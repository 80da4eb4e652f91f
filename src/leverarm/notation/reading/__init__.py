"""Formulas that people write, in LaTeX, Markdown or plain text, as trees with their places in the text."""

from leverarm.notation.reading.equations_in_text import Found, Mapping, Statement, Unreadable, read
from leverarm.notation.reading.macros import Expanded, as_written, expanded

__all__ = ["Expanded", "Found", "Mapping", "Statement", "Unreadable", "as_written", "expanded", "read"]
