"""Reading expressions of arm files, in the grammar of `plain_text.py`: "0.5", "-pi/2", "90 deg", "m1*L1^2/12"."""

from __future__ import annotations

import math
from fractions import Fraction

from leverarm.errors import ExpressionError
from leverarm.model import expression
from leverarm.model.expression import FUNCTIONS, PI, Quantity, add, call, divide, multiply, power, subtract, symbol
from leverarm.plain_text import PlainText, Token
from leverarm.scalars import exact


def parse_quantity(text: str) -> Quantity:
    """A number or expression from text such as "0.5", "-pi/2", "90 deg", "m1*L1^2/12"."""
    return _Expression(text).read()


class _Expression(PlainText[Quantity]):
    WHAT = "an expression"
    ATOM = "a number, a symbol or '('"
    MAX_LENGTH = 50_000
    MAX_DEPTH = 60
    MAX_EXPONENT = expression.MAX_EXPONENT

    def number(self, token: Token) -> Quantity:
        number = int(token.text) if token.text.isdigit() and len(token.text) < 300 else float(token.text)
        if not math.isfinite(number):
            raise ExpressionError(f"{self.text[:40]!r}: {token.text[:40]} is not a finite number.")
        return multiply(exact(number) / Fraction(180), PI) if self.accept("deg", "°") else number

    def named(self, token: Token, depth: int) -> Quantity:
        if token.text in FUNCTIONS:
            self.opened(token)
            return call(token.text, self.closed(depth))
        return PI if token.text == "pi" else symbol(token.text)

    def total(self, first: Quantity, rest: list[tuple[Token, Quantity]]) -> Quantity:
        for sign, term in rest:
            first = (add if sign.text == "+" else subtract)(first, term)
        return first

    def multiplied(self, first: Quantity, rest: list[tuple[Token | None, Quantity]]) -> Quantity:
        for sign, factor in rest:
            first = (divide if sign and sign.text == "/" else multiply)(first, factor)
        return first

    def raised(self, base: Quantity, exponent: int, at: Token) -> Quantity:
        if exponent < 0 and base == 0:
            self.refuse(at.position, "zero has no negative power.")
        return power(base, exponent)

    def negated(self, x: Quantity) -> Quantity:
        return expression.negate(x)
