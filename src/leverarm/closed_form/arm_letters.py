"""The letters of an arm: coordinates, speeds, accelerations and symbols in one exact ring, and the arm over it.

Then what the letters mean to a reader: which symbols are masses, which axes are parallel, how coordinates are printed.
Names that would look the same (a1 and a_1, c_2 and the short cosine of theta2) are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

from leverarm.errors import ArmError, InputError, LeverarmError
from leverarm.mechanics import friction, joint_loads
from leverarm.model import Arm, Expression, Mechanism, Place, Quantity, bind, quantities, symbols_of
from leverarm.notation.latex_names import name_latex
from leverarm.notation.names import dotted, short_angles, split_name
from leverarm.notation.text import to_text
from leverarm.notation.tree import Trig
from leverarm.notation.vocabulary import Angle, Role, Vocabulary, Writing
from leverarm.scalars import EXACT, Scalar, Turn
from leverarm.scalars.exact import (
    Abbreviations,
    Application,
    Generator,
    Polynomial,
    Ring,
    circle,
    letter,
    ring_of,
    symbol,
)
from leverarm.spatial import Vec3


@dataclass(frozen=True, slots=True)
class ExactArm:
    """An arm over the exact ring, and the letters to run the mechanics on."""

    arm: Arm
    mechanism: Mechanism
    ring: Ring
    q: tuple[Scalar, ...]
    qd: tuple[Polynomial, ...]
    qdd: tuple[Polynomial, ...]

    @property
    def coordinates(self) -> tuple[str, ...]:
        return self.arm.coordinates

    def abbreviated(self, book: Abbreviations) -> tuple[Mechanism, list[Scalar]]:
        """The same arm and coordinates over scalars that keep themselves short."""
        values = {name: _shortened(_unknown(self.ring, name), book) for name in self.arm.defaults}
        return bind(self.arm, EXACT, values), [_shortened(q, book) for q in self.q]

    def letter(self, name: str) -> Polynomial:
        """A letter of the ring by its name."""
        return letter(self.ring, name)

    @property
    def load(self) -> list[Scalar] | None:
        """What each joint transmits without acceleration, where friction depends on it."""
        return joint_loads(self.mechanism, self.q, self.qd) if self.mechanism.loaded_joints else None

    @property
    def friction(self) -> list[Scalar]:
        """F along each coordinate."""
        return friction(self.mechanism, self.qd, load=self.load)

    @property
    def rates(self) -> dict[str, Polynomial]:
        """What changes in time, and how fast: coordinates by their speeds, speeds by their accelerations."""
        changing: dict[str, Polynomial] = {}
        for name, qd, qdd in zip(self.coordinates, self.qd, self.qdd, strict=True):
            changing |= {name: qd, speed(name): qdd}
        return changing


def speed(coordinate: str) -> str:
    """The letter of a coordinate's speed."""
    return f"{coordinate}.d"


def acceleration(coordinate: str) -> str:
    """The letter of a coordinate's acceleration."""
    return f"{coordinate}.dd"


def exact_arm(arm: Arm) -> ExactArm:
    """The arm with every symbol a letter, every coordinate unknown and every number exact."""
    turning, sliding = _motions(arm)
    in_angles = _symbols_in_angles(arm)
    angles = [name for name in arm.defaults if name in in_angles]
    letters = [symbol(name) for name in (*arm.coordinates, *arm.defaults) if name not in turning or name in sliding]
    for angle in (*arm.coordinates, *angles):
        if angle in turning or angle in angles:
            letters += circle(angle)
    for order in (speed, acceleration):
        letters += [symbol(order(name)) for name in arm.coordinates]
    exact = _over(arm, ring_of(letters))
    _check_couplings(exact)
    if not exact.mechanism.has_friction:
        return exact
    return _over(arm, ring_of([*letters, *_friction_letters(exact)]))


def _check_couplings(exact: ExactArm) -> None:
    """Joints that turn by a part of a coordinate have no polynomial in its cosine."""
    try:
        exact.mechanism.joint_values(exact.q)
    except LeverarmError as problem:
        raise ArmError(f"arm {exact.arm.name!r} has no exact closed form as it is written: {problem}") from None


def _over(arm: Arm, ring: Ring) -> ExactArm:
    """The arm over a ring that has its letters."""
    return ExactArm(
        arm=arm,
        mechanism=_bound(arm, {name: _unknown(ring, name) for name in arm.defaults}),
        ring=ring,
        q=tuple(_unknown(ring, name) for name in arm.coordinates),
        qd=tuple(letter(ring, speed(name)) for name in arm.coordinates),
        qdd=tuple(letter(ring, acceleration(name)) for name in arm.coordinates),
    )


def _friction_letters(exact: ExactArm) -> list[Generator]:
    """The signs and tangents of friction: in the arm's own ring, its forces need not move to another."""
    forces = [x for x in exact.friction if isinstance(x, Polynomial)]
    return [g for force in forces for g in force.generators() if isinstance(g, Application)]


def _unknown(ring: Ring, name: str) -> Scalar:
    """A coordinate or symbol as its letters: an angle by cosine and sine, and by itself where it is a length too."""
    itself = letter(ring, name) if name in ring.index else 0
    if f"cos({name})" not in ring.index:
        return itself
    return Turn(letter(ring, f"cos({name})"), letter(ring, f"sin({name})"), itself)


def _shortened(x: Scalar, book: Abbreviations) -> Scalar:
    return Turn(book.of(x.cos), book.of(x.sin), book.of(x.value)) if isinstance(x, Turn) else book.of(x)


