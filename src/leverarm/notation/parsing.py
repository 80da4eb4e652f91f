"""Reading written formulas back, in the grammar of `plain_text.py`: what `to_text` prints, as a tree and as an element.

Names are letters of the arm, c12 the cosine of theta1 + theta2; "cos" and "sin" are of a sum of whole multiples of
named angles or of numbers of radians; {m g : gravity} is a sum with a label.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from leverarm.errors import unknown_name
from leverarm.notation import tree
from leverarm.notation.elements import element_of
from leverarm.notation.names import FUNCTIONS, FURTHER_FUNCTIONS, constant_angle, short_angles, written_symbols
from leverarm.notation.tree import Node
from leverarm.notation.vocabulary import Vocabulary, Writing
from leverarm.plain_text import PlainText, Token
from leverarm.scalars.exact import HALF, Ring
from leverarm.scalars.ring import Scalar

MAX_DIGITS = 1000


def parse_text(text: str, vocabulary: Vocabulary, writing: Writing = Writing(), ring: Ring | None = None) -> Scalar:
    """The exact element that a text stands for, in the letters of the vocabulary and of the ring.

    The element is made in the ring where one is given and has the letters. Raises ExpressionError, with the column.
    """
    return element_of(parse_tree(text, vocabulary, writing, ring), vocabulary, ring)


def parse_tree(text: str, vocabulary: Vocabulary, writing: Writing = Writing(), ring: Ring | None = None) -> Node:
    """The formula that a text writes. Raises ExpressionError, with the column."""
    return _Formula(text, written_symbols(vocabulary, ring), writing, vocabulary.functions).read()


def parse_with_functions(text: str, symbols: dict[str, tree.Symbol]) -> Node:
    """The formula of a text in these letters, in which functions such as exp and any cosine may stand."""
    return _Formula(text, symbols, Writing("expanded"), frozenset(FURTHER_FUNCTIONS)).read()


def names_in(text: str) -> list[tuple[str, bool]]:
    """The letters and functions that a text names, in its order, and whether a parenthesis follows without a space.

    Raises ExpressionError for signs that are none.
    """
    tokens = _Formula(text, {}, Writing()).tokens
    called = {token.position for token in tokens if token.text == "("}
    return [(x.text, x.position + len(x.text) in called) for x in tokens if x.kind == "name"]


class _Formula(PlainText[Node]):
    WHAT = "a formula"
    ATOM = "a number, a letter or '('"
    MAX_LENGTH = 5_000_000
    MAX_DEPTH = 100
    MAX_EXPONENT = 64
    SIDE_BY_SIDE = frozenset(["number", "name", "(", "{"])

    def __init__(
        self,
        text: str,
        symbols: dict[str, tree.Symbol],
        writing: Writing,
        functions: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(text)
        self.symbols = symbols
        self.writing = writing
        self.functions = functions

    def number(self, token: Token) -> Node:
        if len(token.text) > MAX_DIGITS or len(token.text.lower().partition("e")[2]) > 5:
            digits = f"a number of {len(token.text)} digits is too long; at most {MAX_DIGITS} are read."
            self.refuse(token.position, digits)
        return tree.Number(Fraction(token.text))

    def named(self, token: Token, depth: int) -> Node:
        name = token.text
        if name in FUNCTIONS or name in self.functions:
            self.opened(token)
            if self.functions:
                return trig_of(name, self.closed(depth))
            if name in ("cos", "sin"):
                return self.trig("cos" if name == "cos" else "sin")
            return tree.Call(name, self.closed(depth))
        if angles := short_angles(name, self.writing):
            return tree.Trig("cos" if name[0] == "c" else "sin", tuple((angle, 1) for angle in angles))
        if name not in self.symbols:
            self.refuse(token.position, unknown_name("letter", name, self.symbols))
        return self.symbols[name]

    def labelled(self, depth: int) -> Node:
        inside = self.sum(depth + 1)
        return tree.Labelled(inside, self.take("label", "': label}'").text[1:-1].strip())

    def total(self, first: Node, rest: list[tuple[Token, Node]]) -> Node:
        return tree.Sum((first, *(tree.negated(term) if sign.text == "-" else term for sign, term in rest)))

    def multiplied(self, first: Node, rest: list[tuple[Token | None, Node]]) -> Node:
        factors = list(tree.factors_of(first)) if tree.is_negative(first) else [first]
        for sign, factor in rest:
            if sign is None or sign.text == "*":
                factors.append(factor)
                continue
            if factor == tree.ZERO:
                self.refuse(sign.position, "division by zero.")
            factors = [_ratio(factors[0] if len(factors) == 1 else tree.Product(tuple(factors)), factor)]
        return factors[0] if len(factors) == 1 else tree.Product(tuple(factors))

    def raised(self, base: Node, exponent: int, at: Token) -> Node:
        if exponent < 1:
            self.refuse(at.position, f"the exponent {exponent} is not read; use a whole number from 1.")
        return base if exponent == 1 else tree.Power(base, exponent)

    def negated(self, x: Node) -> Node:
        return tree.negated(x)

    def trig(self, function: Literal["cos", "sin"]) -> Node:
        """The sum of angles behind an opening parenthesis."""
        angle = [self.multiple(-1 if self.accept("-") else 1)]
        while sign := self.accept("+", "-"):
            angle.append(self.multiple(-1 if sign.text == "-" else 1))
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
            self.number(token)
            self.accept("*")
            angle, _ = self.multiple(1)
            return angle, sign * int(token.text)
        if token.kind == "number":
            return token.text, sign
        symbol = self.symbols.get(token.text)
        if symbol is None or symbol.dots:
            angles = [name for name, each in self.symbols.items() if not each.dots]
            self.refuse(token.position, unknown_name("angle", token.text, angles))
        if not self.accept("/"):
            return symbol.name, sign
        if not self.accept("2"):
            self.fail("'2': half of an angle")
        return symbol.name + HALF, sign


def trig_of(function: str, argument: Node) -> Node:
    """A function of a formula; cos, sin and tan of whole multiples of angles as those, quarter turns taken out."""
    multiples = _multiples(argument) if function in ("cos", "sin", "tan") else None
    if multiples is None:
        return tree.Call(function, argument)
    if function == "tan":
        return tree.Ratio(trig_of("sin", argument), trig_of("cos", argument))
    quarters = 2 * multiples.pop("pi", Fraction(0))
    if any(k.denominator != 1 for k in (quarters, *multiples.values())):
        return tree.Call(function, argument)
    angle = [(name, int(k)) for name, k in multiples.items() if k]
    turn = (int(quarters) + (0 if function == "cos" else -1)) % 4  # of the cosine, which a sine is a quarter ahead of
    if not angle:
        return tree.Number(Fraction((1, 0, -1, 0)[turn]))
    found = tree.Trig("cos" if turn % 2 == 0 else "sin", tuple(angle))
    return tree.negated(found) if turn in (1, 2) else found


def _multiples(node: Node) -> dict[str, Fraction] | None:
    """How often each letter stands in a sum of multiples of letters, numbers by their digits; None of others."""
    match node:
        case tree.Symbol(name=name, dots=0):
            return {name: Fraction(1)}
        case tree.Number(value=value):
            return {f"{abs(float(value)):.12g}": Fraction(1 if value > 0 else -1)} if value else {}
        case tree.Sum(terms=terms):
            total: dict[str, Fraction] = {}
            for part in map(_multiples, terms):
                if part is None:
                    return None
                total |= {name: total.get(name, Fraction(0)) + k for name, k in part.items()}
            return total
        case tree.Product(factors=(tree.Number(value=value), other) | (other, tree.Number(value=value))):
            return _scaled(other, value)
        case tree.Ratio(above=above, below=tree.Number(value=value)) if value:
            return _scaled(above, 1 / value)
        case _:
            return None


def _scaled(node: Node, factor: Fraction) -> dict[str, Fraction] | None:
    multiples = _multiples(node)
    if multiples is None or any(constant_angle(name) is not None for name in multiples):
        return None
    return {name: k * factor for name, k in multiples.items()}


def _ratio(above: Node, below: Node) -> Node:
    match above, below:
        case tree.Number(value=a), tree.Number(value=b):
            return tree.Number(a / b)
        case _:
            return tree.Ratio(above, below)
