"""Reading written formulas back: what `to_text` prints, as a tree and as an exact element. Nothing is run as code.

sum     = ["-"] product (("+" | "-") product)*
product = power (["*"] power | "/" power)*          from left to right: 1/2 m is half of m
power   = atom ["^" whole-number]
atom    = number | name | c12 | ("cos" | "sin") "(" angle ")" | ("sgn" | "tanh" | "sqrt") "(" sum ")" | "(" sum ")"
        | "{" sum ":" label "}"
angle   = ["-"] multiple (("+" | "-") multiple)*,   multiple = [whole-number] (name | number of radians)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NoReturn

from leverarm.errors import ExpressionError, unknown_name
from leverarm.notation import tree
from leverarm.notation.elements import element_of
from leverarm.notation.names import FUNCTIONS, short_angles, written_symbols
from leverarm.notation.tree import Node, negated
from leverarm.notation.vocabulary import Vocabulary, Writing
from leverarm.scalars.exact import Ring
from leverarm.scalars.ring import Scalar

MAX_LENGTH = 5_000_000
MAX_DEPTH = 100
MAX_EXPONENT = 64
MAX_DIGITS = 1000
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d{1,4}(?!\w))?)|(?P<name>[A-Za-z_]\w*)|(?P<label>:[^{}]*\})"
    r"|(?P<op>\*\*|[-+*/^(){]))",
    re.ASCII,
)


def parse_text(text: str, vocabulary: Vocabulary, writing: Writing = Writing(), ring: Ring | None = None) -> Scalar:
    """The exact element that a text stands for, in the letters of the vocabulary and of the ring.

    The element is made in the ring where one is given and has the letters. Raises ExpressionError, with the column.
    """
    return element_of(parse_tree(text, vocabulary, writing, ring), vocabulary, ring)


def parse_tree(text: str, vocabulary: Vocabulary, writing: Writing = Writing(), ring: Ring | None = None) -> Node:
    """The formula that a text writes. Raises ExpressionError, with the column."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(
            f"a formula of {len(text)} characters is too long; at most {MAX_LENGTH} are read. Read it term by term."
        )
    reader = _Reader(text, _tokens(text), written_symbols(vocabulary, ring), writing)
    result = reader.sum(0)
    if reader.here < len(reader.tokens):
        reader.fail("an operator or the end")
    return result


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    position: int


def _tokens(text: str) -> list[_Token]:
    tokens, position, end = [], 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            while text[position].isspace():
                position += 1
            raise ExpressionError(f"{_place(text, position)}: {text[position]!r} does not belong in a formula.")
        kind = match.lastgroup or ""
        tokens.append(_Token(kind, match[kind], match.start(kind)))
        position = match.end()
    return tokens


def _place(text: str, position: int) -> str:
    """The text around a position, and the column."""
    start, end = max(0, position - 20), min(len(text), position + 20)
    shown = ("..." if start else "") + text[start:end] + ("..." if end < len(text) else "")
    return f"{shown!r}, column {position + 1}"


