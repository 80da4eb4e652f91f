"""Which columns of a table are the times, positions, velocities, accelerations and torques of an arm's joints."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from leverarm.errors import InputError
from leverarm.findings import Finding
from leverarm.identification.logs.names import ROLES, SOURCES, Meaning, Role, bare_joint, meaning

Order = Callable[[Sequence[Sequence[str]], str | None], tuple[Role | None, ...]]
QUANTITIES: dict[Role, str] = {
    "t": "times",
    "q": "positions",
    "qd": "velocities",
    "qdd": "accelerations",
    "tau": "torques",
}
BODY_WORDS = (r"pan|base|waist", r"lift|shoulder", r"elbow", r"wrist\D*1", r"wrist\D*2", r"wrist\D*3")
"""Six-axis arms whose joints have names but no numbers, from the base on; files often have them by the alphabet."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Columns of one role in the order of the arm's joints, what their names say of units, and whether of currents."""

    columns: tuple[str, ...]
    units: tuple[str | None, ...]
    is_current: bool = False
    fraction: str | None = None
    """A column of nanoseconds to be added to one of whole seconds."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The columns of each role that the table has, and what was found about them."""

    roles: dict[Role, Taken]
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class _Group:
    """Columns with one meaning, one for each joint, in the order of the joints."""

    members: tuple[Meaning, ...]
    place: int
    is_ordered: bool = True

    @property
    def rank(self) -> tuple[int, bool, int, int]:
        first = self.members[0]
        source = SOURCES.index(first.source)
        # torques rather than currents, both being measured; then what says so itself before what says nothing
        return (max(source, 1), first.is_current, source, self.place)


def columns_by_name(names: Sequence[str], joints: Sequence[str], declared: Mapping[Role, Taken], file: str) -> Chosen:
    """Columns found by their names, those of `declared` as they are; prefers what was measured at the motor."""
    spoken = {column for taken in declared.values() for column in taken.columns}
    read = [found for name in names if name not in spoken and (found := meaning(name, joints))]
    findings: list[Finding] = []
    groups: dict[Role, list[_Group]] = {role: _groups(role, read, joints) for role in ROLES if role != "t"}
    _settle_doubt(groups)
    if not groups["q"]:
        bare = [found for name in names if name not in spoken and (found := bare_joint(name, joints))]
        groups["q"] = _groups("q", bare, joints)
        findings += [_told_bare(group) for group in groups["q"][:1] if "q" not in declared]
    roles: dict[Role, Taken] = {role: taken for role, taken in declared.items() if taken.columns}
    if "t" not in declared:
        time = _time(read, names)
        if time is not None:
            roles["t"] = time
    for role, candidates in groups.items():
        if role in declared or not candidates:
            continue
        best, *others = sorted(candidates, key=lambda group: group.rank)
        roles[role] = Taken(
            tuple(member.column for member in best.members),
            tuple(member.unit for member in best.members),
            best.members[0].is_current,
        )
        findings += _said(role, best, others)
    for role in ("q", "tau"):
        if role not in roles:
            raise InputError(_missing(role, read, names, joints, file))
    return Chosen(roles, tuple(findings))


def columns_by_place(
    names: Sequence[str], joints: int, is_timed: bool, declared: Mapping[Role, Taken], file: str, order: Order
) -> Chosen:
    """Columns of a table without names, by their number: [t], q, [qd, [qdd]], tau, as many each as there are joints.

    `order` tells what blocks of columns are, given their names and that of the times.
    """
    if declared:
        for role in ("q", "tau"):
            if role not in declared:
                raise InputError(
                    f"{file}: columns were given for {', '.join(declared)}, and the file has no names to find "
                    f"{role!r} by; give its columns too."
                )
        return Chosen({role: taken for role, taken in declared.items() if taken.columns})
    for time in (1, 0) if is_timed else (0, 1):
        count, over = divmod(len(names) - time, joints)
        if over or count not in (2, 3, 4):
            continue
        blocks = [names[start : start + joints] for start in range(time, len(names), joints)]
        found = order(blocks, names[0] if time else None)
        roles: dict[Role, Taken] = {"t": Taken((names[0],), (None,))} if time else {}
        roles |= {
            role: Taken(tuple(block), (None,) * joints)
            for role, block in zip(found, blocks, strict=True)
            if role is not None
        }
        words = ["t"] * time + [f"{role or 'wanted positions'} ({joints})" for role in found]
        note = Finding(
            "note",
            "columns",
            f"the file has no names of columns; read as {', '.join(words)}.",
            "Say columns=... if that is wrong.",
        )
        return Chosen(roles, (note,))
    raise InputError(
        f"{file}: {len(names)} columns without names, for an arm of {joints} joints. "
        f"Valid: {1 + 2 * joints} (t, q, tau), {1 + 3 * joints} (t, q, qd, tau) or {1 + 4 * joints} "
        "(t, q, qd, qdd, tau), or the same without t and with rate=...; else say which are which: "
        "columns={'t': 1, 'q': [2, 3, ...], 'tau': [...]}."
    )


