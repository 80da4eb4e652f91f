"""Where a run puts its rows while it goes on: in memory, or on the disk (`files/stream.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from leverarm.trajectories.records import Event, Records, concatenated


class Sink(Protocol):
    """Takes the rows of a run part by part, with the place to go on from after each: plain JSON values."""

    def take(self, part: Records, checkpoint: Mapping[str, Any], events: Sequence[Event]) -> None: ...

    def close(self) -> None: ...


class Memory:
    """A sink that keeps everything."""

    def __init__(self) -> None:
        self.parts: list[Records] = []
        self.events: list[Event] = []
        self.checkpoint: Mapping[str, Any] | None = None

    def take(self, part: Records, checkpoint: Mapping[str, Any], events: Sequence[Event] = ()) -> None:
        """Keeps rows, which must be the caller's to give away, and the newest checkpoint."""
        self.parts.append(part)
        self.events += [Event(*event) for event in events]
        self.checkpoint = checkpoint

    def close(self) -> None:
        """Nothing waits to be written."""

    @property
    def records(self) -> Records:
        """All rows that were taken."""
        return concatenated(self.parts)
