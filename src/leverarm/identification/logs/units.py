"""Units of a log and what they are in SI.

What the description of an arm says about where its coordinates can be and how fast.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import InputError, unknown_name
from leverarm.identification.logs.names import ROLES, Role
from leverarm.model import Arm, JointKind, Quantity, to_float
from leverarm.model.units import Units

DEGREE = math.pi / 180
RPM = 2 * math.pi / 60
ANGLES = {"rad": 1.0, "deg": DEGREE, "mrad": 1e-3, "rev": 2 * math.pi}
LENGTHS = {"m": 1.0, "mm": 1e-3, "cm": 1e-2}
TIMES = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60.0}
TORQUES = {"N m": 1.0, "mN m": 1e-3, "kN m": 1e3, "N cm": 1e-2}
FORCES = {"N": 1.0, "kN": 1e3}
CURRENTS = {"A": 1.0, "mA": 1e-3}
OTHER_WORDS = {
    "degree": "deg",
    "degrees": "deg",
    "\N{DEGREE SIGN}": "deg",
    "radian": "rad",
    "radians": "rad",
    "sec": "s",
    "second": "s",
    "seconds": "s",
    "msec": "ms",
    "usec": "us",
    "nsec": "ns",
    "amp": "a",
    "ampere": "a",
    "1/min": "rpm",
    "dps": "deg/s",
    "degps": "deg/s",
    "radps": "rad/s",
}


def _per(units: Mapping[str, float], end: str) -> dict[str, float]:
    return {unit + end: factor for unit, factor in units.items()}


def valid_units(role: Role, is_angle: bool) -> dict[str, float]:
    """The units a quantity can have, with their size in SI; currents, which need a gain besides, as if it were 1."""
    sizes = ANGLES if is_angle else LENGTHS
    speeds = _per(sizes, "/s") | ({"rpm": RPM} if is_angle else {})
    return {
        "t": TIMES,
        "q": sizes,
        "qd": speeds,
        "qdd": _per(sizes, "/s^2"),
        "tau": (TORQUES if is_angle else FORCES) | CURRENTS,
    }[role]


def _plain(text: str) -> str:
    """One spelling of a unit: "Nm", "N*m" and "N.m" are "nm", "deg_s" is "deg/s"."""
    word = text.strip().lower().replace("\N{MICRO SIGN}", "u").replace("\N{GREEK SMALL LETTER MU}", "u")
    word = word.replace("\N{SUPERSCRIPT TWO}", "^2").replace("**2", "^2").replace("s2", "s^2")
    for between in (" per ", "_per_", "_"):
        word = word.replace(between, "/")
    for between in (" ", "*", ".", "\N{MIDDLE DOT}", "-"):
        word = word.replace(between, "")
    head, slash, tail = word.partition("/")
    whole = OTHER_WORDS.get(word, OTHER_WORDS.get(head, head) + slash + OTHER_WORDS.get(tail, tail))
    return whole.replace("n/m", "nm")


def size_of_unit(role: Role, text: str, is_angle: bool) -> float | None:
    """How much one of a unit is in SI; None if the text is no unit of that quantity."""
    plain = _plain(text)
    return next((size for unit, size in valid_units(role, is_angle).items() if _plain(unit) == plain), None)


def is_current(text: str | None) -> bool:
    """Whether a unit is one of electric currents."""
    return text is not None and any(_plain(text) == _plain(unit) for unit in CURRENTS)


def declared_units(
    units: Mapping[str, str | Sequence[str]] | None, is_angle: Sequence[bool]
) -> dict[Role, tuple[str, ...]]:
    """The unit of each column of each quantity that the user gave one for."""
    declared: dict[Role, tuple[str, ...]] = {}
    for key, given in (units or {}).items():
        if key not in ROLES:
            raise InputError(f"units: {unknown_name('quantity', key, ROLES)}")
        role: Role = key
        angles = (True,) if role == "t" else tuple(is_angle)
        texts = (given,) * len(angles) if isinstance(given, str) else tuple(given)
        if len(texts) != len(angles):
            raise InputError(
                f"units[{role!r}] = {given!r}: {len(texts)} units; one, or one for each of {len(angles)} joints."
            )
        for text, turns in zip(texts, angles, strict=True):
            if size_of_unit(role, str(text), turns) is None and size_of_unit(role, str(text), not turns) is None:
                raise InputError(f"units[{role!r}]: {unknown_name('unit', text, valid_units(role, turns))}")
        declared[role] = texts
    return declared


def sizes(role: Role, units: Sequence[str | None], is_angle: Sequence[bool]) -> Array:
    """The factor to SI for each column; NaN where nothing is said, or what is said is no unit of this quantity.

    One unit given for all joints is meant for those that turn where it is one of angles, and for sliding ones else.
    """
    found = [
        size if text is not None and (size := size_of_unit(role, text, turns)) is not None else np.nan
        for text, turns in zip(units, is_angle, strict=True)
    ]
    return np.array(found)


ENDLESS = 6 * np.pi
"""rad: how far a joint that turns without end may be from zero without raising doubt."""
SPEED = 20.0
"""rad/s: no joint of an arm is faster for long."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Of each coordinate: whether an angle, its range, the greatest distance from zero and speed [rad or m, per s]."""

    is_angle: tuple[bool, ...]
    lower: Array
    upper: Array
    reach: Array
    speed: Array

    @staticmethod
    def of(arm: Arm) -> Bounds:
        """Of a description, its symbols at their defaults; what it does not say is what arms usually are."""
        is_angle = Units.of(arm).is_angle
        joints = {body.joint.name: body.joint for body in arm.bodies if body.joint.coupling is None}

        def value(quantity: Quantity | None, missing: float) -> float:
            return missing if quantity is None else to_float(quantity, arm.defaults)

        rows = []
        for name, turns in zip(arm.coordinates, is_angle, strict=True):
            joint = joints.get(name)
            limits = joint.limits if joint else None
            lower = value(limits.lower if limits else None, -np.inf)
            upper = value(limits.upper if limits else None, np.inf)
            usual = 2 * np.pi if turns else 20.0
            if joint and joint.kind is JointKind.CONTINUOUS:
                lower, upper, usual = -np.inf, np.inf, ENDLESS
            far = max(abs(lower), abs(upper))
            speed = value(limits.velocity if limits else None, SPEED)
            rows.append((lower, upper, max(far, 1.0 if turns else 0.1) if np.isfinite(far) else usual, speed))
        lower, upper, reach, speed = np.array(rows, dtype=np.float64).T
        return Bounds(is_angle, lower, upper, reach, speed)

    @property
    def middles(self) -> Array:
        """Of the ranges; NaN where there is none."""
        has_range = np.isfinite(self.lower) & np.isfinite(self.upper)
        return np.where(has_range, np.where(has_range, self.lower, 0) + np.where(has_range, self.upper, 0), np.nan) / 2

    def endless(self) -> Bounds:
        """The same without ranges: those of joints do not hold for their motors."""
        nowhere = np.full(len(self.is_angle), np.inf)
        return replace(self, lower=-nowhere, upper=nowhere)
