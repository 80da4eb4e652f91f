"""The letters of an arm: coordinates, speeds, accelerations and symbols in one exact ring, and the arm over it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from leverarm.errors import ArmError, LeverarmError
from leverarm.mechanics import friction
from leverarm.model import Arm, Expression, JointKind, Mechanism, Quantity, bind, quantities
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
    forces = [x for x in friction(exact.mechanism, exact.qd) if isinstance(x, Polynomial)]
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
    """The coordinates that turn some joint, and those that slide one."""
    turning, sliding = set(), set()
    for body in arm.bodies:
        joint = body.joint
        if joint.is_fixed:
            continue
        moved = [joint.name] if joint.coupling is None else [name for name, _ in joint.coupling]
        if joint.kind.turns:
            turning.update(moved)
        if joint.kind in (JointKind.PRISMATIC, JointKind.HELICAL):
            sliding.update(moved)
    return turning, sliding


def _symbols_in_angles(arm: Arm) -> set[str]:
    """The symbols that stand in an angle: a roll, pitch or yaw, the argument of a sine or cosine, a turned offset."""
    turned = {body.joint.name for body in arm.bodies if body.joint.kind.turns}
    found: set[str] = set()
    for place, quantity in quantities(arm):
        is_joint_angle = (
            place.number in ("offset", "locked value") and place.part is not None and place.part[1] in turned
        )
        found.update(_angle_symbols(quantity, "rpy" in place.number or is_joint_angle))
    return found


def _angle_symbols(quantity: Quantity, in_angle: bool) -> Iterator[str]:
    if not isinstance(quantity, Expression):
        return
    if quantity.head == "symbol":
        if in_angle:
            yield quantity.args[0]
        return
    for arg in quantity.args:
        yield from _angle_symbols(arg, in_angle or quantity.head in ("cos", "sin"))
