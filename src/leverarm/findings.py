"""Findings: what lint, log readers and identification report about one place, with what to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Level = Literal["error", "warning", "note"]
LEVELS: tuple[Level, ...] = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Finding:
    """An error (impossible), a warning (probably a mistake) or a note (worth knowing): where, what, and what to do."""

    level: Level
    where: str
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.level}: {self.where}: {self.message} {self.remedy}"


def by_level(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each finding once, errors first, then warnings and notes, otherwise in order."""
    return tuple(sorted(dict.fromkeys(findings), key=lambda finding: LEVELS.index(finding.level)))


def listed(kind: str, names: Sequence[str]) -> str:
    """Names of one kind in words: "joint 'a'", "joints 'a', 'b'"; at most eight by name."""
    plural = f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"
    return f"{plural if len(names) > 1 else kind} {first_of([repr(name) for name in names], 8)}"


def first_of(parts: Sequence[str], most: int, between: str = ", ") -> str:
    """The first parts of many, and how many more there are: "a, b and 3 more"."""
    more = f" and {len(parts) - most} more" if len(parts) > most else ""
    return between.join(parts[:most]) + more
