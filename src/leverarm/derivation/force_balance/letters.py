"""The letters of the forces on the masses, chosen so that none stands for two things."""

from __future__ import annotations

from leverarm.derivation.setting import Setting
from leverarm.notation.tree import Indexed, Node, Symbol

GRAVITY = Symbol("a_g")


def force_letter(setting: Setting) -> str:
    """f for the force on a mass, or another letter where names of the arm start with f."""
    return _free(setting, "fkwbd", "f_m")


def share_letter(setting: Setting) -> str:
    """F for the arm's share of it, or another letter where the arm has friction F(qd) or names that start with F."""
    return _free(setting, "FHNQ", "F_m")


def _free(setting: Setting, candidates: str, otherwise: str) -> str:
    names = [*setting.eq.arm.defaults, *setting.names, *(force.name for force in setting.forces)]
    taken = {name[0] for name in names} | ({"F"} if setting.mechanism.has_friction else set())
    return next((letter for letter in candidates if letter not in taken), otherwise)


def of(letter: str, index: str) -> Node:
    """p_i, u_j, tau_{j,i}."""
    return Indexed(Symbol(letter), index)
