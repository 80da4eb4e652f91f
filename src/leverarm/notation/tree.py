"""Formulas as trees: what is written, before it is decided how it is typeset, or after it was read.

A tree is plain data. It says which factors stand together and in which order; renderers turn it into text, Unicode,
LaTeX, MathML or code, and never rearrange it. What people write is read into the same nodes: their names are `Name`s,
which an arm may know or not, while a `Symbol` is a letter of the arm; `M(q)` may be a matrix with its argument or a
product, and whoever knows the arm decides that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

from leverarm.notation.vocabulary import Angle

Span = tuple[int, int]
"""Where a part begins and ends in the text it was read from, in characters."""


@dataclass(frozen=True, slots=True)
class Node:
    """A formula or a part of one. Where it stood in a text makes it no other formula."""

    span: Span = field(default=(0, 0), kw_only=True, compare=False, repr=False)


Unit = tuple[int, int, int]
"""Whole powers of kg, m and s: (1, 1, -2) is N, (0, 0, 0) is rad."""


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A rational number, exactly as it is written: 0.5 is one half, 25 cm is one quarter with the unit m."""

    value: Fraction
    unit: Unit | None = field(default=None, kw_only=True, compare=False)
    """The unit it is written with, in SI; None where none is."""
    step: Fraction | None = field(default=None, kw_only=True, compare=False, repr=False)
    """What one more in the last written place is: 1/10 for 12.5 N, 1/100 for 25 cm; None where that was not read."""
    is_decimal: bool = field(default=False, kw_only=True, compare=False, repr=False)
    """Whether it is written 0.5, as the numbers of an arm file are, and not 1/2, as in the kinetic energy."""


@dataclass(frozen=True, slots=True)
class Decimal(Node):
    """A decimal number as it is shown, zeros at its end included, with its unit: 1.90 kg m^2, 1.5e-7."""

    digits: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Symbol(Node):
    """A letter: m1, theta2, tau; with dots, its time derivatives. `name` is an ASCII identifier."""

    name: str
    dots: int = 0


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A letter or a word with its marks, as someone wrote it: theta_1 with two dots, L_{c1}, qdd1, K.

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
class Trig(Node):
    """The cosine or sine of an angle; short forms write it c12, s12."""

    function: Literal["cos", "sin"]
    angle: Angle


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A function of a formula: sgn, tanh, sqrt, det; norm and abs are bars; sin, cos and tan where they were read."""

    function: str
    argument: Node


@dataclass(frozen=True, slots=True)
class Negative(Node):
    """Minus a formula, as it was read; printed forms have a number in front."""

    of: Node


@dataclass(frozen=True, slots=True)
class Sum(Node):
    """Terms added in this order; a term that starts with a negative number, or a `Negative`, is subtracted."""

    terms: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Product(Node):
    """Factors in this order; in printed forms only the first may be a number."""

    factors: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Power(Node):
    """A whole power: at least 2 in printed forms."""

    base: Node
    exponent: int


@dataclass(frozen=True, slots=True)
class Ratio(Node):
    """One formula over another."""

    above: Node
    below: Node


@dataclass(frozen=True, slots=True)
class Matrix(Node):
    """Rows of entries, all of one length; a column vector has rows of one. An arm without mass has empty ones."""

    rows: tuple[tuple[Node, ...], ...]

    @property
    def is_empty(self) -> bool:
        """Whether there are no entries."""
        return not any(self.rows)


@dataclass(frozen=True, slots=True)
class Of(Node):
    """A quantity with what it depends on: M(theta), c(theta, thetad). Or an operator on its operand: Ad_T(V).

    As it was read, any name before a parenthesis: also a product, g(m_1 + m_2).
    """

    head: Node
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Indexed(Node):
    """A quantity with indices that are not part of its name: Gamma_{112}, M_{12}, J_{v1}, e^{-[A_1] theta_1}'s e."""

    head: Node
    lower: str = ""
    upper: str = ""


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
class Differential(Node):
    """dm, dx: what an integral is over."""

    of: Node


