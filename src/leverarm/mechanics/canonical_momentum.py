"""Momenta along the coordinates and the slopes of the kinetic energy: what Hamilton's equations are made of.

With p = dK/dqd the motion is qd = M^-1 p, pdot = dK/dq - g + tau. Of the Christoffel matrix dK/dq = C^T qd, but two
passes over the links give it without C: when joint j alone moves on, all that it carries sees its parent's velocity
turn by v x S_j, so K changes by the momentum that it carries along that motion.
"""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.mechanics.kinematics import outward_motion, still
from leverarm.mechanics.newton_euler import inward_sums
from leverarm.mechanics.rotors import rotor_forces
from leverarm.model import Mechanism
from leverarm.scalars import Scalar
from leverarm.spatial import ORIGIN


def momenta_and_slopes(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
    """p = M qd [N m s or N s] and dK/dq at constant qd [N m or N], rotors included in both.

    With h_j the momentum of link j and all it carries, p_j = S_j^T h_j and dK/dq_j = (v_j x S_j)^T h_j. The momentum
    of rotors does not depend on q. Ring, O(n).
    """
    motion = outward_motion(arm, q, qd, still(arm), gravity=ORIGIN)
    own = [link.inertia @ m.v for link, m in zip(arm.links, motion[:-1], strict=True)]
    h = inward_sums(arm, [m.parent_from_link for m in motion], own)
    p = [link.S @ carried for link, carried in zip(arm.links, h, strict=True)]
    slopes = [m.v.cross(link.S) @ carried for link, m, carried in zip(arm.links, motion[:-1], h, strict=True)]
    of_links, of_rotors = arm.generalised_forces(p), rotor_forces(arm, qd)
    return [a + b for a, b in zip(of_links, of_rotors, strict=True)], arm.generalised_forces(slopes)


def kinetic_energy_slope(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[Scalar]:
    """dK/dq at constant qd [N m or N]: C^T qd with the Christoffel C. Ring, O(n)."""
    return momenta_and_slopes(arm, q, qd)[1]
