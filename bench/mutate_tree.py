"""Formulas of the mutations: trees that are written in three hands, read back and worth a number, without leverarm.

A tree is what is written, with its brackets: nothing is simplified, so a changed token is a changed node.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

State = Mapping["Name", float]


@dataclass(frozen=True, slots=True)
class Name:
    """A symbol or a coordinate; `dots` counts its derivatives."""

    letter: str
    index: str = ""
    dots: int = 0


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number, or a fraction of two."""

    top: int
    bottom: int = 1


@dataclass(frozen=True, slots=True)
class Power:
    base: Factor
    exponent: int


@dataclass(frozen=True, slots=True)
class Trig:
    function: str
    argument: Sum


@dataclass(frozen=True, slots=True)
class Term:
    sign: int
    factors: tuple[Factor, ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms with their signs; as a factor it is in brackets."""

    terms: tuple[Term, ...]


Factor = Name | Number | Power | Trig | Sum
ZERO = Sum(())


def value(node: Factor, state: State) -> float:
    """What a formula is worth at a state."""
    match node:
        case Name():
            return state[node]
        case Number(top, bottom):
            return top / bottom
        case Power(base, exponent):
            return value(base, state) ** exponent
        case Trig("sin", argument):
            return math.sin(value(argument, state))
        case Trig(_, argument):
            return math.cos(value(argument, state))
        case Sum(terms):
            return math.fsum(each.sign * math.prod(value(factor, state) for factor in each.factors) for each in terms)


@dataclass(frozen=True, slots=True)
class Hand:
    """How someone writes: names, numbers, functions, powers, and what stands between factors."""

    title: str
    name: Callable[[Name], str]
    number: Callable[[Number], str]
    trig: Callable[[Trig, Hand, str], str]
    power: str
    between: str


def written(node: Factor, hand: Hand) -> str:
    """A formula in someone's hand."""
    match node:
        case Name():
            return hand.name(node)
        case Number():
            return hand.number(node)
        case Power(Trig() as base, exponent):
            return hand.trig(base, hand, f"{hand.power}{exponent}")
        case Power(base, exponent):
            return f"{_factor(base, hand)}{hand.power}{exponent}"
        case Trig():
            return hand.trig(node, hand, "")
        case Sum(()):
            return "0"
        case Sum(terms):
            first, *others = terms
            signs = ["-" if first.sign < 0 else "", *(" - " if each.sign < 0 else " + " for each in others)]
            return "".join(sign + _term(each, hand) for sign, each in zip(signs, terms, strict=True))


def _term(term: Term, hand: Hand) -> str:
    return hand.between.join(_factor(each, hand) for each in term.factors) or "1"


def _factor(node: Factor, hand: Hand) -> str:
    match node:
        case Sum():
            return f"({written(node, hand)})"
        case _:
            return written(node, hand)


def _plain_name(name: Name) -> str:
    return f"{name.letter}{'d' * name.dots}{name.index}"


def _generic_name(name: Name) -> str:
    """q1 for theta1, as who writes q for any coordinate."""
    return _plain_name(Name("q", name.index, name.dots) if name.letter == "theta" and name.index else name)


def _plain_trig(node: Trig, hand: Hand, power: str) -> str:
    return f"{node.function}({written(node.argument, hand)}){power}"


def _short_trig(node: Trig, hand: Hand, power: str) -> str:
    """c12 for cos(theta1 + theta2), where all are angles with different numbers."""
    match node.argument:
        case Sum(terms) if (indices := [_number_of_angle(each) for each in terms]) == sorted(set(indices)) and all(
            indices
        ):
            return f"{node.function[0]}{''.join(indices)}{power}"
        case _:
            return _plain_trig(node, hand, power)


def _number_of_angle(term: Term) -> str:
    match term:
        case Term(1, (Name("theta" | "q", index, 0),)):
            return index
        case _:
            return ""


def _latex_name(name: Name) -> str:
    letter = rf"\{name.letter}" if name.letter == "theta" else name.letter[0]
    dotted = ("", rf"\dot{{{letter}}}", rf"\ddot{{{letter}}}")[name.dots] or letter
    index = name.index if name.letter == "theta" else name.letter[1:] + name.index
    return f"{dotted}_{index}" if len(index) == 1 else f"{dotted}_{{{index}}}" if index else dotted


def _latex_trig(node: Trig, hand: Hand, power: str) -> str:
    match node.argument:
        case Sum((Term(1, (Name(_, _, 0) as name,)),)):
            return rf"\{node.function}{power} {hand.name(name)}"
        case argument:
            return rf"\{node.function}{power}({written(argument, hand)})"


def _slashed(number: Number) -> str:
    return f"{number.top}" if number.bottom == 1 else f"{number.top}/{number.bottom}"


def _stacked(number: Number) -> str:
    return f"{number.top}" if number.bottom == 1 else rf"\frac{{{number.top}}}{{{number.bottom}}}"


PLAIN = Hand("plain", _plain_name, _slashed, _plain_trig, "**", "*")
GENERIC = Hand("plain", _generic_name, _slashed, _plain_trig, "**", "*")
LATEX = Hand("LaTeX", _latex_name, _stacked, _latex_trig, "^", " ")
TEXTBOOK = Hand("textbook", _plain_name, _slashed, _short_trig, "^", " ")

_TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z]\w*)|(\*\*|[-+*/^()]))")
_LATEX = (
    (r"\\left|\\right|\\,|\\;|\\!|\\big[lr]?|\\Big[lr]?", " "),
    (r"\\(?:tfrac|dfrac|frac)\s*\{?(\d)\}?\s*\{?(\d)\}?", r" (\1/\2) "),
    (r"\\ddot\s*\{?\s*\\?([A-Za-z]+)\s*\}?", r" \1dd"),
    (r"\\dot\s*\{?\s*\\?([A-Za-z]+)\s*\}?", r" \1d"),
    (r"\\cdot|\\times", "*"),
    (r"_\{?(\w+)\}?", r"\1 "),
    (r"\^\{(\d+)\}", r"^\1"),
    (r"\\(sin|cos|theta)", r" \1"),
)
"""LaTeX as the hand above writes it, made plain: pattern and what is put in its place, in this order."""


