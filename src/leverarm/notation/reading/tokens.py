"""Tokens with their places in the text, the limits of what is read, and the refusal of what is not.

The limits keep any text from stalling or exhausting the reader. `read` turns a `Refusal` into an `Unreadable`.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from leverarm.errors import LeverarmError
from leverarm.notation.tree import Node

MAX_CHARACTERS = 250_000
"""The longest text [characters]: some hundred pages of formulas."""
MAX_PIECES = 1_000
"""The most pieces of mathematics in one text."""
MAX_TOKENS = 20_000
"""The most signs in one piece of mathematics, and twice that in the whole text."""
MAX_NESTING = 50
"""The deepest nesting of brackets, fractions, roots and accents."""
MAX_EXPONENT = 64
MAX_SCRIPTS = 8
"""The most dots, primes or exponents on one formula."""
MAX_CHAIN = 50
"""The most divisions or cross products in a row."""
MAX_DIGITS = 1_000
MAX_DECIMAL_EXPONENT = 300
MAX_ENTRIES = 2_500
"""The most entries of one matrix."""
MAX_TERMS = 1_000
"""The longest written-out sum over an index."""


class Refusal(LeverarmError):
    """A formula that is not understood: the place in the text, in characters, and a sentence."""

    def __init__(self, at: int, why: str) -> None:
        super().__init__(why)
        self.at = at
        self.why = why


Script = Literal["latex", "plain"]
_TURNS = {"open": 1, "{": 1, "begin": 1, "close": -1, "}": -1, "end": -1}
_DIGITS = re.compile(r"[0-9]+")


class Token(NamedTuple):
    """One sign: its kind, what it says in ASCII, where it begins and ends, and what was mended to read it.

    `turn` is 1 where something begins that has an end (a bracket, a group, an environment), -1 where it ends. `value`
    is what several signs were read as together: a number with its unit.
    """

    kind: str
    text: str
    start: int
    end: int
    note: str = ""
    turn: int = 0
    value: Node | None = None


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
        return self.put(Token(kind, text, start, end, note, _TURNS.get(kind, 0)))

    def put(self, token: Token) -> int:
        """One more token, made elsewhere; gives the place behind it."""
        self.styled = -1
        if len(self.found) >= MAX_TOKENS:
            raise Refusal(token.start, f"more than {MAX_TOKENS} signs in one piece of mathematics; give it in parts")
        self.found.append(token)
        return token.end

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
