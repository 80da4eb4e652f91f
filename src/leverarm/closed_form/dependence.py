"""Which of several functions are linearly independent, and how the others follow from them: exactly.

The functions have elements of the ring as components. Monomials in normal form are linearly independent, so the
functions are the columns of a matrix: one row per component and monomial in the moving letters, entries in the other
letters, the constants.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import itemgetter, mul
from typing import Any

from leverarm.closed_form.elimination import Row, entry, simplest, solved
from leverarm.closed_form.modular_choice import choose_columns, choose_rows, images
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Polynomial, Ring, as_element, is_exactly_zero, join
from leverarm.scalars.exact.ring import Flint

TRIES = 4

Vector = Sequence[Scalar]
"""A function with several components."""


@dataclass(frozen=True, slots=True)
class Dependence:
    """Independent columns, and of each the row of coefficients with which all columns contain it.

    The function with coefficients x is the sum over the independent columns of (row . x) times the column.
    """

    independent: tuple[int, ...]
    rows: tuple[Row, ...]


def dependence(
    ring: Ring, columns: Sequence[Vector], moving: Collection[str], order: Sequence[int], known: Mapping[int, Row]
) -> Dependence:
    """The first independent columns in this order, over the field of the letters that are not `moving`.

    `known` gives some columns as sums of others. What is independent of the others is chosen modulo a prime; the
    relations are then solved for exactly and all checked in the ring, which proves them. Independent is meant for all
    but special values of the constants.
    """
    ring, columns = _in_one_ring(ring, columns)
    degrees = [x.p.degrees() for column in columns for x in column if isinstance(x, Polynomial)]
    used = [i for i, powers in enumerate(zip(*degrees, strict=True)) if any(powers)]
    constants = [i for i in used if ring.generators[i].name not in moving]
    rows = _coefficient_rows(ring, columns, [i for i in used if i not in constants], constants, known)
    open_columns = [column for column in order if column not in known]
    for seed in range(TRIES):
        at_random = images(ring, rows, seed)
        kept, mixed = choose_columns(at_random, open_columns)
        others = [column for column in open_columns if column not in kept]
        chosen = choose_rows(at_random, mixed)
        relations = solved([_part(rows[r], (*mixed, *others)) for r in chosen], mixed)
        found = _composed({column: relations.get(column, {column: Fraction(1)}) for column in kept}, known)
        if _holds(columns, found):
            return Dependence(tuple(kept), tuple(found.values()))
    raise AssertionError("no exact relations between the columns were found. This is a bug; please report the arm.")


def _in_one_ring(ring: Ring, columns: Sequence[Vector]) -> tuple[Ring, list[Vector]]:
    """The columns in a ring that holds the given one and all their letters."""
    rings = {id(x.ring): x.ring for column in columns for x in column if isinstance(x, Polynomial)}
    whole = reduce(join, rings.values(), ring)
    return whole, [[0 if is_exactly_zero(x) else as_element(whole, x) for x in column] for column in columns]


def _coefficient_rows(
    ring: Ring, columns: Sequence[Vector], moving: Sequence[int], constants: Sequence[int], known: Collection[int]
) -> list[Row]:
    """The coefficients of each monomial in the moving letters, by column that is not known; the simplest rows first."""
    nothing = slice(0)  # makes the picked exponents a tuple even where they are one or none
    pick_moving, pick_constants = (itemgetter(nothing, nothing, *letters) for letters in (moving, constants))
    monomials: dict[Any, Flint] = {}
    found: dict[Any, dict[int, Flint]] = {}
    for j, column in enumerate(columns):
        for part, x in enumerate(column):
            if j in known or is_exactly_zero(x):
                continue
            for exponents, c in x.p.terms():
                rest = pick_constants(exponents)
                if rest not in monomials:
                    powers = (ring.letters[i] ** int(e) for i, e in zip(constants, rest[2:], strict=True) if e)
                    monomials[rest] = reduce(mul, powers, ring.constant(1))
                row, term = found.setdefault((part, pick_moving(exponents)), {}), monomials[rest] * c
                row[j] = row[j] + term if j in row else term
    rows = [{j: entry(ring, x) for j, x in row.items()} for row in found.values()]
    return sorted(rows, key=lambda row: (len(row), sum(len(x) for x in row.values() if isinstance(x, Polynomial))))


def _part(row: Row, columns: Collection[int]) -> Row:
    return {j: x for j, x in row.items() if j in columns}


def _composed(relations: Mapping[int, Row], known: Mapping[int, Row]) -> dict[int, Row]:
    """The rows over all columns, from those over the columns that are not known."""
    rows = {kept: dict(row) for kept, row in relations.items()}
    for kept, row in relations.items():
        for j, others in known.items():
            total: Scalar = sum((x * row[i] for i, x in others.items() if i in row), start=0)
            if not is_exactly_zero(total):
                rows[kept][j] = simplest(total)
    return rows


def _holds(columns: Sequence[Vector], found: Mapping[int, Row]) -> bool:
    """Whether every column is the sum of the kept ones with these coefficients."""
    left = [list(column) for column in columns]
    for kept, row in found.items():
        for j, coefficient in row.items():
            left[j] = [x - coefficient * y for x, y in zip(left[j], columns[kept], strict=True)]
    return all(is_exactly_zero(x) for column in left for x in column)
