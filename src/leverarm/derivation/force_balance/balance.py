"""What each joint must hold for the masses it carries, as exact values."""

from __future__ import annotations

from leverarm.closed_form import Equations
from leverarm.derivation.force_balance.masses import Mass, carried_by, point_masses
from leverarm.derivation.setting import LinkSetting, Setting
from leverarm.scalars import Scalar


def force_along(setting: Setting, link: LinkSetting, mass: Mass) -> Scalar:
    """What a mass asks of a joint: the moment about its axis where it turns, the force along it where it slides."""
    joint, lever = setting.mechanism.links[link.i], mass.p - link.pose.position
    moment = link.axis @ lever.cross(mass.held) if joint.turns else 0
    return moment + joint.slide * (link.axis @ mass.held)


def joint_values(setting: Setting, masses: list[Mass]) -> list[Scalar]:
    """The force of each joint, summed over the masses it carries."""
    return [
        sum((force_along(setting, link, mass) for mass in carried_by(setting, masses, link.i)), start=0)
        for link in setting.links
    ]


def forces_by_balance(eq: Equations) -> list[Scalar]:
    """The generalised forces of an arm of point masses by force balance. InputError where it is more than that."""
    setting = Setting(eq)
    return setting.mechanism.generalised_forces(joint_values(setting, point_masses(eq)))
