"""Fused multiply-adds: sums are arranged so that their products need no instruction of their own.

A product that only one sum needs is computed together with an addition, in one rounding. Terms are taken in the order
in which they become available, so that a sum waits no longer than it must.
"""

from __future__ import annotations

from bisect import insort
from typing import NamedTuple

from leverarm.compiler.passes.polynomials import Sum
from leverarm.compiler.passes.reading import polynomials_of
from leverarm.compiler.passes.writing import Signed, Writer, program_from
from leverarm.compiler.program import Program
from leverarm.scalars.operations import Op

TWO_ROWS = 6
"""From this many products on, a sum of nothing else is added up in two rows, for one more instruction."""


def fused(program: Program) -> Program:
    """The same sums of products with FMA, FMS and FNMA."""
    return program_from(polynomials_of(program), program, fused_sum)


class _Part(NamedTuple):
    """Some terms added up: how deep that value lies, its number and its sign."""

    depth: int
    value: int
    sign: int


class _Fusible(NamedTuple):
    """A product that is still to be added, by its factors and its sign."""

    depth: int
    left: int
    right: int
    sign: int


def fused_sum(writer: Writer, terms: Sum) -> Signed:
    """A sum with as many products fused as can be: all of them, or all but one where there are only products."""
    parts: list[_Part] = []
    products: list[_Fusible] = []
    for product, sign in terms.items():
        values, sign = writer.factors(product, sign)
        depth = max(writer.depths[k] for k in values)
        if len(values) == 1:
            parts.append(_Part(depth, values[0], sign))
        else:
            left, right = values
            products.append(_Fusible(depth, left, right, sign))
    parts.sort()
    products.sort()
    rows = 0 if parts else 2 if len(products) >= TWO_ROWS else 1
    for _, left, right, sign in products[:rows]:
        insort(parts, _part(writer, Op.MUL, left, right, sign=sign))
    for product in products[rows:]:
        while len(parts) > 1 and parts[1].depth < product.depth:
            insort(parts, _added(writer, parts.pop(0), parts.pop(0)))
        ready = sum(part.depth <= product.depth for part in parts)
        insort(parts, _with_product(writer, parts.pop(max(ready - 1, 0)), product))
    while len(parts) > 1:
        insort(parts, _added(writer, parts.pop(0), parts.pop(0)))
    return parts[0].value, parts[0].sign


def _part(writer: Writer, op: Op, *args: int, sign: int) -> _Part:
    k = writer.instruction(op, *args)
    return _Part(writer.depths[k], k, sign)


def _added(writer: Writer, a: _Part, b: _Part) -> _Part:
    if a.sign == b.sign:
        return _part(writer, Op.ADD, a.value, b.value, sign=a.sign)
    positive, negative = (a, b) if a.sign > 0 else (b, a)
    return _part(writer, Op.SUB, positive.value, negative.value, sign=1)


def _with_product(writer: Writer, part: _Part, product: _Fusible) -> _Part:
    factors = sorted((product.left, product.right))
    if part.sign == product.sign:
        return _part(writer, Op.FMA, *factors, part.value, sign=part.sign)
    return _part(writer, Op.FNMA if part.sign > 0 else Op.FMS, *factors, part.value, sign=1)
