"""Smaller letters for what cannot be made narrower: a last resort before it would run into the margin."""

from __future__ import annotations

SIZES = {"": 1.0, r"\small": 0.913, r"\footnotesize": 0.83, r"\scriptsize": 0.74}
"""LaTeX's sizes and their ems in those of an 11 pt document, from article's size11.clo."""


def size_that_fits(width: float, room: float) -> str:
    """The largest size at which `width` [em of normal size] fits the room; the smallest where none does."""
    return next((size for size, scale in SIZES.items() if width * scale <= room), list(SIZES)[-1])
