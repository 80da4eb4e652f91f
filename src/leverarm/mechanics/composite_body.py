"""The mass matrix by composite bodies: everything that a joint carries, as one rigid body.

Featherstone 2008, Table 6.2.
"""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.mechanics.matrices import Matrix, add, along_coordinates
from leverarm.mechanics.rotors import rotor_mass_matrix
from leverarm.model import Mechanism
from leverarm.scalars import Scalar
from leverarm.spatial import NO_INERTIA


def mass_matrix(arm: Mechanism, q: Sequence[Scalar]) -> Matrix:
    """M(q), rotors included [kg m^2, kg m, kg]: kinetic energy is qd^T M qd / 2.

    M_ij = S_j^T (force on link j that accelerates the composite body of i by S_i). Ring, O(n depth).
    """
    X = [link.pose(x) for link, x in zip(arm.links, arm.joint_values(q), strict=True)]
    Ic = [link.inertia for link in arm.links] + [NO_INERTIA]
    n = len(arm.links)
    M: Matrix = [[0] * n for _ in range(n)]
    for i in reversed(range(n)):
        link = arm.links[i]
        f = Ic[i] @ link.S
        M[i][i] = link.S @ f
        j = i
        while arm.links[j].parent >= 0:
            f = X[j].force_into_parent(f)
            j = arm.links[j].parent
            M[i][j] = M[j][i] = arm.links[j].S @ f
        Ic[link.parent] = Ic[link.parent] + Ic[i].into_parent(X[i])
    return add(along_coordinates(arm, M), rotor_mass_matrix(arm))
