"""Why a piece of mathematics is not read, and where; it stays in this folder: `read` makes an `Unreadable` of it."""

from __future__ import annotations

from leverarm.errors import LeverarmError


class Refusal(LeverarmError):
    """A formula that is not understood: the place in the text, in characters, and a sentence."""

    def __init__(self, at: int, why: str) -> None:
        super().__init__(why)
        self.at = at
        self.why = why
