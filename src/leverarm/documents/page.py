"""The one skeleton of a web page: complete in itself, nothing loaded from the network."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from html import escape
from importlib import resources

from leverarm._version import __version__

FOLDER = resources.files("leverarm") / "documents"


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


def page_style(body: str) -> str:
    """The style sheet of documents; with the font of formulas where the body has some."""
    style = (FOLDER / "page.css").read_text(encoding="utf-8")
    return f"{_font_face()}\n{style}" if "<math" in body else style


@cache
def _font_face() -> str:
    """The font itself, so that brackets grow and letters look alike on every machine."""
    font = b64encode((FOLDER / "math_font.woff2").read_bytes()).decode()
    return f'@font-face {{ font-family: "Leverarm Math"; src: url(data:font/woff2;base64,{font}) format("woff2"); }}'
