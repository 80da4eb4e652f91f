"""Which of several functions are linearly independent, and how the others follow from them: exactly.

The functions have elements of the ring as components. Monomials in normal form are linearly independent, so the
functions are the columns of a matrix: one row per component and monomial in the moving letters, entries in the other
letters, the constants.

Independent columns and rows are chosen modulo a prime, at random values of the letters: fast, and wrong with a
probability of about 1e-15. What is independent there is independent; the rest is proven by exact elimination.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import itemgetter, mul
from typing import Any

from leverarm.scalars import Scalar
from leverarm.scalars.exact import (
    Polynomial,
    Ring,
    Root,
    Sine,
    as_element,
    is_exactly_zero,
    join,
    letter,
    numerator_and_denominator,
    partial,
)
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


@dataclass(frozen=True, slots=True)
class Images:
    """Rows modulo a prime, without repetitions: the number of each row and its non-zero entries by column."""

    prime: int
    rows: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]


def images(ring: Ring, rows: Sequence[Row], seed: int) -> Images:
    """The rows at random values of the ring's letters, each scaled so that its first entry is one."""
    rng = random.Random(seed)
    prime = _prime(rng, [g.square for g in ring.generators if isinstance(g, Root)])
    values = _values(ring, prime, rng)
    powers: dict[Any, int] = {}
    first: dict[tuple[tuple[int, int], ...], int] = {}
    for r, row in enumerate(rows):
        image = [(j, y) for j, x in row.items() if (y := _image(x, values, powers, prime))]
        if image:
            scale = pow(image[0][1], -1, prime)
            first.setdefault(tuple((j, y * scale % prime) for j, y in image), r)
    return Images(prime, tuple((r, image) for image, r in first.items()))


def choose_columns(images: Images, order: Sequence[int]) -> tuple[list[int], list[int]]:
    """The first independent columns in this order, and those of them that other columns contain."""
    reduced, pivots = _reduced(_table(images, order), images.prime)
    mixed = [k for r, k in enumerate(pivots) if sum(map(bool, reduced[r])) > 1]
    return [order[k] for k in pivots], [order[k] for k in mixed]


def choose_rows(images: Images, columns: Sequence[int]) -> list[int]:
    """The first rows in which these columns, which are independent, are so already."""
    table = _table(images, columns)
    _, pivots = _reduced([list(line) for line in zip(*table, strict=True)], images.prime)
    return [images.rows[k][0] for k in pivots]


def _table(images: Images, columns: Sequence[int]) -> list[list[int]]:
    place = {column: k for k, column in enumerate(columns)}
    table = [[0] * len(columns) for _ in images.rows]
    for line, (_, image) in zip(table, images.rows, strict=True):
        for j, y in image:
            if j in place:
                line[place[j]] = y
    return table


def _reduced(table: list[list[int]], prime: int) -> tuple[list[list[int]], list[int]]:
    """The reduced row echelon form of a matrix modulo a prime, and its pivot columns."""
    from flint import nmod_mat

    if not table or not table[0]:
        return [], []
    matrix, rank = nmod_mat(table, prime).rref()
    rows = [[int(matrix[r, k]) for k in range(matrix.ncols())] for r in range(rank)]
    return rows, [next(k for k, x in enumerate(row) if x) for row in rows]


def _prime(rng: random.Random, squares: Sequence[int]) -> int:
    """A prime of 62 bits modulo which these numbers have square roots; it is 3 modulo 4, so that they are powers."""
    from flint import fmpz

    while True:
        p = rng.getrandbits(61) | 1 << 61 | 3
        if fmpz(p).is_prime() and all(pow(square, p // 2, p) == 1 for square in squares):
            return p


def _values(ring: Ring, prime: int, rng: random.Random) -> list[int]:
    """Random values that satisfy s^2 + c^2 = 1 and r^2 = 2."""
    values = {generator.name: rng.randrange(1, prime) for generator in ring.generators}
    for generator in ring.generators:
        if isinstance(generator, Root):
            values[generator.name] = pow(generator.square, (prime + 1) // 4, prime)
        if isinstance(generator, Sine):
            t = values[generator.name]
            scale = pow(1 + t * t, -1, prime)
            values[generator.name] = 2 * t * scale % prime
            values[f"cos({generator.angle})"] = (1 - t * t) * scale % prime
    return list(values.values())


def _image(x: Scalar, values: Sequence[int], powers: dict[Any, int], prime: int) -> int:
    """A fraction or polynomial modulo the prime; the values of monomials are kept in `powers`."""
    if isinstance(x, Fraction):
        return x.numerator * pow(x.denominator, -1, prime) % prime
    total = 0
    for exponents, c in x.p.terms():
        if exponents not in powers:
            factors = (pow(value, int(e), prime) for value, e in zip(values, exponents, strict=True) if e)
            powers[exponents] = reduce(lambda a, b: a * b % prime, factors, 1)
        total += int(c.p) * pow(int(c.q), -1, prime) * powers[exponents]
    return total % prime


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
