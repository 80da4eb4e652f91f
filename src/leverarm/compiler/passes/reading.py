"""Converts a program to sums of products."""

from __future__ import annotations

from leverarm.compiler.passes.polynomials import Polynomials, Product
from leverarm.compiler.program import Instruction, Program
from leverarm.scalars.operations import FUNCTIONS, Op

_Linear = dict[Product, float]
"""Products without constants, and their coefficients."""

_TERMS: dict[Op, tuple[tuple[tuple[int, ...], float], ...]] = {
    Op.NEG: (((0,), -1.0),),
    Op.ADD: (((0,), 1.0), ((1,), 1.0)),
    Op.SUB: (((0,), 1.0), ((1,), -1.0)),
    Op.MUL: (((0, 1), 1.0),),
    Op.FMA: (((0, 1), 1.0), ((2,), 1.0)),
    Op.FMS: (((0, 1), 1.0), ((2,), -1.0)),
    Op.FNMA: (((0, 1), -1.0), ((2,), 1.0)),
}
"""Arithmetic as products of arguments."""


def polynomials_of(program: Program) -> Polynomials:
    """The program's sums of products; like terms are collected and what cancels is gone."""
    reader = _Reader(program)
    for k, instruction in enumerate(program.code):
        reader.forms.append(reader.read(k, instruction))
    for r in program.results:
        symbol, coefficient = reader.named(r)
        reader.found.results.append((symbol, int(coefficient)))
    return reader.found


class _Reader:
    __slots__ = ("forms", "found", "known", "uses")

    def __init__(self, program: Program) -> None:
        self.found = Polynomials()
        self.forms: list[_Linear] = []
        self.known: dict[object, tuple[int, float]] = {}
        self.uses = [0] * len(program.code)
        for instruction in program.code:
            for a in instruction.args:
                self.uses[a] += 1
        for r in program.results:
            self.uses[r] += 2  # a result keeps its name

    def read(self, k: int, instruction: Instruction) -> _Linear:
        op, args, value = instruction
        terms = _TERMS.get(op)
        if terms is None:
            if op is Op.CONST:
                return {(): value} if value else {}
            if op is Op.INPUT:
                return {(self.found.leaf(instruction),): 1.0}
            return self.quotient(*args) if op is Op.DIV else self.function(op, args[0])
        total: _Linear = {}
        for positions, sign in terms:
            if len(positions) == 2:
                p, q = positions
                self.add(total, self.product(self.term(args[p]), self.term(args[q])), sign)
            elif total or sign < 0:
                self.add(total, self.summand(args[positions[0]]), sign)
            else:
                total = self.taken(args[positions[0]])
        return total

    @staticmethod
    def add(total: _Linear, more: _Linear, sign: float) -> None:
        for product, coefficient in more.items():
            c = total.pop(product, 0.0) + sign * coefficient
            if c:
                total[product] = c

    @staticmethod
    def product(left: tuple[Product, float], right: tuple[Product, float]) -> _Linear:
        (p, a), (q, b) = left, right
        return {tuple(sorted(p + q)): a * b} if a and b else {}

    def summand(self, k: int) -> _Linear:
        """A value as what it adds to a sum: its own terms where nothing else needs it."""
        if self.uses[k] > 1:
            self.named(k)
        return self.forms[k]

    def taken(self, k: int) -> _Linear:
        """A value as the beginning of a sum: its own terms, without a copy, where nothing else needs them."""
        return dict(self.summand(k)) if self.uses[k] > 1 else self.forms[k]

    def term(self, k: int) -> tuple[Product, float]:
        """A value as what it brings to a product."""
        if len(self.forms[k]) != 1 or self.uses[k] > 1:
            self.named(k)
        for product, coefficient in self.forms[k].items():
            return product, coefficient
        return (), 0.0

    def named(self, k: int) -> tuple[int, float]:
        """A value as a symbol and a sign; equal sums, and a sum and its negative, have the same symbol."""
        form = self.forms[k]
        if len(form) == 1:
            ((product, coefficient),) = form.items()
            if len(product) == 1 and abs(coefficient) == 1:
                return product[0], coefficient
            if not product:
                return self.found.constant(abs(coefficient)), 1.0 if coefficient > 0 else -1.0
        elif not form:
            return self.found.constant(1.0), 0.0
        items = sorted(form.items())
        sign = 1.0 if items[0][1] > 0 else -1.0
        key = tuple([(product, sign * coefficient) for product, coefficient in items])
        if key not in self.known:
            self.known[key] = self.found.symbol(), sign
            self.found.sums[self.known[key][0]] = dict(self.signed(*item) for item in form.items())
        symbol, orientation = self.known[key]
        sign *= orientation
        self.forms[k] = {(symbol,): sign}
        return symbol, sign

    def signed(self, product: Product, coefficient: float) -> tuple[Product, int]:
        """A coefficient and a product as one product with a sign."""
        if abs(coefficient) != 1 or not product:
            product = tuple(sorted((*product, self.found.constant(abs(coefficient)))))
        return product, 1 if coefficient > 0 else -1

    def function(self, op: Op, k: int) -> _Linear:
        """A function of a value: of a number it is one, and even and odd functions hand a sign on."""
        form = self.forms[k]
        if not form or list(form) == [()]:
            value = FUNCTIONS[op](form.get((), 0.0))
            return {(): value} if value else {}
        symbol, sign = self.named(k)
        return {(self.leaf(op, symbol),): 1.0 if op is Op.COS else sign}

    def quotient(self, a: int, b: int) -> _Linear:
        """A quotient of two symbols; by a number it is a product."""
        if not self.forms[b]:
            raise ZeroDivisionError("a program divides by a constant zero")
        if not self.forms[a]:
            return {}
        if list(self.forms[b]) == [()]:
            return {product: c / self.forms[b][()] for product, c in self.summand(a).items()}
        (x, sign), (y, s) = self.named(a), self.named(b)
        return {(self.leaf(Op.DIV, x, y),): sign * s}

    def leaf(self, op: Op, *args: int) -> int:
        key = (op, *args)
        if key not in self.known:
            self.known[key] = self.found.leaf(Instruction(op, args)), 1.0
        return self.known[key][0]