@dataclass(frozen=True, slots=True)
class Exponential(Node):
    """e to a formula: e^{[S_1] theta_1}."""

    exponent: Node


@dataclass(frozen=True, slots=True)
class Bracketed(Node):
    """[S]: the matrix of a twist or the skew matrix of a vector."""

    of: Node


@dataclass(frozen=True, slots=True)
class PartialDerivative(Node):
    """d(of)/d(by), with round or straight d's."""

    of: Node
    by: Node


@dataclass(frozen=True, slots=True)
class TimeDerivative(Node):
    """d/dt of a formula, written out rather than dotted; `order` times."""

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
class Labelled(Node):
    """A part with a word under a brace: centripetal, Coriolis, gravity."""

    of: Node
    label: str


@dataclass(frozen=True, slots=True)
class Equation(Node):
    """a = b = c, shown aligned at the equals signs, one right-hand side per line. One side alone is an expression."""

    sides: tuple[Node, ...]
    relation: str = "="


ZERO, ONE, MINUS_ONE = Number(Fraction(0)), Number(Fraction(1)), Number(Fraction(-1))


def column(entries: Sequence[Node]) -> Matrix:
    """A column vector."""
    return Matrix(tuple((entry,) for entry in entries))


def is_negative(node: Node) -> bool:
    """Whether the formula is written with a minus in front."""
    match node:
        case Number(value=value):
            return value < 0
        case Product(factors=(first, *_)) | Ratio(above=first):
            return is_negative(first)
        case _:
            return False


def negated(node: Node) -> Node:
    """The formula with its sign changed at the front."""
    match node:
        case Number(value=value):
            return replace(node, value=-value)
        case Ratio(above=above, below=below):
            return Ratio(negated(above), below)
        case Product(factors=(Number(value=value), *rest)) if value == -1 and rest:
            return rest[0] if len(rest) == 1 else Product(tuple(rest))
        case Product(factors=(Number() as number, *rest)):
            return Product((negated(number), *rest))
        case Product(factors=factors):
            return Product((MINUS_ONE, *factors))
        case _:
            return Product((MINUS_ONE, node))


def terms_of(node: Node) -> tuple[Node, ...]:
    """The terms of a sum; of anything else, itself."""
    match node:
        case Sum(terms=terms):
            return terms
        case _:
            return (node,)


def factors_of(node: Node) -> tuple[Node, ...]:
    """The factors of a product; of anything else, itself."""
    match node:
        case Product(factors=factors):
            return factors
        case _:
            return (node,)


def _names(node: Node) -> tuple[str, ...]:
    """The fields that say what is written, not where or how."""
    return node.__match_args__


def parts(node: Node) -> Iterator[Node]:
    """The parts of a formula, one level down, in the order of the page."""
    for name in _names(node):
        yield from _nodes(getattr(node, name))


def _nodes(value: Any) -> Iterator[Node]:
    match value:
        case Node():
            yield value
        case tuple():
            for part in value:
                yield from _nodes(part)


def walk(node: Node) -> Iterator[Node]:
    """The formula and all its parts, outermost first."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += reversed([*parts(part)])


def mapped(node: Node, change: Callable[[Node], Node]) -> Node:
    """The formula with every part changed, innermost first."""
    return change(_rebuilt(node, lambda part: mapped(part, change)))


def replaced(node: Node, old: Node, new: Node) -> Node:
    """The formula with one part, that very object, exchanged for another."""
    return new if node is old else _rebuilt(node, lambda part: replaced(part, old, new))


def _rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """The formula with the parts one level down changed; the same object where none is."""
    before = {name: getattr(node, name) for name in _names(node)}
    after = {name: _changed(value, change) for name, value in before.items()}
    return node if all(after[name] is before[name] for name in before) else replace(node, **after)


def _changed(value: Any, change: Callable[[Node], Node]) -> Any:
    match value:
        case Node():
            return change(value)
        case tuple():
            items = tuple(_changed(item, change) for item in value)
            return value if all(a is b for a, b in zip(items, value, strict=True)) else items
        case _:
            return value
