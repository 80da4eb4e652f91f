"""Which columns of a table are the times, positions, velocities, accelerations and torques of an arm's joints.

By name (`columns_by_name`), by position in a table without names (`columns_by_place`), or as the user declares them
(`declared_columns`): by name, by number from 1, by a range "2-8", or by a common prefix.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from leverarm.errors import InputError, unknown_name
from leverarm.findings import Finding
from leverarm.identification.logs.names import ROLES, SOURCES, Meaning, Role, bare_joint, meaning

Order = Callable[[Sequence[Sequence[str]], str | None], tuple[Role | None, ...]]
QUANTITIES = dict(zip(ROLES, ("times", "positions", "velocities", "accelerations", "torques"), strict=True))
BODY_WORDS = (r"pan|base|waist", r"lift|shoulder", r"elbow", r"wrist\D*1", r"wrist\D*2", r"wrist\D*3")
"""Joint names of six-axis arms without numbers, from the base; files often list them alphabetically."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Columns of one role in the order of the arm's joints, units in their names, and whether they are currents."""

    columns: tuple[str, ...]
    units: tuple[str | None, ...]
    is_current: bool = False
    fraction: str | None = None
    """A column of nanoseconds to be added to one of whole seconds."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The columns of each role in the table, and findings about them."""

    roles: dict[Role, Taken]
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class _Group:
    """Columns with one meaning, one for each joint, in the order of the joints."""

    members: tuple[Meaning, ...]
    place: int
    is_ordered: bool = True

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(member.column for member in self.members)

    @property
    def rank(self) -> tuple[int, bool, int, int]:
        first = self.members[0]
        source = SOURCES.index(first.source)
        # torques before currents if both are measured; then an explicit source before an unspecified one
        return (max(source, 1), first.is_current, source, self.place)


def columns_by_name(names: Sequence[str], joints: Sequence[str], declared: Mapping[Role, Taken], file: str) -> Chosen:
    """Columns found by their names, `declared` ones as given; prefers signals measured at the motor."""
    spoken = {column for taken in declared.values() for column in taken.columns}
    read = [found for name in names if name not in spoken and (found := meaning(name, joints))]
    findings: list[Finding] = []
    groups: dict[Role, list[_Group]] = {role: _groups(role, read, joints) for role in ROLES if role != "t"}
    # "q_d" is dq/dt, unless the table has other velocities: then it is a desired position
    groups["qd"] = [group for group in groups["qd"] if not group.members[0].is_doubtful] or groups["qd"]
    if not groups["q"]:
        bare = [found for name in names if name not in spoken and (found := bare_joint(name, joints))]
        groups["q"] = _groups("q", bare, joints)
        if groups["q"] and "q" not in declared:
            message = f"{shown(groups['q'][0].columns)} name joints but no quantity; read as positions."
            findings.append(Finding("note", "columns", message, "Give columns={'q': [...]} if that is wrong."))
    roles: dict[Role, Taken] = {role: taken for role, taken in declared.items() if taken.columns}
    if "t" not in declared:
        time = _time(read, names)
        if time is not None:
            roles["t"] = time
    for role, candidates in groups.items():
        if role in declared or not candidates:
            continue
        best, *others = sorted(candidates, key=lambda group: group.rank)
        units = tuple(member.unit for member in best.members)
        roles[role] = Taken(best.columns, units, best.members[0].is_current)
        findings += _said(role, best, others)
    for role in ("q", "tau"):
        if role not in roles:
            raise InputError(_missing(role, read, names, joints, file))
    return Chosen(roles, tuple(findings))


def columns_by_place(
    names: Sequence[str], joints: int, is_timed: bool, declared: Mapping[Role, Taken], file: str, order: Order
) -> Chosen:
    """Columns of a table without names, by their number: [t], q, [qd, [qdd]], tau, as many each as there are joints.

    `order` identifies blocks of columns, given their names and that of the times.
    """
    if declared:
        for role in ("q", "tau"):
            if role not in declared:
                what = f"the file has no column names to find {role!r} by; give its columns too"
                raise InputError(f"{file}: columns were given for {', '.join(declared)}, and {what}.")
        return Chosen({role: taken for role, taken in declared.items() if taken.columns})
    for time in (1, 0) if is_timed else (0, 1):
        count, over = divmod(len(names) - time, joints)
        if over or count not in (2, 3, 4):
            continue
        blocks = [names[start : start + joints] for start in range(time, len(names), joints)]
        found = order(blocks, names[0] if time else None)
        roles: dict[Role, Taken] = {"t": Taken((names[0],), (None,))} if time else {}
        pairs = zip(found, blocks, strict=True)
        roles |= {role: Taken(tuple(block), (None,) * joints) for role, block in pairs if role is not None}
        words = ["t"] * time + [f"{role or 'commanded positions'} ({joints})" for role in found]
        message = f"the file has no column names; read as {', '.join(words)}."
        return Chosen(roles, (Finding("note", "columns", message, "Give columns=... if that is wrong."),))
    raise InputError(
        f"{file}: {len(names)} columns without names, for an arm of {joints} joints. "
        f"Valid: {1 + 2 * joints} (t, q, tau), {1 + 3 * joints} (t, q, qd, tau) or {1 + 4 * joints} "
        "(t, q, qd, qdd, tau), or the same without t and with rate=...; otherwise assign them: "
        "columns={'t': 1, 'q': [2, 3, ...], 'tau': [...]}."
    )


