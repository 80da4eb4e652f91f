"""The letters of the theory over the exact ring, how they are printed, and statements that are written only if proven.

A rotation is R = Rz(psi) Ry(theta) Rx(phi): every rotation is one, so what holds for these letters holds for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from leverarm.derivation.notebook_cells import entries
from leverarm.documents.document import Words
from leverarm.notation.textbook import textbook
from leverarm.notation.tree import Indexed, Matrix, Node, Symbol, column
from leverarm.notation.vocabulary import Role, Vocabulary
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Polynomial, free_symbol, is_exactly_zero, symbol, time_derivative, unknown_angle
from leverarm.spatial import Matrix3, Symmetric3, Vec3, rotation_from_rpy

ANGLES = ("phi", "theta", "psi")
VOCABULARY = Vocabulary(ANGLES, {}, (), {"m": Role.MASS, "g": Role.GRAVITY})


class ProofError(AssertionError):
    """A statement of the theory that the exact ring does not confirm: a fault of leverarm."""


def proven(statement: Words | str, *rests: Any) -> Words:
    """The statement, once every exact value that it says is zero has been found to be."""
    words: Words = (statement,) if isinstance(statement, str) else statement
    for rest in rests:
        if not all(map(is_exactly_zero, _scalars(rest))):
            raise ProofError(f"{words} is not confirmed: {rest!r} is not zero. Please report this.")
    return words


def _scalars(quantity: Any) -> Iterator[Scalar]:
    values = entries(quantity.full() if isinstance(quantity, Symmetric3) else quantity)
    if isinstance(values, Sequence):
        for value in values:
            yield from _scalars(value)
    else:
        yield values


def letter(name: str) -> Polynomial:
    """A free letter."""
    return free_symbol(symbol(name))


def vector(name: str, dots: int = 0) -> Vec3:
    """Three free letters: omegax, omegay, omegaz."""
    return Vec3(*(letter(name + axis + ("." + "d" * dots if dots else "")) for axis in "xyz"))


def tensor(name: str) -> Symmetric3:
    """Six free letters: Ixx, Ixy, ..."""
    return Symmetric3(*(letter(name + axes) for axes in ("xx", "xy", "yy", "xz", "yz", "zz")))


def rotation(suffix: str = "") -> Matrix3:
    """A rotation by three unknown angles, roll, pitch and yaw."""
    turns = [unknown_angle(name + suffix) for name in ANGLES]
    roll, pitch, yaw = ((turn.cos, turn.sin) for turn in turns)
    return rotation_from_rpy(roll, pitch, yaw)


def rate(value: Scalar, names: Iterable[str]) -> Scalar:
    """d/dt, where these letters and angles change in time."""
    return time_derivative(value, {name: letter(f"{name}.d") for name in names})


def rate_of_vector(v: Vec3, names: Iterable[str]) -> Vec3:
    """d/dt of each part."""
    known = tuple(names)
    return Vec3(*(rate(part, known) for part in v))


def rate_of_matrix(A: Matrix3, names: Iterable[str]) -> Matrix3:
    """d/dt of each entry."""
    known = tuple(names)
    return Matrix3(*(rate_of_vector(row, known) for row in (A.r0, A.r1, A.r2)))


def tree(value: Scalar, vocabulary: Vocabulary = VOCABULARY) -> Node:
    """An exact value as a formula."""
    return textbook(value, vocabulary)


def matrix(A: Matrix3 | Symmetric3) -> Matrix:
    """An exact matrix as a formula."""
    rows = (A.full() if isinstance(A, Symmetric3) else A).rows()
    return Matrix(tuple(tuple(tree(x) for x in row) for row in rows))


def column_of(v: Vec3) -> Matrix:
    """An exact vector as a column."""
    return column([tree(x) for x in v])


def at(name: str, lower: str = "", upper: str = "") -> Node:
    """R_2^0, omega_n: a letter with indices."""
    return Indexed(Symbol(name), lower, upper)


def at_rate(name: str, lower: str = "", upper: str = "") -> Node:
    """The time derivative of a letter with indices."""
    return Indexed(Symbol(name, 1), lower, upper)
