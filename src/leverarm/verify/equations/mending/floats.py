"""Arithmetic of written formulas in plain floats: sums, products, powers, matrices."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from leverarm.mechanics import determinant
from leverarm.notation.reading.as_written import (
    Applied,
    Between,
    Function,
    Inverse,
    Matrix,
    Negative,
    Node,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Transposed,
)

Rows = tuple[tuple[float, ...], ...]
Float = float | Rows
"""A number, or the numbers of a matrix."""

RELATIVE = 1e-9
"""Two sides that differ by less than this, relative to their size, are worth an exact comparison: far above the
rounding of a few hundred operations (1e-13), far below what two different formulas have in common by chance."""
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "tanh": math.tanh,
    "exp": math.exp,
    "abs": abs,
    "sgn": lambda x: math.copysign(1.0, x),
}
FOLDED = (Number, Negative, Sum, Product, Quotient, Power, Function, Matrix, Transposed, Inverse, Between)
"""The nodes whose number follows from those of their parts. Of any other the exact value is taken."""


class SampleError(ArithmeticError):
    """A formula without a number at the sampled state: a division by zero, shapes that do not fit, an overflow."""


def flat(value: Float) -> list[float]:
    """The entries of a matrix, row by row; a number alone is one entry."""
    return [x for row in value for x in row] if isinstance(value, tuple) else [value]


def close(a: float, b: float) -> bool:
    """Whether two numbers may be the same but for rounding."""
    return abs(a - b) <= RELATIVE * (1e-3 + max(abs(a), abs(b)))


def same(a: Float, b: Float) -> bool:
    """Whether two values may be the same but for rounding."""
    first, second = flat(a), flat(b)
    return len(first) == len(second) and all(map(close, first, second))


def checked(value: Float) -> Float:
    if not all(abs(x) < 1e100 for x in flat(value)):
        raise SampleError("no finite number")
    return value


def combined(node: Node, found: Sequence[Float]) -> Float:
    """The number of a node from those of its parts."""
    try:
        return _combined(node, found)
    except (ZeroDivisionError, OverflowError, ValueError, TypeError) as problem:
        raise SampleError(str(problem)) from None


def _combined(node: Node, found: Sequence[Float]) -> Float:
    match node:
        case Number():
            return float(node.value)
        case Negative():
            return _times(-1.0, found[0])
        case Sum():
            return _total(found)
        case Product() | Applied():
            return product(found)
        case Quotient():
            return _times(1.0 / _scalar(found[1]), found[0])
        case Power():
            return _power(found[0], node.exponent)
        case Function():
            return _function(node.name, found[0])
        case Matrix():
            width = len(node.rows[0])
            entries = [_scalar(x) for x in found]
            return _plain(tuple(tuple(entries[i : i + width]) for i in range(0, len(entries), width)))
        case Transposed():
            return tuple(zip(*found[0], strict=True)) if isinstance(found[0], tuple) else found[0]
        case Inverse():
            return _inverse(found[0]) if isinstance(found[0], tuple) else 1.0 / found[0]
        case Between():
            return _between(node, found[0], found[1])
    raise SampleError(f"no number for {type(node).__name__}")


def _function(name: str, argument: Float) -> Float:
    if name == "det":
        return determinant([list(row) for row in argument]) if isinstance(argument, tuple) else argument
    if name == "sqrt":
        return math.sqrt(_scalar(argument))
    if name not in FUNCTIONS:
        raise SampleError(f"{name} is not followed in floats")
    return FUNCTIONS[name](_scalar(argument))


def _scalar(x: Float) -> float:
    if isinstance(x, tuple):
        raise SampleError("a matrix where a number is needed")
    return x


def _plain(rows: Rows) -> Float:
    """A matrix of one entry is that number."""
    return rows[0][0] if len(rows) == len(rows[0]) == 1 else rows


def _times(factor: float, x: Float) -> Float:
    return tuple(tuple(factor * y for y in row) for row in x) if isinstance(x, tuple) else factor * x


def _total(found: Iterable[Float]) -> Float:
    terms = list(found)
    if not any(isinstance(x, tuple) for x in terms):
        return sum(terms)  # type: ignore[arg-type]
    rows = [x for x in terms if isinstance(x, tuple)]
    if len({(len(x), len(x[0])) for x in rows}) != 1 or any(x for x in terms if not isinstance(x, tuple)):
        raise SampleError("matrices of different shapes are added")
    return tuple(tuple(map(sum, zip(*lines, strict=True))) for lines in zip(*rows, strict=True))


def product(found: Sequence[Float]) -> Float:
    total: Float = 1.0
    for x in found:
        total = _pair(total, x)
    return total


def _pair(a: Float, b: Float) -> Float:
    if not isinstance(a, tuple):
        return _times(a, b)
    if not isinstance(b, tuple):
        return _times(b, a)
    if len(a[0]) != len(b) == 1 and len(a[0]) == len(b[0]):
        b = tuple(zip(*b, strict=True))  # a vector written in one line
    if len(a[0]) != len(b):
        raise SampleError("matrices that do not fit are multiplied")
    columns = list(zip(*b, strict=True))
    return _plain(tuple(tuple(sum(x * y for x, y in zip(row, c, strict=True)) for c in columns) for row in a))


def _power(base: Float, exponent: int) -> Float:
    if not isinstance(base, tuple):
        return float(base**exponent)
    if len(base) == 1 or len(base[0]) == 1:
        if exponent == 2:  # the square of a vector is that of its length
            return math.fsum(x * x for x in flat(base))
        raise SampleError("a power of a vector")
    return product([_inverse(base) if exponent < 0 else base] * abs(exponent))


def _inverse(a: Rows) -> Rows:
    """Gauss and Jordan, with pivots."""
    n = len(a)
    rows = [[*row, *(float(i == j) for j in range(n))] for i, row in enumerate(a)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k], strict=True)]
    return tuple(tuple(row[n:]) for row in rows)


def _between(node: Between, a: Float, b: Float) -> Float:
    x, y = flat(a), flat(b)
    if len(x) != len(y):
        raise SampleError("vectors of different lengths")
    if node.sign == "dot":
        return math.fsum(p * q for p, q in zip(x, y, strict=True))
    if len(x) != 3:
        raise SampleError("a cross product needs three entries")
    return tuple((x[(i + 1) % 3] * y[(i + 2) % 3] - x[(i + 2) % 3] * y[(i + 1) % 3],) for i in range(3))
