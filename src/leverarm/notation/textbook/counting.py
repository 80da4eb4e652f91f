"""How long a formula is: its operations."""

from __future__ import annotations

from functools import singledispatch

from leverarm.notation.tree import Call, Node, Number, Power, Product, Ratio, Sum


@singledispatch
def operations(node: Node) -> int:
    """The number of + - * / in a formula, a power x^n counting as n - 1 multiplications.

    A sign in front, a cosine or sine, and the sum of angles inside one (c12) count nothing. A rational coefficient is
    one factor. This is `sympy.count_ops` with the trig functions and their arguments taken as letters, NEG as nothing
    and POW as repeated multiplication.
    """
    return 0


@operations.register
def _(node: Sum) -> int:
    return sum(map(operations, node.terms)) + len(node.terms) - 1


@operations.register
def _(node: Product) -> int:
    factors = [f for f in node.factors if not (isinstance(f, Number) and abs(f.value) == 1)]
    return sum(map(operations, factors)) + max(len(factors) - 1, 0)


@operations.register
def _(node: Power) -> int:
    return operations(node.base) + node.exponent - 1


@operations.register
def _(node: Ratio) -> int:
    return operations(node.above) + operations(node.below) + 1


@operations.register
def _(node: Call) -> int:
    return operations(node.argument)