def named_after_file(names: Iterable[str], joints: Sequence[str], stem: str) -> list[str]:
    """Names prefixed with that of their file where they name only the joint, as in pos_read.csv with Joint_1, ..."""
    return [f"{stem}.{name}" if name.isdigit() or bare_joint(name, joints) else name for name in names]


def _groups(role: Role, read: Sequence[Meaning], joints: Sequence[str]) -> list[_Group]:
    """Sets with one column per joint: those that differ in nothing else; failing these, as many as joints."""
    here = [found for found in read if found.role == role]

    def sets(key: Callable[[Meaning], object], by_file: bool) -> list[_Group]:
        alike: dict[object, list[Meaning]] = {}
        for found in here:
            alike.setdefault(key(found), []).append(found)
        each = (_complete(members, joints, here.index(members[0]), by_file) for members in alike.values())
        return [group for group in each if group]

    tight = sets(lambda found: (found.words, len(found.numbers)), False)
    return tight or sets(lambda found: (found.source, found.is_doubtful, found.is_current), True)


def _complete(members: list[Meaning], joints: Sequence[str], place: int, by_file: bool) -> _Group | None:
    named = {found.joint: found for found in reversed(members) if found.joint is not None}
    if len(named) == len(joints):
        return _Group(tuple(named[i] for i in range(len(joints))), place)
    if len(members) != len(joints):
        return None
    if len(joints) == 1:
        return _Group(tuple(members), place)
    for at in range(len(members[0].numbers) - 1, -1, -1):
        if any(len(found.numbers) <= at for found in members):
            continue
        numbers = sorted(found.numbers[at] for found in members)
        if numbers == list(range(numbers[0], numbers[0] + len(joints))):
            return _Group(tuple(sorted(members, key=lambda found: found.numbers[at])), place)
    if not by_file:
        return None
    by_body = [[found for found in members if re.search(body, found.column, re.IGNORECASE)] for body in BODY_WORDS]
    if len(joints) == len(BODY_WORDS) and all(len(found) >= 1 for found in by_body):
        picked = tuple(found[0] for found in by_body)
        if len({found.column for found in picked}) == len(joints):
            return _Group(picked, place)
    return _Group(tuple(members), place, is_ordered=False)


def _time(read: Sequence[Meaning], names: Sequence[str]) -> Taken | None:
    for name in names:
        whole = re.fullmatch(r"(.*?)(sec|secs|seconds)", name)
        for word in ("nanosec", "nsec", "nsecs", "nanoseconds"):
            if whole and whole[1] + word in names:
                return Taken((name,), ("s",), fraction=whole[1] + word)
    found = sorted((time for time in read if time.role == "t"), key=lambda time: SOURCES.index(time.source))
    return Taken((found[0].column,), (found[0].unit,)) if found else None


def _said(role: Role, best: _Group, others: Sequence[_Group]) -> Iterator[Finding]:
    source, what = best.members[0].source, QUANTITIES[role]
    if not best.is_ordered:
        names = f"the {what} {', '.join(best.columns)}"
        message = f"{names} have neither the arm's joint names nor numbers; taken in the order of the file."
        remedy = f"Give them in the order of the arm's joints: columns={{'{role}': [...]}}."
        yield Finding("warning", "columns", message, remedy)
    if source in ("filtered", "secondary", "commanded"):
        message = f"the {what} are {shown(best.columns)}, by their names not measured at the motors ({source})."
        remedy = "Record measured values; commanded or computed ones hide what the arm really did."
        yield Finding("warning", "columns", message, remedy)
    if others:
        left = ", ".join(shown(group.columns) for group in others)
        message = f"the {what} are {shown(best.columns)}; not used: {left}."
        yield Finding("note", "columns", message, f"To use others, give columns={{'{role}': [...]}}.")


def shown(names: Sequence[str]) -> str:
    """A set of columns by its first and last."""
    return names[0] if len(names) == 1 else f"{names[0]} ... {names[-1]}"


