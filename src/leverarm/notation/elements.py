"""From formulas to exact elements of the ring, and back in the quickest form. Only scalars have a value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from leverarm.errors import ExpressionError
from leverarm.notation import tree
from leverarm.notation.names import constant_angle, own_names, ring_name, split_dots
from leverarm.notation.tree import Node, walk
from leverarm.notation.vocabulary import Angle, Vocabulary
from leverarm.scalars.exact import (
    Application,
    Cosine,
    Generator,
    Polynomial,
    Quotient,
    Ring,
    Root,
    Sine,
    circle,
    free_symbol,
    function_letter,
    is_exactly_zero,
    letter,
    ring_of,
    root,
    symbol,
)
from leverarm.scalars.ring import Scalar, sign, tanh
from leverarm.scalars.turn import Turn

MAX_TERMS = 2_000_000
"""The most terms of a product, before like terms are collected."""
MAX_MULTIPLE = 64
"""The largest multiple of an angle."""
MAX_SQUARE = 10**9
"""The largest number whose root is taken: it is factored by trial division."""


def element_of(node: Node, vocabulary: Vocabulary, ring: Ring | None = None) -> Scalar:
    """The exact element that a formula stands for, in the given ring where it has all the symbols.

    Raises ExpressionError where the formula has no value in the ring.
    """
    names = own_names(vocabulary)
    symbols: dict[tree.Symbol, str] = {}
    angles: set[str] = set()
    for part in walk(node):
        match part:
            case tree.Symbol():
                symbols[part] = ring_name(part, names)
            case tree.Trig(angle=angle):
                angles.update(name for name, _ in angle)
    wanted: list[Generator] = [symbol(name) for name in sorted(symbols.values())]
    for name in sorted(angles):
        wanted += circle(names.get(name, name), constant_angle(name))
    home = _home(wanted, ring)
    letters = {part: letter(home, name) for part, name in symbols.items()}
    return _Evaluation(home, letters, names, {}, vocabulary.functions).value(node)


def square_root(number: Fraction) -> Scalar:
    """The square root of a positive rational, by the roots of primes: sqrt(12) = 2 sqrt(3), sqrt(6) = sqrt(2) sqrt(3).

    So that equal roots are written alike.
    """
    rest, outside, factor = number.numerator * number.denominator, Fraction(1, number.denominator), 2
    if not 0 < rest <= MAX_SQUARE:
        raise ExpressionError(
            f"sqrt({number}) is not read: give a positive number made of whole ones below {MAX_SQUARE}."
        )
    result: Scalar = 1
    while rest > 1:
        if factor * factor > rest:
            factor = rest
        while rest % (factor * factor) == 0:
            outside, rest = outside * factor, rest // (factor * factor)
        if rest % factor == 0:
            result, rest = free_symbol(root(factor)) * result, rest // factor
        factor += 1
    return result * _plain(outside)


def _home(wanted: list[Generator], ring: Ring | None) -> Ring:
    if ring is None:
        return ring_of(wanted)
    missing = [generator for generator in wanted if generator.name not in ring.index]
    return ring_of((*ring.generators, *missing)) if missing else ring


def _plain(number: Fraction) -> int | Fraction:
    return int(number) if number.denominator == 1 else number


def _size(x: Scalar) -> int:
    match x:
        case Quotient(numerator=above):
            return len(above)
        case Polynomial():
            return len(x)
        case _:
            return 1


def product_of(a: Scalar, b: Scalar) -> Scalar:
    """a b; raises ExpressionError where it would have too many terms."""
    if _size(a) * _size(b) > MAX_TERMS:
        raise ExpressionError(
            f"multiplied out, this formula has more than {MAX_TERMS} terms. Read its factors one by one."
        )
    return a * b


def power_of(base: Scalar, exponent: int) -> Scalar:
    """A whole power; raises ExpressionError where it would have too many terms."""
    return reduce(product_of, [base] * exponent)


def total_of(terms: list[Scalar]) -> Scalar:
    """The sum, added pairwise so that long sums are copied few times."""
    while len(terms) > 1:
        paired = [a + b for a, b in zip(terms[::2], terms[1::2], strict=False)]
        terms = paired + terms[len(terms) - len(terms) % 2 :]
    return terms[0]


def over(a: Scalar, b: Scalar) -> Scalar:
    """a / b of exact scalars."""
    if is_exactly_zero(b):
        raise ExpressionError("a formula is divided by something that is identically zero.")
    match b:
        case int() | Fraction():
            return a * (Fraction(1) / b)
        case _:
            return a / b if not is_exactly_zero(a) else 0


@dataclass(frozen=True, slots=True)
class _Evaluation:
    """Values of formulas in one ring. Angles are cached: the same few occur in every term."""

    ring: Ring
    letters: dict[tree.Symbol, Scalar]
    names: dict[str, str]
    turns: dict[Angle, Turn]
    functions: frozenset[str] = frozenset()

    def value(self, node: Node) -> Scalar:
        match node:
            case tree.Number(value=value):
                return _plain(value)
            case tree.Symbol():
                return self.letters[node]
            case tree.Trig(function=function, angle=angle):
                turn = self.turn(angle)
                return turn.cos if function == "cos" else turn.sin
            case tree.Sum(terms=terms):
                return total_of([self.value(term) for term in terms])
            case tree.Product(factors=factors):
                return reduce(product_of, [self.value(factor) for factor in factors])
            case tree.Power(base=base, exponent=exponent):
                return power_of(self.value(base), exponent)
            case tree.Ratio(above=above, below=below):
                return over(self.value(above), self.value(below))
            case tree.Labelled(of=of):
                return self.value(of)
            case tree.Call(function="sqrt", argument=tree.Number(value=value)):
                return square_root(value)
            case tree.Call(function=function, argument=argument) if function in ("sgn", "tanh") or (
                self.functions and function in (*self.functions, "cos", "sin")
            ):
                return self.applied(function, self.value(argument))
            case _:
                raise ExpressionError(
                    f"{_described(node)} is not a number in the arm's symbols. Sums, products, powers, quotients, cos, "
                    "sin, sgn, tanh and square roots of numbers are."
                )

    def applied(self, function: str, x: Scalar) -> Scalar:
        """A function of an element: the ring's own generator where it has one, since its name depends on the ring."""
        for generator in self.ring.generators:
            match generator:
                case Application(function=own, argument=argument) if own == function and argument == x:
                    return letter(self.ring, generator.name)
        if function not in ("sgn", "tanh"):
            return function_letter(function, x)
        match function, x:
            case ("sgn", Quotient()) | ("tanh", int() | Fraction()) if x != 0:
                pass
            case _:
                return sign(x) if function == "sgn" else tanh(x)
        raise ExpressionError(f"{function}({x}) is not in the ring: give {function} a formula in the arm's symbols.")

    def turn(self, angle: Angle) -> Turn:
        if angle not in self.turns:
            total = Turn(1, 0)
            for name, times in angle:
                if abs(times) > MAX_MULTIPLE:
                    raise ExpressionError(
                        f"{times} times {name} is too many; at most {MAX_MULTIPLE} times an angle is read."
                    )
                inside = self.names.get(name, name)
                total = total + times * Turn(letter(self.ring, f"cos({inside})"), letter(self.ring, f"sin({inside})"))
            self.turns[angle] = total
        return self.turns[angle]


