"""Symbols with a default value that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator

from leverarm.lint.finding import Finding
from leverarm.model.arm import Arm
from leverarm.model.expression import symbols_of
from leverarm.model.mechanism import Mechanism
from leverarm.model.quantities import quantities


def unused_symbols(arm: Arm, mechanism: Mechanism) -> Iterator[Finding]:
    """A finding for each symbol that stands in no quantity of the arm."""
    used = {name for _, quantity in quantities(arm) for name in symbols_of(quantity)}
    for name, _ in arm.symbols:
        if name not in used:
            yield Finding("warning", f"symbol {name!r}", "nothing uses it.", "Remove it, or check for a misspelt name.")
