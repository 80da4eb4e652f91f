"""The parts that describe an arm: joints, bodies, frames, motors, limits; friction is in `friction.py`.

Every number in them is a quantity: a literal or an expression in symbols, as `as_quantity` reads it from what a user
writes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, Literal

from leverarm.errors import ExpressionError
from leverarm.model.expression import Expression, Quantity, call, symbols_of, to_float
from leverarm.model.expression_parser import parse_quantity
from leverarm.model.friction import SHAFT_LAWS, Friction
from leverarm.model.joint_kinds import JointKind
from leverarm.scalars import FLOAT
from leverarm.spatial import NO_SYMMETRIC3, ORIGIN, Inertia, Pose, Symmetric3, Vec3, rotation_from_rpy


@dataclass(frozen=True, slots=True)
class Placement:
    """The pose of a child frame in its parent: position [m] and fixed-axis roll, pitch, yaw [rad] as in URDF."""

    xyz: Vec3 = ORIGIN
    rpy: Vec3 = ORIGIN


@dataclass(frozen=True, slots=True)
class Limits:
    """Range of the joint variable [rad or m], greatest speed [1/s], greatest effort [N m or N]; None where unknown."""

    lower: Quantity | None = None
    upper: Quantity | None = None
    velocity: Quantity | None = None
    effort: Quantity | None = None


@dataclass(frozen=True, slots=True)
class Spring:
    """A spring in a joint, linear and without loss: it stores stiffness (q - rest)^2 / 2 and pulls towards `rest`.

    Stiffness [N m/rad or N/m], rest position of the joint [rad or m].
    """

    stiffness: Quantity
    rest: Quantity = 0


@dataclass(frozen=True, slots=True)
class Motor:
    """A rotor of some inertia [kg m^2] that turns `gear` times as fast as the joint.

    A geared wrist's motor also turns with other joints: its speed is s = gear qd + sum of ratio qd_k over `also`. The
    shaft has friction of its own, viscous s + coulomb sgn(s), in N m at the shaft and rad/s of it [N m s, N m]; where
    the joint's friction has a `smoothing` w, sgn(s) becomes tanh(s / (|gear| w)).
    """

    inertia: Quantity
    gear: Quantity = 1
    also: tuple[tuple[str, Quantity], ...] = ()
    viscous: Quantity = 0
    coulomb: Quantity = 0

    @property
    def has_friction(self) -> bool:
        """Whether the shaft's friction is described: a number that is not zero, or an expression."""
        numbers = (getattr(self, law.name) for law in SHAFT_LAWS)
        return any(isinstance(x, Expression) or x != 0 for x in numbers)


MOTOR_NUMBERS = tuple(name for name in Motor.__dataclass_fields__ if name != "also")
"""The names of a motor's own numbers, in files too."""


@dataclass(frozen=True, slots=True)
class Joint:
    """A joint's name, kind, axis (in the joint frame), placement in the parent body, and what acts in it.

    `pitch` [m/rad] is the advance of a helical joint. `coupling` makes the joint follow coordinates,
    joint = sum of ratio coordinate + offset; without it the joint is a coordinate of its own. `locked` fixes its
    position. `force` names the generalized force where a text wants its own letter.
    """

    name: str
    kind: JointKind
    placement: Placement = Placement()
    axis: Vec3 = Vec3(0, 0, 1)
    pitch: Quantity = 0
    limits: Limits = Limits()
    friction: Friction | None = None
    motor: Motor | None = None
    coupling: tuple[tuple[str, Quantity], ...] | None = None
    offset: Quantity = 0
    locked: Quantity | None = None
    force: str | None = None
    spring: Spring | None = None

    @property
    def is_fixed(self) -> bool:
        """Whether the joint cannot move: it is of the kind fixed, or locked."""
        return not self.kind.moves or self.locked is not None


@dataclass(frozen=True, slots=True)
class MassProperties:
    """Mass [kg], centre of mass in the body frame [m] and inertia tensor [kg m^2].

    The tensor is about the centre of mass or about the body origin, in axes turned by `rpy` from the body's. Its
    off-diagonal entries carry the tensor's sign, xy = -integral of x y dm.
    """

    mass: Quantity = 0
    com: Vec3 = ORIGIN
    inertia: Symmetric3 = NO_SYMMETRIC3
    about: Literal["com", "origin"] = "com"
    rpy: Vec3 = ORIGIN

    @staticmethod
    def from_inertia(body: Inertia) -> MassProperties:
        """From the ten numbers of a rigid body; a body without mass keeps only its second moments."""
        com = ORIGIN if body.m == 0 else Vec3(*(0 if part == 0 else Fraction(1) * part / body.m for part in body.h))
        return MassProperties(body.m, com, body.I, "origin")


@dataclass(frozen=True, slots=True)
class Body:
    """A rigid body and the joint that connects it to its parent. Its frame is the joint frame after the motion."""

    name: str
    parent: str
    joint: Joint
    mass_properties: MassProperties = MassProperties()


@dataclass(frozen=True, slots=True)
class Frame:
    """A named frame fixed to a body (a tool, a sensor, a merged link)."""

    name: str
    body: str
    placement: Placement = Placement()


_NOT_FINITE = ("nan", "inf", "infinity")


def as_quantity(value: Any) -> Quantity:
    """A literal number (of any numeric type), an expression, or a text such as "pi/2", "90 deg" or "m1*L1^2"."""
    match value:
        case Expression():
            return value
        case str() if value.strip().lower().lstrip("+-") not in _NOT_FINITE:
            return parse_quantity(value)
        case bool() | str():
            pass
        case Integral():
            return int(value)
        case Rational():
            return Fraction(int(value.numerator), int(value.denominator))
        case Real() if math.isfinite(value):
            return float(value)
    raise ExpressionError(f'{value!r} was given; it must be a finite number or a text such as "pi/2" or "m1*L1^2".')


def turn(angle: Quantity) -> tuple[Quantity, Quantity]:
    """Cosine and sine of a constant angle: ints at quarter turns, floats at other numbers, expressions for symbols."""
    if any(symbols_of(angle)):
        return call("cos", angle), call("sin", angle)
    return FLOAT.turn(to_float(angle, {}))


def pose_of(placement: Placement) -> Pose:
    """The placement as a pose."""
    return Pose(rotation_from_rpy(*(turn(angle) for angle in placement.rpy)), placement.xyz)
