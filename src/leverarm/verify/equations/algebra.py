"""What a written formula stands for, an exact scalar or a table of them, and its arithmetic; what a name can stand for.

A table of one entry is never kept: it is that scalar, so q^T M q is a number. The number 0 stands for any zero table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import zip_longest
from math import comb
from typing import Any, TypeGuard, TypeVar

from leverarm.errors import LeverarmError
from leverarm.mechanics import adjugate, determinant
from leverarm.notation.tree import Name, Node, walk
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Polynomial, Quotient, in_whole_angles, is_exactly_zero

MAX_PRODUCT = 400_000
"""The most terms of a product before like terms are collected."""
MAX_POWER = 2_000
"""The most terms of a power; beyond that it is no formula of an arm."""
MAX_SUMS = 16
"""The most sums that are factors of one product."""
MANY_SUMS = 3
MAX_CHAIN = 40_000
"""The most terms of a product of more than MANY_SUMS sums, over all its steps."""


class ShapeError(LeverarmError):
    """Tables that cannot be added, multiplied or inverted, or numbers that cannot be divided."""


@dataclass(frozen=True, slots=True)
class Table:
    """A matrix of exact scalars; a vector is a column."""

    rows: tuple[tuple[Scalar, ...], ...]

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0])


Value = Any
"""A Scalar or a Table."""
N = TypeVar("N", bound=Node)


def table(rows: Sequence[Sequence[Scalar]]) -> Value:
    """Rows as a value: a table, or the scalar where there is only one."""
    if len(rows) == len(rows[0]) == 1:
        return rows[0][0]
    return Table(tuple(tuple(row) for row in rows))


def column(entries: Sequence[Scalar]) -> Value:
    """A vector as a value."""
    return table([[entry] for entry in entries])


def identity(size: int) -> Value:
    """The identity matrix."""
    return table([[int(i == j) for j in range(size)] for i in range(size)])


def is_table(value: Value) -> TypeGuard[Table]:
    """Whether a value is a matrix or a vector, and not a scalar."""
    return isinstance(value, Table)


def is_number(value: Value) -> TypeGuard[int | Fraction]:
    """Whether a value is a plain number, without letters."""
    return isinstance(value, int | Fraction)


def shape_of(value: Value) -> tuple[int, int]:
    """Rows and columns; of a scalar 1 and 1."""
    return value.shape if is_table(value) else (1, 1)


def rows_of(value: Value) -> list[list[Scalar]]:
    """The rows of a value; a scalar is one row of one."""
    return [list(row) for row in value.rows] if is_table(value) else [[value]]


def entries(value: Value) -> Iterator[Scalar]:
    """Every entry, row by row."""
    return (x for row in rows_of(value) for x in row)


def size(value: Value) -> int:
    """The terms of a value, above the line, all entries together."""
    return sum(0 if is_exactly_zero(x) else _terms(x) for x in entries(value))


def is_zero(value: Value) -> bool:
    """Whether every entry is exactly zero."""
    return all(is_exactly_zero(in_whole_angles(x)) for x in entries(value))


def mapped(value: Value, function: Callable[[Scalar], Scalar]) -> Value:
    """The function of every entry."""
    return table([[function(x) for x in row] for row in rows_of(value)])


def added(a: Value, b: Value) -> Value:
    """a + b."""
    match a, aligned(b, a):
        case Table(rows), Table() as other if a.shape == other.shape:
            return table([[x + y for x, y in zip(r, s, strict=True)] for r, s in zip(rows, other.rows, strict=True)])
        case _ if is_plain_zero(a):
            return b
        case _ if is_plain_zero(b):
            return a
        case (Table(), _) | (_, Table()):
            raise ShapeError(f"adds {described(a)} to {described(b)}")
    return a + b


def negated(a: Value) -> Value:
    """-a."""
    return mapped(a, lambda x: -x)


def subtracted(a: Value, b: Value) -> Value:
    """a - b."""
    return added(a, negated(b))


def aligned(value: Value, other: Value) -> Value:
    """A vector written as a row, as a column where the other is one, and the other way round."""
    is_turned = is_table(value) and 1 in value.shape and value.shape == shape_of(other)[::-1]
    return transposed(value) if is_turned else value


def multiplied(a: Value, b: Value) -> Value:
    """a b: of scalars, of a scalar and a table, of matrices."""
    if not is_table(a):
        return mapped(b, lambda x: product(a, x))
    if not is_table(b):
        return mapped(a, lambda x: product(x, b))
    if a.shape[1] != b.shape[0] and b.shape == (1, a.shape[1]):
        b = transposed(b)  # a vector written in one line
    if a.shape[1] != b.shape[0]:
        raise ShapeError(f"multiplies {described(a)} by {described(b)}")
    columns = list(zip(*b.rows, strict=True))
    return table([[_dot(row, entries) for entries in columns] for row in a.rows])


def multiplied_out(factors: Sequence[Value]) -> Value:
    """The product of factors, from the left; one of many sums is refused before it takes long."""
    sums = sum(_terms(x) > 1 for x in factors)
    if sums > MAX_SUMS:
        raise ShapeError(f"multiplies {sums} sums by each other; at most {MAX_SUMS} are multiplied out")
    result, work = factors[0], 0
    for factor in factors[1:]:
        work += _terms(result) * _terms(factor)
        if sums > MANY_SUMS and work > MAX_CHAIN:
            raise ShapeError(f"has more than {MAX_CHAIN:,} terms when its {sums} sums are multiplied out")
        result = multiplied(result, factor)
    return result


def transposed(a: Value) -> Value:
    """a^T; a scalar stays."""
    return table(list(zip(*rows_of(a), strict=True)))


def inverted(a: Value) -> Value:
    """a^-1."""
    if not is_table(a):
        return divided(1, a)
    if a.shape[0] != a.shape[1]:
        raise ShapeError(f"inverts {described(a)}, which is not square")
    below = determinant(rows_of(a))
    if is_exactly_zero(below):
        raise ShapeError("inverts a matrix whose determinant is zero")
    return table([[divided(x, below) for x in row] for row in adjugate(rows_of(a))])


def divided(a: Value, b: Value) -> Value:
    """a / b; b is a scalar."""
    if is_table(b):
        raise ShapeError(f"divides by {described(b)}")
    if is_exactly_zero(b):
        raise ShapeError("divides by something that is exactly zero")
    if is_number(b):
        return mapped(a, lambda x: x * (Fraction(1) / b))
    return mapped(a, lambda x: 0 if is_exactly_zero(x) else x / b)


def powered(a: Value, exponent: int) -> Value:
    """A whole power; the square of a vector is its length squared."""
    if exponent < 0:
        return powered(inverted(a), -exponent)
    if is_table(a) and a.shape[1] == 1 and exponent == 2:
        return multiplied(transposed(a), a)
    if (terms := max(_terms(x) for x in entries(a))) > 1 and comb(terms + exponent - 1, exponent) > MAX_POWER:
        raise ShapeError(f"has more than {MAX_POWER:,} terms when the power {exponent} is multiplied out")
    return reduce(multiplied, [a] * exponent) if exponent else 1


def crossed(a: Value, b: Value) -> Value:
    """a x b of vectors in space, or in the plane (then the part out of it)."""
    u, v = list(entries(a)), list(entries(b))
    if len(u) == len(v) == 2:
        return u[0] * v[1] - u[1] * v[0]
    if len(u) != 3 or len(v) != 3:
        raise ShapeError(f"takes the cross product of {described(a)} and {described(b)}")
    return column([u[i - 2] * v[i - 1] - u[i - 1] * v[i - 2] for i in range(3)])


def dotted(a: Value, b: Value) -> Value:
    """a . b: the sum of products of two vectors, or the product of scalars."""
    if not (is_table(a) and is_table(b)) or 1 not in a.shape or 1 not in b.shape:
        return multiplied(a, b)
    u, v = list(entries(a)), list(entries(b))
    if len(u) != len(v):
        raise ShapeError(f"takes the dot product of {described(a)} and {described(b)}")
    return _dot(u, v)


def skew(a: Value) -> Value:
    """The matrix of a cross product, S(a) b = a x b."""
    x, y, z = entries(a)
    return table([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def equal(a: Value, b: Value) -> bool:
    """Whether two values are the same, exactly; False also where their shapes differ."""
    try:
        return is_zero(subtracted(a, b))
    except ShapeError:
        return False


def fits(a: Value, b: Value) -> bool:
    """Whether two values can be compared."""
    b = aligned(b, a)
    return shape_of(a) == shape_of(b) or is_plain_zero(a) or is_plain_zero(b)


def described(value: Value) -> str:
    """The kind of a value in words: "a number", "a vector of 2", "a 2 x 3 matrix"."""
    rows, columns = shape_of(value)
    if (rows, columns) == (1, 1):
        return "a number"
    if columns == 1:
        return f"a vector of {rows}"
    return f"a row of {columns}" if rows == 1 else f"a {rows} x {columns} matrix"


def product(a: Scalar, b: Scalar) -> Scalar:
    """a b of scalars, refused where it would take forever."""
    if _terms(a) * _terms(b) > MAX_PRODUCT:
        raise ShapeError(f"has more than {MAX_PRODUCT:,} terms when it is multiplied out")
    return a * b


def _terms(x: Scalar) -> int:
    match x:
        case Polynomial():
            return len(x)
        case Quotient(numerator=above):
            return len(above)
    return 1


def _dot(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    total: Scalar = 0
    for x, y in zip_longest(a, b):
        total = total + product(x, y)
    return total


def is_plain_zero(x: Value) -> bool:
    """Whether a value is the number 0, which stands for any zero table."""
    return not is_table(x) and is_exactly_zero(x)


def letter_of(value: Value) -> str | None:
    """The name of the letter of the ring that an exact value is, "m1" or "theta1.d"; None of anything larger."""
    match value:
        case Polynomial() if len(value) == 1:
            letters, coefficient = next(value.terms())
            return letters[0][0].name if coefficient == 1 and len(letters) == 1 and letters[0][1] == 1 else None
    return None


def number_of(value: Value) -> Fraction | None:
    """The rational number that an exact value is; None of anything else."""
    match value:
        case int() | Fraction():
            return Fraction(value)
        case Polynomial():
            terms = list(value.terms())
            return terms[0][1] if len(terms) == 1 and not terms[0][0] else None
    return None


Find = Callable[[], Value]


@dataclass(frozen=True, slots=True)
class Meaning:
    """One thing that a name can stand for. The value is computed when it is asked for.

    `kind` tells readings apart that all names of a family share: c_1 and c_12 are both cosines, or both entries of C.
    `read_as` is what the name was taken for, where that is not plain: L_1 for the arm's "a1". A loose reading is of a
    letter that writers as well use for something of their own, such as h. `defined` is the name, with its dots, that
    the document itself defines: how its formula is read depends on where it is used.
    """

    kind: str
    about: str
    find: Find
    read_as: str = ""
    is_loose: bool = False
    defined: Name | None = None


Family = tuple[str, str, str, str]
"""Names that share their reading: letter, style, the pattern of the index and how the name is used."""


def pattern(lower: str) -> str:
    """An index with every digit alike: "c1" and "c2" are "c0"."""
    return "".join("0" if c.isdigit() else c for c in lower)


def every(kind: type[N], *formulas: Node) -> Iterator[N]:
    """The parts of one kind in formulas, outermost first."""
    return (part for formula in formulas for part in walk(formula) if isinstance(part, kind))


def spelled(name: Name) -> str:
    """The name as one word without marks: L_{c_1} is Lc1."""
    return plain(f"{name.letter}{name.lower}{name.upper}")


@lru_cache(maxsize=4096)
def plain(word: str) -> str:
    """A word without underscores, braces and other marks between its letters."""
    return "".join(c for c in word if c.isalnum())


def shown(name: Name) -> str:
    """The name in ASCII as a message shows it: L_1, q_1', M."""
    index = f"_{name.lower}" if name.lower else ""
    above = f"^{name.upper}" if name.upper else ""
    return f"{name.letter}{index}{above}{chr(39) * name.dots}"