def _described(node: Node) -> str:
    match node:
        case tree.Call(function=function):
            return f"the function {function} of a formula"
        case tree.Of():
            return "a quantity with arguments"
        case tree.Indexed():
            return "a quantity with indices"
        case tree.Matrix():
            return "a matrix"
        case _:
            return f"a formula of the kind {type(node).__name__}"


Terms = list[tuple[tuple[tuple[Generator, int], ...], Fraction]]


def nested(x: Scalar, vocabulary: Vocabulary) -> Node:
    """A formula equal to x, with each letter factored out of all terms that begin with it: m1 (2 + L1 (g + L1)).

    Quick to make and to compute, though not what a textbook prints: about as many operations as there are terms.
    """
    match x:
        case Quotient(numerator=above, denominator=below):
            return tree.Ratio(nested(above, vocabulary), nested(below, vocabulary))
        case Polynomial():
            letters = {generator: letter_node(generator, vocabulary) for generator in x.generators()}
            return _nested(list(x.terms()), letters)
        case _:
            return tree.Number(Fraction(x))


def expanded(x: Scalar, vocabulary: Vocabulary) -> Node:
    """A formula equal to x, term by term: m1 L1^2 + 2 m1 L1 g."""
    match x:
        case Quotient(numerator=above, denominator=below):
            return tree.Ratio(expanded(above, vocabulary), expanded(below, vocabulary))
        case Polynomial():
            letters = {generator: letter_node(generator, vocabulary) for generator in x.generators()}
            return tree.Sum(tuple(_term(monomial, coefficient, letters) for monomial, coefficient in x.terms()))
        case _:
            return tree.Number(Fraction(x))


def _term(monomial: tuple[tuple[Generator, int], ...], coefficient: Fraction, letters: dict[Generator, Node]) -> Node:
    return tree.Product((tree.Number(coefficient), *(_power(letters[letter], e) for letter, e in monomial)))


def _power(base: Node, exponent: int) -> Node:
    return base if exponent == 1 else tree.Power(base, exponent)


def _nested(terms: Terms, letters: dict[Generator, Node]) -> Node:
    groups: dict[tuple[Generator, int] | None, Terms] = {}
    for monomial, coefficient in terms:
        first = monomial[0] if monomial else None
        groups.setdefault(first, []).append((monomial[1:], coefficient))
    parts: list[Node] = []
    for first, rest in groups.items():
        if first is None:
            parts.append(tree.Number(Fraction(rest[0][1])))
            continue
        generator, exponent = first
        power = _power(letters[generator], exponent)
        inner = _nested(rest, letters)
        parts.append(power if inner == tree.ONE else tree.Product((inner, power)))
    return parts[0] if len(parts) == 1 else tree.Sum(tuple(parts))


def letter_node(
    generator: Generator, vocabulary: Vocabulary, write: Callable[[Scalar, Vocabulary], Node] = nested
) -> Node:
    """A generator of the ring as it is written; `write` gives the formula of what a function is of."""
    printed = vocabulary.printed
    match generator:
        case Cosine(angle=angle):
            return tree.Trig("cos", ((printed.get(angle, angle), 1),))
        case Sine(angle=angle):
            return tree.Trig("sin", ((printed.get(angle, angle), 1),))
        case Root(square=square):
            return tree.Call("sqrt", tree.Number(Fraction(square)))
        case Application(function=function, argument=argument):
            return tree.Call(function, write(argument, vocabulary))
        case _:
            name, dots = split_dots(generator.name)
            return tree.Symbol(printed.get(name, name), dots)
