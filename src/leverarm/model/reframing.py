"""Where a link's frame sits is a choice: the same mechanism with frames in which the algorithms have the least to do.

A frame may be turned by a constant rotation, and its origin may lie anywhere on the joint's axis. Nothing outside can
tell: torques, matrices and the poses of bodies and named frames stay what they are.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from leverarm.model.mechanism import Mechanism
from leverarm.scalars import divide, is_zero
from leverarm.spatial import IDENTITY, ORIGIN, Matrix3, Pose, Vec3


def reframed(mechanism: Mechanism) -> Mechanism:
    """The mechanism with odd joint axes turned onto z, and origins moved along their axes towards the base.

    An origin goes to the point of its joint's axis that is nearest to the parent's origin, so that lengths along axes
    collect towards the tips: a spherical shoulder then has no lever arms at all. Axes with symbols, and origins on axes
    that lie along no coordinate of the parent, stay where they are. Exact over exact numbers. Field, O(n^2).
    """
    for i in range(len(mechanism.links)):
        mechanism = _with_origin_near_parent(_with_axis_along_z(mechanism, i), i)
    return mechanism


def coordinate_of(direction: Vec3) -> int | None:
    """Which coordinate a direction lies along, by its structural zeros; None for any other direction."""
    along = [k for k, part in enumerate(direction) if not is_zero(part)]
    return along[0] if len(along) == 1 else None


def _with_axis_along_z(mechanism: Mechanism, i: int) -> Mechanism:
    """Turned by half a turn about the bisector b of axis and z: R = b b^T / (1 + z . axis) - 1, rational like these."""
    a = mechanism.links[i].axis
    if coordinate_of(a) is not None or not all(isinstance(part, int | float | Fraction) for part in a):
        return mechanism
    up = 1 if a.z >= 0 else -1  # so that the denominator is at least one
    b = Vec3(a.x * up, a.y * up, a.z * up + 1)
    scaled = b * divide(1, b.z)
    R = Matrix3(
        Vec3(b.x * scaled.x - 1, b.x * scaled.y, b.x),
        Vec3(b.y * scaled.x, b.y * scaled.y - 1, b.y),
        Vec3(b.x, b.y, b.z - 1),
    )
    return _moved(mechanism, i, Pose(R, ORIGIN), Vec3(0, 0, up))


def _with_origin_near_parent(mechanism: Mechanism, i: int) -> Mechanism:
    link = mechanism.links[i]
    seen = link.placement.rotation @ link.axis
    if coordinate_of(seen) is None:
        return mechanism
    return _moved(mechanism, i, Pose(IDENTITY, link.axis * -(link.placement.position @ seen)), link.axis)


def _moved(mechanism: Mechanism, i: int, old_from_new: Pose, axis: Vec3) -> Mechanism:
    """Link i described in another frame of its body, in which its joint has this axis."""
    back, links = old_from_new.inverse(), list(mechanism.links)
    placement, inertia = links[i].placement * old_from_new, links[i].inertia.into_parent(back)
    links[i] = replace(links[i], placement=placement, axis=axis, inertia=inertia)
    for c, child in enumerate(links):
        if child.parent == i:
            links[c] = replace(child, placement=back * child.placement)
    attachments = {
        name: replace(at, pose=back * at.pose) if at.link == i else at for name, at in mechanism.attachments.items()
    }
    return replace(mechanism, links=tuple(links), attachments=attachments)
