"""A program as sums of products: a value that only one other needs is written out where it is needed.

What is left are definitions `x := +- a b c +- d e ...` over inputs, constants, functions and other definitions: the
form in which common parts and common factors show, in whatever order they were computed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import frexp, prod

from leverarm.compiler.program import Instruction
from leverarm.scalars.operations import Op

Product = tuple[int, ...]
"""Symbols that are multiplied, in rising order, at most one of them a constant. The empty product is one."""

Sum = dict[Product, int]
"""Products that are added (1) or subtracted (-1)."""

SIGNIFICANT_BITS = 50
"""Constants that agree to this many bits are one: they were computed in different orders."""

_CONST = Op.CONST  # a member of an enumeration is found slowly by Python 3.11


@dataclass(slots=True)
class Polynomials:
    """Numbered symbols: leaves (inputs, positive constants, functions and quotients of symbols) and defined sums.

    A result is a symbol and its sign; the sign is 0 where the result is zero.
    """

    leaves: dict[int, Instruction] = field(default_factory=dict)
    sums: dict[int, Sum] = field(default_factory=dict)
    results: list[tuple[int, int]] = field(default_factory=list)
    constants: dict[tuple[int, int], int] = field(default_factory=dict)
    size: int = 0

    def symbol(self) -> int:
        """A new symbol."""
        self.size += 1
        return self.size - 1

    def constant(self, value: float) -> int:
        """The symbol of a positive number; numbers that differ by rounding only share one."""
        mantissa, exponent = frexp(value)
        key = round(mantissa * 2**SIGNIFICANT_BITS), exponent
        if key not in self.constants:
            self.constants[key] = self.leaf(Instruction(Op.CONST, (), value))
        return self.constants[key]

    def leaf(self, instruction: Instruction) -> int:
        symbol = self.symbol()
        self.leaves[symbol] = instruction
        return symbol

    def times(self, p: Product, q: Product) -> Product:
        """The product of two products; their constants become one."""
        numbers = [x for x in (*p, *q) if x in self.leaves and self.leaves[x].op is _CONST]
        if len(numbers) < 2:
            return tuple(sorted((*p, *q)))
        rest = [x for x in (*p, *q) if x not in numbers]
        number = prod(self.leaves[x].value for x in numbers)
        return tuple(sorted(rest if number == 1 and rest else (*rest, self.constant(number))))

    def needs(self, symbol: int) -> list[int]:
        """The symbols in its definition."""
        if symbol in self.leaves:
            return list(self.leaves[symbol].args)
        return [x for product in self.sums[symbol] for x in product]

    def in_order(self) -> list[int]:
        """The symbols that the results need, each after what it is made of."""
        done: dict[int, None] = {}
        for result, _ in self.results:
            waiting = [result]
            while waiting:
                x = waiting[-1]
                missing = [] if x in done else [y for y in self.needs(x) if y not in done]
                if missing:
                    waiting.extend(missing)
                else:
                    done[waiting.pop()] = None
        return list(done)
