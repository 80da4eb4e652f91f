"""Running indices (i, j, k in m_i, d_ij, J_{v_i}) and their numbers; the letters that an exact value depends on."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import fields, replace
from fractions import Fraction
from itertools import product
from typing import Any

from leverarm.notation.reading import Statement
from leverarm.notation.tree import Name, Node, Number, Sum, Total, mapped, parts
from leverarm.scalars import Scalar
from leverarm.scalars.exact import HALF, Application, Cosine, Generator, Polynomial, Quotient, Sine
from leverarm.verify.equations.algebra import Value, entries, every
from leverarm.verify.equations.verdict import WrittenError

RUNNING = frozenset("ijkl")
WORDS = frozenset(["in", "kin", "lin", "min", "fin", "tip", "el", "rel", "vel", "all"])
"""Short indices that are words, in which no letter runs."""
MAX_TERMS = 1000


def indexed(node: Any, numbers: Mapping[str, int]) -> Any:
    """The formula with numbers in place of running indices."""
    match node:
        case Name(letter=letter, lower="", dots=0) if letter in numbers:
            return Number(Fraction(numbers[letter]), span=node.span)
        case Name():
            return replace(node, lower=_replaced(node.lower, numbers), upper=_replaced(node.upper, numbers))
        case Total(of=of):
            bound = _letters(node)
            return replace(node, of=indexed(of, {name: k for name, k in numbers.items() if name not in bound}))
        case Node():
            return replace(node, **{field.name: indexed(getattr(node, field.name), numbers) for field in fields(node)})
        case tuple():
            return tuple(indexed(item, numbers) for item in node)
    return node


def totals(node: Total, n: int) -> Iterator[Node]:
    """The terms of a sum over indices; `n` is the last number where none is written."""
    first, last = _bound(node.first, 1), _bound(node.last, n)
    letters = _letters(node)
    if (last - first + 1) ** len(letters) > MAX_TERMS:
        raise WrittenError(node.span, f"a sum of more than {MAX_TERMS} terms is not supported.")
    for numbers in product(range(first, last + 1), repeat=len(letters)):
        yield indexed(node.of, dict(zip(letters, numbers, strict=True)))


def _bound(node: Node | None, otherwise: int) -> int:
    """The number at which a sum begins or ends."""
    match node:
        case Number(value=value):
            return int(value)
    return otherwise


def written_out(node: Node, n: int) -> Node:
    """The formula with every sum over an index as a plain sum of its terms."""
    return mapped(node, lambda part: _written_out(part, n))


def _written_out(node: Node, n: int) -> Node:
    match node:
        case Total():
            terms = tuple(written_out(term, n) for term in totals(node, n))
            whole = Sum(terms, span=node.span) if len(terms) > 1 else Number(Fraction(0), span=node.span)
            return terms[0] if len(terms) == 1 else whole
    return node


def free_indices(statement: Statement, is_known: Any) -> list[str]:
    """The running indices that an equation leaves open, so that it is meant for all of them.

    `is_known` says of a name whether it means something as it is written.
    """
    found: dict[str, None] = {}

    def look(node: Node, bound: frozenset[str]) -> None:
        match node:
            case Total(of=of):
                look(of, bound | set(_letters(node)))
                return
            case Name(lower=lower):
                letters = [c for c in lower if c in RUNNING and c not in bound]
                if letters and _is_index(lower) and not is_known(node):
                    found.update(dict.fromkeys(letters))
        for part in parts(node):
            look(part, bound)

    for side in statement.sides:
        look(side, frozenset())
    return list(found)


def is_index_note(statement: Statement) -> bool:
    """Whether a line only says what an index runs over: i = 1, 2."""
    match statement.sides[0]:
        case Name(letter=letter, lower="") if letter in RUNNING:
            return not any(part for side in statement.sides for part in parts(side))
    return False


def is_running(lower: str) -> bool:
    """Whether an index has letters that run: i, jk, v_i."""
    return _is_index(lower) and any(c in RUNNING for c in lower)


def _letters(node: Total) -> list[str]:
    letters = [name.letter for name in every(Name, *node.index)]
    if len(letters) != len(node.index) or any(part for name in node.index for part in parts(name)):
        raise WrittenError(node.span, "a sum runs over indices such as i and j.")
    return letters


def _is_index(lower: str) -> bool:
    """Whether an index runs: i, jk, v_i, ci; not a word such as "eq" or "link"."""
    return (len(lower) <= 3 and lower not in WORDS) or lower[:-1] in ("omega", "theta", "cm", "com")


def _replaced(lower: str, numbers: Mapping[str, int]) -> str:
    if not _is_index(lower):
        return lower
    return "".join(str(numbers[c]) if c in numbers else c for c in lower)


def letters_of(value: Value) -> set[str]:
    """The letters in a value: "m1", "theta1.d"; an angle for its sine and cosine. Constants such as pi are none."""
    return {name for x in entries(value) for name in _letters_in(x)}


def depth_of(value: Value, coordinates: Container[str]) -> int:
    """What a value depends on: 0 constants only, 1 positions, 2 speeds, 3 accelerations."""
    return max((_depth(name, coordinates) for name in letters_of(value)), default=0)


def _depth(letter: str, coordinates: Container[str]) -> int:
    name, _, dots = letter.partition(".")
    return 1 + len(dots) if name in coordinates else 0


def _letters_in(x: Scalar) -> set[str]:
    match x:
        case Quotient(numerator=above, denominator=below):
            return _letters_in(above) | _letters_in(below)
        case Polynomial():
            return {name for generator in x.generators() for name in _letters_behind(generator)}
    return set()


def _letters_behind(generator: Generator) -> set[str]:
    """The letters that a letter of the ring is made of: an angle for its cosine; none for a number such as pi."""
    match generator:
        case Application(argument=argument):
            return _letters_in(argument)
        case Cosine(angle=angle) | Sine(angle=angle) if generator.value is None:
            return {angle.removesuffix(HALF)}
    return set() if generator.value is not None else {generator.name}
