"""What an arm's letters mean to a reader: which symbols are masses, which axes are parallel, names of coordinates."""

from __future__ import annotations

import re
from typing import Literal, get_args

from leverarm.closed_form.letters import ExactArm
from leverarm.errors import ArmError, InputError
from leverarm.model import Arm, Mechanism, Place, quantities, symbols_of
from leverarm.notation.lookalikes import typeset_alike
from leverarm.notation.names import dotted
from leverarm.notation.vocabulary import Role, Vocabulary, Writing
from leverarm.scalars import is_one
from leverarm.spatial import Vec3

CoordinateNames = Literal["own", "theta", "q"]
Angles = Literal["short", "expanded"]

LETTERS = re.compile(r"(q|d|r|x|y|z|h|theta|phi|psi|alpha|beta|gamma)_?\d*")
"""Coordinate names that read well in a formula. An arm with others has its coordinates printed as q1, q2, ..."""

_STRENGTH = (Role.GRAVITY, Role.MASS, Role.LENGTH, Role.INERTIA, Role.OTHER)
"""A symbol that occurs in several places has the first of these roles."""


def check_names(arm: Arm, coordinates: CoordinateNames, angles: Angles) -> None:
    """No symbol of the arm may have a name that the printed equations give to something else."""
    if coordinates not in get_args(CoordinateNames):
        raise InputError(f"coordinates={coordinates!r}; they are printed by their 'own' names, as 'theta' or as 'q'.")
    if angles not in get_args(Angles):
        raise InputError(f"angles={angles!r}; they are 'short' (c12) or 'expanded' (cos(theta1 + theta2)).")
    printed = dict.fromkeys((*arm.coordinates, *_printed_names(arm.coordinates, coordinates).values()))
    taken = {dotted(name, dots): name for name in printed for dots in (2, 1, 0)}
    for name in arm.defaults:
        if name in taken:
            what = "a coordinate" if name == taken[name] else f"the time derivative of coordinate {taken[name]}"
            raise ArmError(
                f"arm {arm.name!r}: symbol {name!r} has the name that {what} is printed by. Rename the symbol.",
                part=("symbol", name),
            )


def vocabulary_of(exact: ExactArm, coordinates: CoordinateNames = "own") -> Vocabulary:
    """The vocabulary of an arm."""
    arm = exact.arm
    printed = _printed_names(arm.coordinates, coordinates)
    return Vocabulary(arm.coordinates, printed, _parallel_groups(exact.mechanism), _roles(arm))


def writing_of(exact: ExactArm, vocabulary: Vocabulary, angles: Angles = "short") -> Writing:
    """How the arm's cosines are typeset: short where every turning coordinate has a number of its own.

    Names that a reader could not tell apart are refused.
    """
    turning = [name for name in exact.coordinates if f"cos({name})" in exact.ring.index]
    numbers = {vocabulary.printed[name]: re.sub(r"\D", "", vocabulary.printed[name]) for name in turning}
    is_short = angles == "short" and all(numbers.values()) and len(set(numbers.values())) == len(numbers)
    writing = Writing("short", numbers) if is_short else Writing("expanded", {})
    for group in typeset_alike((*exact.arm.defaults, *vocabulary.printed.values()), writing):
        symbol = next(name for name in group if name in exact.arm.defaults or name in vocabulary.printed.values())
        others = " and ".join(name for name in group if name != symbol)
        remedy = ", or ask for expanded angles" if is_short and group[-1].startswith(("cos(", "sin(")) else ""
        raise ArmError(
            f"arm {exact.arm.name!r}: {symbol!r} would be printed just like {others}. Rename it{remedy}.",
            part=("symbol", symbol) if symbol in exact.arm.defaults else None,
        )
    return writing


def _printed_names(names: tuple[str, ...], style: CoordinateNames) -> dict[str, str]:
    if style == "own" and all(LETTERS.fullmatch(name) for name in names):
        return {name: name for name in names}
    letter = "theta" if style == "theta" else "q"
    return {name: f"{letter}{i}" for i, name in enumerate(names, 1)}


def _roles(arm: Arm) -> dict[str, Role]:
    seen: dict[str, set[Role]] = {name: {Role.OTHER} for name in arm.defaults}
    for place, quantity in quantities(arm):
        for name in symbols_of(quantity):
            seen[name].add(_role(place))
    return {name: next(role for role in _STRENGTH if role in roles) for name, roles in seen.items()}


def _role(place: Place) -> Role:
    number = place.number
    if number.startswith("gravity"):
        return Role.GRAVITY
    if number == "mass":
        return Role.MASS
    if number.startswith("inertia") and "rpy" not in number:
        return Role.INERTIA
    is_length = number.startswith(("com", "xyz", "base xyz", "pitch", "offset", "locked"))
    return Role.LENGTH if is_length else Role.OTHER


def _parallel_groups(arm: Mechanism) -> tuple[tuple[tuple[str, int], ...], ...]:
    """Coordinates whose axes stay parallel: a joint and the next turning joint that carries it."""
    own = [row[0][0] if len(row) == 1 and is_one(row[0][1]) else None for row in arm.couplings]
    groups: list[list[tuple[str, int]]] = []
    place: dict[int, tuple[int, int]] = {}
    """For each turning link: its group, and its sense in it."""
    for i, link in enumerate(arm.links):
        coordinate = own[i]
        if not link.turns or coordinate is None:
            continue
        carrier, sense = _turning_carrier(arm, i)
        if sense and carrier in place:
            group, carrier_sense = place[carrier]
            place[i] = (group, sense * carrier_sense)
        else:
            groups.append([])
            place[i] = (len(groups) - 1, 1)
        group, sense = place[i]
        if arm.coordinates[coordinate] not in [name for name, _ in groups[group]]:
            groups[group].append((arm.coordinates[coordinate], sense))
    return tuple(tuple(group) for group in groups)


def _turning_carrier(arm: Mechanism, i: int) -> tuple[int, int]:
    """The nearest turning link that carries link i, and the sense of i's axis along its axis: 1, -1, or 0 if skew."""
    axis = arm.links[i].placement.rotation @ arm.links[i].axis
    j = arm.links[i].parent
    while j >= 0 and not arm.links[j].turns:
        axis = arm.links[j].placement.rotation @ axis
        j = arm.links[j].parent
    if j < 0:
        return j, 0
    return j, _sense(axis, arm.links[j].axis)


def _sense(a: Vec3, b: Vec3) -> int:
    if tuple(a) == tuple(b):
        return 1
    return -1 if tuple(a) == tuple(-b) else 0
