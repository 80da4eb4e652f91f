"""Signs, letters and numbers with their places in the text."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from leverarm.reading.limits import MAX_DIGITS, MAX_TOKENS
from leverarm.reading.refusal import Refusal

Script = Literal["latex", "plain"]
_TURNS = {"open": 1, "{": 1, "begin": 1, "close": -1, "}": -1, "end": -1}
_DIGITS = re.compile(r"[0-9]+")


class Token(NamedTuple):
    """One sign: its kind, what it says in ASCII, where it begins and ends, and what was mended to read it.

    `turn` is 1 where something begins that has an end (a bracket, a group, an environment), -1 where it ends.
    """

    kind: str
    text: str
    start: int
    end: int
    note: str = ""
    turn: int = 0


class Tape:
    """The tokens of one piece of a text, as they are found."""

    def __init__(self, text: str, end: int, script: Script, damaged: bool) -> None:
        self.text = text
        self.end = end
        self.script = script
        self.damaged = damaged
        self.found: list[Token] = []
        self.styled = -1
        """Where a change of type begins that was just passed over: the group behind it begins there."""

    def add(self, kind: str, text: str, start: int, end: int, note: str = "") -> int:
        """One more token; gives the place behind it."""
        if kind == "{" and self.styled >= 0:
            start = self.styled
        self.styled = -1
        if len(self.found) >= MAX_TOKENS:
            raise Refusal(start, f"more than {MAX_TOKENS} signs in one piece of mathematics; give it in parts")
        self.found.append(Token(kind, text, start, end, note, _TURNS.get(kind, 0)))
        return end

    def digits(self, at: int) -> int:
        """The digits that follow a name at once: its subscript."""
        found = _DIGITS.match(self.text, at, self.end)
        if found is None:
            return at
        self.refuse_long(found.group(), at)
        return self.add("lower", found.group(), at, found.end())

    def refuse_long(self, digits: str, at: int) -> None:
        """Refuses numbers that no formula has."""
        if len(digits) > MAX_DIGITS:
            raise Refusal(at, f"a number of {len(digits)} digits is too long; at most {MAX_DIGITS} are read")
