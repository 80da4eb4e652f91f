"""Converts sums of products back to a program."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush

from leverarm.compiler.passes.polynomials import Polynomials, Product, Sum
from leverarm.compiler.program import Instruction, Program
from leverarm.scalars.operations import COMMUTATIVE, Op

Signed = tuple[int, int]
"""The number of a value, and the sign with which it stands for something."""

_DEPTHS = {Op.INPUT: 0, Op.CONST: 0, Op.NEG: 0, Op.DIV: 4, Op.COS: 10, Op.SIN: 10, Op.TANH: 12}
"""How long an operation takes, in additions; what is not named takes one."""


class Writer:
    """The code so far, and how deep in it each value lies: the length of the longest chain of operations up to it."""

    __slots__ = ("code", "depths", "known", "values")

    def __init__(self) -> None:
        self.code: list[Instruction] = []
        self.depths: list[int] = []
        self.known: dict[tuple[Op, tuple[int, ...], float], int] = {}
        self.values: dict[int, Signed] = {}
        """Symbols as signed values: a sum of subtracted terms only is written the other way round."""

    def instruction(self, op: Op, *args: int, value: float = 0) -> int:
        """The number of the value, which is written if it is not there yet."""
        if op in COMMUTATIVE and args[0] > args[1]:
            args = (args[1], args[0])
        key = (op, args, value)
        number = self.known.get(key)
        if number is None:
            number = self.known[key] = len(self.code)
            self.code.append(Instruction(op, args, value))
            depth = 0
            for a in args:
                if self.depths[a] > depth:
                    depth = self.depths[a]
            self.depths.append(depth + _DEPTHS.get(op, 1))
        return number

    def factors(self, product: Product, sign: int) -> tuple[list[int], int]:
        """The values to be multiplied, at most two: those that are there first have been multiplied already."""
        values = []
        for x in product:
            k, s = self.values[x]
            values.append((self.depths[k], k))
            sign *= s
        if len(values) > 2:
            heapify(values)
            while len(values) > 2:
                k = self.instruction(Op.MUL, heappop(values)[1], heappop(values)[1])
                heappush(values, (self.depths[k], k))
        return [k for _, k in values] or [self.instruction(Op.CONST, value=1.0)], sign

    def product(self, product: Product, sign: int) -> Signed:
        values, sign = self.factors(product, sign)
        return values[0] if len(values) == 1 else self.instruction(Op.MUL, *values), sign

    def leaf(self, leaf: Instruction) -> Signed:
        """Inputs, constants and functions; odd functions and quotients hand the signs of their arguments on."""
        sign = 1
        args = []
        for x in leaf.args:
            k, s = self.values[x]
            args.append(k)
            sign *= s
        return self.instruction(leaf.op, *args, value=leaf.value), 1 if leaf.op is Op.COS else sign

    def result(self, symbol: int, sign: int) -> int:
        if not sign:
            return self.instruction(Op.CONST, value=0.0)
        k, s = self.values[symbol]
        if s == sign:
            return k
        if self.code[k].op is Op.CONST:
            return self.instruction(Op.CONST, value=-self.code[k].value)
        return self.instruction(Op.NEG, k)


def plain_sum(writer: Writer, terms: Sum) -> Signed:
    """Products first, then the sum of those that are added less those that are subtracted."""
    total, *others = sorted((writer.product(*term) for term in terms.items()), key=lambda signed: -signed[1])
    k, sign = total
    for other, s in others:
        k = writer.instruction(Op.ADD if s == sign else Op.SUB, k, other)
    return k, sign


def program_from(
    polynomials: Polynomials, like: Program, write_sum: Callable[[Writer, Sum], Signed] = plain_sum
) -> Program:
    """The program that computes these polynomials."""
    writer = Writer()
    for symbol in polynomials.in_order():
        leaf = polynomials.leaves.get(symbol)
        if leaf is not None:
            writer.values[symbol] = writer.leaf(leaf)
        elif polynomials.sums[symbol]:
            writer.values[symbol] = write_sum(writer, polynomials.sums[symbol])
        else:
            writer.values[symbol] = writer.instruction(Op.CONST, value=0.0), 1
    return like.with_code(writer.code, [writer.result(*r) for r in polynomials.results])
