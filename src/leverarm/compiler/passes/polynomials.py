"""Programs as sums of products, the form on which algebraic simplification works.

A value used once is inlined; what is left are definitions `x := +- a b c +- d e ...` over inputs, constants, functions
and other definitions, in which common parts and factors show in whatever order they were computed. Indices record where
each part occurs. Every change inserts or removes one term and is journaled, so that an attempt can be undone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import frexp, prod

from leverarm.compiler.program import Instruction
from leverarm.scalars.operations import Op

Product = tuple[int, ...]
"""A product of symbols in ascending order, at most one of them a constant. The empty product is one."""

Sum = dict[Product, int]
"""Products that are added (1) or subtracted (-1)."""

SIGNIFICANT_BITS = 50
"""Constants that agree to this many bits are merged: they differ by rounding only."""

_CONST = Op.CONST  # enum member lookup is slow in Python 3.11


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


FactorPair = tuple[int, int]
"""Two symbols that are multiplied with each other."""

TermPair = tuple[Product, Product, int]
"""Two terms of a sum, freed of their common factors, and whether their signs are the same (1) or not (-1)."""

Key = FactorPair | TermPair


class Occurrences:
    """The sums of some polynomials with their cost, and indices of what occurs where."""

    __slots__ = (
        "cost",
        "factor_pairs",
        "held",
        "journal",
        "loose",
        "polynomials",
        "sums",
        "sums_with",
        "term_pairs",
        "touched",
        "users",
    )

    def __init__(self, polynomials: Polynomials) -> None:
        self.polynomials = polynomials
        self.sums: dict[int, Sum] = {}
        self.cost = 0
        """Additions and multiplications."""
        self.users: dict[int, dict[int, int]] = {}
        """Symbol -> sums that hold it -> how often."""
        self.sums_with: dict[Product, dict[int, None]] = {}
        """Product -> sums that have it as a term."""
        self.factor_pairs: dict[FactorPair, dict[tuple[int, Product], None]] = {}
        self.term_pairs: dict[TermPair, dict[tuple[int, Product, Product], int]] = {}
        """Terms with common factors -> where -> how many factors are common."""
        self.touched: dict[Key, None] = {}
        """Pairs that have become more frequent and may be worth taking out."""
        self.loose: dict[int, None] = {}
        """Symbols that have become less frequent and may not be worth a name."""
        self.journal: list[tuple[bool, int, Product, int]] = []
        self.held = {x for leaf in polynomials.leaves.values() for x in leaf.args} | {r for r, _ in polynomials.results}
        """Symbols that are needed outside of sums."""
        for symbol, terms in polynomials.sums.items():
            for product, sign in terms.items():
                self.insert(symbol, product, sign)
        polynomials.sums = self.sums
        self.loose.update(dict.fromkeys(self.sums))

    def insert(self, symbol: int, product: Product, sign: int) -> None:
        """Adds a term to a sum that does not have it yet."""
        terms = self.sums.setdefault(symbol, {})
        self.journal.append((True, symbol, product, sign))
        self.cost += len(product) - (0 if terms else 1) if product else (1 if terms else 0)
        for x in product:
            users = self.users.setdefault(x, {})
            users[symbol] = users.get(symbol, 0) + 1
        n = len(product)
        for i in range(n - 1):
            for j in range(i + 1, n):
                pair = (product[i], product[j])
                where = self.factor_pairs.setdefault(pair, {})
                where[symbol, product] = None
                if len(where) > 1:
                    self.touched[pair] = None
        if terms:
            factors = frozenset(product)
            for other, s in terms.items():
                if not factors.isdisjoint(other):
                    a, b = _without_common(product, other)
                    key = (a, b, sign * s) if a < b else (b, a, sign * s)
                    place = (symbol, product, other) if a < b else (symbol, other, product)
                    self.term_pairs.setdefault(key, {})[place] = n - len(a)
                    self.touched[key] = None
        others = self.sums_with.setdefault(product, {})
        for other_symbol in others:
            their = self.sums[other_symbol]
            for other in terms:
                if other in their:
                    same = sign * terms[other]
                    if same == their[product] * their[other]:
                        self.touched[(product, other, same) if product < other else (other, product, same)] = None
        others[symbol] = None
        terms[product] = sign
        if n == 1 and len(terms) == 1:
            self.loose[symbol] = None

    def remove(self, symbol: int, product: Product) -> int:
        """Takes a term out of a sum; its sign."""
        terms = self.sums[symbol]
        sign = terms.pop(product)
        self.journal.append((False, symbol, product, sign))
        self.cost -= len(product) - (0 if terms else 1) if product else (1 if terms else 0)
        for x in product:
            users = self.users[x]
            users[symbol] -= 1
            if not users[symbol]:
                del users[symbol]
            self.loose[x] = None
        n = len(product)
        for i in range(n - 1):
            for j in range(i + 1, n):
                self.factor_pairs[product[i], product[j]].pop((symbol, product), None)
        if not terms:
            self.loose[symbol] = None
        if terms:
            factors = frozenset(product)
            for other, s in terms.items():
                if not factors.isdisjoint(other):
                    a, b = _without_common(product, other)
                    if a < b:
                        del self.term_pairs[a, b, sign * s][symbol, product, other]
                    else:
                        del self.term_pairs[b, a, sign * s][symbol, other, product]
        del self.sums_with[product][symbol]
        return sign

    def add(self, symbol: int, product: Product, sign: int) -> None:
        """Adds a term to a sum that may have it already."""
        if product not in self.sums.get(symbol, ()):
            self.insert(symbol, product, sign)
        elif self.remove(symbol, product) == sign:
            self.add(symbol, self.polynomials.times(product, (self.polynomials.constant(2.0),)), sign)

    def undo(self) -> None:
        """Undoes the changes in the journal."""
        done, self.journal = self.journal, []
        for was_inserted, symbol, product, sign in reversed(done):
            if was_inserted:
                self.remove(symbol, product)
            else:
                self.insert(symbol, product, sign)
        self.journal.clear()
        self.touched.clear()
        self.loose.clear()


def _without_common(p: Product, q: Product) -> tuple[Product, Product]:
    """What is left of two products without their common factors."""
    a, b = list(p), list(q)
    for x in p:
        if x in b:
            a.remove(x)
            b.remove(x)
    return tuple(a), tuple(b)