def _bound(arm: Arm, values: dict[str, Scalar]) -> Mechanism:
    try:
        mechanism = bind(arm, EXACT, values)
    except LeverarmError as problem:
        raise ArmError(f"arm {arm.name!r} has no exact closed form as it is written: {problem}") from None
    for link in mechanism.links:
        if link.axis @ link.axis != 1:
            raise ArmError(
                f"arm {arm.name!r}: the axis of joint {link.joint!r} has symbols and is not of length one for all "
                "their values. Write it so that it is, as in [cos(a), sin(a), 0], or turn the joint's frame by `rpy`.",
                part=("joint", link.joint),
            )
    return mechanism


def _motions(arm: Arm) -> tuple[set[str], set[str]]:
    """The coordinates that turn some joint, and those that occur themselves: they slide one, or stretch a spring."""
    turning, sliding = set(), set()
    for body in arm.bodies:
        joint = body.joint
        if joint.is_fixed:
            continue
        moved = [joint.name] if joint.coupling is None else [name for name, _ in joint.coupling]
        if joint.kind.turns:
            turning.update(moved)
        if joint.kind.slides or joint.spring is not None:
            sliding.update(moved)
    return turning, sliding


def _symbols_in_angles(arm: Arm) -> set[str]:
    """The symbols that stand in an angle: a roll, pitch or yaw, the argument of a sine or cosine, a turned offset."""
    found: set[str] = set()
    for place, quantity in quantities(arm):
        found.update(_angle_symbols(quantity, _is_angle(arm, place)))
    return found


def _is_angle(arm: Arm, place: Place) -> bool:
    """Whether a number of the arm is an angle: a roll, pitch or yaw, or the offset of a joint that turns."""
    if place.number not in ("offset", "locked value") or place.part is None:
        return "rpy" in place.number
    return any(body.joint.name == place.part[1] and body.joint.kind.turns for body in arm.bodies)


def _angle_symbols(quantity: Quantity, in_angle: bool) -> Iterator[str]:
    if not isinstance(quantity, Expression):
        return
    if quantity.head == "symbol":
        if in_angle:
            yield quantity.args[0]
        return
    for arg in quantity.args:
        yield from _angle_symbols(arg, in_angle or quantity.head in ("cos", "sin"))


def typeset_alike(names: Iterable[str], writing: Writing = Writing()) -> list[tuple[str, ...]]:
    """Groups of names that are typeset the same, each in the order given; a name like no other is in none.

    Where the writing has short angles, a name that looks like one of them stands with it: ("c_2", "cos(theta2)").
    """
    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        groups.setdefault(name_latex(name), []).append(name)
    for group in groups.values():
        group += _short_cosine(group[0], writing)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def _short_cosine(name: str, writing: Writing) -> list[str]:
    """What the name looks like, written out; nothing where it looks like no cosine or sine."""
    parts = split_name(name)
    angles = short_angles(parts.stem + parts.index, writing)
    if angles is None:
        return []
    trig = Trig("cos" if parts.stem == "c" else "sin", tuple((angle, 1) for angle in angles))
    return [to_text(trig, Writing("expanded"))]


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
    return Vocabulary(arm.coordinates, printed, _parallel_groups(exact.mechanism), _roles(arm), _decimals(arm))


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


def _decimals(arm: Arm) -> frozenset[Role]:
    """What the arm gives as decimals, apart from angles, and from gravity, which reads as one in any case."""
    places = (place for place, quantity in quantities(arm) if _has_decimals(quantity) and not _is_angle(arm, place))
    return frozenset(_role(place) for place in places if not place.number.startswith(("limits", "gravity")))


def _has_decimals(quantity: Quantity) -> bool:
    match quantity:
        case float():
            return not quantity.is_integer()
        case Expression(args=args):
            return any(map(_has_decimals, args))
        case _:
            return False


def _role(place: Place) -> Role:
    number = place.number
    if number.startswith("gravity"):
        return Role.GRAVITY
    if number == "mass":
        return Role.MASS
    if number.startswith("inertia") and "rpy" not in number:
        return Role.INERTIA
    is_length = number.startswith(("com", "xyz", "base xyz", "pitch", "offset", "locked", "spring rest"))
    return Role.LENGTH if is_length else Role.OTHER


def _parallel_groups(arm: Mechanism) -> tuple[tuple[Angle, ...], ...]:
    """Links whose axes stay parallel, a link and the next turning links that it carries: each by the angle it turns."""
    groups: list[list[Angle]] = []
    place: dict[int, tuple[int, int, Angle]] = {}
    """For each turning link: its group, its sense in it, and its angle."""
    for i, link in enumerate(arm.links):
        if not link.turns or not all(_is_whole(ratio) for _, ratio in arm.couplings[i]):
            continue
        carrier, sense = _turning_carrier(arm, i)
        if not sense or carrier not in place:
            groups.append([])
        group, carrier_sense, before = place[carrier] if sense and carrier in place else (len(groups) - 1, 1, ())
        own_sense = sense * carrier_sense if before else 1
        times = dict(before)
        for j, ratio in arm.couplings[i]:
            name = arm.coordinates[j]
            times[name] = times.get(name, 0) + own_sense * int(ratio)
        angle = tuple((name, times[name]) for name in arm.coordinates if times.get(name))
        place[i] = (group, own_sense, angle)
        groups[group].append(angle)
    return tuple(map(tuple, groups))


def _is_whole(ratio: Scalar) -> bool:
    return isinstance(ratio, int | Fraction) and ratio.denominator == 1


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
