"""Expands products of sums where that lets terms cancel or combine and saves operations in the end.

An offset along an axis commutes with a turn about it, k (c x + s y) + c u + s v = c (k x + u) + s (k y + v); a
rotation and its inverse cancel, c (c x + s y) - s (c y - s x) = x. Only expansion brings these terms together. Every
sum is tried: expanded, factored again, restored if nothing was saved. Like terms are collected, s^2 = 1 - c^2.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from leverarm.compiler.passes.factoring import take_out_common_parts
from leverarm.compiler.passes.polynomials import Occurrences, Polynomials, Product, Sum
from leverarm.compiler.passes.reading import polynomials_of
from leverarm.compiler.passes.writing import program_from
from leverarm.compiler.program import Program
from leverarm.scalars.operations import Op

ROUNDING = 1e-15
"""Relative tolerance below which coefficients count as cancelled."""

Term = tuple[float, Product]
"""A coefficient and a product without constants."""


class Collector:
    """Brings sums of any terms into the form of `Polynomials`, in which a product has one constant at most."""

    __slots__ = ("cosines", "polynomials", "turns")

    def __init__(self, polynomials: Polynomials) -> None:
        self.polynomials = polynomials
        found = {(leaf.op, leaf.args): x for x, leaf in polynomials.leaves.items() if leaf.op in (Op.COS, Op.SIN)}
        self.cosines = {
            x: found[Op.COS, args] for (op, args), x in found.items() if op is Op.SIN and (Op.COS, args) in found
        }
        """Sine -> cosine of the same angle."""
        self.turns = {x: {x, y} for pair in self.cosines.items() for x, y in (pair, pair[::-1])}
        """Sine or cosine -> both."""

    def term(self, product: Product, sign: int) -> Term:
        """A signed product with its constant as coefficient."""
        leaves = self.polynomials.leaves
        for x in product:
            leaf = leaves.get(x)
            if leaf is not None and leaf.op is Op.CONST:
                return sign * leaf.value, tuple([y for y in product if y != x])
        return float(sign), product

    def collected(self, terms: Iterable[Term]) -> Sum:
        """The sum of some terms: like ones are one, and what cancels is gone."""
        total: dict[Product, float] = {}
        for coefficient, product in terms:
            _add(total, product, coefficient)
        self.use_squares(total)
        found: Sum = {}
        for product, coefficient in total.items():
            if abs(coefficient) != 1 or not product:
                product = tuple(sorted((*product, self.polynomials.constant(abs(coefficient)))))
            found[product] = 1 if coefficient > 0 else -1
        return found

    def use_squares(self, total: dict[Product, float]) -> None:
        """s^2 x is x - c^2 x, where one of those is there already."""
        for product in list(total):
            for s in dict.fromkeys(product):
                if s in self.cosines and product.count(s) > 1 and product in total:
                    plain = list(product)
                    plain.remove(s)
                    plain.remove(s)
                    squared = tuple(sorted((*plain, self.cosines[s], self.cosines[s])))
                    if tuple(plain) in total or squared in total:
                        coefficient = total.pop(product)
                        _add(total, tuple(plain), coefficient)
                        _add(total, squared, -coefficient)


def _add(total: dict[Product, float], product: Product, coefficient: float) -> None:
    old = total.pop(product, 0.0)
    new = old + coefficient
    if abs(new) > ROUNDING * abs(old):
        total[product] = new


MOST_TERMS = 60
"""Sums that would become longer than this are not expanded."""


def expanded(program: Program) -> Program:
    """The same results with fewer operations. What depends on a quotient is left as it was written.

    (Eliminations are stable in the order in which they are done.)
    """
    polynomials = polynomials_of(program)
    at = Occurrences(polynomials)
    take_out_common_parts(at)
    _Attempts(at).run()
    return program_from(polynomials, program)


class _Attempts:
    __slots__ = ("at", "collector", "has_quotient", "sums")

    def __init__(self, at: Occurrences) -> None:
        self.at = at
        self.sums = at.sums
        self.collector = Collector(at.polynomials)
        self.has_quotient: dict[int, bool] = {}
        for x in at.polynomials.in_order():
            self.depends_on_quotient(x)

    def run(self) -> None:
        """Tries every sum, and again those near to where something was saved."""
        waiting = deque(self.sums)
        queued = set(waiting)
        while waiting:
            x = waiting.popleft()
            queued.discard(x)
            if self.is_worth_it(self.turned_back(x)) or self.is_worth_it(self.written_out(x)):
                for y in self.near():
                    if y in self.sums and y not in queued:
                        queued.add(y)
                        waiting.append(y)

    def is_worth_it(self, rewritten: dict[int, Sum]) -> bool:
        """Rewrites some sums, takes out what is common, and takes it all back if nothing was saved."""
        if not rewritten:
            return False
        at, cost = self.at, self.at.cost
        at.journal.clear()
        for symbol, new in rewritten.items():
            old = self.sums[symbol]
            for product in [p for p, sign in old.items() if new.get(p) != sign]:
                at.remove(symbol, product)
            for product, sign in new.items():
                if product not in old:
                    at.insert(symbol, product, sign)
        take_out_common_parts(at)
        if at.cost < cost:
            return True
        at.undo()
        return False

    def near(self) -> Iterator[int]:
        """The symbols in what was just rewritten, the sums that hold those, and the symbols in them."""
        changed = dict.fromkeys(y for _, symbol, product, _ in self.at.journal for y in (symbol, *product))
        users = dict.fromkeys(u for y in changed if y in self.sums for u in self.at.users.get(y, ()))
        yield from changed
        yield from users
        for y in (*changed, *users):
            for product in self.sums.get(y, ()):
                yield from product

    def written_out(self, x: int) -> dict[int, Sum]:
        """The sums that hold a symbol, with its definition in its place; nothing if that cannot save anything."""
        if not self.is_candidate(x):
            return {}
        inner = [self.collector.term(*term) for term in self.sums[x].items()]
        return {user: self.with_definition(user, x, inner) for user in self.at.users[x]}

    def with_definition(self, user: int, x: int, inner: list[Term]) -> Sum:
        terms = [self.collector.term(*term) for term in self.sums[user].items()]
        written: list[Term] = []
        for coefficient, product in terms:
            if x in product:
                terms.extend(_product_with(coefficient, _without(product, x), inner))
            else:
                written.append((coefficient, product))
        return self.collector.collected(written)

    def is_candidate(self, x: int) -> bool:
        """Whether it can be written out, and something it is made of has met what it would then stand beside."""
        users = self.at.users.get(x)
        if x in self.at.held or not self.sums[x] or not users:
            return False
        if sum(len(self.sums[u]) + len(self.sums[x]) for u in users) > MOST_TERMS:
            return False
        if any(self.depends_on_quotient(u) for u in users):
            return False
        parts = {y for product in self.sums[x] for y in product}
        numbers = self.at.polynomials.constants.values()
        if not parts.isdisjoint(numbers):
            parts.update(numbers)
        pairs = self.at.factor_pairs
        return any(
            not parts.isdisjoint(product)
            or (x in product and any(pairs.get((y, z) if y < z else (z, y)) for y in product for z in parts))
            for u in users
            for product in self.sums[u]
        )

    def depends_on_quotient(self, x: int) -> bool:
        known = self.has_quotient.get(x)
        if known is None:
            leaf = self.at.polynomials.leaves.get(x)
            if leaf is not None:
                known = leaf.op is Op.DIV
            else:
                known = any(self.depends_on_quotient(y) for product in self.sums[x] for y in product)
            self.has_quotient[x] = known
        return known

    def turned_back(self, x: int) -> dict[int, Sum]:
        """A sum in which what was turned by an angle and is turned by it again is written out, in this sum alone."""
        terms: list[Term] = []
        is_changed = False
        for product, sign in self.sums[x].items():
            coefficient, rest = self.collector.term(product, sign)
            turned = self.turned_terms(rest)
            is_changed = is_changed or bool(turned)
            terms.extend((coefficient * c, p) for c, p in turned or [(1.0, rest)])
        if not is_changed or len(terms) > MOST_TERMS or self.depends_on_quotient(x):
            return {}
        return {x: self.collector.collected(terms)}

    def turned_terms(self, product: Product) -> list[Term]:
        """The product of a sine or cosine and a sum that has the same angle in it, written out."""
        for turn in product:
            if turn in self.collector.turns:
                both = self.collector.turns[turn]
                for x in product:
                    coefficient, inner = self.behind(x)
                    if len(inner) > 1 and any(not both.isdisjoint(p) for p in inner):
                        terms = [self.collector.term(*term) for term in inner.items()]
                        return list(_product_with(coefficient, _without(product, x), terms))
        return []

    def behind(self, x: int) -> tuple[float, Sum]:
        """The sum that a symbol is a number of times."""
        coefficient = 1.0
        while len(self.sums.get(x, ())) == 1:
            c, rest = self.collector.term(*next(iter(self.sums[x].items())))
            if len(rest) != 1:
                break
            coefficient *= c
            x = rest[0]
        return coefficient, self.sums.get(x, {})


def _without(product: Product, x: int) -> Product:
    rest = list(product)
    rest.remove(x)
    return tuple(rest)


def _product_with(coefficient: float, product: Product, terms: list[Term]) -> Iterator[Term]:
    return ((coefficient * c, tuple(sorted((*product, *p)))) for c, p in terms)
