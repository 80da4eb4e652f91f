"""How large closed forms are: terms when expanded."""

from __future__ import annotations

from collections.abc import Iterable

from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero


def term_count(values: Iterable[Scalar]) -> int:
    """The number of terms of some exact values, expanded."""
    return sum(0 if is_exactly_zero(x) else len(x) if hasattr(x, "__len__") else 1 for x in values)
