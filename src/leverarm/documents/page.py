"""The one skeleton of a web page: complete in itself, nothing loaded from the network."""

from __future__ import annotations

from html import escape
from importlib import resources

from leverarm._version import __version__


def page(title: str, style: str, body: str, kind: str = "") -> str:
    """The text of an .html file; `title` is plain text, `style` and `body` are set as they are."""
    named = f' class="{kind}"' if kind else ""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="leverarm {escape(__version__)}">
<title>{escape(title)}</title>
<style>
{style}</style>
</head>
<body{named}>
{body}
</body>
</html>
"""


def page_style() -> str:
    """The style sheet of documents."""
    return (resources.files("leverarm") / "documents" / "page.css").read_text(encoding="utf-8")
