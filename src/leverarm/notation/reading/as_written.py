"""Formulas as people wrote them: trees in which every part knows where it stands in the text.

A tree says what is written, not what it means: `M(q)` may be a matrix with its argument or a product, and `c12` a name
or a cosine. Whoever knows the arm decides that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, Literal

Span = tuple[int, int]
"""Where a part begins and ends in the text, in characters."""


@dataclass(frozen=True, slots=True)
class Node:
    """A formula or a part of one."""

    span: Span


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A rational number, exactly as it is written: 0.5 is one half."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A letter or a word with its marks: theta_1 with two dots, L_{c1}, qdd1, K.

    `letter` is ASCII: "theta", "m", "Gamma", "qdd" (a word of plain text stays whole; its last digits go to `lower`).
    `lower` is the subscript without braces, spaces and commas: "1", "12", "c1", "eq". `dots` counts dots and primes.
    `style` is how it was typeset, where that was said: "mathcal", "mathfrak", "vec"; bold and upright are not kept.
    """

    letter: str
    lower: str = ""
    upper: str = ""
    dots: int = 0
    style: str = ""


@dataclass(frozen=True, slots=True)
class Negative(Node):
    """Minus a formula."""

    of: Node


@dataclass(frozen=True, slots=True)
class Sum(Node):
    """Terms added in this order; what is subtracted is a `Negative`."""

    terms: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Product(Node):
    """Factors in this order, written side by side or with a sign between them."""

    factors: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Quotient(Node):
    """One formula over another."""

    above: Node
    below: Node


@dataclass(frozen=True, slots=True)
class Power(Node):
    """A whole power, also a negative one."""

    base: Node
    exponent: int


@dataclass(frozen=True, slots=True)
class Function(Node):
    """A named function of one formula: sin, cos, tan, sqrt, sgn, tanh, abs, det."""

    name: str
    argument: Node


@dataclass(frozen=True, slots=True)
class Applied(Node):
    """A name before a parenthesis: a quantity with what it depends on, M(q), or a product, g(m_1 + m_2)."""

    head: Node
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Matrix(Node):
    """Rows of entries, all of one length; a column vector has rows of one."""

    rows: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True)
class Transposed(Node):
    """A^T."""

    of: Node


@dataclass(frozen=True, slots=True)
class Inverse(Node):
    """A^-1 of something that may be a matrix."""

    of: Node


@dataclass(frozen=True, slots=True)
class Between(Node):
    """A cross or a dot between two formulas: a x b, a . b."""

    left: Node
    sign: Literal["cross", "dot"]
    right: Node


@dataclass(frozen=True, slots=True)
class PartialDerivative(Node):
    """d(of)/d(by), with round or straight d's."""

    of: Node
    by: Node


@dataclass(frozen=True, slots=True)
class TimeDerivative(Node):
    """d/dt of a formula, written out; `order` times. A dot over anything but a name is one too."""

    of: Node
    order: int = 1


@dataclass(frozen=True, slots=True)
class Total(Node):
    """A sum over an index: sum_{i=1}^{2} of a formula. `last` is a number or a letter such as n."""

    of: Node
    index: tuple[Name, ...]
    first: Node | None = None
    last: Node | None = None


@dataclass(frozen=True, slots=True)
class Statement(Node):
    """One equation: sides that are said to be equal, in the order of the page. One side alone is an expression."""

    sides: tuple[Node, ...]
    repairs: tuple[str, ...] = ()
    """What was read although it is not written well: "' heta' as \\theta"."""


@dataclass(frozen=True, slots=True)
class Unreadable(Node):
    """A piece of mathematics that was not understood, and why; `at` is the place in the text."""

    at: int
    why: str


@dataclass(frozen=True, slots=True)
class Mapping(Node):
    """A line that gives a name its meaning: "map: a1 = L1"."""

    written: Name
    meant: str


def parts(node: Node) -> Iterator[Node]:
    """The parts of a formula, one level down, in the order of the page."""
    for field in fields(node):
        yield from _nodes(getattr(node, field.name))


def _nodes(value: Any) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _nodes(part)


def walk(node: Node) -> Iterator[Node]:
    """The formula and all its parts, outermost first."""
    yield node
    for part in parts(node):
        yield from walk(part)


def replaced(node: Node, old: Node, new: Node) -> Node:
    """The formula with one part, that very object, exchanged for another."""
    if node is old:
        return new
    changed = {field.name: _replaced(getattr(node, field.name), old, new) for field in fields(node)}
    same = all(changed[field.name] is getattr(node, field.name) for field in fields(node))
    return node if same else replace(node, **changed)


def _replaced(value: Any, old: Node, new: Node) -> Any:
    if isinstance(value, Node):
        return replaced(value, old, new)
    if isinstance(value, tuple):
        items = tuple(_replaced(item, old, new) for item in value)
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items
    return value
