"""Base-parameter regrouping: mass counted to the parent wherever the motion of the joint between cannot tell.

Gautier and Khalil 1990, "Direct calculation of minimum set of inertial parameters of serial robots"; Mayeda, Yoshida
and Osuka 1990. Mass on the axis of a turning joint lies still in the parent; bodies that slide on each other turn
alike, so their second moments are one. Of a turning link's ten numbers seven are left, of a sliding one's four.
"""

from __future__ import annotations

from dataclasses import replace

from leverarm.model.mechanism import WORLD, Link, Mechanism
from leverarm.model.reframing import coordinate_of, reframed
from leverarm.scalars import is_zero
from leverarm.spatial import NO_MASS, NO_SYMMETRIC3, ORIGIN, MassMoments, Symmetric3, Vec3


def regrouped(mechanism: Mechanism) -> Mechanism:
    """A mechanism with the same torques and fewer numbers, in frames of its own choice (`reframed`).

    Unchanged for every state: inverse and forward dynamics, M, C, g, kinetic energy, poses, Jacobians. Not the same:
    the potential energy (by a constant, from mass that went to the world), momenta and the energies of single links,
    and the regressor, whose parameters are those of the original arm. A link that turns about z keeps h = (hx, hy, 0)
    and the second moments with E_zz = 0, that is Izz = Ixx + Iyy; a screw keeps m and h as well. Removed numbers are
    structural zeros. Field, O(n^2).
    """
    mechanism = reframed(mechanism)
    links = mechanism.links
    bodies = [MassMoments.of(link.inertia) for link in links] + [NO_MASS]
    for i in reversed(range(len(links))):
        bodies[i], shared = _split(links[i], bodies[i])
        if links[i].parent != WORLD:
            bodies[links[i].parent] = bodies[links[i].parent] + shared.into_parent(links[i].placement)
    inertias = [body.to_inertia() for body in bodies]
    return replace(
        mechanism, links=tuple(replace(link, inertia=new) for link, new in zip(links, inertias, strict=False))
    )


def _split(link: Link, body: MassMoments) -> tuple[MassMoments, MassMoments]:
    """What stays with the link, and what may as well be fixed to its parent.

    The latter has no momentum in the joint's motion, which leaves it as it is: for a sliding joint all second moments;
    for a turning one the mass, as if at the origin, and the first and second moment along the axis; for a screw only
    the second, because the others advance with it.
    """
    if not link.turns:
        return MassMoments(body.m, body.h, NO_SYMMETRIC3), MassMoments(0, ORIGIN, body.E)
    a, k = link.axis, coordinate_of(link.axis)
    first, second = a * (a @ body.h), _square(a) * (a @ (body.E @ a))
    E = body.E - second
    if k is not None:
        E = replace(E, **{("xx", "yy", "zz")[k]: 0})
    if not is_zero(link.slide):
        return MassMoments(body.m, body.h, E), MassMoments(0, ORIGIN, second)
    h = body.h - first
    if k is not None:
        h = replace(h, **{"xyz"[k]: 0})
    return MassMoments(0, h, E), MassMoments(body.m, first, second)


def _square(a: Vec3) -> Symmetric3:
    """a a^T."""
    return Symmetric3(a.x * a.x, a.x * a.y, a.y * a.y, a.x * a.z, a.y * a.z, a.z * a.z)
