"""Formulas as Python source, and as functions of NumPy arrays.

A function is a short program of NumPy operations made from the tree; no source is executed. Common subexpressions are
computed once, and registers are reused, so that a batch needs little memory.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from leverarm.errors import ExpressionError, InputError, NotFiniteError
from leverarm.notation import tree
from leverarm.notation.names import FUNCTIONS, FURTHER_FUNCTIONS, constant_angle, python_name, signed_multiples
from leverarm.notation.precedence import signed
from leverarm.notation.text import number_text, signed_sum
from leverarm.notation.tree import Node
from leverarm.notation.vocabulary import Angle

SUM, PRODUCT, UNARY, POWER, ATOM = range(5)
"""How tightly the outermost operation of a piece of source binds."""

Written = tuple[str, int]


def to_python(node: Node, module: str = "np") -> str:
    """The formula as a Python expression of its symbols: np.cos(theta1 + theta2)*thetad1.

    `module` is the name of NumPy, or of a module with the same functions, in the surrounding code. Raises
    ExpressionError where the formula has no value.
    """
    return _write(node, module)[0]


def no_value(node: Node) -> ExpressionError:
    """The error for a formula that cannot be computed."""
    return ExpressionError(
        f"a formula of the kind {type(node).__name__} cannot be computed. Give a formula of numbers, a matrix of "
        "them, or one side of an equation."
    )


def _write(node: Node, module: str) -> Written:
    match node:
        case tree.Matrix(rows=rows):
            inside = ", ".join("[" + ", ".join(_write(entry, module)[0] for entry in row) + "]" for row in rows)
            return f"{module}.array([{inside}])", ATOM
        case tree.Equation(sides=(only,)):
            return _write(only, module)
        case tree.Labelled(of=of):
            return _write(of, module)
        case tree.Number(value=value, is_decimal=is_decimal):
            return _number(value, is_decimal)
        case tree.Symbol():
            return python_name(node.name, node.dots), ATOM
        case tree.Trig(function=function, angle=angle):
            return f"{module}.{function}({_angle(angle)})", ATOM
        case tree.Call(function=function, argument=argument):
            return _call(node, function, _write(argument, module)[0], module), ATOM
        case tree.Sum(terms=terms):
            return signed_sum(map(signed, terms), lambda size: _within(size, module, PRODUCT)), SUM
        case tree.Product(factors=factors):
            return _product(factors, module)
        case tree.Power(base=base, exponent=exponent):
            return f"{_within(base, module, ATOM)}**{exponent}", POWER
        case tree.Ratio(above=above, below=below):
            return f"{_within(above, module, PRODUCT)}/{_within(below, module, POWER)}", PRODUCT
        case _:
            raise no_value(node)


def _within(node: Node, module: str, level: int) -> str:
    source, binds = _write(node, module)
    return source if binds >= level else f"({source})"


def _number(value: Fraction, is_decimal: bool) -> Written:
    text = number_text(value, is_decimal)
    return text, UNARY if value < 0 and "/" not in text else PRODUCT if "/" in text else ATOM


def _angle(angle: Angle) -> str:
    terms = []
    for is_minus, times, name in signed_multiples(angle):
        symbol = name if constant_angle(name) is not None else python_name(name)
        terms.append((is_minus, symbol if times == 1 else f"{times}*{symbol}"))
    return signed_sum(terms)


def _call(node: Node, function: str, argument: str, module: str) -> str:
    if function not in FUNCTIONS_OF_NUMPY:
        raise no_value(node)
    return f"{module}.{FUNCTIONS_OF_NUMPY[function]}({argument})"


def _product(factors: tuple[Node, ...], module: str) -> Written:
    is_minus = len(factors) > 1 and factors[0] == tree.MINUS_ONE
    first, *rest = factors[is_minus:]
    source = "*".join((_within(first, module, PRODUCT), *(_within(factor, module, UNARY) for factor in rest)))
    return "-" * is_minus + source, PRODUCT


OTHERWISE = {"sgn": "sign", "asin": "arcsin", "acos": "arccos", "atan": "arctan"}
FUNCTIONS_OF_NUMPY = {name: OTHERWISE.get(name, name) for name in (*FUNCTIONS, *FURTHER_FUNCTIONS)}
"""What NumPy calls each function."""

Operation = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class NumpyFunction:
    """A function of the named arguments, in their order. Arguments are numbers or arrays that broadcast together.

    The result has their common shape; a matrix of formulas adds two axes behind it, rows and columns.
    """

    arguments: tuple[str, ...]
    shape: tuple[int, int] | None
    """Rows and columns of a matrix."""
    size: int
    """The number of registers."""
    constants: tuple[tuple[int, float], ...]
    steps: tuple[tuple[Operation, int, int, int], ...]
    """(operation, register of the result, registers of the operands; the second is -1 where there is one)."""
    results: tuple[int, ...]

    def __call__(self, *values: Any) -> Any:
        """The value of the formula. Raises InputError where the number of arguments is wrong."""
        import numpy as np

        if len(values) != len(self.arguments):
            raise InputError(
                f"this formula takes {len(self.arguments)} arguments ({', '.join(self.arguments)}), not {len(values)}."
            )
        registers: list[Any] = [None] * self.size
        for i, value in enumerate(values):
            registers[i] = value if isinstance(value, float) else _as_floats(value)
        shape = np.broadcast_shapes(
            *(value.shape for value in registers[: len(values)] if isinstance(value, np.ndarray))
        )
        for i, constant in self.constants:
            registers[i] = constant
        for operation, out, a, b in self.steps:
            registers[out] = operation(registers[a]) if b < 0 else operation(registers[a], registers[b])
        if self.shape is None:
            result = registers[self.results[0]]
            return result if getattr(result, "shape", ()) == shape else np.broadcast_to(result, shape).copy()
        entries = np.empty((*shape, len(self.results)))
        for k, register in enumerate(self.results):
            entries[..., k] = registers[register]
        return entries.reshape((*shape, *self.shape))


def compile_numpy(node: Node, argument_names: Sequence[str]) -> NumpyFunction:
    """The formula, or the matrix of formulas, as a function of its symbols: theta1, thetad1 and so on, as in text.

    Raises InputError where a symbol is not among the arguments, ExpressionError where the formula cannot be computed.
    """
    arguments = tuple(argument_names)
    if len(set(arguments)) != len(arguments):
        raise InputError(f"the arguments {', '.join(arguments)} are not all different. Name each once.")
    program = _Program(arguments, len(arguments))
    while True:
        match node:
            case tree.Labelled(of=inner) | tree.Equation(sides=(inner,)):
                node = inner
            case tree.Matrix(rows=rows):
                shape = (len(rows), len(rows[0]) if rows else 0)
                return program.allocated([program.value(entry) for row in rows for entry in row], shape)
            case _:
                return program.allocated([program.value(node)], None)


def _as_float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        digits = len(str(abs(int(value))))
        raise NotFiniteError(
            f"the formula holds a number of {digits} digits, which leaves the range of floats (1e308). Give the arm "
            "smaller numbers, or read the exact value."
        ) from None


def _as_floats(value: Any) -> Any:
    import numpy as np

    array = np.asarray(value)
    array = array.astype(float) if array.dtype.kind in "iub" else array
    return array if array.ndim else array[()]


@dataclass(slots=True)
class _Program:
    """Values numbered in the order they are made: arguments first, then constants and results of steps."""

    arguments: tuple[str, ...]
    count: int
    constants: dict[float, int] = field(default_factory=dict)
    steps: dict[tuple[Operation, int, int], int] = field(default_factory=dict)
    letters: dict[Node, int] = field(default_factory=dict)

    def constant(self, value: float) -> int:
        return self._numbered(self.constants, value)

    def step(self, operation: Operation, a: int, b: int = -1) -> int:
        return self._numbered(self.steps, (operation, a, b))

    def _numbered(self, made: dict[Any, int], key: Any) -> int:
        if key not in made:
            made[key] = self.count
            self.count += 1
        return made[key]

    def argument(self, name: str) -> int:
        if name not in self.arguments:
            raise InputError(
                f"the formula has the symbol {name}, which is not among the arguments {', '.join(self.arguments)}."
            )
        return self.arguments.index(name)

    def value(self, node: Node) -> int:
        match node:
            case tree.Symbol() | tree.Trig():
                if node not in self.letters:
                    self.letters[node] = self._computed(node)
                return self.letters[node]
            case _:
                return self._computed(node)

    def _computed(self, node: Node) -> int:
        import numpy as np

        functions = {name: getattr(np, there) for name, there in FUNCTIONS_OF_NUMPY.items()}
        match node:
            case tree.Labelled(of=of):
                return self.value(of)
            case tree.Number(value=value):
                return self.constant(_as_float(value))
            case tree.Symbol():
                return self.argument(python_name(node.name, node.dots))
            case tree.Trig(function=function, angle=angle):
                return self.step(functions[function], self._angle(angle))
            case tree.Call(function=function, argument=argument) if function in functions:
                return self.step(functions[function], self.value(argument))
            case tree.Sum(terms=(first, *rest)):
                total = self.value(first)
                for term in rest:
                    total = self._added(total, term)
                return total
            case tree.Product(factors=(first, *rest)):
                return self._folded(operator.mul, [self.value(factor) for factor in (first, *rest)])
            case tree.Power(base=base, exponent=exponent):
                return self._power(self.value(base), exponent)
            case tree.Ratio(above=above, below=below):
                return self.step(operator.truediv, self.value(above), self.value(below))
            case _:
                raise no_value(node)

    def _added(self, total: int, term: Node) -> int:
        """total + term; a term that only carries a minus is subtracted."""
        match term:
            case tree.Product(factors=(tree.Number(value=value), *rest)) if value == -1 and rest:
                return self.step(operator.sub, total, self.value(tree.Product(tuple(rest))))
            case _:
                return self.step(operator.add, total, self.value(term))

    def _folded(self, operation: Operation, values: list[int]) -> int:
        total = values[0]
        for value in values[1:]:
            total = self.step(operation, total, value)
        return total

    def _power(self, base: int, exponent: int) -> int:
        """By squaring."""
        if exponent == 1:
            return base
        half = self._power(base, exponent // 2)
        square = self.step(operator.mul, half, half)
        return self.step(operator.mul, square, base) if exponent % 2 else square

    def _angle(self, angle: Angle) -> int:
        terms = []
        for name, times in angle:
            number = constant_angle(name)
            value = self.argument(python_name(name)) if number is None else self.constant(number)
            terms.append(value if times == 1 else self.step(operator.mul, self.constant(float(times)), value))
        return self._folded(operator.add, terms)

    def allocated(self, results: list[int], shape: tuple[int, int] | None) -> NumpyFunction:
        """The program with registers in place of numbered values: one that is read for the last time is free again."""
        last = dict.fromkeys(results, len(self.steps))
        for k, (_, a, b) in enumerate(self.steps):
            last[a], last[b] = max(last.get(a, 0), k), max(last.get(b, 0), k)
        place = {i: i for i in range(len(self.arguments))}
        place |= {value: len(self.arguments) + k for k, value in enumerate(self.constants.values())}
        size, free, steps = len(place), [], []
        fixed = set(place.values())
        for k, ((operation, a, b), value) in enumerate(self.steps.items()):
            free += [place[done] for done in {a, b} - {-1} if last[done] == k and place[done] not in fixed]
            if not free:
                free.append(size)
                size += 1
            place[value] = free.pop()
            steps.append((operation, place[value], place[a], place.get(b, -1)))
        constants = tuple((place[register], value) for value, register in self.constants.items())
        return NumpyFunction(
            self.arguments, shape, size, constants, tuple(steps), tuple(place[result] for result in results)
        )
