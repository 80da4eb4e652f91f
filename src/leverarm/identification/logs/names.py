"""What the name of a column says: which quantity, of which joint, measured or commanded, in which unit.

Joints may also be named in columns of words beside numbered columns, as ROS writes its joint states to text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from leverarm.identification.logs.files.table import Table

_NUMBERED = re.compile(r"(.*?)[._\[(]?(\d+)[\])]?")
_NAMES = re.compile(r"names?$|joints?$", re.IGNORECASE)


def named_by_words(table: Table) -> Table:
    """The table with name0 = "elbow" and position0 read as position.elbow; unchanged where no words name joints.

    Only columns with the numbers of the words take part. Names may be in any order; ROS sorts them alphabetically.
    """
    joints = _joints(table.words)
    if not joints:
        return table
    stems: dict[str, dict[int, str]] = {}
    for column in table.columns:
        if parts := _NUMBERED.fullmatch(column):
            stems.setdefault(parts[1], {})[int(parts[2])] = column
    fresh = {
        column: f"{stem}.{joints[number]}"
        for stem, numbers in stems.items()
        if stem and numbers.keys() == joints.keys()
        for number, column in numbers.items()
    }
    if not fresh or set(fresh.values()) & set(table.columns):
        return table
    names = ", ".join(joints.values())
    message = f"the joints {names} are named in words; columns with their numbers were assigned to them."
    columns = {fresh.get(name, name): values for name, values in table.columns.items()}
    return replace(table, columns=columns, notes=(*table.notes, message))


def _joints(words: Mapping[str, str]) -> dict[int, str]:
    """The joint of each number, where columns of words name several, each its own."""
    found: dict[str, dict[int, str]] = {}
    for column, word in words.items():
        parts = _NUMBERED.fullmatch(column)
        if parts and _NAMES.search(parts[1]):
            found.setdefault(parts[1], {})[int(parts[2])] = word
    named = [each for each in found.values() if len(each) > 1 and len(set(each.values())) == len(each)]
    return named[0] if len(named) == 1 else {}


Role = Literal["t", "q", "qd", "qdd", "tau"]
ROLES: tuple[Role, ...] = ("t", "q", "qd", "qdd", "tau")

Source = Literal["measured", "plain", "other", "filtered", "secondary", "commanded"]
SOURCES: tuple[Source, ...] = ("measured", "plain", "other", "filtered", "secondary", "commanded")
"""Where values come from, in order of preference."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


ROLE_WORDS: dict[str, Role] = {
    **dict.fromkeys(_set("q pos position positions angle angles ang theta phi encoder"), "q"),
    **dict.fromkeys(_set("qd dq qdot vel velocity velocities speed speeds omega qp dtheta thetadot"), "qd"),
    **dict.fromkeys(_set("qdd ddq qddot acc accel acceleration accelerations qpp ddtheta"), "qdd"),
    **dict.fromkeys(_set("tau torque torques trq effort efforts eff moment moments force u"), "tau"),
}
CURRENTS = _set("current currents curr amps i iq")
"""Torques where no other word says what is meant; beside one ("current_position") they mean "now"."""
TIMES = _set("t time times timestamp timestamps stamp clock elapsed zeit temps tempo tiempo")
DURATIONS = _set("delta cycle duration period exec execution compute computation lag delay")
"""Words beside "time" in columns that say how long something took, not when."""

MEASURED = _set("m msr mot motor actual act meas measured mes fbk feedback real read") | CURRENTS
WANTED = _set("ref reference des desired target cmd command commanded setpoint goal nominal u")
SECONDARY = _set("se sec secondary second load link output")
DERIVED = _set("ext external est estimated hat filtered filt gravity grav friction coriolis") | _set(
    "model expected simulated sim predicted disturbance"
)
PLAIN = _set("joint joints jnt axis j a robot arm state states field data header msg log servo actuator drive")
VOID = _set("tcp ee eef tool cart cartesian pose temp temperature voltage mode status error err limit limits") | _set(
    "min max gripper finger wrench imu std seq id"
)
"""Words of columns that are not joint signals of an arm, whatever else their name says."""

JOINED = re.compile(r"^(q|dq|ddq|qd|qdd|tau|pos|vel|acc|torque|theta)(ref|des|cmd|act|actual|meas|mot|m|j)$")
"""Two words that are often written as one: qref, taum."""

