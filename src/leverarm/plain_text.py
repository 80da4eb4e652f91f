"""Formulas in one line of plain text: one grammar, with the place of every mistake. Nothing is run as code.

sum     = product (("+" | "-") product)*
product = factor (("*" | "/" | nothing, where the language has products without a sign) factor)*
factor  = ("-" | "+") factor | atom [("^" | "**") ["-"] whole-number]
atom    = number | name | "(" sum ")" | what a language has beside these

Products and quotients are taken from left to right: 1/2 m is half of m. Arm files have the numbers of a model in this
grammar, m1*L1^2/12 (`model/expression_parser.py`); printed closed forms are read back by it, m1 L1^2 (2 + c2)
(`notation/parsing.py`).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import ClassVar, Generic, NamedTuple, NoReturn, TypeVar

from leverarm.errors import ExpressionError

T = TypeVar("T")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+(?!\w))?)|(?P<name>[A-Za-z_]\w*)|(?P<label>:[^{}]*\})"
    r"|(?P<sign>\*\*|[-+*/^(){°]))",
    re.ASCII,
)
SHOWN = 20
"""Characters of the text that a message shows before and behind a mistake."""


class Token(NamedTuple):
    """A sign of the text, and where it begins."""

    kind: str
    text: str
    position: int


class PlainText(ABC, Generic[T]):
    """One text in the grammar; a language says what its numbers and names are, and what sums and products make."""

    WHAT: ClassVar[str]
    """The kind of text, as messages call it: "a formula"."""
    ATOM: ClassVar[str]
    """What a factor may be, as messages say it."""
    MAX_LENGTH: ClassVar[int]
    MAX_DEPTH: ClassVar[int]
    MAX_EXPONENT: ClassVar[int]
    SIDE_BY_SIDE: ClassVar[frozenset[str]] = frozenset()
    """Signs, and kinds of signs, that begin a factor without a sign before it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.here = 0
        if len(text) > self.MAX_LENGTH:
            raise ExpressionError(
                f"{self.WHAT} of {len(text)} characters is too long; at most {self.MAX_LENGTH} are read."
            )
        self.tokens = self._tokens()

    def _tokens(self) -> list[Token]:
        text, position, end = self.text, 0, len(self.text.rstrip())
        tokens: list[Token] = []
        while position < end:
            match = _TOKEN.match(text, position)
            if match is None:
                position += len(text[position:end]) - len(text[position:end].lstrip())
                self.refuse(position, f"{text[position]!r} does not belong in {self.WHAT}.")
            kind = match.lastgroup or ""
            tokens.append(Token(kind, match[kind], match.start(kind)))
            position = match.end()
        return tokens

    @abstractmethod
    def number(self, token: Token) -> T:
        """A number, and what may stand behind it."""

    @abstractmethod
    def named(self, token: Token, depth: int) -> T:
        """A letter, or a function with its argument."""

    def labelled(self, depth: int) -> T:
        """What a brace opens."""
        self.here -= 1
        self.fail(self.ATOM)

    @abstractmethod
    def total(self, first: T, rest: list[tuple[Token, T]]) -> T:
        """A sum, each further term with its sign."""

    @abstractmethod
    def multiplied(self, first: T, rest: list[tuple[Token | None, T]]) -> T:
        """A product, each further factor with its sign, if it has one."""

    @abstractmethod
    def raised(self, base: T, exponent: int, at: Token) -> T:
        """A power."""

    @abstractmethod
    def negated(self, x: T) -> T:
        """Minus a factor."""

    def read(self) -> T:
        """The whole text. Raises ExpressionError, with the column."""
        result = self.sum(0)
        if self.here < len(self.tokens):
            self.fail("an operator or the end")
        return result

    def fail(self, wanted: str) -> NoReturn:
        token = self.peek()
        found, position = (repr(token.text), token.position) if token else ("the end", len(self.text))
        self.refuse(position, f"expected {wanted}, found {found}.")

    def refuse(self, position: int, sentence: str) -> NoReturn:
        start, end = max(0, position - SHOWN), min(len(self.text), position + SHOWN)
        shown = ("..." if start else "") + self.text[start:end] + ("..." if end < len(self.text) else "")
        raise ExpressionError(f"{shown!r}, column {position + 1}: {sentence}")

    def peek(self) -> Token | None:
        return self.tokens[self.here] if self.here < len(self.tokens) else None

    def accept(self, *texts: str) -> Token | None:
        """The next sign, where it is one of these, taken."""
        token = self.peek()
        if token is None or token.text not in texts:
            return None
        self.here += 1
        return token

    def take(self, kind: str, wanted: str) -> Token:
        """The next sign, which must be of this kind, taken."""
        token = self.peek()
        if token is None or token.kind != kind:
            self.fail(wanted)
        self.here += 1
        return token

    def sum(self, depth: int) -> T:
        first = self.product(depth)
        rest: list[tuple[Token, T]] = []
        while sign := self.accept("+", "-"):
            rest.append((sign, self.product(depth)))
        return self.total(first, rest) if rest else first

    def product(self, depth: int) -> T:
        first = self.factor(depth)
        rest: list[tuple[Token | None, T]] = []
        while True:
            sign, token = self.accept("*", "/"), self.peek()
            if sign is None and (token is None or not self.SIDE_BY_SIDE & {token.kind, token.text}):
                return self.multiplied(first, rest) if rest else first
            rest.append((sign, self.factor(depth)))

    def factor(self, depth: int) -> T:
        if depth > self.MAX_DEPTH:
            at = self.tokens[self.here - 1].position
            self.refuse(at, f"nested more than {self.MAX_DEPTH} deep; write it flatter.")
        if sign := self.accept("-", "+"):
            inside = self.factor(depth + 1)
            return self.negated(inside) if sign.text == "-" else inside
        base = self.atom(depth)
        if not self.accept("^", "**"):
            return base
        is_negative = self.accept("-") is not None
        token = self.take("number", "a whole number as exponent")
        if not token.text.isdigit() or int(token.text[:9]) > self.MAX_EXPONENT:
            fault = "too large" if token.text.isdigit() else "no whole number"
            self.refuse(token.position, f"the exponent {token.text[:20]} is {fault}; at most {self.MAX_EXPONENT}.")
        return self.raised(base, -int(token.text) if is_negative else int(token.text), token)

    def atom(self, depth: int) -> T:
        token = self.peek()
        if token is None or not (token.kind in ("number", "name") or token.text in ("(", "{")):
            self.fail(self.ATOM)
        self.here += 1
        if token.kind == "number":
            return self.number(token)
        if token.kind == "name":
            return self.named(token, depth)
        return self.closed(depth) if token.text == "(" else self.labelled(depth)

    def opened(self, function: Token) -> None:
        """The parenthesis that must follow a function."""
        if not self.accept("("):
            self.fail(f"'(' after {function.text}")

    def closed(self, depth: int) -> T:
        """The sum behind an opening parenthesis, up to the closing one."""
        inside = self.sum(depth + 1)
        if not self.accept(")"):
            self.fail("')'")
        return inside
