"""What is in generated assembly: how many instructions, and how many of them only move registers to memory and back."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"\s(?:#|//|@)\s.*$")


def count_instructions(assembly: str) -> tuple[int, int, int]:
    """Instructions, spills (registers stored for want of room) and reloads in LLVM's assembly text."""
    instructions = spills = reloads = 0
    for line in assembly.splitlines():
        if (
            not line.startswith("\t")
            or line.lstrip().startswith((".", "#", "//"))
            or not _COMMENT.sub("", line).strip()
        ):
            continue
        instructions += 1
        spills += line.endswith("Spill")
        reloads += line.endswith("Reload")
    return instructions, spills, reloads
