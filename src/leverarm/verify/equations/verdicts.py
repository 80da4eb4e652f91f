"""The verdicts on a whole text, and their report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

from leverarm.verify.equations.verdict import Status, Verdict


@dataclass(frozen=True, slots=True)
class Verdicts:
    """One verdict for each equation of a text, in its order."""

    arm: str
    verdicts: tuple[Verdict, ...]

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.verdicts)

    def __len__(self) -> int:
        return len(self.verdicts)

    def __getitem__(self, index: int) -> Verdict:
        return self.verdicts[index]

    @property
    def status(self) -> Status:
        """The worst of all."""
        order = get_args(Status)
        return max((verdict.status for verdict in self.verdicts), key=order.index)

    @property
    def readings(self) -> tuple[str, ...]:
        """The letters of the text that were taken for the arm's, as "L_1 as a1"."""
        return tuple(dict.fromkeys(reading for verdict in self.verdicts for reading in verdict.readings))

    def text(self) -> str:
        """A plain report."""
        lines = [_counted(self)]
        if self.readings:
            lines.append(f"Read {', '.join(self.readings)}.")
        for verdict in self.verdicts:
            lines += ["", *_lines(verdict)]
        return "\n".join(lines)


def _counted(verdicts: Verdicts) -> str:
    statuses = [verdict.status for verdict in verdicts]
    counts = [f"{statuses.count(each)} {each}" for each in get_args(Status) if each in statuses]
    noun = "equation" if len(statuses) == 1 else "equations"
    return f"{len(statuses)} {noun} checked against {verdicts.arm}: {', '.join(counts)}."


def _lines(verdict: Verdict) -> list[str]:
    subject = f", {verdict.about}" if verdict.about else ""
    head = f"{verdict.where}: {verdict.status}{subject}"
    message = [f"  {line}" for line in verdict.message.splitlines()]
    return [head, *([] if verdict.status == "unreadable" else [f"  {_short(verdict.text)}"]), *message]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 160 else f"{line[:157]}..."
