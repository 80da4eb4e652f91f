"""Angles within 1e-9 rad of a multiple of pi/2, and directions as near to a coordinate axis, are read as exactly that.

So zeros are zeros, and stay literal through every number system.
"""

from __future__ import annotations

import math

from leverarm.scalars.ring import Number

SNAP = 1e-9
QUARTER_TURNS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def quarter_turn(angle: float) -> tuple[int, int] | None:
    """(cos, sin) as ints when the angle is a multiple of pi/2 to within SNAP, else None."""
    quarters = round(angle / (math.pi / 2))
    if abs(angle - quarters * (math.pi / 2)) > SNAP:
        return None
    return QUARTER_TURNS[quarters % 4]


def coordinate_axis(x: Number, y: Number, z: Number) -> tuple[int, int, int] | None:
    """The direction as ints when it is a coordinate axis to within SNAP, else None."""
    parts = [float(x), float(y), float(z)]
    largest = max(map(abs, parts))
    significant = [0 if abs(part) <= SNAP * largest else 1 if part > 0 else -1 for part in parts]
    if sum(map(abs, significant)) != 1:
        return None
    return significant[0], significant[1], significant[2]
