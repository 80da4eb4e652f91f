"""MJCF as an arm on a fixed base, through MuJoCo's own compiler (the extra leverarm[mjcf]).

MuJoCo sees to defaults, includes and mass from geometry; its compiled bodies and joints become an arm whose q is its
qpos. Contacts, actuator forces and sensors are not part of an arm. Whatever else would change its equations of motion
is read or refused (`check_forces`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from leverarm.errors import ArmError, FormatError
from leverarm.formats.follower import Follower, resolve
from leverarm.formats.mjcf.model import CompiledModel, compile_mjcf
from leverarm.formats.rigid import placement_from_pose
from leverarm.formats.serial import unused_name
from leverarm.model import Arm, Body, Frame, Friction, Joint, JointKind, Limits, MassProperties, Motor, Spring
from leverarm.spatial import HERE, IDENTITY, ORIGIN, Matrix3, Pose, Symmetric3, Vec3, rotation_about

_TENDON_FORCES = ("stiffness", "damping", "frictionloss", "armature")


def check_forces(m: CompiledModel) -> None:
    """Raises FormatError for passive forces that no friction, spring or rotor of an arm can stand for."""
    for i, joint in enumerate(m.joints):
        if m.is_on("SPRING") and m.has("jnt_stiffnesspoly", i):
            raise m.error(f"joint {joint!r} has a spring that is not linear; give it one number.", "joint", joint)
        if m.has("dof_dampingpoly", int(m.model.jnt_dofadr[i])):
            raise m.error(f"joint {joint!r} has damping that is not linear; give it one number.", "joint", joint)
    for i, body in enumerate(m.bodies):
        if m.has("body_gravcomp", i):
            raise m.error(
                f"body {body!r} has gravity compensation, which is a force of the controller. Remove gravcomp, and add "
                "that force to the joints' own.",
                "body",
                body,
            )
    for i in range(m.model.ntendon):
        for what in _TENDON_FORCES:
            if m.has(f"tendon_{what}", i):
                raise m.error(f"a tendon has {what}, and an arm has no tendons. Remove it.", "tendon")
    if m.model.opt.density or m.model.opt.viscosity:
        raise m.error(
            "the arm moves in a fluid, which leverarm does not model; set density and viscosity to 0.", "option"
        )
    for i in range(m.model.nu):
        is_felt = m.has("actuator_armature", i) or m.has("actuator_damping", i)
        if is_felt and m.model.actuator_trntype[i] != m.mujoco.mjtTrn.mjTRN_JOINT:
            raise m.error(
                "an actuator that does not act on a joint has armature or damping; give them to joints.", "actuator"
            )


def joint_friction(m: CompiledModel, joint: int) -> Friction | None:
    """Damping (the joint's and, through their gears, its actuators') and friction loss; None where both are zero."""
    dof = int(m.model.jnt_dofadr[joint])
    damping = float(m.model.dof_damping[dof]) + _through_gears(m, joint, "actuator_damping")
    viscous = damping if m.is_on("DAMPER") else 0.0
    coulomb = float(m.model.dof_frictionloss[dof]) if m.is_on("FRICTIONLOSS") else 0.0
    return Friction(viscous, coulomb) if viscous or coulomb else None


def joint_spring(m: CompiledModel, joint: int) -> Spring | None:
    """Stiffness about springref; None where there is none."""
    stiffness, rest = float(m.model.jnt_stiffness[joint]), m.model.qpos_spring[m.model.jnt_qposadr[joint]]
    return Spring(stiffness, float(rest)) if stiffness and m.is_on("SPRING") else None


def joint_motor(m: CompiledModel, joint: int) -> Motor | None:
    """Armature, the joint's and, through their gears, its actuators', as a rotor that turns with the joint."""
    armature = float(m.model.dof_armature[m.model.jnt_dofadr[joint]])
    inertia = armature + _through_gears(m, joint, "actuator_armature")
    return Motor(inertia) if inertia else None


def gravity(m: CompiledModel) -> Vec3:
    """Free-fall acceleration in the world [m/s^2]."""
    return Vec3(*(float(part) if m.is_on("GRAVITY") else 0.0 for part in m.model.opt.gravity))


def followers(m: CompiledModel) -> dict[str, Follower]:
    """The joints that active equality constraints tie to others, or hold still: y - y0 = a0 + a1 (x - x0)."""
    direct: dict[str, Follower] = {}
    for i in range(m.model.neq) if m.is_on("EQUALITY") else ():
        if not m.model.eq_active0[i]:
            continue
        if m.model.eq_type[i] != m.mujoco.mjtEq.mjEQ_JOINT:
            raise m.error(
                "an equality constraint that is not of joints closes a loop, and an arm is a tree. "
                'Remove it, or set active="false".',
                "equality",
            )
        first, second = int(m.model.eq_obj1id[i]), int(m.model.eq_obj2id[i])
        joint, (a0, a1, *higher) = m.joints[first], (float(a) for a in m.model.eq_data[i][:5])
        if joint in direct:
            raise m.error(f"two equality constraints drive joint {joint!r}; keep one.", "equality")
        if second < 0:
            direct[joint] = Follower(None, 0.0, m.rest(first) + a0)
            continue
        if any(higher):
            raise m.error(
                f"joint {joint!r} follows {m.joints[second]!r} by a polynomial; only a line is read. "
                "Set all but the first two numbers of polycoef to 0.",
                "equality",
            )
        direct[joint] = Follower(m.joints[second], a1, m.rest(first) + a0 - a1 * m.rest(second))
    resolved = resolve(direct)
    for joint in direct:
        if joint not in resolved:
            raise m.error(f"equality constraints drive joint {joint!r} in a cycle; remove one.", "equality")
    return resolved


def _through_gears(m: CompiledModel, joint: int, field: str) -> float:
    """gear^2 times what each actuator of the joint has: how it is felt at the joint."""
    return sum(
        float(m.model.actuator_gear[i][0]) ** 2 * float(getattr(m.model, field)[i])
        for i in range(m.model.nu)
        if m.has(field, i) and m.model.actuator_trnid[i][0] == joint
    )


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
    """Raises FormatError for joints with several degrees of freedom."""
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
                f"joint {m.joints[i]!r} of body {body!r} is a ball joint; leverarm's joints have one degree of "
                "freedom. Write it as three hinges in the same body.",
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
    coupled = follower if follower is not None and follower.leader is not None else None
    return Joint(
        name=m.joints[j],
        kind=_kind("slide" if is_slide else "hinge", is_limited),
        placement=placement_from_pose(placement),
        axis=axis,
        limits=_limits(m, j),
        friction=joint_friction(m, j),
        motor=joint_motor(m, j),
        spring=joint_spring(m, j),
        coupling=None if coupled is None else ((str(coupled.leader), coupled.ratio),),
        offset=0 if coupled is None else coupled.offset,
        locked=follower.offset if follower is not None and coupled is None else None,
    )


def _kind(word: str, is_limited: bool) -> JointKind:
    """What MJCF calls by this word; of two kinds, the one that turns without end where the joint has no limits."""
    kinds = [kind for kind in JointKind if kind.traits.mjcf == word]
    return next((kind for kind in kinds if kind.traits.is_endless is not is_limited), kinds[0])


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
