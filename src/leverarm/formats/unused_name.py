"""A name for what has none of its own."""

from __future__ import annotations

from collections.abc import Container


def unused_name(name: str, taken: Container[str]) -> str:
    """The name itself, or the first of name_2, name_3, ... that is not taken."""
    if name not in taken:
        return name
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"
