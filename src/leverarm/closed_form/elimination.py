"""Exact elimination in sparse rows whose entries are fractions and polynomials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import reduce

from leverarm.scalars import Scalar
from leverarm.scalars.exact import Polynomial, Ring, Root, is_exactly_zero, letter, numerator_and_denominator, partial
from leverarm.scalars.exact.ring import Flint

Row = dict[int, Scalar]
"""A sparse row: its non-zero entries by column."""


def entry(ring: Ring, x: Flint) -> Scalar:
    """A polynomial of FLINT as a scalar; without letters, a fraction."""
    if not x.is_constant():
        return Polynomial(ring, x, ring.curbed)
    c = x.leading_coefficient()
    return Fraction(int(c.p), int(c.q))


def simplest(x: Scalar) -> Scalar:
    """The same scalar, as a fraction where it is one."""
    return entry(x.ring, x.p) if isinstance(x, Polynomial) else Fraction(x) if isinstance(x, int) else x


def solved(rows: Sequence[Row], columns: Sequence[int]) -> dict[int, Row]:
    """The rows combined so that each has a one in one of these columns and nothing in the others (Gauss-Jordan).

    Every order of elimination gives the same rows; taking numbers as pivots first keeps the entries polynomials.
    """
    left, waiting = [_primitive(row) for row in rows], set(columns)
    done: dict[int, Row] = {}
    while waiting:
        r, pivot = min(
            ((r, j) for r, row in enumerate(left) for j in row if j in waiting),
            key=lambda place: (_size(left[place[0]][place[1]]), len(left[place[0]]), place),
        )
        row = left.pop(r)
        scale = row[pivot]
        row = {j: simplest(_over(x, scale)) if j != pivot else Fraction(1) for j, x in row.items()}
        left = [_without(other, pivot, row) for other in left]
        done = {column: _without(other, pivot, row) for column, other in done.items()}
        done[pivot] = row
        waiting.remove(pivot)
    return done


def substituted(row: Row, known: Mapping[int, Row]) -> Row:
    """The row with known columns replaced by what they are sums of."""
    result: Row = {}
    for j, x in row.items():
        for k, y in known[j].items() if j in known else ((j, 1),):
            result[k] = result[k] + x * y if k in result else x * y
    return {j: x for j, x in result.items() if not is_exactly_zero(x)}


def _over(x: Scalar, divisor: Scalar) -> Scalar:
    """x / divisor, with no square roots of numbers below: each is cleared by its conjugate."""
    if isinstance(divisor, Polynomial):
        for root in divisor.generators():
            if isinstance(root, Root):
                conjugate = divisor - 2 * letter(divisor.ring, root.name) * partial(divisor, root.name)
                x, divisor = x * conjugate, divisor * conjugate
    return x / divisor


def _size(x: Scalar) -> int:
    """How complicated a pivot is: numbers are best."""
    return sum(len(part) for part in numerator_and_denominator(x) if isinstance(part, Polynomial))


def _primitive(row: Row) -> Row:
    """The row without the common factor of its entries."""
    if not all(isinstance(x, Polynomial) for x in row.values()):
        return row
    first, *others = row.values()
    shared = reduce(lambda a, x: a.gcd(x.p), others, first.p)
    return {j: entry(x.ring, x.p / shared) for j, x in row.items()}


def _without(row: Row, pivot: int, by: Row) -> Row:
    """The row minus that multiple of another which clears its entry at the pivot."""
    if pivot not in row:
        return row
    factor, result = row[pivot], dict(row)
    for j, x in by.items():
        result[j] = simplest(result.get(j, 0) - factor * x)
        if is_exactly_zero(result[j]):
            del result[j]
    return result
