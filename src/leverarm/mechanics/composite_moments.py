"""The mass matrix by composite bodies again, with the moments of mass in place of inertia tensors: fewer operations.

Featherstone 2008, Table 6.2, and Khalil and Dombre 2002, section 9.7. To its parent a composite body is a point mass at
its origin (constant, where the joint turns) plus its first and second moments about it.
"""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.mechanics.link_turns import LinkTurn, link_turns
from leverarm.mechanics.matrices import Matrix, add, along_coordinates
from leverarm.mechanics.rotors import rotor_mass_matrix
from leverarm.model import Mechanism
from leverarm.scalars import Scalar
from leverarm.spatial import NO_MASS, Force, MassMoments, Motion, Pose, inertia_tensor, point_mass


def classical_mass_matrix(arm: Mechanism, q: Sequence[Scalar]) -> Matrix:
    """M(q), rotors included, as `mass_matrix` [kg m^2, kg m, kg]. Ring, O(n depth)."""
    X = [link.pose(x) for link, x in zip(arm.links, arm.joint_values(q), strict=True)]
    M = joint_mass_matrix(arm, X, composite_moments(arm, X, link_turns(arm, q, X)))
    return add(along_coordinates(arm, M), rotor_mass_matrix(arm))


def composite_moments(arm: Mechanism, X: Sequence[Pose], turns: Sequence[LinkTurn]) -> list[MassMoments]:
    """The mass moments of each link with all it carries, in the link's frame; X, turns: the links in their parents."""
    body = [MassMoments.of(link.inertia) for link in arm.links] + [NO_MASS]
    mass = [each.m for each in body]
    inward = [(i, arm.links[i].parent) for i in reversed(range(len(arm.links)))]
    for i, parent in inward:
        mass[parent] = mass[parent] + mass[i]
    for i, parent in inward:  # before the moments, so that constants meet constants
        body[parent] = body[parent] + point_mass(mass[i], X[i].position)
    for i, parent in inward:
        turned = MassMoments(0, turns[i].R @ body[i].h, turns[i].symmetric(body[i].E))
        body[parent] = body[parent] + turned.moved(X[i].position)
    return [MassMoments(m, each.h, each.E) for m, each in zip(mass[:-1], body[:-1], strict=True)]


def joint_mass_matrix(arm: Mechanism, X: Sequence[Pose], composite: Sequence[MassMoments]) -> Matrix:
    """M over the joints and without rotors: M_ij = S_j^T (momentum of the composite body of i moving with S_i)."""
    n, S = len(arm.links), [link.S for link in arm.links]
    M: Matrix = [[0] * n for _ in range(n)]
    for i in range(n):
        f, j = momentum_of(composite[i], S[i]), i
        M[i][i] = S[i] @ f
        while arm.links[j].parent >= 0:
            f = X[j].force_into_parent(f)
            j = arm.links[j].parent
            M[i][j] = M[j][i] = S[j] @ f
    return M


def momentum_of(body: MassMoments, S: Motion) -> Force:
    """The momentum of a body that moves with S: angular I w + h x v, linear w x h + m v."""
    w, v = S.angular, S.linear
    return Force(inertia_tensor(body.E) @ w + body.h.cross(v), w.cross(body.h) + v * body.m)
