"""The box of joint positions that bounds are taken over: the joints' limits, or what the user gives."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leverarm.errors import InputError, unknown_name
from leverarm.model import Arm, Joint, to_float
from leverarm.verify.table.digits import range_texts

HALF_TURN = math.nextafter(math.pi, math.inf)
"""Not below pi, so that from -HALF_TURN to HALF_TURN is a whole turn."""

ROUNDING = 1e-9
"""A range that exceeds a limit by no more is meant to end at it [rad or m]."""

Range = tuple[float, float]
Ranges = Mapping[str, Sequence[float] | None] | Sequence[Sequence[float] | None]
"""Of some coordinates by name, or of all in their order; None leaves one to its limits."""

EVERYWHERE: Range = (-math.inf, math.inf)


@dataclass(frozen=True, slots=True)
class Box:
    """The least and greatest value of each coordinate [rad or m]; infinite for those that are `missing` a range."""

    arm: Arm
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    notes: tuple[str, ...]
    """Where a range does not simply come from the joint's limits, in sentences."""
    missing: tuple[str, ...]
    winding: tuple[str, ...] = ()
    """Those whose range is a full turn, which covers every pose, but not how far the springs they turn are wound."""

    @property
    def is_bounded(self) -> bool:
        return not self.missing

    @property
    def remedy(self) -> str:
        """What to do about the missing ranges; empty where there are none."""
        if not self.missing:
            return ""
        ways = ", ".join(f"{name!r}: (low, high)" for name in self.missing)
        why = (
            "can wind springs without limit"
            if self.missing == self.winding
            else "can move without limit and no pose repeats"
        )
        return f"{', '.join(self.missing)} {why}: give limits, or a range with box={{{ways}}}."


def box_of(arm: Arm, given: Ranges | None = None) -> Box:
    """The positions that bounds hold for: what is given, else the joints' limits, else a full turn.

    A joint that slides and has no limits is `missing`. Limits wider than a turn are cut to one, which has every pose.
    InputError for unknown names, ranges that are not two finite numbers, and those that end before they begin.
    """
    stated = _stated(arm, given)
    remarks: dict[str, list[str]] = {}
    ranges: dict[str, Range] = {}
    for name in arm.coordinates:
        limits = _limits(arm, name)
        is_stated = name in stated
        ranges[name], remark = _beside_limits(arm, name, stated[name]) if is_stated else _within(arm, name, limits)
        remarks.setdefault(remark, []).append(name)
    notes = [f"{', '.join(names)}: {remark}" for remark, names in remarks.items() if remark]
    lower, upper = zip(*ranges.values(), strict=True)
    missing = tuple(name for name, found in ranges.items() if math.inf in (-found[0], found[1]))
    endless = [name for name in ranges if name not in stated and math.inf in map(abs, _limits(arm, name))]
    winding = tuple(name for name in endless if name not in missing and _winds(arm, name))
    return Box(arm, lower, upper, (*notes, *_shared_limits(arm)), missing, winding)


def _stated(arm: Arm, given: Ranges | None) -> dict[str, Range]:
    """The ranges that the user gives, by coordinate."""
    match given:
        case None:
            return {}
        case Mapping():
            for name in given:
                if name not in arm.coordinates:
                    raise InputError("box: " + unknown_name("coordinate", str(name), arm.coordinates))
            pairs = dict(given)
        case str():
            raise InputError(f"box={given!r}; {_shape(arm)}")
        case _:
            pairs = _in_order(arm, given)
    return {name: _range(arm, name, pair) for name, pair in pairs.items() if pair is not None}


def _in_order(arm: Arm, given: Sequence[Sequence[float] | None]) -> dict[str, Sequence[float] | None]:
    """The ranges of a list, one for each coordinate."""
    try:
        return dict(zip(arm.coordinates, given, strict=True))
    except (TypeError, ValueError):
        raise InputError(f"box={given!r}; {_shape(arm)}") from None


def _shape(arm: Arm) -> str:
    names = ", ".join(arm.coordinates)
    return f"give a range (low, high) for each of {names} in this order, or some of them by name."


def _range(arm: Arm, name: str, pair: Sequence[float]) -> Range:
    try:
        low, high = (float(x) for x in pair)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"box: the range of {name!r} is {pair!r}; it is two numbers, (low, high).") from None
    if not (math.isfinite(low) and math.isfinite(high)):
        raise InputError(f"box: the range of {name!r} is ({low:g}, {high:g}); both ends must be finite numbers.")
    if low > high:
        raise InputError(f"box: the range of {name!r} ends before it begins, ({low:g}, {high:g}). Swap its ends.")
    return low, high


