"""From the options of `leverarm simulate` to the arguments of `la.simulate`, checked before anything runs.

Torques over time come from a CSV file: t [s], then one column per joint, with or without a line of names. A file that
`leverarm simulate -o run.csv` wrote is such a table too; its columns are found by their names.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import leverarm as la
from leverarm.cli.equations import check_choice
from leverarm.cli.numbers import coordinates, named, number, numbers
from leverarm.errors import FormatError, InputError, unknown_name

Line = tuple[int, list[str]]
"""The number of a line, and its cells."""


def torque_table(path: str, arm: la.Arm, until: float) -> la.types.Signal:
    """The torques [N m or N] in a file, linear between its rows; FormatError names the file and the line."""
    lines = list(_lines(path))
    if not lines:
        raise FormatError("is empty. Give rows of a time [s] and one number per joint.", path)
    names = None if all(map(_is_number, lines[0][1])) else lines[0][1]
    columns = _columns(path, lines[0], names, arm)
    rows = lines if names is None else lines[1:]
    numbers = [_numbers(path, line, columns, arm, len(lines[0][1])) for line in rows]
    if len(numbers) < 2:
        raise FormatError(f"has {len(numbers)} rows of numbers; a table takes two or more, each at a later time.", path)
    for k in range(1, len(numbers)):
        t, before = numbers[k][0], numbers[k - 1][0]
        if t <= before:
            raise FormatError(
                f"t = {t:g} s comes after t = {before:g} s. Times must increase from line to line.", path, rows[k][0]
            )
    begin, end = numbers[0][0], numbers[-1][0]
    if begin > 0 or end < until:
        gap = f"begins at t = {begin:g} s" if begin > 0 else f"ends at t = {end:g} s"
        raise FormatError(f"{gap}, and the run goes from 0 to {until:g} s. Add rows, or give another --until.", path)
    return la.signals.table([row[0] for row in numbers], [row[1:] for row in numbers])


def _lines(path: str) -> Iterator[Line]:
    """The lines that are neither empty nor remarks."""
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as stream:
            numbered = ((k, line) for k, line in enumerate(stream, start=1))
            for k, line in numbered:
                if line.strip() and not line.lstrip().startswith("#"):
                    yield k, [cell.strip() for cell in next(csv.reader([line]))]
    except (OSError, UnicodeError, csv.Error) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise FormatError(f"cannot be read: {why}. Give a CSV file of times and forces, or numbers.", path) from None


def _is_number(cell: str) -> bool:
    try:
        float(cell or "nan")
    except ValueError:
        return False
    return True


def _columns(path: str, first: Line, names: Sequence[str] | None, arm: la.Arm) -> list[int]:
    """The place of the force of each joint among the columns: by name where the joints are named, else in order."""
    line, cells = first
    if names is not None:
        for prefix in ("tau.", ""):
            wanted = [f"{prefix}{joint}" for joint in arm.joint_names]
            missing = [name for name in wanted if name not in names]
            if not missing:
                return [names.index(name) for name in wanted]
            if len(missing) < len(wanted):
                raise FormatError(
                    f"there is no column {missing[0]!r}. Give one for each joint: {', '.join(wanted)}.", path, line
                )
    if len(cells) != arm.dof + 1:
        raise FormatError(
            f"there are {len(cells)} columns; arm {arm.name!r} takes {arm.dof + 1}: t, {', '.join(arm.joint_names)}.",
            path,
            line,
        )
    return list(range(1, arm.dof + 1))


def _numbers(path: str, line: Line, columns: Sequence[int], arm: la.Arm, width: int) -> list[float]:
    """The time and the forces of a line."""
    number, cells = line
    if len(cells) != width:
        raise FormatError(f"there are {len(cells)} numbers in this line, and {width} columns.", path, number)
    values = []
    for column, name in zip((0, *columns), ("t", *arm.joint_names), strict=True):
        text = cells[column]
        if not _is_number(text):
            raise FormatError(f"{text!r} is no number, in the column of {name}.", path, number)
        value = float(text or "nan")
        if not math.isfinite(value):
            what = f"{text} is given" if text else "there is a gap"
            raise FormatError(f"{what} in the column of {name}. Fill it in, or leave the line out.", path, number)
        values.append(value)
    return values


Given = Mapping[str, Any]
"""What stands behind each option, by its name; None or empty where it was not given."""

PROFILES = ("quintic", "cubic", "trapezoid")

USELESS_WITHOUT = {
    "target": "control", "kp": "control", "kd": "control", "effort": "control", "in": "target", "profile": "in",
    "seed": "noise", "resume": "output", "replace": "output",
}  # fmt: skip
HINTS = {
    "control": "--control NAME, such as pd+gravity",
    "target": "--target NUMBERS",
    "in": "--in SECONDS",
    "noise": "--noise STD",
    "output": "-o FILE",
}
LINEAR = ("x", "y", "z")
HELD = 1e-3
"""How long each number of the noise holds [s], unless there is a step."""


def check_together(given: Given) -> None:
    """Refuses options that make no difference, or that contradict each other."""
    for option, text in given.items():
        if isinstance(text, str) and not text.strip():
            raise InputError(f"--{option}: nothing stands behind it. Give a value, or leave --{option} out.")
    for option, other in USELESS_WITHOUT.items():
        if given[option] and not given[other]:
            raise InputError(
                f"--{option} makes no difference without {HINTS[other]}. Give that too, or leave --{option} out."
            )
    if given["resume"] and given["replace"]:
        raise InputError("--resume goes on with a run and --replace begins it anew. Give one of them.")


def arguments(arm: la.Arm, given: Given) -> dict[str, Any]:
    """The arguments of `la.simulate` but for the arm and where the run is kept."""
    times = {
        name: number(given[name], arm, f"--{name}")
        for name in ("until", "step", "rtol", "atol", "record")
        if given[name] is not None
    }
    q0, qd0 = (coordinates(given[name], arm, f"--{name}") if given[name] else [0.0] * arm.dof for name in ("q0", "qd0"))
    _check_count("--q0", q0, arm.joint_names)
    _check_count("--qd0", qd0, arm.joint_names)
    wrenches = named(given["wrench"], "--wrench", "frame=mx,my,mz,fx,fy,fz")
    found = {
        **times,
        "q0": q0,
        "qd0": qd0,
        "method": given["method"],
        "torque": _torque(arm, given, q0, times["until"]),
        "disturbance": _in_time(given["disturbance"], arm, "--disturbance", times["until"]),
        "noise": _noise(arm, given, times),
        "wrench": {frame: numbers(text, arm, f"--wrench {frame}") for frame, text in wrenches},
        "payload": [_payload(text, arm) for text in given["payload"]],
        "stops": None if given["stops"] is None else _restitution(given["stops"], arm),
    }
    return {name: value for name, value in found.items() if value not in (None, {}, [])}


def _torque(arm: la.Arm, given: Given, q0: Sequence[float], until: float) -> Any:
    parts = [_control(arm, given, q0)] if given["control"] else []
    open_loop = _in_time(given["torque"], arm, "--torque", until)
    if not parts or open_loop is None:
        return parts[0] if parts else open_loop
    return [*parts, open_loop if isinstance(open_loop, la.types.Signal) else la.signals.constant(open_loop)]


def _in_time(text: str | None, arm: la.Arm, option: str, until: float) -> Any:
    """Numbers that stay, or the table in a CSV file."""
    if text is None:
        return None
    return torque_table(text, arm, until) if text.strip().lower().endswith(".csv") else coordinates(text, arm, option)


def _control(arm: la.Arm, given: Given, q0: Sequence[float]) -> la.types.Control:
    names, start = list(arm.joint_names), list(q0)
    if given["control"] == "operational-space":
        names = [axis for axis in la.quantities.task_axes(arm) if axis in LINEAR] or list(LINEAR)
        tool = la.forward_kinematics(arm, q0, arm.tool)[:3, 3]
        start = [float(tool[LINEAR.index(axis)]) for axis in names]
    target = _changed(start, names, given["target"], arm) if given["target"] else start
    gains = {name: _gains(given[name], arm, f"--{name}") for name in ("kp", "kd", "effort") if given[name]}
    return la.control.by_name(given["control"], arm, _reference(start, target, given, arm), **gains)


def _changed(start: Sequence[float], names: Sequence[str], text: str, arm: la.Arm) -> list[float]:
    """All numbers in order, or the start with some of them changed by name=value."""
    if "=" not in text:
        target = numbers(text, arm, "--target")
        _check_count("--target", target, names)
        return target
    values = dict(zip(names, start, strict=True))
    for name, value in named(re.split(r"[,\s]+(?=[^,\s=]+=)", text.strip(" []")), "--target", "name=value"):
        if name not in values:
            raise InputError("--target: " + unknown_name("coordinate", name, names))
        values[name] = number(value, arm, "--target")
    return list(values.values())


def _reference(start: Sequence[float], target: Sequence[float], given: Given, arm: la.Arm) -> Any:
    """The target, or the motion to it from rest to rest in a time."""
    if given["in"] is None:
        return list(target)
    duration = number(given["in"], arm, "--in")
    if duration <= 0:
        raise InputError(f"--in: {duration:g} s was given; the motion to the target takes a time above zero.")
    profile = given["profile"] or PROFILES[0]
    check_choice("--profile", "profile", profile, PROFILES)
    if profile == "trapezoid":  # a third each of speeding up, cruising and slowing down
        ways = [abs(b - a) or 1.0 for a, b in zip(start, target, strict=True)]
        velocity, acceleration = ([factor * way for way in ways] for factor in (1.5 / duration, 4.5 / duration**2))
        return la.signals.trapezoid(start, target, velocity, acceleration)
    motion = la.signals.quintic if profile == "quintic" else la.signals.cubic
    return motion([start, target], [0.0, duration])


def _gains(text: str, arm: la.Arm, option: str) -> Any:
    """One number for all or one each; the word "limits" for an effort as the arm's description has it."""
    if option == "--effort" and text.strip() == "limits":
        return "limits"
    return coordinates(text, arm, option) if "=" in text else numbers(text, arm, option)


