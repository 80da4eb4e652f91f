"""How much work a call is in Python, counted: the same on a slow machine, a fast one and a busy one."""

from __future__ import annotations

import sys
from collections.abc import Callable


def python_calls(work: Callable[[], object]) -> int:
    """How many functions written in Python were called."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
