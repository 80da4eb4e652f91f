"""Sentences on the page: what stands between backticks is code, and lines of their own are paragraphs."""

from __future__ import annotations

import re
from html import escape

_CODE = re.compile(r"`([^`]+)`")


def sentence(text: str) -> str:
    """A sentence as HTML."""
    return _CODE.sub(r"<code>\1</code>", escape(text))


def paragraphs(text: str) -> str:
    """Every line that is not empty as a paragraph."""
    return "".join(f"<p>{sentence(line.strip())}</p>" for line in text.splitlines() if line.strip())


def counted(number: int, noun: str) -> str:
    """1 error, 2 errors."""
    return f"{number} {noun}{'s' * (number != 1)}"
