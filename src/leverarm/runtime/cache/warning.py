"""What the cache has to say. It never raises: a cache that does not work costs time, not results."""

from __future__ import annotations

import sys
import warnings

_said: set[str] = set()
"""Topics that this process has been told about and would otherwise be told about at every call."""


class CacheWarning(UserWarning):
    """A file or folder of the cache cannot be used; the function is compiled instead."""


def warn(message: str) -> None:
    """Tells it, at the line of the user's program that led here."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "leverarm":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, CacheWarning, stacklevel=level)


def warn_once(topic: str, message: str) -> None:
    """Tells the first thing there is to say about a topic in this process."""
    if topic not in _said:
        _said.add(topic)
        warn(message)