PER_SECOND = {"deg": "deg/s", "rad": "rad/s", "mrad": "mrad/s", "rev": "rev/s", "mm": "mm/s"}
SECONDS = _set("s sec second")
UNITS = {
    **dict.fromkeys(_set("deg degs degree degrees"), "deg"),
    **dict.fromkeys(_set("rad rads radian radians"), "rad"),
    **dict.fromkeys(_set("nsec nsecs nanosec nanosecs nanoseconds"), "ns"),
    **dict.fromkeys(_set("secs seconds"), "s"),
    **{word: word for word in _set("mrad rev mm rpm mnm knm ncm ma ms us ns")},
    "nm": "Nm",
    "dps": "deg/s",
    "msec": "ms",
    "usec": "us",
    "amps": "A",
}


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one column holds. `joint` is a place in the arm's coordinates where the name has one, `numbers` all numbers
    in it, `words` all other words, `unit` what it says about units; `is_doubtful` for "q_d": desired, or dq/dt."""

    column: str
    role: Role
    source: Source
    joint: int | None
    numbers: tuple[int, ...]
    words: tuple[str, ...]
    unit: str | None
    is_current: bool
    is_doubtful: bool


def meaning(column: str, joints: Sequence[str]) -> Meaning | None:
    """What a column name says, for an arm with these joints; None where it is no motion or torque of a joint."""
    joint = _joint(column, joints)
    rest = column if joint is None else _without(column, joints[joint])
    return _read(column, rest, joint) or (None if joint is None else _read(column, column, joint))


def bare_joint(column: str, joints: Sequence[str]) -> Meaning | None:
    """The meaning of a name that is only that of a joint, or "joint" or "axis" with a number: by custom, a position."""
    joint = _joint(column, joints)
    words, numbers = _words(column if joint is None else _without(column, joints[joint]))
    if set(words) <= {"joint", "axis", "j", "a"} and (joint is not None or (words and numbers)):
        return Meaning(column, "q", "plain", joint, tuple(numbers), tuple(words), None, False, False)
    return None


def _joint(column: str, joints: Sequence[str]) -> int | None:
    longest_first = sorted(range(len(joints)), key=lambda i: -len(joints[i]))
    return next((i for i in longest_first if re.search(_pattern(joints[i]), column, re.IGNORECASE)), None)


def _pattern(joint: str) -> str:
    return rf"(?<![A-Za-z0-9]){re.escape(joint)}(?![A-Za-z0-9])"


def _without(column: str, joint: str) -> str:
    return re.sub(_pattern(joint), " ", column, count=1, flags=re.IGNORECASE)


def _words(text: str) -> tuple[list[str], list[int]]:
    """The words of a name in lower case, and its numbers; units of two or more letters stay one word."""
    joined = re.sub(r"(?<![a-z])([mk])N[_ ]?m(?![a-z])", r"\1nm", text)
    joined = re.sub(r"(?<![a-zA-Z])N[_ ]m(?![a-z])", "Nm", joined)
    joined = re.sub(r"(?<![a-zA-Z])mA(?![a-z])", "ma", joined)
    joined = re.sub(r"(?<![a-zA-Z])[iI]_?[qQ](?![a-zA-Z])", "iq", joined)
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", joined)
    words = [word for part in parts if not part.isdigit() for word in JOINED.sub(r"\1 \2", part.lower()).split()]
    return words, [int(part) for part in parts if part.isdigit()]


def _read(column: str, text: str, joint: int | None) -> Meaning | None:
    bracketed = [found for found in re.findall(r"[\[(]\s*([^\])]*)", text) if found and not found.strip().isdigit()]
    words, numbers = _words(re.sub(r"[\[(]\s*[^\])\d][^\])]*[\])]?", " ", text))
    if set(words) & VOID:
        return None
    unit, words = _unit(words)
    unit = bracketed[0].strip() if bracketed else unit
    role, is_doubtful = _role(words)
    is_current = role is None and bool(set(words) & CURRENTS)
    role = role or _other_role(words, unit)
    if role is None:
        return None
    if is_current and "a" in words and unit is None:
        unit = "A"
    if role == "t" and unit is None and set(words) & SECONDS:
        unit = "s"
    source = "other" if is_doubtful else _source(words, role)
    return Meaning(column, role, source, joint, tuple(numbers), tuple(words), unit, is_current, is_doubtful)


def _unit(words: list[str]) -> tuple[str | None, list[str]]:
    """The unit among the words, and the other words."""
    for i, word in enumerate(words):
        unit = UNITS.get(word)
        if unit is None:
            continue
        after = i + 1 + (words[i + 1 : i + 2] == ["per"])
        if unit in PER_SECOND and after < len(words) and words[after] in SECONDS:
            return PER_SECOND[unit], words[:i] + words[after + 1 :]
        return unit, words[:i] + words[i + 1 :]
    return None, words


def _role(words: list[str]) -> tuple[Role | None, bool]:
    """The quantity, and whether "d" after "q" may mean a derivative or a desired value."""
    places = [i for i, word in enumerate(words) if word in ROLE_WORDS]
    roles = {ROLE_WORDS[words[i]] for i in places}
    if len(roles) != 1:
        return None, False
    role, at = roles.pop(), places[0]
    before, after = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
    if words[at + 1 : at + 3] == ["d", "dot"]:
        after = "ddot"
    order = {"dot": 1, "ddot": 2, "dd": 2}.get(after, 0) or {"d": 1, "dd": 2}.get(before, 0)
    if role == "q" and order:
        return ("qd", "qdd")[order - 1], False
    if role == "q" and words[at] == "q" and after == "d":
        return "qd", True
    if before in ("d", "dd"):
        return None, False
    return role, False


def _other_role(words: list[str], unit: str | None) -> Role | None:
    """The role of names without an explicit quantity: currents, times, positions of axes."""
    found = set(words)
    if found & CURRENTS and found <= CURRENTS | PLAIN | MEASURED | WANTED | DERIVED:
        return "tau"
    is_unit_alone = not words and unit in ("s", "ms", "us", "ns")
    is_of_stamp = bool(words) and found <= {"sec", "header"}
    if (found & TIMES or is_unit_alone or is_of_stamp) and not found & DURATIONS:
        return "t"
    if {"axis", "act"} <= found <= {"axis", "act", "a"}:
        return "q"
    return None


def _source(words: list[str], role: Role) -> Source:
    found = set(words)
    if found & WANTED or (role != "t" and "d" in found and "dot" not in found):
        return "commanded"
    if found & DERIVED:
        return "filtered"
    if role != "t" and found & SECONDARY:
        return "secondary"
    if found & MEASURED:
        return "measured"
    return "plain" if found <= {*ROLE_WORDS, *TIMES, *PLAIN, *SECONDS, "dot", "ddot", "dd"} else "other"
