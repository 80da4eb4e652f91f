"""Running indices (i, j, k in m_i, d_ij, J_{v_i}) and their numbers; the letters that an exact value depends on."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from fractions import Fraction
from itertools import product
from typing import Any

from leverarm.notation.reading import Statement
from leverarm.notation.tree import Name, Node, Number, Sum, Total, parts, walk
from leverarm.scalars import Scalar
from leverarm.scalars.exact import HALF, Application, Cosine, Polynomial, Quotient, Sine
from leverarm.verify.equations.algebra import Value, entries, every
from leverarm.verify.equations.verdict import WrittenError

RUNNING = frozenset("ijkl")
MAX_TERMS = 1000


def indexed(node: Node, numbers: Mapping[str, int]) -> Any:
    """The formula with numbers in place of running indices."""
    if isinstance(node, Name):
        if node.letter in numbers and not node.lower and not node.dots:
            return Number(Fraction(numbers[node.letter]), span=node.span)
        return replace(node, lower=_replaced(node.lower, numbers), upper=_replaced(node.upper, numbers))
    if isinstance(node, Total):
        inner = {letter: number for letter, number in numbers.items() if letter not in _letters(node)}
        return replace(node, of=indexed(node.of, inner))
    changed = {field.name: _indexed(getattr(node, field.name), numbers) for field in fields(node)}
    return replace(node, **changed)


def totals(node: Total, n: int) -> Iterator[Node]:
    """The terms of a sum over indices; `n` is the last number where none is written."""
    first = int(node.first.value) if isinstance(node.first, Number) else 1
    last = int(node.last.value) if isinstance(node.last, Number) else n
    letters = _letters(node)
    if (last - first + 1) ** len(letters) > MAX_TERMS:
        raise WrittenError(node.span, f"a sum of more than {MAX_TERMS} terms is not supported.")
    for numbers in product(range(first, last + 1), repeat=len(letters)):
        yield indexed(node.of, dict(zip(letters, numbers, strict=True)))


def written_out(node: Any, n: int) -> Any:
    """The formula with every sum over an index as a plain sum of its terms."""
    if isinstance(node, Total):
        terms = tuple(written_out(term, n) for term in totals(node, n))
        return (
            Sum(terms, span=node.span) if len(terms) > 1 else terms[0] if terms else Number(Fraction(0), span=node.span)
        )
    if isinstance(node, tuple):
        return tuple(written_out(item, n) for item in node)
    if not isinstance(node, Node) or not any(every(Total, node)):
        return node
    return replace(node, **{field.name: written_out(getattr(node, field.name), n) for field in fields(node)})


def free_indices(statement: Statement, is_known: Any) -> list[str]:
    """The running indices that an equation leaves open, so that it is meant for all of them.

    `is_known` says of a name whether it means something as it is written.
    """
    found: dict[str, None] = {}

    def look(node: Node, bound: frozenset[str]) -> None:
        if isinstance(node, Total):
            bound = bound | set(_letters(node))
            look(node.of, bound)
            return
        if isinstance(node, Name):
            letters = [c for c in node.lower if c in RUNNING and c not in bound]
            if letters and _is_index(node.lower) and not is_known(node):
                found.update(dict.fromkeys(letters))
        for part in parts(node):
            look(part, bound)

    for side in statement.sides:
        look(side, frozenset())
    return list(found)


def is_index_note(statement: Statement) -> bool:
    """Whether a line only says what an index runs over: i = 1, 2."""
    left = statement.sides[0]
    is_running = isinstance(left, Name) and left.letter in RUNNING and not left.lower
    return is_running and all(isinstance(node, Name | Number) for side in statement.sides for node in walk(side))


def is_running(lower: str) -> bool:
    """Whether an index has letters that run: i, jk, v_i."""
    return _is_index(lower) and any(c in RUNNING for c in lower)


def _letters(node: Total) -> list[str]:
    if not all(isinstance(name, Name) for name in node.index):
        raise WrittenError(node.span, "a sum runs over indices such as i and j.")
    return [name.letter for name in node.index]


def _is_index(lower: str) -> bool:
    """Whether an index runs: i, jk, v_i, ci; not a word such as "eq" or "link"."""
    return len(lower) <= 3 or lower[:-1] in ("omega", "theta", "cm", "com")


def _replaced(lower: str, numbers: Mapping[str, int]) -> str:
    if not _is_index(lower):
        return lower
    return "".join(str(numbers[c]) if c in numbers else c for c in lower)


def _indexed(value: Any, numbers: Mapping[str, int]) -> Any:
    if isinstance(value, Node):
        return indexed(value, numbers)
    if isinstance(value, tuple):
        return tuple(_indexed(item, numbers) for item in value)
    return value


def letters_of(value: Value) -> set[str]:
    """The letters in a value: "m1", "theta1.d"; an angle for its sine and cosine. Constants such as pi are none."""
    return {name for x in entries(value) for name in _letters_in(x)}


def depth_of(value: Value, coordinates: Container[str]) -> int:
    """What a value depends on: 0 constants only, 1 positions, 2 speeds, 3 accelerations."""
    return max((_depth(name, coordinates) for name in letters_of(value)), default=0)


def _depth(letter: str, coordinates: Container[str]) -> int:
    name, _, dots = letter.partition(".")
    return 1 + len(dots) if name in coordinates else 0


def _letters_in(x: Scalar) -> Iterable[str]:
    if isinstance(x, Quotient):
        return {*_letters_in(x.numerator), *_letters_in(x.denominator)}
    if not isinstance(x, Polynomial):
        return ()
    found: set[str] = set()
    for generator in x.generators():
        if isinstance(generator, Application):
            found |= {*_letters_in(generator.argument)}
        elif generator.value is None:
            found.add(generator.angle.removesuffix(HALF) if isinstance(generator, Cosine | Sine) else generator.name)
    return found
