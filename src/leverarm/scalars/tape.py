"""A tape records what is computed: running an algorithm over its nodes gives the straight-line program it performs.

Equal expressions are one node (hash-consing). Constants fold, zeros and ones are absorbed and signs are pulled outward
as nodes are built: (-a) b is -(a b), a + (-b) is a - b, and of a - b and b - a only one exists. Quotients are products
with a shared reciprocal. A node is never zero: what cancels is the structural zero.

`evaluated` runs a tape over floats: the simplest interpreter, which also makes nodes comparable with other numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from leverarm.errors import NotFiniteError
from leverarm.scalars.floats import FLOAT
from leverarm.scalars.operations import ARITHMETIC, FUNCTIONS, Op
from leverarm.scalars.ring import Number, NumberSystem, Scalar, cos_sin, sign, tanh

_Key = tuple[Any, ...]


class Node:
    """A value of a program: an operation on other values. Made by a `Tape`; equal expressions are the same object."""

    __slots__ = ("args", "index", "op", "tape", "value")

    def __init__(self, tape: Tape, index: int, op: Op, args: tuple[Node, ...], value: float) -> None:
        self.tape = tape
        self.index = index
        self.op = op
        self.args = args
        self.value = value
        """The number of a constant, the position of an input."""

    def __repr__(self) -> str:
        if self.op is Op.CONST:
            return repr(self.value)
        if self.op is Op.INPUT:
            return self.tape.inputs[int(self.value)]
        return f"{self.op.name.lower()}({', '.join(map(repr, self.args))})"

    def __add__(self, other: Scalar) -> Scalar:
        b = self.tape.node(other)
        return NotImplemented if b is None else self.tape.add(self, b)

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> Scalar:
        b = self.tape.node(other)
        return NotImplemented if b is None else self.tape.subtract(self, b)

    def __rsub__(self, other: Scalar) -> Scalar:
        a = self.tape.node(other)
        return NotImplemented if a is None else self.tape.subtract(a, self)

    def __mul__(self, other: Scalar) -> Scalar:
        b = self.tape.node(other)
        return NotImplemented if b is None else self.tape.multiply(self, b)

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Scalar:
        b = self.tape.node(other)
        return NotImplemented if b is None else self.tape.divide(self, b)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        a = self.tape.node(other)
        return NotImplemented if a is None else self.tape.divide(a, self)

    def __neg__(self) -> Scalar:
        return self.tape.negate(self)


class Tape:
    """Where nodes live. Arguments always have a smaller index than what is made of them."""

    __slots__ = ("_nodes", "inputs", "length")

    def __init__(self) -> None:
        self.inputs: list[str] = []
        self.length = 0
        self._nodes: dict[_Key, Node] = {}

    def input(self, name: str) -> Node:
        """A new input of the program."""
        self.inputs.append(name)
        return self._new((Op.INPUT, len(self.inputs) - 1), Op.INPUT, (), len(self.inputs) - 1)

    def inputs_of(self, name: str, size: int) -> list[Scalar]:
        """The entries of an array as new inputs."""
        return [self.input(f"{name}[{k}]") for k in range(size)]

    def constant(self, value: Number) -> Node:
        """A number as a node. Callers see to it that it is not zero."""
        x = float(value)
        if not math.isfinite(x):
            raise NotFiniteError(
                "a constant of the program is too large for a float (1e308). Give the arm a smaller parameter."
            )
        return self._nodes.get((Op.CONST, x)) or self._new((Op.CONST, x), Op.CONST, (), x)

    def node(self, x: Scalar) -> Any:
        """A scalar as a node of this tape; the int 0 for a zero, None for what is no number of this tape."""
        if type(x) is Node:
            if x.tape is not self:
                raise ValueError("two nodes of different tapes met")
            return x
        if isinstance(x, int | float | Fraction):
            return self._number(_nearest(x))
        return None

    def add(self, a: Any, b: Any) -> Scalar:
        if a is _ZERO:
            return b
        if b is _ZERO:
            return a
        if b.op is Op.NEG:
            return self.subtract(a, b.args[0])
        if a.op is Op.NEG:
            return self.subtract(b, a.args[0])
        if a is b:
            return self.multiply(self.constant(2), a)
        if a.op is Op.CONST or b.op is Op.CONST:
            constant, other = (a, b) if a.op is Op.CONST else (b, a)
            if other.op is Op.CONST:
                return self._number(a.value + b.value)
            if other.op is Op.ADD and other.args[0].op is Op.CONST:
                return self.add(self.node(constant.value + other.args[0].value), other.args[1])
            if other.op is Op.SUB and other.args[0].op is Op.CONST:
                return self.subtract(self.node(constant.value + other.args[0].value), other.args[1])
            if other.op is Op.SUB and other.args[1].op is Op.CONST:
                return self.add(self.node(constant.value - other.args[1].value), other.args[0])
            return self._make(Op.ADD, constant, other)
        if a.op is Op.SUB and a.args[1] is b:
            return a.args[0]
        if b.op is Op.SUB and b.args[1] is a:
            return b.args[0]
        (m, x), (n, y) = _term(a), _term(b)
        if x is y:
            return self._scale(m + n, x)
        return self._make(Op.ADD, a, b) if a.index < b.index else self._make(Op.ADD, b, a)

    def subtract(self, a: Any, b: Any) -> Scalar:
        if b is _ZERO:
            return a
        if a is _ZERO:
            return self.negate(b)
        if b.op is Op.NEG:
            return self.add(a, b.args[0])
        if a.op is Op.NEG:
            return self.negate(self.add(a.args[0], b))
        if a is b:
            return 0
        if a.op is Op.CONST and b.op is Op.CONST:
            return self._number(a.value - b.value)
        if a.op is Op.ADD and b in a.args:
            return a.args[0] if a.args[1] is b else a.args[1]
        if b.op is Op.ADD and a in b.args:
            return self.negate(b.args[0] if b.args[1] is a else b.args[1])
        if b.op is Op.SUB and b.args[0] is a:
            return b.args[1]
        if a.op is Op.SUB and a.args[0] is b:
            return self.negate(a.args[1])
        (m, x), (n, y) = _term(a), _term(b)
        if x is y:
            return self._scale(m - n, x)
        return self._make(Op.SUB, a, b) if a.index < b.index else self.negate(self._make(Op.SUB, b, a))

    def multiply(self, a: Any, b: Any) -> Scalar:
        if a is _ZERO or b is _ZERO:
            return 0
        if a.op is Op.NEG:
            return self.negate(self.multiply(a.args[0], b))
        if b.op is Op.NEG:
            return self.negate(self.multiply(a, b.args[0]))
        if b.op is Op.CONST:
            a, b = b, a
        if a.op is Op.CONST:
            return self._scale(a.value, b)
        return self._make(Op.MUL, a, b) if a.index < b.index else self._make(Op.MUL, b, a)

    def _scale(self, factor: float, x: Node) -> Scalar:
        """A number times a node; the number that stays is positive."""
        if factor == 0:
            return 0
        if x.op is Op.CONST:
            return self._number(factor * x.value)
        if x.op is Op.MUL and x.args[0].op is Op.CONST:
            return self._scale(factor * x.args[0].value, x.args[1])
        if factor < 0:
            scaled = self._scale(-factor, x)
            return self.negate(scaled)
        return x if factor == 1 else self._make(Op.MUL, self.constant(factor), x)

    def divide(self, a: Any, b: Any) -> Scalar:
        """a / b as a times the reciprocal of b, which other quotients share."""
        if b is _ZERO:
            raise ZeroDivisionError("division by a structural zero")
        if b.op is Op.CONST:
            return self.multiply(a, self.constant(1 / b.value))
        if b.op is Op.NEG:
            return self.negate(self.divide(a, b.args[0]))
        return self.multiply(a, self._make(Op.DIV, self.constant(1), b))

    def negate(self, a: Any) -> Any:
        if a is _ZERO:
            return 0
        if a.op is Op.NEG:
            return a.args[0]
        return self.constant(-a.value) if a.op is Op.CONST else self._make(Op.NEG, a)

    def apply(self, op: Op, x: Scalar) -> Scalar:
        """A function of one value: of a number it is one, and even and odd functions hand a sign on."""
        a = self.node(x)
        if a is _ZERO or a.op is Op.CONST:
            return FUNCTIONS[op](0.0 if a is _ZERO else a.value)
        if a.op is Op.NEG:
            inside = self.apply(op, a.args[0])
            return inside if op is Op.COS else -inside
        return self._make(op, a)

    def _number(self, value: float) -> Scalar:
        return self.constant(value) if value else 0

    def _make(self, op: Op, *args: Node) -> Node:
        key = (op, *[a.index for a in args])
        return self._nodes.get(key) or self._new(key, op, args, 0)

    def _new(self, key: _Key, op: Op, args: tuple[Node, ...], value: float) -> Node:
        node = self._nodes[key] = Node(self, self.length, op, args, value)
        self.length += 1
        return node


def _nearest(x: Number) -> float:
    try:
        return float(x)
    except OverflowError:
        return math.inf


def _term(node: Node) -> tuple[float, Node]:
    """A node as a number times another."""
    if node.op is Op.MUL and node.args[0].op is Op.CONST:
        return node.args[0].value, node.args[1]
    return 1.0, node


_ZERO = 0


def live_nodes(outputs: Iterable[Scalar]) -> list[Node]:
    """The nodes that the outputs depend on, arguments first."""
    seen: dict[int, Node] = {}
    waiting = [x for x in outputs if type(x) is Node]
    while waiting:
        node = waiting.pop()
        if node.index not in seen:
            seen[node.index] = node
            waiting.extend(node.args)
    return [seen[index] for index in sorted(seen)]


@cos_sin.register
def _(angle: Node) -> tuple[Scalar, Scalar]:
    return angle.tape.apply(Op.COS, angle), angle.tape.apply(Op.SIN, angle)


@sign.register
def _(speed: Node) -> Scalar:
    return speed.tape.apply(Op.SIGN, speed)


@tanh.register
def _(x: Node) -> Scalar:
    return x.tape.apply(Op.TANH, x)


def evaluated(outputs: Sequence[Scalar], inputs: Mapping[str, float]) -> list[float]:
    """The outputs as floats at the given inputs: the plainest way to run a tape."""
    values: dict[int, float] = {}
    for node in live_nodes(outputs):
        a = [values[arg.index] for arg in node.args]
        if node.op is Op.CONST:
            values[node.index] = node.value
        elif node.op is Op.INPUT:
            values[node.index] = inputs[node.tape.inputs[int(node.value)]]
        elif node.op in FUNCTIONS:
            values[node.index] = FUNCTIONS[node.op](a[0])
        else:
            values[node.index] = ARITHMETIC[node.op](*a)
    return [values[x.index] if type(x) is Node else float(x) for x in outputs]


_SAMPLES = Tape()
"""Inputs named by their value, so that a node can be compared with another system's number."""


@cache
def _sample(half_tangent: Fraction) -> Node:
    return _SAMPLES.input(repr(FLOAT.angle(half_tangent)))


def _approximate(x: Scalar) -> float:
    return evaluated([x], {name: float(name) for name in _SAMPLES.inputs})[0]


TAPE = NumberSystem("tape", FLOAT.lift, FLOAT.turn, FLOAT.direction, _sample, _approximate)
