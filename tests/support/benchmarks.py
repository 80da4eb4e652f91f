"""Modules of bench/, which its scripts import by their bare names."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

from tests.support.paths import BENCH


def bench(name: str) -> ModuleType:
    """A module of bench/."""
    sys.path.insert(0, str(BENCH))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(BENCH))
