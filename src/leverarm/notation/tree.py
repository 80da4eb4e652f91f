"""Formulas as trees: what is written, before it is decided how it is typeset.

A tree is plain data. It says which factors stand together and in which order; renderers turn it into text, Unicode,
LaTeX, MathML or code, and never rearrange it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Node:
    """A formula or a part of one."""


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A rational number."""

    value: Fraction


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


Angle = tuple[tuple[str, int], ...]
"""A sum of whole multiples of named angles: (("theta1", 1), ("theta2", 1))."""


@dataclass(frozen=True, slots=True)
class Trig(Node):
    """The cosine or sine of an angle; short forms write it c12, s12."""

    function: Literal["cos", "sin"]
    angle: Angle


@dataclass(frozen=True, slots=True)
class Call(Node):
    """Another function of a formula: sgn, tanh, sqrt, det; norm and abs are written as bars."""

    function: str
    argument: Node


@dataclass(frozen=True, slots=True)
class Sum(Node):
    """Terms added in this order; a term that starts with a negative number is subtracted."""

    terms: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Product(Node):
    """Factors in this order; only the first may be a number."""

    factors: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Power(Node):
    """A whole power, at least 2."""

    base: Node
    exponent: int


@dataclass(frozen=True, slots=True)
class Ratio(Node):
    """One formula over another."""

    above: Node
    below: Node


@dataclass(frozen=True, slots=True)
class Matrix(Node):
    """Rows of entries; a column vector has rows of one. It may be empty, as the parameters of an arm without mass."""

    rows: tuple[tuple[Node, ...], ...]

    @property
    def is_empty(self) -> bool:
        """Whether there are no entries."""
        return not any(self.rows)


@dataclass(frozen=True, slots=True)
class Of(Node):
    """A quantity shown with what it depends on: M(theta), c(theta, thetad). Or an operator on its operand: Ad_T(V)."""

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
    """A^-1."""

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
    """d(of)/d(by), with round d's."""

    of: Node
    by: Node


@dataclass(frozen=True, slots=True)
class TimeDerivative(Node):
    """d/dt of a formula, written out rather than dotted."""

    of: Node


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


ZERO, ONE = Number(Fraction(0)), Number(Fraction(1))


def column(entries: Sequence[Node]) -> Matrix:
    """A column vector."""
    return Matrix(tuple((entry,) for entry in entries))


def is_negative(node: Node) -> bool:
    """Whether the formula is written with a minus in front."""
    if isinstance(node, Number):
        return node.value < 0
    if isinstance(node, Product):
        return is_negative(node.factors[0])
    return isinstance(node, Ratio) and is_negative(node.above)


def negated(node: Node) -> Node:
    """The formula with its sign changed at the front."""
    if isinstance(node, Number):
        return Number(-node.value)
    if isinstance(node, Ratio):
        return Ratio(negated(node.above), node.below)
    if isinstance(node, Product):
        first, rest = node.factors[0], node.factors[1:]
        if isinstance(first, Number):
            value = -first.value
            if value == 1 and rest:
                return rest[0] if len(rest) == 1 else Product(rest)
            return Product((Number(value), *rest))
        return Product((Number(Fraction(-1)), *node.factors))
    return Product((Number(Fraction(-1)), node))


def mapped(node: Node, change: Callable[[Node], Node]) -> Node:
    """The formula with every part changed, innermost first."""
    parts = {field.name: getattr(node, field.name) for field in fields(node)}
    changed = {name: _mapped_part(part, change) for name, part in parts.items()}
    return change(node if changed == parts else replace(node, **changed))


def _mapped_part(part: Any, change: Callable[[Node], Node]) -> Any:
    if isinstance(part, tuple):
        return tuple(_mapped_part(item, change) for item in part)
    return mapped(part, change) if isinstance(part, Node) else part
