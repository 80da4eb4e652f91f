"""The mass matrix as the lectures define it: the sum over the links of m Jv^T Jv + Jw^T R I R^T Jw.

There Jv and I are taken at the centre of mass. Here they are taken at the link's origin, where the two parts couple
through the first moment h = m c: the same sum, linear in the ten numbers and free of division.
"""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.mechanics.jacobians import jacobian_columns
from leverarm.mechanics.kinematics import world_from_links
from leverarm.mechanics.matrices import Matrix, add, along_coordinates
from leverarm.mechanics.rotors import rotor_mass_matrix
from leverarm.model import Mechanism
from leverarm.scalars import Scalar


def link_mass_matrix(arm: Mechanism, q: Sequence[Scalar], link: int) -> Matrix:
    """One link's share of M: m Jv^T Jv + Jw^T R I R^T Jw + Jv^T S(h)^T Jw + Jw^T S(h) Jv at the link's origin, n x n.

    Ring, O(n^2).
    """
    poses = world_from_links(arm, q)
    columns = jacobian_columns(arm, poses, link, poses[link].position)
    body, R = arm.links[link].inertia, poses[link].rotation
    m, h, second = body.m, R @ body.h, body.I.rotated(R)
    M: Matrix = []
    for a in columns:
        row = []
        for b in columns:
            translation = m * (a.linear @ b.linear)
            rotation = a.angular @ (second @ b.angular)
            coupling = a.linear @ b.angular.cross(h) + b.linear @ a.angular.cross(h)
            row.append(translation + rotation + coupling)
        M.append(row)
    return along_coordinates(arm, M)


def mass_matrix_by_jacobians(arm: Mechanism, q: Sequence[Scalar]) -> Matrix:
    """M(q) as the sum of `link_mass_matrix` over the links, plus the rotors, n x n. Ring, O(n^3)."""
    M = rotor_mass_matrix(arm)
    for i in range(len(arm.links)):
        M = add(M, link_mass_matrix(arm, q, i))
    return M