class NotRead(ValueError):
    """A formula that is not in one of the three hands."""


def read(text: str, names: Mapping[str, Name]) -> Sum:
    """A formula in one of the hands as a tree. Raises NotRead."""
    for pattern, plain in _LATEX:
        text = re.sub(pattern, plain, text)
    tokens = list(_tokens(text))
    tree, rest = _read_sum(tokens, names)
    if rest:
        raise NotRead(f"not read: {rest}")
    return tree


def _tokens(text: str) -> Iterator[str]:
    at, text = 0, text.strip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            raise NotRead(f"not read: {text[at:]}")
        at = found.end()
        yield found.group().strip()


def _read_sum(tokens: list[str], names: Mapping[str, Name]) -> tuple[Sum, list[str]]:
    terms: list[Term] = []
    sign = 1
    while True:
        while tokens and tokens[0] in ("+", "-"):
            sign, tokens = (sign if tokens[0] == "+" else -sign), tokens[1:]
        factors: list[Factor] = []
        while tokens and tokens[0] not in ("+", "-", ")"):
            factor, tokens = _read_power(tokens[1:] if tokens[0] == "*" else tokens, names)
            if tokens and tokens[0] == "/":
                divisor, tokens = _read_power(tokens[1:], names)
                factors, factor = _divided(factors, factor, divisor)
            factors.append(factor)
        if not factors:
            raise NotRead("a term is missing")
        terms.append(Term(sign, tuple(factors)))
        if not tokens or tokens[0] == ")":
            return Sum(tuple(terms)), tokens
        sign = 1


def _divided(factors: list[Factor], factor: Factor, divisor: Factor) -> tuple[list[Factor], Factor]:
    match factor, divisor:
        case Number(top, 1), Number(bottom, 1):
            return factors, Number(top, bottom)
        case _, Number(bottom, 1):
            return [*factors, factor], Number(1, bottom)
        case _:
            raise NotRead("only numbers divide")


def _read_power(tokens: list[str], names: Mapping[str, Name]) -> tuple[Factor, list[str]]:
    base, tokens = _read_base(tokens, names)
    if tokens[:1] in (["^"], ["**"]):
        if len(tokens) < 2 or not tokens[1].isdigit():
            raise NotRead("an exponent is missing")
        return Power(base, int(tokens[1])), tokens[2:]
    return base, tokens


def _read_base(tokens: list[str], names: Mapping[str, Name]) -> tuple[Factor, list[str]]:
    match tokens:
        case ["(", *rest]:
            inside, rest = _read_sum(rest, names)
            if rest[:1] != [")"]:
                raise NotRead("a bracket is missing")
            return inside, rest[1:]
        case [("sin" | "cos") as function, "^" | "**", exponent, *rest] if exponent.isdigit():
            argument, rest = _read_base(rest, names)
            return Power(Trig(function, _as_sum(argument)), int(exponent)), rest
        case [("sin" | "cos") as function, *rest]:
            argument, rest = _read_base(rest, names)
            return Trig(function, _as_sum(argument)), rest
        case [word, *rest] if word.isdigit():
            return Number(int(word)), rest
        case [word, *rest] if word in names:
            return names[word], rest
        case [word, *rest] if re.fullmatch(r"[cs]\d+", word) and (angles := _angles(word[1:], names)):
            return Trig("cos" if word[0] == "c" else "sin", Sum(angles)), rest
        case _:
            raise NotRead(f"not read: {tokens}")


def _angles(digits: str, names: Mapping[str, Name]) -> tuple[Term, ...]:
    found = [
        next((names[letter + each] for letter in ("theta", "q") if letter + each in names), None) for each in digits
    ]
    return tuple(Term(1, (name,)) for name in found if name) if all(found) else ()


def _as_sum(node: Factor) -> Sum:
    match node:
        case Sum():
            return node
        case _:
            return Sum((Term(1, (node,)),))
