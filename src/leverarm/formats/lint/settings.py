"""Suspicious settings.

Angles that were meant to be quarter turns ("1.5708" is not pi/2); gravity that is missing, of an unusual size or in an
unexpected direction; joints without limits of position, speed or effort; springs that push or do nothing; and symbols
that nothing uses.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal

from leverarm.findings import Finding, listed
from leverarm.mechanics.screw_form import home_pose
from leverarm.model.arm import Arm, quantities
from leverarm.model.expression import Quantity, symbols_of, to_float
from leverarm.model.friction import LAWS
from leverarm.model.mechanism import Mechanism
from leverarm.scalars import SNAP
from leverarm.spatial import Vec3

NEAR = 1e-3
NEAR_ZERO = 1e-5
"""Small angles are real more often than angles near a right one: a calibrated arm has many of 1e-4."""


def unusual_friction(arm: Arm, mechanism: Mechanism) -> Iterator[Finding]:
    """Coefficients of friction that are larger than those of drives are."""
    for joint in (body.joint for body in arm.bodies if body.joint.friction is not None):
        for law in LAWS:
            for name in law.fields:
                quantity = getattr(joint.friction, name)
                value = 0.0 if quantity is None else to_float(quantity, arm.defaults)
                if law.usual is not None and value > law.usual:
                    yield Finding(
                        "warning",
                        f"joint {joint.name!r}",
                        f"the coefficient of {law.meaning} is {value:g}; above {law.usual:g} it is unusual.",
                        f"Check friction.{name} of the file.",
                    )


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
                f"{angle!r} rad is probably {_text(quarters)} ({distance:.1e} away), so terms that should vanish stay.",
                f'Write "{_text(quarters)}", or all its digits, {exact!r}; if it is a calibrated value, leave it.',
            )
    if snapped:
        shown = ", ".join(snapped[:4]) + (f" and {len(snapped) - 4} more" if len(snapped) > 4 else "")
        yield Finding(
            "note",
            "angles" if len(snapped) > 1 else snapped[0].split(" = ")[0],
            f"read as exact multiples of pi/2, though not quite equal to them: {shown}.",
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


EARTH = (9.76, 9.84)
"""Gravity on Earth lies between these everywhere [m/s^2]."""
ALIGNED = 1e-3
"""Sine of the angle below which two directions are the same."""
REMEDY = "Gravity is the free-fall acceleration in the world, such as [0, 0, -9.81] for an arm that stands with z up."


def odd_gravity(arm: Arm, mechanism: Mechanism) -> Iterator[Finding]:
    """At most one finding on the size of gravity and one on its direction."""
    g = Vec3(*(float(part) for part in mechanism.gravity))
    size = math.hypot(*g)
    if size == 0:
        yield Finding("warning", "gravity", "gravity is zero, so no torque holds the arm up.", REMEDY)
        return
    if not EARTH[0] <= size <= EARTH[1]:
        yield Finding("warning", "gravity", f"its size is {size:.6g} m/s^2; on Earth it is about 9.81.", REMEDY)
    yield from _direction(g * (1 / size), mechanism)


def _direction(down: Vec3, mechanism: Mechanism) -> Iterator[Finding]:
    largest = max(down, key=abs)
    axes = _joint_axes(mechanism)
    turning = [axis for axis, link in zip(axes, mechanism.links, strict=True) if link.turns]
    all_parallel = all(_parallel(turning[0], axis) for axis in turning)
    only_turn = all(link.turns and link.slide == 0 for link in mechanism.links)
    if 1 - abs(largest) > ALIGNED**2 / 2:
        text = ", ".join(f"{part:.4g}" for part in down)
        yield Finding("note", "gravity", f"it points along ({text}), which is no axis of the world.", REMEDY)
    elif largest > 0:
        yield Finding("warning", "gravity", f"it points up, along +{'xyz'[list(down).index(largest)]}.", REMEDY)
    elif all_parallel and only_turn and _parallel(axes[0], down):
        yield Finding(
            "note",
            "gravity",
            "every joint turns about the vertical, so gravity loads none of them.",
            "For an arm in a vertical plane, put gravity into the plane, such as [0, -9.81, 0].",
        )
    elif mechanism.links[0].turns and _parallel(axes[0], Vec3(0, 0, 1)) and down.z == 0 and not all_parallel:
        yield Finding(
            "warning",
            "gravity",
            f"it points along -{'xyz'[list(down).index(largest)]}, but the first joint turns about z as on an arm that "
            "stands with z up.",
            REMEDY + " An arm on a wall is right as it is.",
        )


def _joint_axes(mechanism: Mechanism) -> list[Vec3]:
    """The axis of every joint in the world, with all joints at zero."""
    home = home_pose(mechanism)
    return [home[i].rotation @ link.axis for i, link in enumerate(mechanism.links)]


def _parallel(a: Vec3, b: Vec3) -> bool:
    return math.hypot(*a.cross(b)) < ALIGNED


def odd_springs(arm: Arm, mechanism: Mechanism) -> Iterator[Finding]:
    """Springs that push a joint away from where they rest, and those that have no effect."""
    springs = ((body.joint, spring) for body in arm.bodies if (spring := body.joint.spring) is not None)
    for joint, spring in springs:
        stiffness, where = to_float(spring.stiffness, arm.defaults), f"joint {joint.name!r}"
        if joint.is_fixed:
            message = "has a spring and does not move: the spring does nothing."
            yield Finding("warning", where, message, "Unlock the joint, or remove the spring.")
        elif stiffness < 0:
            message = f"its spring has the stiffness {stiffness:g}, so it pushes the joint away from its rest position."
            yield Finding("warning", where, message, "Give a positive stiffness, unless that is meant.")
        elif stiffness == 0:
            yield Finding("note", where, "its spring has no stiffness.", "Remove it, or give it one.")


def missing_limits(arm: Arm, mechanism: Mechanism) -> Iterator[Finding]:
    """One finding for joints without a range (a continuous one needs none), one for joints without speed or effort."""
    free = [body.joint for body in arm.bodies if not body.joint.is_fixed and body.joint.coupling is None]
    without_range = [
        joint.name
        for joint in free
        if not joint.kind.traits.is_endless and None in (joint.limits.lower, joint.limits.upper)
    ]
    if without_range:
        yield Finding(
            "warning",
            listed("joint", without_range),
            "no lower and upper limit of the position.",
            "Give limits = { lower = ..., upper = ... }; if a joint turns without end, call it continuous.",
        )
    without_power = [joint.name for joint in free if None in (joint.limits.velocity, joint.limits.effort)]
    if without_power:
        yield Finding(
            "note",
            listed("joint", without_power),
            "no limit of velocity or effort.",
            "Give limits = { velocity = ..., effort = ... } where they are known.",
        )


def unused_symbols(arm: Arm, mechanism: Mechanism) -> Iterator[Finding]:
    """A finding for each symbol that stands in no quantity of the arm."""
    used = {name for _, quantity in quantities(arm) for name in symbols_of(quantity)}
    for name, _ in arm.symbols:
        if name not in used:
            yield Finding("warning", f"symbol {name!r}", "nothing uses it.", "Remove it, or check for a misspelt name.")
