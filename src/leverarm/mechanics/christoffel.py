"""Christoffel symbols of the first kind, the Coriolis matrix they define, and other ways to write the same forces."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from leverarm.mechanics.composite_body import mass_matrix
from leverarm.mechanics.matrices import Matrix, dot
from leverarm.model import Mechanism
from leverarm.scalars import Scalar, along, half, slope

Tensor = list[list[list[Scalar]]]


def mass_matrix_partials(arm: Mechanism, q: Sequence[Scalar]) -> Tensor:
    """dM/dq_k as partials[k][i][j], by running the composite-body algorithm on dual numbers. Ring, O(n^2 depth)."""
    n = arm.dof
    directions = ([1 if k == j else 0 for j in range(n)] for k in range(n))
    moving = (mass_matrix(arm, along(q, direction)) for direction in directions)
    return [[[slope(entry) for entry in row] for row in M] for M in moving]


def mass_matrix_rate(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> Matrix:
    """Mdot = dM/dt along qd. Ring, O(n depth)."""
    return [[slope(entry) for entry in row] for row in mass_matrix(arm, along(q, qd))]


def christoffel(arm: Mechanism, q: Sequence[Scalar]) -> Tensor:
    """Gamma_ijk = (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) / 2, symmetric in j and k. Ring, O(n^3)."""
    return christoffel_of(mass_matrix_partials(arm, q))


def christoffel_of(d: Tensor) -> Tensor:
    """The Christoffel symbols of a matrix whose partial derivatives are d[k][i][j] = dM_ij/dq_k. Ring, O(n^3)."""
    n = range(len(d))
    return [[[half(d[k][i][j] + d[j][i][k] - d[i][j][k]) for k in n] for j in n] for i in n]


def coriolis_matrix_from_christoffel(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> Matrix:
    """C_ij = sum over k of Gamma_ijk qd_k, for which Mdot - 2 C is skew-symmetric. Ring, O(n^3)."""
    return [[dot(row, qd) for row in plane] for plane in christoffel(arm, q)]


def factorisation_upper(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> Matrix:
    """c = A qd with each product qd_j qd_k, k <= j, written into column j: the form many texts print.

    A is not the Coriolis matrix: Mdot - 2 A is in general not skew. Ring, O(n^3).
    """
    gamma, n = christoffel(arm, q), range(arm.dof)
    weight = [[2 if k < j else 1 if k == j else 0 for k in n] for j in n]
    return [[sum((weight[j][k] * gamma[i][j][k] * qd[k] for k in n), start=0) for j in n] for i in n]


def factorisation_lagrange(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> Matrix:
    """c = A qd with A = Mdot - D/2, D_ij = d(M qd)_j/dq_i: how the terms fall out of the Euler-Lagrange equation.

    A is not the Coriolis matrix: Mdot - 2 A = -Mdot + D is in general not skew. Ring, O(n^3).
    """
    d, n = mass_matrix_partials(arm, q), range(arm.dof)
    return [[sum(((d[k][i][j] - half(d[i][j][k])) * qd[k] for k in n), start=0) for j in n] for i in n]


FACTORISATIONS: dict[str, Callable[[Mechanism, Sequence[Scalar], Sequence[Scalar]], Matrix]] = {
    "christoffel": coriolis_matrix_from_christoffel,
    "upper": factorisation_upper,
    "lagrange": factorisation_lagrange,
}
"""Matrices A with A qd = c, by name. Only "christoffel" is the Coriolis matrix C of the equations of motion."""
