"""Reading expressions: a small grammar of its own, with a position for every error.

sum     = product (("+" | "-") product)*
product = unary (("*" | "/") unary)*
unary   = "-" unary | power
power   = atom (("^" | "**") ["-"] whole-number)?
atom    = number ["deg"] | "pi" | symbol | function "(" sum ")" | "(" sum ")"
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction

from leverarm.errors import ExpressionError
from leverarm.model.expression import (
    FUNCTIONS,
    MAX_EXPONENT,
    PI,
    Quantity,
    add,
    call,
    divide,
    multiply,
    negate,
    power,
    subtract,
    symbol,
)
from leverarm.scalars import exact

MAX_LENGTH = 50_000
MAX_DEPTH = 60
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<op>\*\*|[-+*/^()°]))", re.ASCII
)


def parse_quantity(text: str) -> Quantity:
    """A number or expression from text such as "0.5", "-pi/2", "90 deg", "m1*L1^2/12"."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"an expression of {len(text)} characters is too long; at most {MAX_LENGTH} are read.")
    parser = _Parser(text, _tokens(text))
    result = parser.sum(0)
    if parser.here < len(parser.tokens):
        parser.fail("an operator or the end")
    return result


@dataclass(slots=True)
class _Token:
    kind: str
    text: str
    position: int


def _tokens(text: str) -> list[_Token]:
    tokens, position = [], 0
    while text[position:].strip():
        match = _TOKEN.match(text, position)
        if match is None:
            column = position + len(text[position:]) - len(text[position:].lstrip()) + 1
            raise ExpressionError(f"{text!r}, column {column}: {text[column - 1]!r} does not belong in an expression.")
        kind = match.lastgroup or ""
        tokens.append(_Token(kind, match[kind], match.start(kind)))
        position = match.end()
    return tokens


@dataclass(slots=True)
class _Parser:
    text: str
    tokens: list[_Token]
    here: int = 0

    def fail(self, wanted: str) -> None:
        if self.here < len(self.tokens):
            token = self.tokens[self.here]
            found, column = repr(token.text), token.position + 1
        else:
            found, column = "the end", len(self.text) + 1
        raise ExpressionError(f"{self.text!r}, column {column}: expected {wanted}, found {found}.")

    def accept(self, *texts: str) -> str | None:
        if self.here < len(self.tokens) and self.tokens[self.here].text in texts:
            self.here += 1
            return self.tokens[self.here - 1].text
        return None

    def sum(self, depth: int) -> Quantity:
        result = self.product(depth)
        while operator := self.accept("+", "-"):
            result = (add if operator == "+" else subtract)(result, self.product(depth))
        return result

    def product(self, depth: int) -> Quantity:
        result = self.unary(depth)
        while operator := self.accept("*", "/"):
            result = (multiply if operator == "*" else divide)(result, self.unary(depth))
        return result

    def unary(self, depth: int) -> Quantity:
        if depth > MAX_DEPTH:
            raise ExpressionError(f"{self.text[:40]!r}...: nested more than {MAX_DEPTH} deep; write it flatter.")
        if self.accept("-"):
            return negate(self.unary(depth + 1))
        if self.accept("+"):
            return self.unary(depth + 1)
        return self.power(depth)

    def power(self, depth: int) -> Quantity:
        base = self.atom(depth)
        if not self.accept("^", "**"):
            return base
        negative = self.accept("-") is not None
        if self.here == len(self.tokens) or not self.tokens[self.here].text.isdigit():
            self.fail("a whole number as exponent")
        exponent = int(self.tokens[self.here].text)
        self.here += 1
        if exponent > MAX_EXPONENT:
            raise ExpressionError(f"{self.text!r}: exponent {exponent} is too large; at most {MAX_EXPONENT}.")
        if negative and base == 0:
            raise ExpressionError(f"{self.text!r}: zero has no negative power.")
        return power(base, -exponent if negative else exponent)

    def atom(self, depth: int) -> Quantity:
        if self.here == len(self.tokens):
            self.fail("a number, a symbol or '('")
        token = self.tokens[self.here]
        self.here += 1
        if token.kind == "number":
            number = int(token.text) if token.text.isdigit() and len(token.text) < 300 else float(token.text)
            if not math.isfinite(number):
                raise ExpressionError(f"{self.text!r}: {token.text} is not a finite number.")
            if self.accept("deg", "°"):
                return multiply(exact(number) / Fraction(180), PI)
            return number
        if token.text == "pi":
            return PI
        if token.text in FUNCTIONS:
            if not self.accept("("):
                self.fail(f"'(' after {token.text}")
            return call(token.text, self.closed(depth))
        if token.kind == "name":
            return symbol(token.text)
        if token.text == "(":
            return self.closed(depth)
        self.here -= 1
        self.fail("a number, a symbol or '('")
        raise AssertionError("unreachable")

    def closed(self, depth: int) -> Quantity:
        inside = self.sum(depth + 1)
        if not self.accept(")"):
            self.fail("')'")
        return inside
