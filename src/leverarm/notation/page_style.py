"""The style of a web page with formulas: one sheet for derivations and for tables of properties, light and dark."""

from __future__ import annotations

from importlib import resources


def page_style() -> str:
    """The style sheet, to stand inside a page: it loads nothing from outside."""
    return (resources.files("leverarm") / "notation" / "page.css").read_text(encoding="utf-8")
