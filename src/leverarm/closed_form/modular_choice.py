"""Choosing independent columns and rows of a matrix of polynomials modulo a prime, at random values of their letters.

Fast, and wrong with a probability of about 1e-15: what is independent here is independent; what is not must be proven.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

from leverarm.closed_form.elimination import Row
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Ring, Root, Sine


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
