"""M, c and g from the kinetic energy K and the potential energy P alone, to compare the algorithm with."""

from __future__ import annotations

from leverarm.closed_form import Equations
from leverarm.scalars import Scalar
from leverarm.scalars.exact import partial, substitute


def mass_matrix_of(eq: Equations) -> list[list[Scalar]]:
    """M_ij = d/dqd_i dK/dqd_j."""
    names = eq.exact.coordinates
    momenta = [partial(eq.K.value, f"{name}.d") for name in names]
    return [[partial(momentum, f"{name}.d") for momentum in momenta] for name in names]


def velocity_forces_of(eq: Equations) -> list[Scalar]:
    """c: what Lagrange's equation leaves without accelerations, less dP/dq."""
    without = {f"{name}.dd": 0 for name in eq.exact.coordinates}
    moving = [substitute(x, without) for x in eq.euler_lagrange.values]
    return [a - b for a, b in zip(moving, gravity_of(eq), strict=True)]


def gravity_of(eq: Equations) -> list[Scalar]:
    """g = dP/dq."""
    return [partial(eq.P.value, name) for name in eq.exact.coordinates]
