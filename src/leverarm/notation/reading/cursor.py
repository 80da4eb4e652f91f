"""A place in the tokens of one formula, and what every part of the grammar asks of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from leverarm.notation.reading.brackets import partners, shown, without_spaces
from leverarm.notation.reading.tokens import MAX_NESTING, Refusal, Script, Token
from leverarm.notation.tree import Node, Span

_IN_LISTS = frozenset(["name", "number", "accent", "style", "_", "^", "lower", "mark", "'", ",", ";", "{", "}", "word"])


class Cursor:
    """Tokens with their partners, the place reached, and the script they are written in.

    `formula(cursor, stop)` reads the tokens from here up to `stop` as one formula: the grammar, handed on so that its
    parts need not import each other.
    """

    def __init__(self, tokens: list[Token], script: Script, end: int, formula: Callable[[Cursor, int], Node]) -> None:
        self.tokens = without_spaces(tokens)
        self.partner = partners(self.tokens)
        self.script = script
        self.end = end
        self.here = 0
        self.depth = 0
        self.notes = [token.note for token in self.tokens if token.note]
        self._formula = formula

    def formula(self, stop: int) -> Node:
        """The tokens up to `stop` as one formula, one level further in."""
        self.enter()
        result = self._formula(self, stop)
        self.depth -= 1
        return result

    def enter(self) -> None:
        """One level further in; refuses what is nested too deep."""
        self.depth += 1
        if self.depth > 2 * MAX_NESTING + 2:
            raise Refusal(self.place(), f"the formula is nested more than {MAX_NESTING} deep; write it in parts")

    def kind(self, ahead: int = 0) -> str:
        """The kind of a token ahead; "" behind the last."""
        index = self.here + ahead
        return self.tokens[index].kind if index < len(self.tokens) else ""

    def text(self, ahead: int = 0) -> str:
        """What a token ahead says; "" behind the last."""
        index = self.here + ahead
        return self.tokens[index].text if index < len(self.tokens) else ""

    def take(self) -> Token:
        """The token here, left behind."""
        token = self.tokens[self.here]
        self.here += 1
        return token

    def place(self) -> int:
        """Where the token here begins in the text."""
        return self.tokens[self.here].start if self.here < len(self.tokens) else self.end

    def opens(self, bracket: str) -> bool:
        """Whether a bracket of this shape opens here."""
        return self.kind() == "open" and self.text() == bracket

    def close(self) -> int:
        """The index of the token that closes what opens here."""
        return self.partner[self.here]

    def span(self, start: int) -> Span:
        """From a place in the text to the end of the last token that was read."""
        return start, max(start, self.tokens[self.here - 1].end if self.here else start)

    def lists_names(self, opened: int, close: int) -> bool:
        """Whether only names and numbers, parted by commas, stand between two places: what a quantity depends on."""
        named = False
        for token in self.tokens[opened + 1 : close]:
            if token.kind not in _IN_LISTS or (named and token.kind in ("name", "number")):
                return False
            named = token.kind not in (",", ";") and (named or token.kind in ("name", "number"))
            named = named and token.kind not in ("_", "^")
        return True

    def inside(self) -> Node:
        """The formula inside the bracket or group that opens here; the place is behind it afterwards."""
        stop = self.close()
        self.take()
        if self.here == stop:
            raise Refusal(
                self.place(),
                f"nothing stands between {shown(self.tokens[self.here - 1])} and {shown(self.tokens[stop])}",
            )
        result = self.formula(stop)
        self.here = stop + 1
        return result

    def fail(self, why: str) -> NoReturn:
        """Refuses the formula at this place."""
        raise Refusal(self.place(), why)

    def unexpected(self, stop: int) -> NoReturn:
        """Refuses the token here, where a formula was expected."""
        if self.here >= len(self.tokens):
            self.fail("the line ends where a formula was expected")
        token = self.tokens[self.here]
        if self.here >= stop:
            self.fail(f"{shown(token)} stands where a formula was expected")
        raise Refusal(token.start, _reason(token))


def _reason(token: Token) -> str:
    return {
        "omission": f"{shown(token)} leaves terms out; write them all",
        "relation": f"{shown(token)} is not an equality; only equations are read",
        "implies": f"{shown(token)} is not read inside a formula; write two equations",
        "=": "'=' stands where a formula was expected; an equation has a formula on each side",
        "row": "the line ends where a formula was expected",
    }.get(token.kind, f"{shown(token)} stands where a formula was expected")
