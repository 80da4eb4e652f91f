"""Arithmetic of written formulas in plain floats: sums, products, powers, matrices.

Written formulas in plain floats at one random state: thousands of changed formulas are tried in a moment.

What agrees here is then proven exactly; a float never decides.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence

from leverarm.mechanics import determinant
from leverarm.notation.reading.tree import (
    Applied,
    Between,
    Function,
    Inverse,
    Matrix,
    Name,
    Negative,
    Node,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Transposed,
    parts,
    replaced,
    walk,
)
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Application, Cosine, Generator, Polynomial, Sine, evaluate, numerator_and_denominator
from leverarm.scalars.turn import Turn
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.values import Table, Value
from leverarm.verify.equations.verdict import WrittenError

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


class State:
    """Random numbers for letters, the same for the same seed and name; conditions give some of them."""

    def __init__(self, seed: str, conditions: Mapping[str, Scalar]) -> None:
        self._seed = seed
        self._conditions = conditions
        self._numbers: dict[str, float] = {}

    def number(self, x: Scalar) -> float:
        """What an exact scalar is at this state."""
        above, below = numerator_and_denominator(x)
        return self._polynomial(above) / (1.0 if isinstance(below, int) else self._polynomial(below))

    def numbers(self, value: Value) -> Float:
        """What an exact value is at this state."""
        if isinstance(value, Table):
            return tuple(tuple(self.number(x) for x in row) for row in value.rows)
        return self.number(value)

    def _polynomial(self, x: Scalar) -> float:
        if isinstance(x, Polynomial):
            for generator in x.generators():
                if generator.name not in self._numbers:
                    self._numbers[generator.name] = self._letter(generator)
        return evaluate(x, self._numbers)

    def _letter(self, generator: Generator) -> float:
        if generator.value is not None:
            return generator.value
        if isinstance(generator, Cosine | Sine):
            cosine, sine = self._turn(generator.angle)
            return cosine if isinstance(generator, Cosine) else sine
        if isinstance(generator, Application) and generator.function in FUNCTIONS:
            return FUNCTIONS[generator.function](self.number(generator.argument))
        return self._named(generator.name)

    def _turn(self, angle: str) -> tuple[float, float]:
        given = self._conditions.get(angle)
        if isinstance(given, Turn):
            return self.number(given.cos), self.number(given.sin)
        return math.cos(self._named(angle)), math.sin(self._named(angle))

    def _named(self, name: str) -> float:
        given = self._conditions.get(name)
        if isinstance(given, Turn):
            return math.atan2(self.number(given.sin), self.number(given.cos))
        if given is not None:
            return self.number(given)
        return random.Random(f"{self._seed} {name}").uniform(0.55, 1.95)


class Sample:
    """A formula at one state, and what it becomes when one of its parts is another."""

    def __init__(self, root: Node, scope: Scope, state: State) -> None:
        self.root, self.scope, self.state = root, scope, state
        self._names: dict[tuple[str, str, str, int, str], Float] = {}
        self._known: dict[int, Float] = {}
        self._products: dict[int, bool] = {}
        self._parent: dict[int, Node] = {}
        for node in walk(root):
            for part in parts(node):
                self._parent[id(part)] = node
        self.value = self.of(root)

    def of(self, node: Node) -> Float:
        """The number of a part, or of a new formula that may hold parts."""
        if id(node) in self._known:
            return self._known[id(node)]
        value = self._value(node)
        if node is self.root or id(node) in self._parent:
            self._known[id(node)] = value
        return value

    def changed(self, old: Node, value: Float, new: Node | None = None) -> Float:
        """The formula's number when a part has another value; `new` is needed where a derivative is taken of it."""
        node = old
        while node is not self.root:
            parent = self._parent[id(node)]
            if self._is_folded(parent):
                found = [value if part is node else self.of(part) for part in parts(parent)]
                value = checked(combined(parent, found))
            elif new is not None:
                value = self._exact(replaced(parent, old, new))
            else:
                raise SampleError("a part of a derivative has no number of its own")
            node = parent
        return value

    def changed_at(self, changes: Sequence[tuple[Node, Node]]) -> Float:
        """The formula's number when several parts that lie apart are others."""
        put = {id(old): self.of(new) for old, new in changes}
        above = {id(node) for old, _ in changes for node in self.chain(old)[1:]}

        def value(node: Node) -> Float:
            if id(node) in put:
                return put[id(node)]
            if id(node) not in above:
                return self.of(node)
            if self._is_folded(node):
                return checked(combined(node, [value(part) for part in parts(node)]))
            for old, new in changes:
                node = replaced(node, old, new)
            return self._exact(node)

        return value(self.root)

    def linear(self, node: Node, one: float = 1.0) -> list[tuple[float, float]]:
        """The formula's entries as functions a + b x of a scalar part x, where they are; else SampleError."""
        at = [flat(self.changed(node, x)) for x in (0.0, one, 3.0 * one)]
        pairs = [(zero, (first - zero) / one) for zero, first in zip(at[0], at[1], strict=True)]
        for (a, b), third in zip(pairs, at[2], strict=True):
            if not close(a + 3.0 * one * b, third):
                raise SampleError("not linear in this part")
        return pairs

    def chain(self, node: Node) -> list[Node]:
        """The part and all that holds it, up to the whole formula."""
        found = [node]
        while found[-1] is not self.root:
            found.append(self._parent[id(found[-1])])
        return found

    def _is_folded(self, node: Node) -> bool:
        if not isinstance(node, Applied):
            return isinstance(node, FOLDED)
        if id(node) not in self._parent and node is not self.root:
            return self._is_product(node)
        if id(node) not in self._products:
            self._products[id(node)] = self._is_product(node)
        return self._products[id(node)]

    def _is_product(self, node: Applied) -> bool:
        """Whether a name before a parenthesis is a product: the exact value says so."""
        if len(node.arguments) != 1:
            return False
        try:
            return same(product([self.of(part) for part in parts(node)]), self._exact(node))
        except SampleError:
            return False

    def _value(self, node: Node) -> Float:
        if isinstance(node, Name):
            return self._name(node)
        if self._is_folded(node):
            return checked(combined(node, [self.of(part) for part in parts(node)]))
        return self._exact(node)

    def _name(self, node: Name) -> Float:
        key = (node.letter, node.lower, node.upper, node.dots, node.style)
        if key not in self._names:
            self._names[key] = self._exact(node)
        return self._names[key]

    def _exact(self, node: Node) -> Float:
        try:
            return checked(self.state.numbers(value_of(node, self.scope)))
        except (WrittenError, ZeroDivisionError, OverflowError) as problem:
            raise SampleError(str(problem)) from None
