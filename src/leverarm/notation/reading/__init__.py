"""Formulas that people write, in LaTeX, Markdown or plain text, as trees with their places in the text."""

from leverarm.notation.reading.equations_in_text import Found, Mapping, Statement, Unreadable, read

__all__ = ["Found", "Mapping", "Statement", "Unreadable", "read"]
