"""Code in a sentence: what stands between `backticks`."""

from __future__ import annotations

import re
from collections.abc import Callable

_CODE = re.compile(r"`([^`]+)`")


def with_code(text: str, plain: Callable[[str], str], code: Callable[[str], str]) -> str:
    """The text, written by one function outside backticks and by the other inside them."""
    pieces = _CODE.split(text)
    return "".join((code if k % 2 else plain)(piece) for k, piece in enumerate(pieces))
