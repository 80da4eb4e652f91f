"""How far the drawing of an animation is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Told after each frame: how many are done, and how many there are."""


def unwatched(done: int, total: int) -> None:
    """The progress nobody asked for."""
