"""MJCF as an arm on a fixed base, through MuJoCo's own compiler (the extra leverarm[mjcf]).

MuJoCo sees to defaults, includes and mass from geometry; its compiled bodies and joints become an arm whose q is its
qpos. Contacts, actuator forces and sensors are no part of an arm. Whatever else would change its
equations is read or refused (see `forces`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from leverarm.errors import ArmError, FormatError
from leverarm.formats.follower import Follower
from leverarm.formats.mjcf.forces import check_forces, followers, gravity, joint_friction, joint_motor
from leverarm.formats.mjcf.model import CompiledModel, compile_mjcf
from leverarm.formats.roll_pitch_yaw import placement_from_pose
from leverarm.formats.unused_name import unused_name
from leverarm.model import Arm, Body, Frame, Joint, JointKind, Limits, MassProperties
from leverarm.spatial import HERE, IDENTITY, ORIGIN, Matrix3, Pose, Symmetric3, Vec3, rotation_about

_NO_DISTANCE = 1e-14
"""A joint this near to its body's origin [m] is at the origin."""


def arm_from_mjcf(source: str | Path) -> Arm:
    """The arm that MJCF describes, given as text or as the path of a file (a str with a "<" in it is text).

    Frames carry the names of MuJoCo's bodies and sites and are where MuJoCo has them. A joint away from its body's
    origin, and each but the last of several joints of a body, moves a body of its own named body_joint.
    """
    m = compile_mjcf(source)
    _check_joints(m)
    check_forces(m)
    following = followers(m)
    taken = set(m.bodies)
    bodies = tuple(body for i in range(1, m.model.nbody) for body in _bodies(m, i, following, taken))
    try:
        return Arm(
            name=m.root.attributes.get("model") or "mujoco",
            bodies=bodies,
            gravity=gravity(m),
            base=m.bodies[0],
            named_frames=tuple(_frames(m, taken)),
        )
    except ArmError as problem:
        raise FormatError(str(problem), m.root.file) from None


def _check_joints(m: CompiledModel) -> None:
    """Raises FormatError for joints of several freedoms."""
    kinds = m.mujoco.mjtJoint
    for i, kind in enumerate(m.model.jnt_type):
        body = m.bodies[m.model.jnt_bodyid[i]]
        if kind == kinds.mjJNT_FREE:
            raise m.error(
                f"body {body!r} has a free joint; leverarm reads arms on a fixed base. Remove the joint, or the body "
                "if it is not part of the arm.",
                "body",
                body,
            )
        if kind == kinds.mjJNT_BALL:
            raise m.error(
                f"joint {m.joints[i]!r} of body {body!r} is a ball; leverarm's joints have one freedom each. "
                "Write it as three hinges in the same body.",
                "body",
                body,
            )


def _bodies(m: CompiledModel, i: int, following: dict[str, Follower], taken: set[str]) -> Iterator[Body]:
    """One body of MuJoCo: a body for each of its joints, and a fixed one where the last joint is not at its origin.

    MuJoCo moves the body's frame by its joints one after the other, each about an anchor that the frame carries along.
    """
    model, name = m.model, m.bodies[i]
    parent, placement = m.bodies[model.body_parentid[i]], _pose(model.body_pos[i], model.body_quat[i])
    mass_properties = _mass_properties(m, i)
    joints = range(model.body_jntadr[i], model.body_jntadr[i] + model.body_jntnum[i])
    anchor = ORIGIN
    for j in joints:
        before, anchor = anchor, _anchor(m, j, anchor)
        joint = _joint(m, j, placement * Pose(IDENTITY, anchor - before), following.get(m.joints[j]))
        if j == joints[-1] and anchor == ORIGIN:
            yield Body(name, parent, joint, mass_properties)
            return
        moved = unused_name(f"{name}_{m.joints[j]}", taken)
        taken.add(moved)
        yield Body(moved, parent, joint)
        parent, placement = moved, HERE
    back = placement_from_pose(placement * Pose(IDENTITY, -anchor))
    fixed = Joint(unused_name(f"{name}_fixed", m.joints), JointKind.FIXED, back)
    yield Body(name, parent, fixed, mass_properties)