def named_after_file(names: Iterable[str], joints: Sequence[str], stem: str) -> list[str]:
    """Names with that of their file before them where they say only the joint, as in pos_read.csv with Joint_1, ..."""
    return [f"{stem}.{name}" if name.isdigit() or bare_joint(name, joints) else name for name in names]


def _groups(role: Role, read: Sequence[Meaning], joints: Sequence[str]) -> list[_Group]:
    """Sets with a column for each joint: those that differ in nothing else; failing these, as many as joints."""
    here = [found for found in read if found.role == role]
    alike: dict[tuple[object, ...], list[Meaning]] = {}
    for found in here:
        alike.setdefault((found.words, len(found.numbers)), []).append(found)
    groups = [group for members in alike.values() if (group := _complete(members, joints, here.index(members[0])))]
    if groups:
        return groups
    loose: dict[tuple[object, ...], list[Meaning]] = {}
    for found in here:
        loose.setdefault((found.source, found.is_doubtful, found.is_current), []).append(found)
    return [
        group
        for members in loose.values()
        if (group := _complete(members, joints, here.index(members[0]), by_file=True))
    ]


def _complete(members: list[Meaning], joints: Sequence[str], place: int, by_file: bool = False) -> _Group | None:
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


def _settle_doubt(groups: dict[Role, list[_Group]]) -> None:
    """ "q_d" is dq/dt, unless the table has other velocities: then it is what was desired, and no measurement."""
    certain = [group for group in groups["qd"] if not group.members[0].is_doubtful]
    if certain:
        groups["qd"] = certain


def _time(read: Sequence[Meaning], names: Sequence[str]) -> Taken | None:
    for name in names:
        whole = re.fullmatch(r"(.*?)(sec|secs|seconds)", name)
        for word in ("nanosec", "nsec", "nsecs", "nanoseconds"):
            if whole and whole[1] + word in names:
                return Taken((name,), ("s",), fraction=whole[1] + word)
    found = sorted((time for time in read if time.role == "t"), key=lambda time: SOURCES.index(time.source))
    return Taken((found[0].column,), (found[0].unit,)) if found else None


def _said(role: Role, best: _Group, others: Sequence[_Group]) -> Iterable[Finding]:
    names = [member.column for member in best.members]
    source = best.members[0].source
    if not best.is_ordered:
        yield Finding(
            "warning",
            "columns",
            f"the {QUANTITIES[role]} {', '.join(names)} name neither the arm's joints nor numbers; taken in the "
            "order of the file.",
            f"Give them in the order of the arm's joints: columns={{'{role}': [...]}}.",
        )
    if source in ("filtered", "secondary", "wanted"):
        yield Finding(
            "warning",
            "columns",
            f"the {QUANTITIES[role]} are {shown(names)}, by their names not measured at the motors ({source}).",
            "Record the measured ones; wanted or computed values hide what the arm really did.",
        )
    if others:
        left = ", ".join(shown([member.column for member in group.members]) for group in others)
        yield Finding(
            "note",
            "columns",
            f"the {QUANTITIES[role]} are {shown(names)}; left aside: {left}.",
            f"To take others, say columns={{'{role}': [...]}}.",
        )


def _told_bare(group: _Group) -> Finding:
    names = shown([member.column for member in group.members])
    told = f"{names} name joints but no quantity; taken as the positions."
    return Finding("note", "columns", told, "Say columns={'q': [...]} if that is wrong.")


def shown(names: Sequence[str]) -> str:
    """A set of columns in words: the first and the last."""
    return names[0] if len(names) == 1 else f"{names[0]} ... {names[-1]}"


def _missing(role: Role, read: Sequence[Meaning], names: Sequence[str], joints: Sequence[str], file: str) -> str:
    here = [found for found in read if found.role == role]
    found = [each.column for each in here]
    listed = ", ".join(names[:40]) + (", ..." if len(names) > 40 else "")
    number = (
        f"{len(found)} columns of {QUANTITIES[role]} ({', '.join(found[:16])})" if found else f"no {QUANTITIES[role]}"
    )
    return (
        f"{file}: {number} found by name, for an arm of {len(joints)} joint{'s' * (len(joints) > 1)}. "
        f"{_unlogged(here, joints)}"
        f"Columns: {listed}. Valid: one column for each joint, as {role}1, {role}2, ... or with the joints' names; "
        f"else say which they are, in the arm's order: columns={{'{role}': ['name' or number, ...]}}."
    )


def _unlogged(here: Sequence[Meaning], joints: Sequence[str]) -> str:
    """What to do about joints that no column names where others are named."""
    named = {found.joint for found in here}
    missing = [joint for i, joint in enumerate(joints) if i not in named]
    if None in named or not named or not missing:
        return ""
    return (
        f"None names {', '.join(missing[:12])}{', ...' if len(missing) > 12 else ''}; joints that stood still can be "
        f"fixed where they were: la.lock(arm, {{{missing[0]!r}: 0.0}}) or leverarm convert --lock {missing[0]}=0. "
    )
