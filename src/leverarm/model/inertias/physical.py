"""Whether an inertia is physically consistent: its principal moments, and what is wrong with them.

They are eigenvalues of small symmetric matrices, by Jacobi rotations: short, and accurate to the last digits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.errors import InputError
from leverarm.model.inertias.algebra import about_com, centre_of_mass
from leverarm.spatial import ORIGIN, Inertia, Matrix3, Vec3

MAX_SWEEPS = 60


def symmetric_eigen(rows: Sequence[Sequence[float]]) -> tuple[list[float], list[list[float]]]:
    """Eigenvalues in rising order, and the unit eigenvector of each (as rows).

    Cyclic Jacobi: each rotation zeroes one off-diagonal pair (Golub and Van Loan, Algorithm 8.5.2), until what is left
    is below the rounding of the diagonal.
    """
    n = len(rows)
    A = [[float(x) for x in row] for row in rows]
    V = [[float(i == j) for j in range(n)] for i in range(n)]
    pairs = [(p, q) for p in range(n) for q in range(p + 1, n)]
    for _ in range(MAX_SWEEPS):
        rest = max((abs(A[p][q]) for p, q in pairs), default=0.0)
        if rest <= 1e-300 or rest <= 2.0**-60 * max(abs(A[i][i]) for i in range(n)):
            break
        for p, q in pairs:
            _rotate(A, V, p, q)
    order = sorted(range(n), key=lambda i: A[i][i])
    return [A[i][i] for i in order], [V[i] for i in order]


def _rotate(A: list[list[float]], V: list[list[float]], p: int, q: int) -> None:
    if A[p][q] == 0.0:
        return
    theta = (A[q][q] - A[p][p]) / (2 * A[p][q])
    # The smaller root for tan(angle): turning by less than 45 degrees is what makes the sweeps converge.
    t = math.copysign(1.0, theta) / (abs(theta) + math.hypot(1.0, theta))
    c = 1 / math.hypot(1.0, t)
    s = t * c
    for k in range(len(A)):
        A[k][p], A[k][q] = c * A[k][p] - s * A[k][q], s * A[k][p] + c * A[k][q]
    for M in (A, V):
        M[p], M[q] = (
            [c * x - s * y for x, y in zip(M[p], M[q], strict=True)],
            [s * x + c * y for x, y in zip(M[p], M[q], strict=True)],
        )
    A[p][q] = A[q][p] = 0.0


RTOL = 1e-9
"""Of the trace of the tensor: far above the rounding of a move to the centre of mass, far below any measurement."""


@dataclass(frozen=True, slots=True)
class PrincipalAxes:
    """A body in its own axes: centre of mass, moments about it in rising order, and body_from_principal.

    The columns of `rotation` are the principal axes, right-handed.
    """

    com: Vec3
    moments: tuple[float, float, float]
    rotation: Matrix3


def principal_axes(body: Inertia) -> PrincipalAxes:
    """The principal moments and axes about the centre of mass (about the origin for a body without mass). Floats."""
    tensor = _numbers(body)
    (a, b, c), (x, y, _) = symmetric_eigen(about_com(tensor).full().rows())
    first, second = _pointing_up(Vec3(*x)), _pointing_up(Vec3(*y))
    columns = Matrix3(first, second, first.cross(second))
    return PrincipalAxes(_com(tensor), (a, b, c), columns.transposed())


def physical_defects(body: Inertia, rtol: float = RTOL) -> tuple[str, ...]:
    """Why no rigid body can have this inertia, in words; empty where it is physically consistent. Floats.

    A body exists if its mass is positive and its pseudo-inertia positive semidefinite, which is: about the centre of
    mass no principal moment is negative, and none exceeds the sum of the other two. Point masses, rods and plates lie
    on the edge and pass. The tolerance is `rtol` times the trace of the tensor about the origin.
    """
    numbers = _numbers(body)
    defects = []
    if numbers.m <= 0:
        defects.append(f"its mass is {numbers.m:g} kg")
    slack = rtol * (abs(numbers.I.xx) + abs(numbers.I.yy) + abs(numbers.I.zz))
    a, b, c = (0.0 if abs(moment) <= 1e-3 * slack else moment for moment in principal_axes(numbers).moments)
    if a < -slack:
        defects.append(f"its smallest moment about the centre of mass is {a:.6g} kg m^2, below zero")
    elif c > a + b + slack:
        defects.append(
            f"its largest moment about the centre of mass exceeds the sum of the other two "
            f"(triangle inequality), {c:.6g} > {a:.6g} + {b:.6g} kg m^2"
        )
    return tuple(defects)


def is_physical(body: Inertia, rtol: float = RTOL) -> bool:
    """Whether a rigid body with these ten numbers can exist; see `physical_defects`."""
    return not physical_defects(body, rtol)


def _numbers(body: Inertia) -> Inertia:
    try:
        numbers = [float(number) for number in body.numbers()]
    except TypeError:
        raise InputError("the inertia holds symbols; give them values first (bind the arm, or use to_float).") from None
    if not all(map(math.isfinite, numbers)):
        raise InputError(f"the inertia holds a number that is not finite: {numbers}. All ten must be finite.")
    return Inertia.from_numbers(*numbers)


def _com(body: Inertia) -> Vec3:
    return ORIGIN if body.m == 0 else centre_of_mass(body)


def _pointing_up(axis: Vec3) -> Vec3:
    """An axis and its opposite are the same principal axis; take the one whose largest part is positive."""
    largest = max(axis, key=abs)
    return -axis if largest < 0 else axis
