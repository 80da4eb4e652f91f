"""Written formulas in floats at one random state: thousands of changed formulas are tried in a moment.

What agrees here is then proven exactly; a float never decides.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from functools import reduce

from leverarm.mechanics import determinant
from leverarm.notation.tree import Call, Name, Node, Number, Of, Sum, parts, replaced, walk
from leverarm.scalars import Scalar
from leverarm.scalars.exact import HALF, Application, Cosine, Polynomial, Sine, evaluate, numerator_and_denominator
from leverarm.scalars.turn import Turn
from leverarm.verify.equations import algebra
from leverarm.verify.equations.algebra import ShapeError, Value, entries, is_table
from leverarm.verify.equations.evaluation import FOLDED, value_of
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.verdict import WrittenError

RELATIVE = 1e-9
"""Two sides that differ by less than this, relative to their size, are worth an exact comparison: far above the
rounding of a few hundred operations (1e-13), far below what two different formulas have in common by chance."""
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "tanh": math.tanh,
    "exp": math.exp,
    "sqrt": math.sqrt,
    "abs": abs,
    "sgn": lambda x: math.copysign(1.0, x),
}


class SampleError(ArithmeticError):
    """A formula without a number at the sampled state: a division by zero, shapes that do not fit, an overflow."""


def close(a: float, b: float) -> bool:
    """Whether two numbers may be the same but for rounding."""
    return abs(a - b) <= RELATIVE * (1e-3 + max(abs(a), abs(b)))


def same(a: Value, b: Value) -> bool:
    """Whether two values may be the same but for rounding."""
    first, second = list(entries(a)), list(entries(b))
    return len(first) == len(second) and all(map(close, first, second))


def combined(node: Node, found: Sequence[Value]) -> Value:
    """The number, or the matrix of numbers, of a formula from those of its parts."""
    try:
        match node:
            case Number():
                return float(node.value)
            case Call():
                return _function(node.function, found[0])
            case Of():
                return _checked(reduce(algebra.multiplied, found))
        return _checked(FOLDED[type(node)](node, found))
    except (ZeroDivisionError, OverflowError, ValueError, TypeError, ShapeError) as problem:
        raise SampleError(str(problem)) from None


def _function(name: str, argument: Value) -> Value:
    if name == "det":
        return _checked(determinant(algebra.rows_of(argument)))
    if name not in FUNCTIONS or is_table(argument):
        raise SampleError(f"{name} of {algebra.described(argument)} is not followed in floats")
    return _checked(FUNCTIONS[name](argument))


def _checked(value: Value) -> Value:
    if not all(abs(x) < 1e100 for x in entries(value)):
        raise SampleError("no finite number")
    return value


class State:
    """Random numbers for letters, the same for the same seed and name; conditions give some of them."""

    def __init__(self, seed: str, conditions: Mapping[str, Scalar]) -> None:
        self._seed = seed
        self._conditions = conditions
        self._numbers: dict[str, float] = {}

    def number(self, x: Scalar) -> float:
        """What an exact scalar is at this state."""
        above, below = numerator_and_denominator(x)
        return self._polynomial(above) / self._polynomial(below)

    def numbers(self, value: Value) -> Value:
        """What an exact value is at this state."""
        return algebra.mapped(value, self.number)

    def _polynomial(self, x: Scalar) -> float:
        match x:
            case Polynomial():
                for generator in x.generators():
                    name = generator.name
                    match generator:
                        case _ if name in self._numbers:
                            continue
                        case _ if generator.value is not None:
                            number = generator.value
                        case Cosine(angle=angle):
                            number = math.cos(self._named(angle))
                        case Sine(angle=angle):
                            number = math.sin(self._named(angle))
                        case Application(function=function, argument=argument) if function in FUNCTIONS:
                            number = FUNCTIONS[function](self.number(argument))
                        case _:
                            number = self._named(name)
                    self._numbers[name] = number
        return evaluate(x, self._numbers)

    def _named(self, name: str) -> float:
        if name.endswith(HALF):
            return self._named(name.removesuffix(HALF)) / 2
        match self._conditions.get(name):
            case None:
                return random.Random(f"{self._seed} {name}").uniform(0.55, 1.95)
            case Turn(cos=cos, sin=sin):
                return math.atan2(self.number(sin), self.number(cos))
            case given:
                return self.number(given)


class Sample:
    """A formula at one state, and what it becomes when one of its parts is another."""

    def __init__(self, root: Node, scope: Scope, state: State) -> None:
        self.root, self.scope, self.state = root, scope, state
        self._names: dict[Name, Value] = {}
        self._known: dict[int, Value] = {}
        self._products: dict[Node, bool] = {}
        self._parent: dict[int, Node] = {}
        for node in walk(root):
            for part in parts(node):
                self._parent[id(part)] = node
        self.value = self.of(root)

    def of(self, node: Node) -> Value:
        """The number of a part, or of a new formula that may hold parts."""
        if id(node) in self._known:
            return self._known[id(node)]
        value = self._value(node)
        if node is self.root or id(node) in self._parent:
            self._known[id(node)] = value
        return value

    def changed(self, old: Node, value: Value, new: Node | None = None) -> Value:
        """The formula's number when a part has another value; `new` is needed where a derivative is taken of it."""
        node = old
        while node is not self.root:
            parent = self._parent[id(node)]
            match parent:
                case Sum() if not any(map(is_table, (value, self.of(node), self.of(parent)))):
                    value = self.of(parent) - self.of(node) + value
                case _ if self._is_folded(parent):
                    value = combined(parent, [value if part is node else self.of(part) for part in parts(parent)])
                case _ if new is not None:
                    value = self._exact(replaced(parent, old, new))
                case _:
                    raise SampleError("a part of a derivative has no number of its own")
            node = parent
        return value

    def linear(self, node: Node, one: float = 1.0) -> list[tuple[float, float]]:
        """The formula's entries as functions a + b x of a scalar part x, where they are; else SampleError."""
        at = [list(entries(self.changed(node, x))) for x in (0.0, one, 3.0 * one)]
        pairs = [(zero, (first - zero) / one) for zero, first in zip(at[0], at[1], strict=True)]
        for (a, b), third in zip(pairs, at[2], strict=True):
            if not close(a + 3.0 * one * b, third):
                raise SampleError("not linear in this part")
        return pairs

    def _is_folded(self, node: Node) -> bool:
        match node:
            case Number() | Call():
                return True
            case Of():
                if node not in self._products:
                    self._products[node] = self._is_product(node)
                return self._products[node]
        return type(node) in FOLDED

    def _is_product(self, node: Of) -> bool:
        """Whether a name before a parenthesis is a product: the exact value says so."""
        if len(node.arguments) != 1:
            return False
        try:
            return same(combined(node, [self.of(part) for part in parts(node)]), self._exact(node))
        except SampleError:
            return False

    def _value(self, node: Node) -> Value:
        match node:
            case Name():
                if node not in self._names:
                    self._names[node] = self._exact(node)
                return self._names[node]
        if self._is_folded(node):
            return combined(node, [self.of(part) for part in parts(node)])
        return self._exact(node)

    def _exact(self, node: Node) -> Value:
        try:
            return _checked(self.state.numbers(value_of(node, self.scope)))
        except (WrittenError, ZeroDivisionError, OverflowError) as problem:
            raise SampleError(str(problem)) from None
