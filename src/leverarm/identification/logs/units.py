"""Units of a log: as written, as the arm's limits suggest, and as velocities compared with slopes of positions show."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from leverarm.arrays import Array, BoolArray, IntArray
from leverarm.errors import InputError, unknown_name
from leverarm.identification.logs.names import ROLES, Role
from leverarm.model import Arm, Limits, Quantity, to_float
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
    **dict.fromkeys(("degree", "degrees", "\N{DEGREE SIGN}"), "deg"),
    **dict.fromkeys(("radian", "radians"), "rad"),
    **dict.fromkeys(("sec", "second", "seconds"), "s"),
    **dict.fromkeys(("amp", "ampere"), "a"),
    **dict.fromkeys(("dps", "degps"), "deg/s"),
    "msec": "ms",
    "usec": "us",
    "nsec": "ns",
    "1/min": "rpm",
    "radps": "rad/s",
}


def valid_units(role: Role, is_angle: bool) -> dict[str, float]:
    """The units a quantity can have, with their size in SI; currents, which need a gain besides, as if it were 1."""
    sizes = ANGLES if is_angle else LENGTHS
    speeds = {f"{unit}/s": size for unit, size in sizes.items()} | ({"rpm": RPM} if is_angle else {})
    accelerations = {f"{unit}/s^2": size for unit, size in sizes.items()}
    torques = (TORQUES if is_angle else FORCES) | CURRENTS
    return {"t": TIMES, "q": sizes, "qd": speeds, "qdd": accelerations, "tau": torques}[role]


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
    """The size of a unit in SI; None if the text is no unit of that quantity."""
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
            valid = f"one, or one for each of {len(angles)} joints"
            raise InputError(f"units[{role!r}] = {given!r}: {len(texts)} units; {valid}.")
        for text, turns in zip(texts, angles, strict=True):
            if size_of_unit(role, str(text), turns) is None and size_of_unit(role, str(text), not turns) is None:
                raise InputError(f"units[{role!r}]: {unknown_name('unit', text, valid_units(role, turns))}")
        declared[role] = texts
    return declared


def sizes(role: Role, units: Sequence[str | None], is_angle: Sequence[bool]) -> Array:
    """The factor to SI for each column; NaN where no unit is given, or none of this quantity.

    One unit given for all joints applies to revolute joints if it is one of angles, else to prismatic ones.
    """
    pairs = zip(units, is_angle, strict=True)
    found = [None if text is None else size_of_unit(role, text, turns) for text, turns in pairs]
    return np.array(found, dtype=np.float64)


ENDLESS = 6 * np.pi
"""rad: how far a continuous joint may plausibly be from zero."""
SPEED = 20.0
"""rad/s: no joint of an arm is faster for long."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Of each coordinate: whether an angle, its range, the largest distance from zero and speed [rad or m, per s]."""

    is_angle: tuple[bool, ...]
    lower: Array
    upper: Array
    reach: Array
    speed: Array

    @staticmethod
    def of(arm: Arm) -> Bounds:
        """From a description, symbols at their defaults; missing limits are those of usual arms."""
        is_angle = Units.of(arm).is_angle
        joints = {body.joint.name: body.joint for body in arm.bodies if body.joint.coupling is None}

        def value(quantity: Quantity | None, missing: float) -> float:
            return missing if quantity is None else to_float(quantity, arm.defaults)

        rows = []
        for name, turns in zip(arm.coordinates, is_angle, strict=True):
            joint = joints.get(name)
            limits = joint.limits if joint else Limits()
            lower, upper = value(limits.lower, -np.inf), value(limits.upper, np.inf)
            usual = 2 * np.pi if turns else 20.0
            if joint and joint.kind.traits.is_endless:
                lower, upper, usual = -np.inf, np.inf, ENDLESS
            far = max(abs(lower), abs(upper))
            reach = max(far, 1.0 if turns else 0.1) if np.isfinite(far) else usual
            rows.append((lower, upper, reach, value(limits.velocity, SPEED)))
        lower, upper, reach, speed = np.array(rows, dtype=np.float64).T
        return Bounds(is_angle, lower, upper, reach, speed)

    @property
    def middles(self) -> Array:
        """Of the ranges; NaN where there is none."""
        has_range = np.isfinite(self.lower) & np.isfinite(self.upper)
        lower, upper = (np.where(has_range, x, np.nan) for x in (self.lower, self.upper))
        return (lower + upper) / 2

    def endless(self) -> Bounds:
        """The same without ranges, for motors: the ranges are those of joints."""
        nowhere = np.full(len(self.is_angle), np.inf)
        return replace(self, lower=-nowhere, upper=nowhere)


