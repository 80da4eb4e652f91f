"""Forward dynamics: from forces to accelerations."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.mechanics.articulated_body import articulated_body, is_separable
from leverarm.mechanics.composite_body import mass_matrix
from leverarm.mechanics.ldlt import factorise
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
    pushed = tau if disturbance is None else [t - d for t, d in zip(tau, disturbance, strict=True)]
    solve = articulated_body if is_separable(arm) else forward_dynamics_by_mass_matrix
    return solve(arm, q, qd, pushed, wrenches)


def forward_dynamics_by_mass_matrix(
    arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], tau: Sequence[Scalar], wrenches: Wrenches | None = None
) -> list[Scalar]:
    """qdd from M qdd = tau - N(q, qd) with M = L D L^T. Field, O(n^3)."""
    residual = [t - n for t, n in zip(tau, bias(arm, q, qd, wrenches), strict=True)]
    return factorise(mass_matrix(arm, q)).solve(residual)
