"""Processes that end in the middle of storing a file in the cache, each at a moment of its own, as if they were killed."""

from __future__ import annotations

import os
import signal
from pathlib import Path

MOMENTS = ("opened", "half written", "written", "moved")
"""A file that is stored is empty, then is written, then is moved to its place."""


def die_while_storing(moment: str, number: int = 1) -> None:
    """From now on, the so many-th file that this process stores is its last: it gets no further than the moment."""
    write, replace, left = os.write, Path.replace, number

    def written(descriptor: int, data: bytes) -> int:
        nonlocal left
        left -= 1
        if left == 0 and moment in MOMENTS[:2]:
            if moment == "half written":
                write(descriptor, data[: len(data) // 2])
            die()
        return write(descriptor, data)

    def moved(path: Path, target: Path) -> Path:
        if left > 0:
            return replace(path, target)
        try:
            if moment == "moved":
                replace(path, target)
        finally:
            die()

    os.write, Path.replace = written, moved


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
    while True:
        signal.pause()
