"""What the name of a column says: which quantity, of which joint, measured or wanted, in which unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.logs.column_words import (
    CURRENTS,
    DERIVED,
    DURATIONS,
    JOINED,
    MEASURED,
    PER_SECOND,
    PLAIN,
    ROLE_WORDS,
    SECONDARY,
    SECONDS,
    TIMES,
    UNITS,
    VOID,
    WANTED,
    Role,
    Source,
)


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
    """What a name says, for an arm with these joints; None where it says nothing of a joint's motion or torque."""
    joint = _joint(column, joints)
    rest = column if joint is None else _without(column, joints[joint])
    return _read(column, rest, joint) or (None if joint is None else _read(column, column, joint))


def bare_joint(column: str, joints: Sequence[str]) -> Meaning | None:
    """The meaning of a name that is that of a joint, or "joint" or "axis" with a number: by custom, its position."""
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
    """The words of a name in small letters, and its numbers; units of two letters and more stay one word."""
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
    """The quantity, and whether "d" after "q" leaves open if it is a derivative or a wanted value."""
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
    """Of names without a word of their own for what they are: currents, times, the positions of axes."""
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
        return "wanted"
    if found & DERIVED:
        return "filtered"
    if role != "t" and found & SECONDARY:
        return "secondary"
    if found & MEASURED:
        return "measured"
    return "plain" if found <= {*ROLE_WORDS, *TIMES, *PLAIN, *SECONDS, "dot", "ddot", "dd"} else "other"