def _anchor(m: CompiledModel, j: int, before: Vec3) -> Vec3:
    """Where in the body a joint sits; a slide is at home anywhere, so it stays where the last joint was."""
    if m.model.jnt_type[j] == m.mujoco.mjtJoint.mjJNT_SLIDE:
        return before
    anchor = _vector(m.model.jnt_pos[j])
    return anchor if math.hypot(*anchor) > _NO_DISTANCE else ORIGIN


def _joint(m: CompiledModel, j: int, placement: Pose, follower: Follower | None) -> Joint:
    is_slide = m.model.jnt_type[j] == m.mujoco.mjtJoint.mjJNT_SLIDE
    is_limited = bool(m.model.jnt_limited[j])
    axis, rest = _vector(m.model.jnt_axis[j]), m.rest(j)
    # The joint displaces its body by q - rest. Its motions commute, so the part by -rest belongs to the placement.
    if is_slide:
        placement = placement * Pose(IDENTITY, axis * -rest)
    elif rest != 0:
        placement = placement * Pose(rotation_about(axis, math.cos(rest), -math.sin(rest)), ORIGIN)
    turning = JointKind.REVOLUTE if is_limited else JointKind.CONTINUOUS
    coupled = follower if follower is not None and follower.leader is not None else None
    return Joint(
        name=m.joints[j],
        kind=JointKind.PRISMATIC if is_slide else turning,
        placement=placement_from_pose(placement),
        axis=axis,
        limits=_limits(m, j),
        friction=joint_friction(m, j),
        motor=joint_motor(m, j),
        coupling=None if coupled is None else ((str(coupled.leader), coupled.ratio),),
        offset=0 if coupled is None else coupled.offset,
        locked=follower.offset if follower is not None and coupled is None else None,
    )


def _limits(m: CompiledModel, j: int) -> Limits:
    effort = max(abs(float(end)) for end in m.model.jnt_actfrcrange[j]) if m.model.jnt_actfrclimited[j] else None
    if not m.model.jnt_limited[j]:
        return Limits(effort=effort)
    lower, upper = (float(end) for end in m.model.jnt_range[j])
    return Limits(lower, upper, effort=effort)


def _mass_properties(m: CompiledModel, i: int) -> MassProperties:
    """Mass, centre of mass, and the tensor about it turned from its principal axes into the body's."""
    xx, yy, zz = (float(part) for part in m.model.body_inertia[i])
    tensor = Symmetric3(xx, 0, yy, 0, 0, zz).rotated(_rotation(m.model.body_iquat[i]))
    return MassProperties(float(m.model.body_mass[i]), _vector(m.model.body_ipos[i]), tensor)


def _frames(m: CompiledModel, taken: set[str]) -> Iterator[Frame]:
    """The named sites; one that is named like a body gets a number."""
    for i, site in enumerate(m.sites):
        if site is not None:
            name = unused_name(site, taken)
            taken.add(name)
            pose = _pose(m.model.site_pos[i], m.model.site_quat[i])
            yield Frame(name, m.bodies[m.model.site_bodyid[i]], placement_from_pose(pose))


def _vector(numbers: Sequence[float]) -> Vec3:
    return Vec3(*(float(part) for part in numbers))


def _pose(position: Sequence[float], quaternion: Sequence[float]) -> Pose:
    return Pose(_rotation(quaternion), _vector(position))


def _rotation(quaternion: Sequence[float]) -> Matrix3:
    """The rotation of a quaternion (w, x, y, z), scaled to length one."""
    w, x, y, z = (float(part) for part in quaternion)
    s = 2 / (w * w + x * x + y * y + z * z)
    return Matrix3(
        Vec3(1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)),
        Vec3(s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)),
        Vec3(s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)),
    )
