"""The point masses of an arm: where they are, how they move, what they need; and the refusal of arms that have more."""

from __future__ import annotations

from dataclasses import dataclass

from leverarm.closed_form import Equations
from leverarm.derivation.setting import LinkSetting, Setting
from leverarm.errors import InputError
from leverarm.mechanics.kinematics import ancestors
from leverarm.scalars import Scalar
from leverarm.spatial import Vec3


@dataclass(frozen=True)
class Mass:
    """A point mass: position, velocity and acceleration in the world, and the force the arm must apply to it."""

    link: LinkSetting
    p: Vec3
    v: Vec3
    a: Vec3
    held: Vec3
    """m a - m a_g: what is needed beyond the weight."""

    @property
    def number(self) -> int:
        return self.link.number

    @property
    def m(self) -> Scalar:
        return self.link.inertia.m


def point_masses(eq: Equations) -> list[Mass]:
    """The masses of an arm, from the base outwards. InputError where the arm is more than point masses."""
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
    arm, remedy = setting.eq.arm.name, "Take the route 'lagrange' or 'newton-euler'."
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