BLOCKS, FEW_BLOCKS = 300, 40
"""Slopes are means over this many blocks of rows, which average noise and coarse encoders; if that is not enough,
over fewer and longer ones."""
ALIKE = 0.7
"""The cosine between velocities and slopes above which they are the same motion."""
SURELY = 0.9
"""And above which a column is assigned to another joint."""
STILL = 0.02
"""Of the widest range of a joint: one with less counts as not moving, being mostly noise."""
NEAR = 1.2
"""Tolerance of a factor between velocity and slope around that of a unit."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Measured rates against slopes of their quantity: column i is about factors[i, j] times the slope of joint j.

    `cosine[i, j]` is the quality of the match, and `moves` which joints move at all.
    """

    factors: Array
    cosine: Array
    moves: BoolArray

    @property
    def slope(self) -> Array:
        """The factor of each column to its own joint."""
        return np.diag(self.factors)

    @property
    def own(self) -> Array:
        return np.diag(self.cosine)

    @property
    def is_alike(self) -> bool:
        """Whether every joint that moves has its own velocity, whatever the sign and the unit."""
        return bool(np.all(np.abs(self.own[self.moves]) > ALIKE))

    def order(self) -> IntArray | None:
        """The column of each joint, where the order clearly differs from the given one; else None."""
        moving = np.flatnonzero(self.moves)
        best = np.arange(len(self.moves))
        best[moving] = moving[np.argmax(np.abs(self.cosine[np.ix_(moving, moving)]), axis=0)]
        is_sure = np.all(np.abs(self.cosine[best[moving], moving]) > SURELY)
        is_other = np.any(best != np.arange(len(best))) and len(set(best.tolist())) == len(best)
        return best if is_other and is_sure else None


def agreement(t: Array, x: Array, rate: Array) -> Agreement:
    """The measured rate of change of x, (k, n) each, against its slope; times t in any unit, growing in stretches."""
    found = _over_blocks(t, x, rate, int(np.clip(len(t) // BLOCKS, 2, 500)))
    if found.is_alike:
        return found
    longer = _over_blocks(t, x, rate, max(2, len(t) // FEW_BLOCKS))
    return longer if longer.is_alike else found


def _over_blocks(t: Array, x: Array, rate: Array, size: int) -> Agreement:
    steps = np.diff(t)
    usual = np.median(steps[steps > 0])
    is_whole = (steps > 0) & (steps < 4 * usual)
    risen = np.diff(x, axis=0)
    # a step over most of the range is an angle that wraps, not motion
    is_motion = is_whole[:, None] & (np.abs(risen) <= 0.6 * np.ptp(x, axis=0))
    ends = np.arange(0, len(t), size)
    covered = np.where(is_motion, steps[:, None], 0.0)
    elapsed = _between(covered, ends)
    is_full = elapsed > 0.5 * size * usual
    divisor = np.where(is_full, elapsed, 1.0)
    slopes = np.where(is_full, _between(np.where(is_motion, risen, 0.0), ends) / divisor, 0.0)
    rates = np.where(is_full, _between(covered * (rate[1:] + rate[:-1]) / 2, ends) / divisor, 0.0)
    size_x, size_rate = np.linalg.norm(slopes, axis=0), np.linalg.norm(rates, axis=0)
    products = rates.T @ slopes
    norms = np.outer(size_rate, size_x)
    cosine = np.divide(products, norms, out=np.zeros_like(products), where=norms > 0)
    factors = np.divide(products, size_x**2, out=np.zeros_like(products), where=size_x > 0)
    ranges = np.ptp(x, axis=0)
    return Agreement(factors, cosine, (size_x > 0) & (ranges > STILL * np.max(ranges)))


def _between(values: Array, ends: IntArray) -> Array:
    summed = np.concatenate((np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)))
    return np.diff(summed[ends], axis=0)


def nearest_size(factor: float, sizes: Sequence[float]) -> float | None:
    """The size that matches a factor within 20 %; None if none does."""
    if not factor > 0:
        return None
    best = min(sizes, key=lambda size: abs(np.log(size / factor)))
    return best if max(best / factor, factor / best) < NEAR else None
