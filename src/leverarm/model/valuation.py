"""The numbers of a description, evaluated in one number system."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from leverarm.errors import ArmError, unknown_name
from leverarm.model.arm import Arm
from leverarm.model.expression import Expression, Quantity, format_quantity, symbols_of, to_float
from leverarm.model.parts import Joint, MassProperties, Placement
from leverarm.scalars import Number, NumberSystem, Scalar, as_length, cos_sin, divide
from leverarm.spatial import Inertia, Pose, Vec3, rotation_from_rpy

UNIT = 1e-9
"""How far from length one an axis with free symbols may be at their default values."""


@dataclass(frozen=True, slots=True)
class Valuation:
    """The values of one arm's symbols in one number system."""

    system: NumberSystem
    defaults: Mapping[str, Number]
    values: Mapping[str, Scalar]
    """The scalar of every symbol."""
    free: frozenset[str]
    """The symbols whose value is not their default: an angle that contains one is a scalar, not a constant."""

    @staticmethod
    def of(arm: Arm, system: NumberSystem, given: Mapping[str, Scalar]) -> Valuation:
        defaults = arm.defaults
        for name in given:
            if name not in defaults:
                raise ArmError(f"arm {arm.name!r}: " + unknown_name("symbol", name, defaults))
        lifted = {name: system.lift(number) for name, number in defaults.items()}
        return Valuation(system, defaults, lifted | dict(given), frozenset(given))

    def is_free(self, quantity: Quantity) -> bool:
        """Whether the quantity depends on a symbol that was given a value."""
        return any(name in self.free for name in symbols_of(quantity))

    def number(self, quantity: Quantity) -> Scalar:
        """The scalar of a quantity; a symbol that stands for an angle is the angle itself here."""
        return as_length(self._value(quantity))

    def _value(self, quantity: Quantity) -> Scalar:
        """The same, but sums and whole multiples of angles stay angles."""
        if not isinstance(quantity, Expression):
            return self.system.lift(quantity)
        head, args = quantity.head, quantity.args
        if head == "symbol":
            return self.values[args[0]]
        if head in ("cos", "sin"):
            return self.angle(args[0])[head == "sin"]
        if head == "sqrt" and self.is_free(quantity):
            raise ArmError(f"{quantity}: a square root may hold only symbols with fixed values. Name the root itself.")
        if head in ("pi", "sqrt"):
            return self.system.lift(to_float(quantity, self.defaults))
        if head == "^":
            return _power(self.number(args[0]), args[1])
        if head == "neg":
            return -self._value(args[0])
        a, b = self._value(args[0]), self._value(args[1])
        return a + b if head == "+" else a - b if head == "-" else a * b if head == "*" else divide(a, b)

    def angle(self, quantity: Quantity) -> tuple[Scalar, Scalar]:
        """Cosine and sine of an angle; constants in a sum with free symbols stay exact, pi/2 + a is (-sin, cos)."""
        if not self.is_free(quantity):
            return self.system.turn(to_float(quantity, self.defaults))
        assert isinstance(quantity, Expression)
        head, args = quantity.head, quantity.args
        if head == "neg":
            c, s = self.angle(args[0])
            return c, -s
        if head in ("+", "-"):
            (a, b), (c, s) = self.angle(args[0]), self.angle(args[1])
            s = s if head == "+" else -s
            return a * c - b * s, b * c + a * s
        return cos_sin(self._value(quantity))

    def vector(self, v: Vec3) -> Vec3:
        return Vec3(*(self.number(part) for part in v))

    def direction(self, v: Vec3) -> Vec3:
        """A unit vector. With free symbols it cannot be scaled, so it must have length one as it is written."""
        at_defaults = [to_float(part, self.defaults) for part in v]
        if not any(self.is_free(part) for part in v):
            literals = [x if isinstance(part, Expression) else part for part, x in zip(v, at_defaults, strict=True)]
            return Vec3(*self.system.direction(*literals))
        if abs(math.hypot(*at_defaults) - 1) > UNIT:
            written = ", ".join(format_quantity(part) for part in v)
            raise ArmError(
                f"axis [{written}] has free symbols and is not of length one. Write it so that it is, as in "
                "[cos(a), sin(a), 0]."
            )
        return self.vector(v)

    def advance(self, joint: Joint) -> Scalar:
        """How far a joint moves along its axis per unit of its variable; 0 or 1 where its kind says so."""
        advance = joint.kind.advance(joint.pitch)
        return self.number(advance) if joint.kind.has_pitch else advance

    def pose(self, placement: Placement) -> Pose:
        rotation = rotation_from_rpy(*(self.angle(part) for part in placement.rpy))
        return Pose(rotation, self.vector(placement.xyz))

    def inertia(self, mp: MassProperties) -> Inertia:
        """The ten numbers about the body origin, in body axes."""
        rotation = rotation_from_rpy(*(self.angle(part) for part in mp.rpy))
        t = mp.inertia
        entries = (self.number(part) for part in (t.xx, t.xy, t.yy, t.xz, t.yz, t.zz))
        second = type(t)(*entries).rotated(rotation)
        mass, com = self.number(mp.mass), self.vector(mp.com)
        if mp.about == "com":
            return Inertia.from_com(mass, com, second)
        return Inertia(mass, com * mass, second)


def _power(base: Scalar, exponent: int) -> Scalar:
    result: Scalar = 1
    for _ in range(abs(exponent)):
        result = base if type(result) is int else result * base
    return divide(1, result) if exponent < 0 else result
