"""Forward dynamics: from forces to accelerations."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.mechanics.articulated_body import articulated_body, classical_articulated_body, is_separable
from leverarm.mechanics.classical_newton_euler import classical_bias
from leverarm.mechanics.composite_body import mass_matrix
from leverarm.mechanics.composite_moments import classical_mass_matrix
from leverarm.mechanics.ldlt import factorise
from leverarm.mechanics.matrices import Matrix
from leverarm.mechanics.newton_euler import Wrenches, bias
from leverarm.model import Mechanism
from leverarm.scalars import Scalar


def forward_dynamics(
    arm: Mechanism,
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    tau: Sequence[Scalar],
    wrenches: Wrenches | None = None,
    disturbance: Sequence[Scalar] | None = None,
) -> list[Scalar]:
    """qdd = M^-1 (tau + J^T w - C qd - F - g - tau_d) [rad/s^2 or m/s^2]. Field.

    By articulated bodies, O(n), or through the mass matrix where joints or rotors are coupled.
    """
    solve = articulated_body if is_separable(arm) else forward_dynamics_by_mass_matrix
    return solve(arm, q, qd, _without(tau, disturbance), wrenches)


def _without(tau: Sequence[Scalar], disturbance: Sequence[Scalar] | None) -> Sequence[Scalar]:
    """tau - tau_d."""
    return tau if disturbance is None else [t - d for t, d in zip(tau, disturbance, strict=True)]


def classical_forward_dynamics(
    arm: Mechanism,
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    tau: Sequence[Scalar],
    wrenches: Wrenches | None = None,
    disturbance: Sequence[Scalar] | None = None,
) -> list[Scalar]:
    """qdd, as `forward_dynamics`, from M qdd = tau - N(q, qd) with M and N in the classical form. Field, O(n^3).

    Cheaper than articulated bodies for up to about ten joints in a row.
    """
    left = _without(_without(tau, disturbance), classical_bias(arm, q, qd, wrenches))
    return factorise(classical_mass_matrix(arm, q)).solve(left)


def forward_dynamics_from_rest(
    arm: Mechanism,
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    tau: Sequence[Scalar],
    wrenches: Wrenches | None = None,
    disturbance: Sequence[Scalar] | None = None,
) -> list[Scalar]:
    """qdd, as `forward_dynamics`, by articulated bodies at rest, or through the mass matrix if coupled.

    The fewest operations for arms of more than about ten joints. Field.
    """
    solve = classical_articulated_body if is_separable(arm) else classical_forward_dynamics
    return solve(arm, q, qd, _without(tau, disturbance), wrenches)


def mass_matrix_inverse(arm: Mechanism, q: Sequence[Scalar]) -> Matrix:
    """M(q)^-1, rotors included: acceleration per unit force [1/(kg m^2), ...]. Field, O(n^3)."""
    return factorise(classical_mass_matrix(arm, q)).inverse()


def forward_dynamics_by_mass_matrix(
    arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], tau: Sequence[Scalar], wrenches: Wrenches | None = None
) -> list[Scalar]:
    """qdd from M qdd = tau - N(q, qd) with M = L^T D L. Field, O(n^3)."""
    residual = [t - n for t, n in zip(tau, bias(arm, q, qd, wrenches), strict=True)]
    return factorise(mass_matrix(arm, q)).solve(residual)