def _noise(arm: la.Arm, given: Given, times: Mapping[str, float]) -> Any:
    if given["noise"] is None:
        return None
    seed = number(given["seed"] or "0", arm, "--seed")
    if not seed.is_integer() or seed < 0:
        raise InputError(f"--seed: {given['seed']!r} was given; it takes a whole number from 0 on.")
    return la.signals.noise(_gains(given["noise"], arm, "--noise"), every=times.get("step", HELD), seed=int(seed))


def _payload(text: str, arm: la.Arm) -> la.types.Payload:
    """MASS, MASS@TIME, MASS:x,y,z or MASS@TIME:x,y,z."""
    before, colon, place = text.partition(":")
    mass, at_sign, time = before.partition("@")
    if not mass.strip() or (at_sign and not time.strip()) or (colon and not place.strip()):
        raise InputError(f"--payload {text!r}: give MASS, MASS@TIME or MASS@TIME:x,y,z, such as 2.5@1.0:0,0,0.1.")
    centre = numbers(place, arm, "--payload") if colon else [0.0] * 3
    _check_count("--payload: the centre of mass", centre, LINEAR)
    return la.payload(number(mass, arm, "--payload"), com=centre, at=number(time, arm, "--payload") if at_sign else 0.0)


def _restitution(text: str, arm: la.Arm) -> float:
    try:
        value = number(text, arm, "--stops")
    except InputError:
        value = -1.0
    if not 0 <= value <= 1:
        raise InputError(
            f"--stops: {text!r} was given; a restitution is a number from 0 (no bounce) to 1. --stops alone "
            "means 0; then give the ARM before it."
        )
    return value


def _check_count(what: str, values: Sequence[float], names: Sequence[str]) -> None:
    if len(values) != len(names):
        count = f"{len(values)} number{'s were' if len(values) != 1 else ' was'} given"
        raise InputError(f"{what}: {count}; it takes {len(names)} ({', '.join(names)}).")