def _missing(role: Role, read: Sequence[Meaning], names: Sequence[str], joints: Sequence[str], file: str) -> str:
    here = [found for found in read if found.role == role]
    found = [each.column for each in here]
    listed = ", ".join(names[:40]) + (", ..." if len(names) > 40 else "")
    several = f"{len(found)} columns of {QUANTITIES[role]} ({', '.join(found[:16])})"
    number = several if found else f"no {QUANTITIES[role]}"
    return (
        f"{file}: {number} found by name, for an arm of {len(joints)} joint{'s' * (len(joints) > 1)}. "
        f"{_unlogged(here, joints)}"
        f"Columns: {listed}. Valid: one column for each joint, as {role}1, {role}2, ... or with the joints' names; "
        f"otherwise list them in the arm's order: columns={{'{role}': ['name' or number, ...]}}."
    )


def _unlogged(here: Sequence[Meaning], joints: Sequence[str]) -> str:
    """What to do about joints without a column where others have one."""
    named = {found.joint for found in here}
    missing = [joint for i, joint in enumerate(joints) if i not in named]
    if None in named or not named or not missing:
        return ""
    listed = f"{', '.join(missing[:12])}{', ...' if len(missing) > 12 else ''}"
    lock = f"la.lock(arm, {{{missing[0]!r}: 0.0}}) or leverarm convert --lock {missing[0]}=0"
    return f"No column for {listed}; joints that did not move can be locked: {lock}. "


ColumnNames = str | int | Sequence[str | int]


def declared_columns(
    columns: Mapping[str, ColumnNames] | None, names: Sequence[str], joints: Sequence[str], file: str
) -> dict[Role, Taken]:
    """The columns of the declared roles; none for a role that was declared empty, which is not used."""
    taken: dict[Role, Taken] = {}
    for key, given in (columns or {}).items():
        if key not in ROLES:
            raise InputError(f"columns: {unknown_name('quantity', key, ROLES)}")
        role: Role = key
        wanted = 1 if role == "t" else len(joints)
        found = _found(role, given, names, wanted, file)
        if len(set(found)) != len(found) or len(found) not in (0, wanted):
            valid = f"{role} needs {wanted}, each its own, in the order of the joints {', '.join(joints)}"
            raise InputError(f"columns[{role!r}] = {given!r}: {len(found)} columns ({', '.join(found)}); {valid}.")
        meanings = [meaning(name, joints) for name in found]
        units = tuple(None if one is None else one.unit for one in meanings)
        taken[role] = Taken(tuple(found), units, any(one is not None and one.is_current for one in meanings))
    roles: dict[str, Role] = {}
    for role, each in taken.items():
        if role in ("q", "tau") and not each.columns:
            raise InputError(f"columns[{role!r}] is empty; a log needs positions and torques. Name their columns.")
        for name in each.columns:
            if name in roles:
                raise InputError(f"columns: {name!r} was given for {roles[name]} and for {role}; it can be only one.")
            roles[name] = role
    return taken


def _found(role: Role, given: ColumnNames, names: Sequence[str], wanted: int, file: str) -> list[str]:
    if isinstance(given, str):
        between = re.fullmatch(r"\s*(\d+)\s*(?:-|:|\.\.)\s*(\d+)\s*", given)
        if given in names:
            given = [given]
        elif between:
            given = range(int(between[1]), int(between[2]) + 1)
        elif begun := _begun(given, names, wanted):
            return begun
        else:
            given = [part.strip() for part in given.split(",")] if "," in given else [given]
    return [_one(role, part, names, file) for part in (given if isinstance(given, Sequence) else [given])]


def _begun(given: str, names: Sequence[str], wanted: int) -> list[str]:
    """The columns with this prefix; where these are too many, those in which no letter follows."""
    begun = [name for name in names if given and name.startswith(given)]
    numbered = [name for name in begun if not name[len(given) :][:1].isalpha()]
    return next((each for each in (begun, numbered) if len(each) == wanted), [])


def _one(role: Role, given: object, names: Sequence[str], file: str) -> str:
    if isinstance(given, str) and given in names:
        return given
    if isinstance(given, str) and not given.isdigit():
        # of files side by side, names that occur in several of them are prefixed with that of the file
        ended = [name for name in names if name.endswith(f".{given}")]
        if len(ended) == 1:
            return ended[0]
        raise InputError(f"columns[{role!r}]: {file}: {unknown_name('column', given, names)}")
    is_number = isinstance(given, (int, str)) and not isinstance(given, bool)
    number = int(str(given)) if is_number else 0
    if not 1 <= number <= len(names):
        valid = f"a column is a name or a number from 1 to {len(names)}: {', '.join(names[:40])}"
        raise InputError(f"columns[{role!r}]: {given!r} was given; {valid}.")
    return names[number - 1]
