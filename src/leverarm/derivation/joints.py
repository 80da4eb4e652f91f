"""Joints and coordinates in symbols: the same thing, unless the arm couples its joints."""

from __future__ import annotations

from leverarm.derivation.setting import Setting, times
from leverarm.model.mechanism import Row
from leverarm.notation.tree import ZERO, Node, Sum, Symbol
from leverarm.scalars import is_one


def joint_value(setting: Setting, i: int, dots: int = 0) -> Node:
    """Joint i by the coordinates, 2 theta1 - theta2 where coupled; with dots, its speed or acceleration."""
    return _combination(setting, setting.mechanism.couplings[i], setting.coordinates(dots))


def joint_forces(setting: Setting) -> list[Symbol]:
    """The forces at the joints: those along the coordinates, or letters of their own where joints are coupled."""
    if not setting.mechanism.is_coupled:
        return setting.forces
    return [Symbol(f"tau_J{link.number}") for link in setting.links]


def forces_along_coordinates(setting: Setting) -> list[Node]:
    """The same forces along the coordinates, as sums of the joints' forces with the ratios of the couplings."""
    symbols = joint_forces(setting)
    couplings = setting.mechanism.couplings
    rows = [tuple((i, r) for i, row in enumerate(couplings) for k, r in row if k == j) for j in range(setting.dof)]
    return [_combination(setting, row, symbols) for row in rows]


def _combination(setting: Setting, row: Row, symbols: list[Symbol]) -> Node:
    terms: list[Node] = [symbols[j] if is_one(ratio) else times(setting.tree(ratio), symbols[j]) for j, ratio in row]
    return ZERO if not terms else terms[0] if len(terms) == 1 else Sum(tuple(terms))
