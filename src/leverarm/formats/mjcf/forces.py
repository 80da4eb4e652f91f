"""The forces inside a compiled MuJoCo model: those an arm has too, and a refusal of those it has not."""

from __future__ import annotations

from leverarm.formats.follower import Follower, resolve
from leverarm.formats.mjcf.model import CompiledModel
from leverarm.model import Friction, Motor
from leverarm.spatial import Vec3

_TENDON_FORCES = ("stiffness", "damping", "frictionloss", "armature")


def check_forces(m: CompiledModel) -> None:
    """Raises FormatError for passive forces that no friction or rotor of an arm can stand for."""
    for i, joint in enumerate(m.joints):
        if m.is_on("SPRING") and (m.has("jnt_stiffness", i) or m.has("jnt_stiffnesspoly", i)):
            raise m.error(
                f"joint {joint!r} has a spring, and an arm's joints have none. Remove its stiffness, and count the "
                "spring's force among the outside forces.",
                "joint",
                joint,
            )
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
        raise m.error("the arm moves in a fluid; set density and viscosity to 0.", "option")
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
            raise m.error(f"equality constraints drive joint {joint!r} in a circle; remove one.", "equality")
    return resolved


def _through_gears(m: CompiledModel, joint: int, field: str) -> float:
    """gear^2 times what each actuator of the joint has: how it is felt at the joint."""
    return sum(
        float(m.model.actuator_gear[i][0]) ** 2 * float(getattr(m.model, field)[i])
        for i in range(m.model.nu)
        if m.has(field, i) and m.model.actuator_trnid[i][0] == joint
    )
