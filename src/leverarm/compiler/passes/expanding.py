"""Sums written out where they are multiplied, when that lets terms cancel or merge and costs less in the end.

A frame turned there and back again leaves c (c x + s y) - s (c y - s x), which is x: only written out do the terms with c s cancel
and those with c^2 and s^2 add up. Every sum is tried: written out, factored anew, and taken back if nothing was saved.
"""

from __future__ import annotations

from collections import deque

from leverarm.compiler.passes.factoring import take_out_common_parts
from leverarm.compiler.passes.occurrences import Occurrences
from leverarm.compiler.passes.polynomials import Product, Sum
from leverarm.compiler.passes.reading import polynomials_of
from leverarm.compiler.passes.writing import program_from
from leverarm.compiler.program import Program
from leverarm.scalars.operations import Op

MOST_TERMS = 60
"""Sums that would become longer than this are not tried."""

ROUNDING = 1e-15
"""Coefficients that cancel to less than this part of themselves have cancelled."""


def expanded(program: Program) -> Program:
    """The same results with fewer operations. What depends on a quotient is left as it was written."""
    polynomials = polynomials_of(program)
    at = Occurrences(polynomials)
    take_out_common_parts(at)
    _Attempts(at).run()
    return program_from(polynomials, program)


class _Attempts:
    __slots__ = ("at", "cosines", "numbers", "quotients", "tries")

    def __init__(self, at: Occurrences) -> None:
        self.at = at
        self.tries = 0
        leaves = at.polynomials.leaves
        self.quotients: dict[int, bool] = {}
        sines = {leaf.args[0]: x for x, leaf in leaves.items() if leaf.op is Op.SIN}
        self.cosines = {sines[leaf.args[0]]: x for x, leaf in leaves.items() if leaf.op is Op.COS and leaf.args[0] in sines}
        """Sine -> cosine of the same angle."""

    def run(self) -> None:
        at = self.at
        waiting = deque(at.sums)
        queued = set(waiting)
        while waiting:
            x = waiting.popleft()
            queued.discard(x)
            at.journal.clear()
            cost = at.cost
            if not self.is_candidate(x):
                continue
            if not self.expand(x):
                continue
            self.tries += 1
            take_out_common_parts(at)
            if at.cost >= cost:
                at.undo(0)
                continue
            near = dict.fromkeys(y for _, symbol, product, _ in at.journal for y in (symbol, *product))
            near.update(dict.fromkeys(u for y in list(near) if y in at.sums for u in at.users.get(y, ())))
            near.update(dict.fromkeys(z for y in list(near) for p in at.sums.get(y, ()) for z in p))
            for y in near:
                if y in at.sums and y not in queued:
                    queued.add(y)
                    waiting.append(y)

    def is_candidate(self, x: int) -> bool:
        """Whether it can be written out, and what it is made of has already met what it would then stand beside."""
        at = self.at
        if x in at.held or not at.sums[x] or not at.users.get(x):
            return False
        users = at.users[x]
        if sum(len(at.sums[u]) for u in users) + len(users) * len(at.sums[x]) > MOST_TERMS:
            return False
        if any(self.has_quotient(u) for u in users):
            return False
        parts = {y for product in at.sums[x] for y in product}
        numbers = at.polynomials.constants.values()
        if not parts.isdisjoint(numbers):
            parts.update(numbers)
        return any(
            not parts.isdisjoint(product)
            or (x in product and any(at.factor_pairs.get((min(y, z), max(y, z))) for y in product for z in parts))
            for u in users
            for product in at.sums[u]
        )

    def has_quotient(self, x: int) -> bool:
        if x not in self.quotients:
            leaf = self.at.polynomials.leaves.get(x)
            if leaf is not None:
                self.quotients[x] = leaf.op is Op.DIV
            else:
                self.quotients[x] = any(self.has_quotient(y) for p in self.at.sums[x] for y in p)
        return self.quotients[x]

    def expand(self, x: int) -> bool:
        """Writes a sum out wherever it stands; False, and nothing done, if no terms meet there."""
        at = self.at
        written = {user: self.written_out(user, x) for user in at.users[x]}
        if False and not any(merged for _, merged in written.values()):
            return False
        for user, (new, _) in written.items():
            old = at.sums[user]
            for product in [p for p, s in old.items() if new.get(p) != s]:
                at.remove(user, product)
            for product, sign in new.items():
                if product not in old:
                    at.insert(user, product, sign)
        for product in list(at.sums[x]):
            at.remove(x, product)
        return True

    def written_out(self, user: int, x: int) -> tuple[Sum, bool]:
        """A sum with another written out in it, and whether terms have met."""
        at = self.at
        total: dict[Product, float] = {}
        inner = [(self.split(p), sign) for p, sign in at.sums[x].items()]
        terms = [(*self.split(p), sign) for p, sign in at.sums[user].items()]
        summands = 0
        for c, product, sign in terms:
            if x not in product:
                _add(total, product, c * sign)
                summands += 1
                continue
            rest = list(product)
            rest.remove(x)
            terms.extend((c * d, tuple(sorted((*rest, *p))), sign * s) for (d, p), s in inner)
        self.use_squares(total)
        new: Sum = {}
        for product, c in total.items():
            if abs(c) != 1 or not product:
                product = tuple(sorted((*product, at.polynomials.constant(abs(c)))))
            new[product] = 1 if c > 0 else -1
        return new, len(new) < summands

    def split(self, product: Product) -> tuple[float, Product]:
        leaves = self.at.polynomials.leaves
        for x in product:
            if x in leaves and leaves[x].op is Op.CONST:
                return leaves[x].value, tuple(y for y in product if y != x)
        return 1.0, product

    def use_squares(self, total: dict[Product, float]) -> None:
        """s^2 x is x - c^2 x, where either is there already."""
        for product in list(total):
            for s in product:
                if s in self.cosines and product.count(s) > 1 and product in total:
                    rest = list(product)
                    rest.remove(s)
                    rest.remove(s)
                    c = self.cosines[s]
                    plain, squared = tuple(rest), tuple(sorted((*rest, c, c)))
                    if plain in total or squared in total:
                        factor = total.pop(product)
                        _add(total, plain, factor)
                        _add(total, squared, -factor)


def _add(total: dict[Product, float], product: Product, coefficient: float) -> None:
    old = total.pop(product, 0.0)
    new = old + coefficient
    if abs(new) > ROUNDING * abs(old):
        total[product] = new
