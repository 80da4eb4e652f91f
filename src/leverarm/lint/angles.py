"""Angles that were meant to be quarter turns: "1.5708" is not pi/2."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal

from leverarm.lint.finding import Finding
from leverarm.model.arm import Arm
from leverarm.model.expression import Quantity, to_float
from leverarm.model.mechanism import Mechanism
from leverarm.model.quantities import quantities
from leverarm.scalars import SNAP

NEAR = 1e-3
NEAR_ZERO = 1e-5
"""Small angles are real more often than angles near a right one: a calibrated arm has many of 1e-4."""


def inexact_angles(arm: Arm, mechanism: Mechanism) -> Iterator[Finding]:
    """Constant angles near a multiple of pi/2 that are not it, and one note on those near enough to be read as it."""
    snapped = []
    for where, quantity in constant_angles(arm):
        angle = to_float(quantity, arm.defaults)
        quarters = round(angle / (math.pi / 2))
        exact = quarters * (math.pi / 2)
        distance = abs(angle - exact)
        if distance <= SNAP:
            if distance > 4 * math.ulp(exact or 0.0):
                snapped.append(f"{where} = {angle!r} ({_text(quarters)})")
        elif distance < (NEAR if quarters else NEAR_ZERO) or _is_rounded(angle, exact):
            yield Finding(
                "warning",
                where,
                f"{angle!r} rad is probably {_text(quarters)}, {distance:.1e} away: what should be zero is not.",
                f'Write "{_text(quarters)}", or all its digits, {exact!r}; if it is a calibrated value, leave it.',
            )
    if snapped:
        shown = ", ".join(snapped[:4]) + (f" and {len(snapped) - 4} more" if len(snapped) > 4 else "")
        yield Finding(
            "note",
            "angles" if len(snapped) > 1 else snapped[0].split(" = ")[0],
            f"read as exact quarter turns, though not quite equal to them: {shown}.",
            "Write them as expressions, such as pi/2, to say so.",
        )


def constant_angles(arm: Arm) -> Iterator[tuple[str, Quantity]]:
    """Every constant angle of the description, with words for where it stands."""
    turning = {("joint", body.joint.name) for body in arm.bodies if body.joint.kind.turns}
    for place, quantity in quantities(arm):
        is_joint_angle = place.part in turning and place.number in ("offset", "locked value")
        if "rpy" in place.number or is_joint_angle:
            yield str(place), quantity


def _is_rounded(angle: float, exact: float) -> bool:
    """Whether the angle is the exact one rounded or cut to the two or more decimals it has, as 3.14 is."""
    exponent = Decimal(repr(angle)).as_tuple().exponent
    decimals = -exponent if isinstance(exponent, int) else 0
    if not 2 <= decimals <= 15 or exact == 0:
        return False
    return angle in (round(exact, decimals), math.trunc(exact * 10**decimals) / 10**decimals)


def _text(quarters: int) -> str:
    if quarters % 2 == 0:
        halves = quarters // 2
        return "0" if halves == 0 else f"{'-' if halves < 0 else ''}{f'{abs(halves)}*' if abs(halves) > 1 else ''}pi"
    return f"{'-' if quarters < 0 else ''}{f'{abs(quarters)}*' if abs(quarters) > 1 else ''}pi/2"