@dataclass(slots=True)
class _Reader:
    text: str
    tokens: list[_Token]
    symbols: Mapping[str, tree.Symbol]
    writing: Writing
    here: int = 0

    def fail(self, wanted: str) -> NoReturn:
        token = self.peek()
        found, position = (repr(token.text), token.position) if token else ("the end", len(self.text))
        raise ExpressionError(f"{_place(self.text, position)}: expected {wanted}, found {found}.")

    def refuse(self, token: _Token, sentence: str) -> NoReturn:
        raise ExpressionError(f"{_place(self.text, token.position)}: {sentence}")

    def peek(self) -> _Token | None:
        return self.tokens[self.here] if self.here < len(self.tokens) else None

    def accept(self, *texts: str) -> str | None:
        token = self.peek()
        if token is None or token.text not in texts:
            return None
        self.here += 1
        return token.text

    def take(self, kind: str, wanted: str) -> _Token:
        token = self.peek()
        if token is None or token.kind != kind:
            self.fail(wanted)
        self.here += 1
        return token

    def sum(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            self.refuse(self.tokens[self.here - 1], f"nested more than {MAX_DEPTH} deep; write it flatter.")
        terms = [negated(self.product(depth)) if self.accept("-") else self.product(depth)]
        while operator := self.accept("+", "-"):
            term = self.product(depth)
            terms.append(negated(term) if operator == "-" else term)
        return terms[0] if len(terms) == 1 else tree.Sum(tuple(terms))

    def product(self, depth: int) -> Node:
        factors = [self.power(depth)]
        while (token := self.peek()) and (token.text in ("*", "/", "(", "{") or token.kind in ("number", "name")):
            if not self.accept("/"):
                self.accept("*")
                factors.append(self.power(depth))
                continue
            below = self.power(depth)
            if below == tree.ZERO:
                self.refuse(token, "division by zero.")
            above = factors[0] if len(factors) == 1 else tree.Product(tuple(factors))
            factors = [_ratio(above, below)]
        return factors[0] if len(factors) == 1 else tree.Product(tuple(factors))

    def power(self, depth: int) -> Node:
        base = self.atom(depth)
        if not self.accept("^", "**"):
            return base
        token = self.take("number", "a whole number as exponent")
        if not token.text.isdigit() or not 1 <= int(token.text[:9]) <= MAX_EXPONENT:
            self.refuse(token, f"{token.text[:20]} cannot be an exponent. Use a whole number from 1 to {MAX_EXPONENT}.")
        return base if int(token.text) == 1 else tree.Power(base, int(token.text))

    def atom(self, depth: int) -> Node:
        token = self.peek()
        if token is None or not (token.kind in ("number", "name") or token.text in ("(", "{")):
            self.fail("a number, a letter or '('")
        self.here += 1
        if token.kind == "number":
            return tree.Number(self.number(token))
        if token.text == "(":
            return self.closed(depth)
        if token.text == "{":
            inside = self.sum(depth + 1)
            return tree.Labelled(inside, self.take("label", "': label}'").text[1:-1].strip())
        if token.text in FUNCTIONS:
            return self.call(token.text, depth)
        if angles := short_angles(token.text, self.writing):
            return tree.Trig("cos" if token.text[0] == "c" else "sin", tuple((angle, 1) for angle in angles))
        if token.text not in self.symbols:
            self.refuse(token, unknown_name("letter", token.text, self.symbols))
        return self.symbols[token.text]

    def number(self, token: _Token) -> Fraction:
        if len(token.text) > MAX_DIGITS:
            self.refuse(token, f"a number of {len(token.text)} digits is too long; at most {MAX_DIGITS} are read.")
        return Fraction(token.text)

    def call(self, function: str, depth: int) -> Node:
        if not self.accept("("):
            self.fail(f"'(' after {function}")
        if function in ("cos", "sin"):
            return self.trig("cos" if function == "cos" else "sin")
        return tree.Call(function, self.closed(depth))

    def closed(self, depth: int) -> Node:
        inside = self.sum(depth + 1)
        if not self.accept(")"):
            self.fail("')'")
        return inside

    def trig(self, function: Literal["cos", "sin"]) -> Node:
        """The sum of angles after an opening parenthesis."""
        angle = [self.multiple(-1 if self.accept("-") else 1)]
        while operator := self.accept("+", "-"):
            angle.append(self.multiple(-1 if operator == "-" else 1))
        if not self.accept(")"):
            self.fail("'+', '-' or ')'")
        return tree.Trig(function, tuple(angle))

    def multiple(self, sign: int) -> tuple[str, int]:
        """A named angle or a number of radians, with a whole number before it or without."""
        token = self.peek()
        if token is None or token.kind not in ("number", "name"):
            self.fail("an angle")
        self.here += 1
        after = self.peek()
        if token.text.isdigit() and after and (after.kind in ("number", "name") or after.text == "*"):
            self.accept("*")
            angle, _ = self.multiple(1)
            return angle, sign * int(self.number(token))
        if token.kind == "name":
            symbol = self.symbols.get(token.text)
            if symbol is None or symbol.dots:
                angles = [name for name, each in self.symbols.items() if not each.dots]
                self.refuse(token, unknown_name("angle", token.text, angles))
            return symbol.name, sign
        return token.text, sign


def _ratio(above: Node, below: Node) -> Node:
    if isinstance(above, tree.Number) and isinstance(below, tree.Number):
        return tree.Number(above.value / below.value)
    return tree.Ratio(above, below)