def _within(arm: Arm, name: str, limits: Range) -> tuple[Range, str]:
    """The range of a coordinate for which none is given, and what to say of it: one turn is enough where poses repeat.

    Where they do not, a range without an end stays so.
    """
    low, high = limits
    if low > high:
        raise InputError(
            f"arm {arm.name!r}: the limits of the joints that follow {name!r} leave it no position at all. Correct "
            f"them, or give a range with box={{{name!r}: (low, high)}}."
        )
    is_wound = _winds(arm, name) and math.isfinite(high - low)
    if high - low <= 2 * HALF_TURN or is_wound or not _repeats(arm, name):
        return limits, ""
    remark = "no limits, so one full turn, which covers every pose."
    if math.isfinite(low) or math.isfinite(high):
        remark = "limits wider than a full turn, so one turn, which covers every pose."
    if low <= -HALF_TURN and high >= HALF_TURN:
        return (-HALF_TURN, HALF_TURN), remark
    if math.isfinite(low):
        return (low, math.nextafter(low + 2 * HALF_TURN, math.inf)), remark
    return (math.nextafter(high - 2 * HALF_TURN, -math.inf), high), remark


def _followers(arm: Arm, name: str) -> list[tuple[Joint, float]]:
    """The moving joints that depend on this coordinate and no other, each with its ratio."""
    found = []
    for joint in _moving(arm):
        row = [(name, 1.0)] if joint.coupling is None and joint.name == name else joint.coupling or []
        ratios = [(leader, to_float(ratio, arm.defaults)) for leader, ratio in row]
        if len(ratios) == 1 and ratios[0][0] == name and ratios[0][1]:
            found.append((joint, ratios[0][1]))
    return found


def _limits(arm: Arm, name: str) -> Range:
    """Where every joint that follows this coordinate alone is within its limits: ratio q + offset. May be empty."""
    low, high = EVERYWHERE
    for joint, ratio in _followers(arm, name):
        offset = to_float(joint.offset, arm.defaults)
        ends = []
        for limit, unlimited in ((joint.limits.lower, -math.inf), (joint.limits.upper, math.inf)):
            ends.append((unlimited if limit is None else to_float(limit, arm.defaults) - offset) / ratio)
        if joint.kind.traits.is_endless:
            ends = list(EVERYWHERE)
        low, high = max(low, min(ends)), min(high, max(ends))
    return low, high


def _repeats(arm: Arm, name: str) -> bool:
    """Whether a full turn of the coordinate brings every joint back: all that it moves turn, by whole multiples."""
    for joint in _moving(arm):
        coupling = ((joint.name, 1),) if joint.coupling is None else joint.coupling
        for leader, ratio in coupling:
            if leader == name and (not joint.kind.only_turns or to_float(ratio, arm.defaults) % 1):
                return False
    return True


def stretches(joint: Joint, name: str) -> bool:
    """Whether the coordinate moves this joint, and the joint has a spring."""
    leaders = [leader for leader, _ in joint.coupling or ((joint.name, 1),)]
    return joint.spring is not None and not joint.is_fixed and name in leaders


def _winds(arm: Arm, name: str) -> bool:
    """Whether the coordinate moves a joint with a spring."""
    return any(stretches(body.joint, name) for body in arm.bodies)


def _moving(arm: Arm) -> list[Joint]:
    return [body.joint for body in arm.bodies if not body.joint.is_fixed]


def _beside_limits(arm: Arm, name: str, stated: Range) -> tuple[Range, str]:
    """The range that is given, and whether it goes beyond the limits, by more than rounding."""
    low, high = _limits(arm, name)
    if low <= stated[0] + ROUNDING and stated[1] - ROUNDING <= high:
        return stated, ""
    if not (math.isfinite(low) and math.isfinite(high)):
        return stated, "the given range goes beyond the limit."
    text, _ = range_texts(arm, arm.coordinates.index(name), low, high)
    return stated, f"the given range goes beyond the limits, {text}."


def _shared_limits(arm: Arm) -> list[str]:
    """Limits that no box can hold: of joints that follow several coordinates at once."""
    names = [
        joint.name
        for joint in _moving(arm)
        if len(joint.coupling or ()) > 1 and (joint.limits.lower, joint.limits.upper) != (None, None)
    ]
    return [f"{', '.join(names)}: limits not used, because they bind several coordinates at once."] if names else []
