"""An arm with the digits its file left off: rounded right angles made exact, lengths that are rounding made zero.

Without it a URDF's 1.5708 tilts every later joint by 4e-6 rad, and parameters that no torque can distinguish count as
different ones. The digits decide which angles are rounded multiples of 15 degrees (1.5708 is pi/2, 1.5731 is not), not
the distance: a calibrated angle may be as near to pi/2 as a careless rounding of it.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import partial

from leverarm.findings import Finding, first_of
from leverarm.model import Arm, Joint, Placement, Quantity, format_quantity, parse_quantity, to_float
from leverarm.scalars import SNAP
from leverarm.spatial import Vec3

FIFTEEN = math.pi / 12
NO_ANGLE = 1e-5
"""Angles below this [rad] move a joint at one metre by 10 um, below the repeatability of an arm: rounding too."""
FEWEST = 2, 3
"""Decimals that make a rounding credible: of right angles (3.14), and of the other multiples (0.785)."""
MOST = 15
SAME = 1e-15
LARGEST = 100.0
"""No frame is placed by a larger angle [rad]."""


def rounded_multiple(angle: float) -> int | None:
    """The k for which an angle [rad] is k pi/12, or k pi/12 rounded or cut to the digits it is written with.

    Also k/12 of a rounded pi (1.570795), its single precision value, and small angles as 0.
    """
    if abs(angle) > LARGEST:
        return None
    k = round(angle / FIFTEEN)
    exact = k * FIFTEEN
    if abs(angle - exact) <= SNAP:
        return k
    if k == 0:
        return 0 if abs(angle) < NO_ANGLE else None
    in_single_precision: float = struct.unpack("f", struct.pack("f", exact))[0]
    candidates = (in_single_precision, *_roundings(angle, k))
    return k if any(math.isclose(angle, x, rel_tol=SAME) for x in candidates) else None


def multiple(k: int) -> Quantity:
    """k pi/12, as it would be written: "pi/2", "-3*pi/4"."""
    part = Fraction(abs(k), 12)
    over = f"/{part.denominator}" if part.denominator > 1 else ""
    times = f"{part.numerator}*" if part.numerator > 1 else ""
    return parse_quantity(f"{'-' if k < 0 else ''}{times}pi{over}") if k else 0


def decimals(number: float) -> int:
    """How many digits a number has after its point, in the shortest way to write it."""
    exponent = Decimal(repr(number)).as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def is_written(number: float, exact: float, fewest: int) -> bool:
    """Whether a number is another one, rounded or cut to the digits it is written with, which are not too few."""
    digits = decimals(number)
    return fewest <= digits <= MOST and number in (round(exact, digits), _cut(exact, digits))


def _roundings(angle: float, k: int) -> Iterator[float]:
    """k pi/12 to as many decimals as the angle has, of pi itself and of pi to fewer digits."""
    fewest, digits = FEWEST[k % 6 != 0], decimals(angle)
    if fewest <= digits <= MOST:
        yield from (round(k * FIFTEEN, digits), _cut(k * FIFTEEN, digits))
    for kept in range(fewest, MOST):
        for pi in (round(math.pi, kept), _cut(math.pi, kept)):
            product = float(Fraction(repr(pi)) * k / 12)
            yield from (product, pi / 12 * k, pi * k / 12)
            if digits >= kept:
                yield round(product, digits)


def _cut(number: float, digits: int) -> float:
    """The number without its later decimals."""
    return float(Fraction(math.trunc(Fraction(number) * 10**digits), 10**digits))


NO_LENGTH = 1e-6
"""Lengths below this [m] come from products with rounded angles: no arm is made so precisely."""
AXIS_DECIMALS = 3
SHOWN = 4


Change = Callable[[str, Quantity], Quantity]
"""What becomes of a number, which stands in a place given in words."""


def changed(joint: Joint, length: Change, angle: Change) -> Joint:
    """The joint with other lengths and angles: of its placement, its offset, and where it is locked."""
    own, locked = angle if joint.kind.turns else length, joint.locked
    return replace(
        joint,
        placement=placed(joint.placement, length, angle),
        offset=own("offset", joint.offset),
        locked=None if locked is None else own("locked value", locked),
    )


def placed(placement: Placement, length: Change, angle: Change) -> Placement:
    """The placement with other lengths and angles."""
    xyz = (length(f"xyz {axis}", part) for axis, part in zip("xyz", placement.xyz, strict=True))
    rpy = (angle(f"rpy {axis}", part) for axis, part in zip("xyz", placement.rpy, strict=True))
    return Placement(Vec3(*xyz), Vec3(*rpy))


@dataclass(frozen=True, slots=True)
class _Changes:
    """What was written and what it is read as, by topic."""

    made: dict[str, list[str]] = field(default_factory=lambda: {"angles": [], "axes": [], "lengths": []})

    def note(self, topic: str, where: str, given: float, exact: Quantity) -> None:
        self.made[topic].append(f"{where} = {given!r} ({format_quantity(exact)})")

    def findings(self) -> Iterator[Finding]:
        for topic, changes in self.made.items():
            if changes:
                what, remedy = _WORDS[topic]
                yield Finding("note", topic, f"read as {what}: {first_of(changes, SHOWN)}.", remedy)


_WORDS = {
    "angles": (
        "the multiples of 15 degrees that they round",
        "Write them as expressions such as pi/2, or with 15 digits. One that is a calibrated value needs more digits.",
    ),
    "axes": (
        "the directions that they round",
        "Write more digits, or turn the joint's frame by `rpy` so that its axis is a coordinate axis.",
    ),
    "lengths": (f"zero, being less than {NO_LENGTH:g} m", "Write 0 instead."),
}


def squared_up(arm: Arm) -> tuple[Arm, tuple[Finding, ...]]:
    """The same arm with rounded angles, axes and zeros of its joints made exact, and notes on what was changed.

    An angle counts as rounded when its digits are those of a multiple of 15 degrees (`rounded_multiple`); others are
    left unchanged, however near. Masses, frames and limits stay untouched. An arm without such numbers is returned
    unchanged.
    """
    changes = _Changes()
    bodies = tuple(replace(body, joint=_joint(arm, body.joint, changes)) for body in arm.bodies)
    base = placed(arm.base_placement, *_rules(arm, "base", changes))
    if bodies == arm.bodies and base == arm.base_placement:
        return arm, ()
    return replace(arm, bodies=bodies, base_placement=base), tuple(changes.findings())


def _joint(arm: Arm, joint: Joint, changes: _Changes) -> Joint:
    where = f"joint {joint.name!r}"
    axis = _axis(arm, f"{where} axis", joint.axis, changes) if joint.kind.moves else joint.axis
    return replace(changed(joint, *_rules(arm, where, changes)), axis=axis)


def _rules(arm: Arm, where: str, changes: _Changes) -> tuple[Change, Change]:
    """What becomes of lengths and of angles of one part of the arm."""
    return partial(_length, arm, changes, where), partial(_angle, arm, changes, where)


def _angle(arm: Arm, changes: _Changes, part: str, what: str, quantity: Quantity) -> Quantity:
    given = to_float(quantity, arm.defaults)
    k = rounded_multiple(given)
    if k is None or abs(given - k * FIFTEEN) <= SNAP:
        return quantity
    changes.note("angles", f"{part} {what}", given, multiple(k))
    return multiple(k)


def _length(arm: Arm, changes: _Changes, part: str, what: str, quantity: Quantity) -> Quantity:
    given = to_float(quantity, arm.defaults)
    if given == 0 or abs(given) >= NO_LENGTH:
        return quantity
    if abs(given) > SNAP:
        changes.note("lengths", f"{part} {what}", given, 0)
    return 0


def _axis(arm: Arm, where: str, axis: Vec3, changes: _Changes) -> Vec3:
    """A direction without its small parts, in a coordinate plane at the multiple of 15 degrees it was written for."""
    given = [to_float(part, arm.defaults) for part in axis]
    size = math.hypot(*given)
    exact = [0.0 if abs(part) < NO_ANGLE * size else part for part in given]
    across = [i for i, part in enumerate(exact) if part]
    if len(across) == 2:
        i, j = across
        angle = round(math.atan2(exact[j], exact[i]) / FIFTEEN) * FIFTEEN
        cos, sin = math.cos(angle), math.sin(angle)
        if _is_part(exact[i], cos) and _is_part(exact[j], sin):
            exact[i], exact[j] = cos, sin
    if all(abs(x - y) <= SNAP * size for x, y in zip(given, exact, strict=True)):
        return axis
    for name, x, y in zip("xyz", given, exact, strict=True):
        if x != y:
            changes.note("axes", f"{where} {name}", x, y)
    return Vec3(*(part if x == y else y for part, x, y in zip(axis, given, exact, strict=True)))


def _is_part(given: float, exact: float) -> bool:
    """Whether a part of a direction is what it is taken for: 0.866 for sqrt(3)/2, 0.5 for itself."""
    return abs(given - exact) <= SNAP or is_written(given, exact, AXIS_DECIMALS)
