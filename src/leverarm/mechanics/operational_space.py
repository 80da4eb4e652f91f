"""The dynamics of the arm at a frame: effective mass, Coriolis and centrifugal forces, and weight there.

Khatib 1987, "A unified approach for motion and force control of robot manipulators". A task is some rows of a frame's
Jacobian; [w; v] = J qd, angular rows first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.mechanics.adjugate import adjugate, determinant
from leverarm.mechanics.composite_body import mass_matrix
from leverarm.mechanics.composite_moments import classical_mass_matrix
from leverarm.mechanics.jacobians import jacobian, jacobian_dot
from leverarm.mechanics.ldlt import Factors, factorise
from leverarm.mechanics.matrices import Matrix, dot, transposed
from leverarm.mechanics.newton_euler import coriolis_torques, gravity_forces
from leverarm.model import Mechanism
from leverarm.scalars import Scalar

ROWS = ("wx", "wy", "wz", "x", "y", "z")
"""The names of a Jacobian's rows: three of rotation, three of translation, in world axes."""


@dataclass(frozen=True, slots=True)
class Task:
    """What the forces at a frame depend on: the chosen rows of J, and M factorised."""

    J: Matrix
    M: Factors

    @staticmethod
    def of(arm: Mechanism, q: Sequence[Scalar], frame: str, rows: Sequence[int] = range(6)) -> Task:
        J = jacobian(arm, q, frame)
        return Task([J[r] for r in rows], factorise(classical_mass_matrix(arm, q)))

    def mobility(self) -> Matrix:
        """J M^-1 J^T: the acceleration of the frame per unit force on it, k x k [1/kg]. Field."""
        return self.M.between(self.J)

    def felt(self, tau: Sequence[Scalar]) -> list[Scalar]:
        """J M^-1 tau: the acceleration of the frame that joint forces cause."""
        solved = self.M.solve(tau)
        return [dot(row, solved) for row in self.J]


def operational_inertia(arm: Mechanism, q: Sequence[Scalar], frame: str, rows: Sequence[int] = range(6)) -> Matrix:
    """Lambda = (J M^-1 J^T)^-1: the force at the frame per unit acceleration of it, redundant arms included. Field.

    At a singular pose some direction cannot move, its mobility is zero and Lambda is infinite: ZeroDivisionError.
    """
    return factorise(Task.of(arm, q, frame, rows).mobility()).inverse()


def operational_inertia_by_inverse_jacobian(
    arm: Mechanism, q: Sequence[Scalar], frame: str, rows: Sequence[int]
) -> Matrix:
    """Lambda = (J^-1)^T M J^-1 for a square J, as the lectures define it. Field."""
    J = jacobian(arm, q, frame)
    J_inverse = _inverse_by_normal_equations([J[r] for r in rows])
    columns = transposed(J_inverse)
    M = mass_matrix(arm, q)
    M_columns = [[dot(row, column) for row in M] for column in columns]
    return [[dot(a, b) for b in M_columns] for a in columns]


def operational_inertia_as_quotient(
    arm: Mechanism, q: Sequence[Scalar], frame: str, rows: Sequence[int]
) -> tuple[Matrix, Scalar]:
    """A matrix N and a scalar d with Lambda = N / d, without division; d is zero exactly where the pose is singular.

    For a square J, adj(J)^T M adj(J) over det(J)^2; otherwise det(M) adj(A) over det(A) with A = J adj(M) J^T. Ring.
    """
    whole, M = jacobian(arm, q, frame), mass_matrix(arm, q)
    J = [whole[r] for r in rows]
    if len(J) == arm.dof:
        columns, d = transposed(adjugate(J)), determinant(J)
        pushed = [[dot(row, column) for row in M] for column in columns]
        return [[dot(a, b) for b in pushed] for a in columns], d * d
    solved = [[dot(row, line) for line in adjugate(M)] for row in J]
    A = [[dot(a, b) for b in solved] for a in J]
    d = determinant(M)
    return [[d * entry for entry in row] for row in adjugate(A)], determinant(A)


def operational_bias(
    arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], frame: str, rows: Sequence[int] = range(6)
) -> list[Scalar]:
    """mu = Lambda (J M^-1 c - Jdot qd): Coriolis and centrifugal forces at the frame. Field."""
    task = Task.of(arm, q, frame, rows)
    J_dot = jacobian_dot(arm, q, qd, frame)
    drift = [dot(J_dot[r], qd) for r in rows]
    pushed = task.felt(coriolis_torques(arm, q, qd))
    return factorise(task.mobility()).solve([a - b for a, b in zip(pushed, drift, strict=True)])


def operational_gravity(
    arm: Mechanism, q: Sequence[Scalar], frame: str, rows: Sequence[int] = range(6)
) -> list[Scalar]:
    """g_x = Lambda J M^-1 g: the weight of the arm at the frame. Field."""
    task = Task.of(arm, q, frame, rows)
    return factorise(task.mobility()).solve(task.felt(gravity_forces(arm, q)))


def _inverse_by_normal_equations(A: Matrix) -> Matrix:
    """(A^T A)^-1 A^T, the inverse of a regular square matrix: exact in exact fields, rough over floats. Field."""
    columns = transposed(A)
    normal = factorise([[dot(a, b) for b in columns] for a in columns])
    return transposed([normal.solve(row) for row in A])
