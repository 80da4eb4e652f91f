"""A state in words: angles in degrees, lengths in metres, speeds in SI units."""

from __future__ import annotations

import math
from collections.abc import Mapping

from leverarm.model import Arm
from leverarm.runtime.units import Units
from leverarm.verify.table.digits import nearest

DEGREES, SI = 3, 5
"""Digits behind the point: a state is shown to look at; files of JSON hold all digits."""


def state_lines(arm: Arm, witness: Mapping[str, tuple[float, ...]]) -> tuple[str, ...]:
    """Lines such as "q = (90°, 0.5 m)" and "qd = (0.6 rad/s, 0.8 m/s)", one for each part of the state."""
    turns = Units.of(arm).is_angle
    lines: list[str] = []
    for name, values in witness.items():
        if len(values) != len(turns):
            lines.append(f"{name} = ({', '.join(_short(x, SI) for x in values)})")
        elif name == "q":
            lines.append(f"q = ({', '.join(map(_in_degrees, values, turns))})")
        else:
            lines.append(_si(name, values, turns, "rad/s", "m/s"))
    return tuple(lines)


def range_texts(arm: Arm, k: int, lower: float, upper: float) -> tuple[str, str]:
    """The range of the k-th coordinate: in degrees, or metres, and again in radians, where it is an angle."""
    turns = Units.of(arm).is_angle[k]
    plain = f"{nearest(lower)} to {nearest(upper)}"
    if not turns:
        return f"{plain} m", ""
    return f"{nearest(math.degrees(lower))}° to {nearest(math.degrees(upper))}°", f"{plain} rad"


def _in_degrees(x: float, turns: bool) -> str:
    return f"{_short(math.degrees(x), DEGREES)}°" if turns else f"{_short(x, SI)} m"


def _short(x: float, decimals: int) -> str:
    """Without zeros at the end, or a sign of zero."""
    text = f"{x:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _si(name: str, values: tuple[float, ...], turns: tuple[bool, ...], angular: str, linear: str) -> str:
    """One unit behind the bracket where all are alike."""
    if len(set(turns)) == 1:
        return f"{name} = ({', '.join(_short(x, SI) for x in values)}) {angular if turns[0] else linear}"
    parts = (f"{_short(x, SI)} {angular if turn else linear}" for x, turn in zip(values, turns, strict=True))
    return f"{name} = ({', '.join(parts)})"
