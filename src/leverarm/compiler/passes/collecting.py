"""Like terms of sums of products are collected, squares of sines among them."""

from __future__ import annotations

from collections.abc import Iterable

from leverarm.compiler.passes.polynomials import Polynomials, Product, Sum
from leverarm.scalars.operations import Op

ROUNDING = 1e-15
"""Coefficients that cancel to less than this part of themselves have cancelled."""

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
