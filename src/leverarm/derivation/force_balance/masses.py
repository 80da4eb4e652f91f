"""The point masses of an arm as exact values: their motion, the forces on them, and what each joint must supply.

Arms with rotational inertia or rotors are refused. The letters of the forces are chosen so that none has two meanings.
"""

from __future__ import annotations

from dataclasses import dataclass

from leverarm.closed_form import Equations
from leverarm.derivation.setting import LinkSetting, Setting
from leverarm.errors import InputError
from leverarm.mechanics.kinematics import ancestors
from leverarm.mechanics.springs import plus_springs
from leverarm.notation.tree import Indexed, Node, Symbol
from leverarm.scalars import Scalar
from leverarm.spatial import Vec3


@dataclass(frozen=True)
class Mass:
    """A point mass: its position, velocity and acceleration in the world, and the force the arm must apply to it."""

    link: LinkSetting
    p: Vec3
    v: Vec3
    a: Vec3
    held: Vec3
    """m a - m a_g: the force needed in addition to its weight."""

    @property
    def number(self) -> int:
        return self.link.number

    @property
    def m(self) -> Scalar:
        return self.link.inertia.m


def point_masses(eq: Equations) -> list[Mass]:
    """The masses of an arm, from the base outwards. Raises InputError where the arm has more than point masses."""
    setting = Setting(eq)
    _check(setting)
    masses = []
    for link in setting.heavy_links:
        v = Vec3(*(setting.eq.time_derivative(x) for x in link.com))
        a = Vec3(*(setting.eq.time_derivative(x) for x in v))
        masses.append(Mass(link, link.com, v, a, (a - setting.mechanism.gravity) * link.inertia.m))
    return masses


def carried_by(setting: Setting, masses: list[Mass], j: int) -> list[Mass]:
    """The masses that joint j moves."""
    return [mass for mass in masses if j in ancestors(setting.mechanism, mass.link.i)]


def _check(setting: Setting) -> None:
    arm, remedy = setting.eq.arm.name, "Use the route 'lagrange' or 'newton-euler'."
    turned = [link.name for link in setting.links if link.has_rotation_inertia]
    if turned:
        raise InputError(
            f"force balance is a route for point masses, but in arm {arm!r} {_listed(turned)} rotational inertia about "
            f"the centre of mass. {remedy}"
        )
    if setting.mechanism.rotors:
        motors = sorted({rotor.joint for rotor in setting.mechanism.rotors})
        raise InputError(
            f"force balance is a route for point masses, but in arm {arm!r} the motors of joints "
            f"{', '.join(map(repr, motors))} have rotors that turn. {remedy}"
        )


def _listed(names: list[str]) -> str:
    words = ", ".join(map(repr, names[:-1])) + (" and " if len(names) > 1 else "") + repr(names[-1])
    return f"body {words} has" if len(names) == 1 else f"bodies {words} have"


def force_along(setting: Setting, link: LinkSetting, mass: Mass) -> Scalar:
    """A mass's share of a joint force: the moment about a revolute axis, the force along a prismatic one."""
    joint, lever = setting.mechanism.links[link.i], mass.p - link.pose.position
    moment = link.axis @ lever.cross(mass.held) if joint.turns else 0
    return moment + joint.slide * (link.axis @ mass.held)


def joint_values(setting: Setting, masses: list[Mass]) -> list[Scalar]:
    """The force or moment of each joint, summed over the masses it moves."""
    return [
        sum((force_along(setting, link, mass) for mass in carried_by(setting, masses, link.i)), start=0)
        for link in setting.links
    ]


def forces_by_balance(eq: Equations) -> list[Scalar]:
    """The generalised forces of an arm of point masses by force balance. Raises InputError for other arms."""
    setting = Setting(eq)
    masses = setting.mechanism.generalised_forces(joint_values(setting, point_masses(eq)))
    return plus_springs(setting.mechanism, eq.exact.q, masses)


def force_letter(setting: Setting) -> str:
    """f for the force on a mass, or another letter where symbols of the arm start with f."""
    return _free(setting, "fkwbd", "f_m")


def share_letter(setting: Setting) -> str:
    """F for the arm's share of it, or another letter where there is friction F(qd) or a symbol that starts with F."""
    return _free(setting, "FHNQ", "F_m")


def _free(setting: Setting, candidates: str, otherwise: str) -> str:
    names = [*setting.eq.arm.defaults, *setting.names, *(force.name for force in setting.forces)]
    taken = {name[0] for name in names} | ({"F"} if setting.mechanism.has_friction else set())
    return next((letter for letter in candidates if letter not in taken), otherwise)


def of(letter: str, index: str) -> Node:
    """p_i, u_j, tau_{j,i}."""
    return Indexed(Symbol(letter), index)
