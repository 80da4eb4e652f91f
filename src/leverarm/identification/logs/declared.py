"""Columns as the user says: by name, by number from 1, by a range "2-8", or by what their names begin with."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from leverarm.errors import InputError, unknown_name
from leverarm.identification.logs.columns import Taken
from leverarm.identification.logs.names import ROLES, Role, meaning

ColumnNames = str | int | Sequence[str | int]


def declared_columns(
    columns: Mapping[str, ColumnNames] | None, names: Sequence[str], joints: Sequence[str], file: str
) -> dict[Role, Taken]:
    """The columns of the roles that were declared; none for a role that was declared empty, so as not to be used."""
    taken: dict[Role, Taken] = {}
    for key, given in (columns or {}).items():
        if key not in ROLES:
            raise InputError(f"columns: {unknown_name('quantity', key, ROLES)}")
        role: Role = key
        wanted = 1 if role == "t" else len(joints)
        found = _found(role, given, names, wanted, file)
        if len(set(found)) != len(found) or len(found) not in (0, wanted):
            raise InputError(
                f"columns[{role!r}] = {given!r}: {len(found)} columns ({', '.join(found)}); {role} needs {wanted}, "
                f"each its own, in the order of the joints {', '.join(joints)}."
            )
        meanings = [meaning(name, joints) for name in found]
        units = tuple(None if one is None else one.unit for one in meanings)
        taken[role] = Taken(tuple(found), units, any(one is not None and one.is_current for one in meanings))
    _check_apart(taken)
    for role in ("q", "tau"):
        if role in taken and not taken[role].columns:
            raise InputError(f"columns[{role!r}] is empty; a log needs positions and torques. Name them.")
    return taken


def _check_apart(taken: Mapping[Role, Taken]) -> None:
    """No column is two quantities."""
    roles: dict[str, Role] = {}
    for role, columns in taken.items():
        for name in columns.columns:
            if name in roles:
                raise InputError(f"columns: {name!r} was given for {roles[name]} and for {role}; it is one of them.")
            roles[name] = role


def _found(role: Role, given: ColumnNames, names: Sequence[str], wanted: int, file: str) -> list[str]:
    if isinstance(given, str):
        between = re.fullmatch(r"\s*(\d+)\s*(?:-|:|\.\.)\s*(\d+)\s*", given)
        if between and given not in names:
            return [_one(role, number, names, file) for number in range(int(between[1]), int(between[2]) + 1)]
        if given not in names and (begun := _begun(given, names, wanted)):
            return begun
        if "," in given and given not in names:
            return [_one(role, part.strip(), names, file) for part in given.split(",")]
        return [_one(role, given, names, file)]
    if isinstance(given, Sequence):
        return [_one(role, part, names, file) for part in given]
    return [_one(role, given, names, file)]


def _begun(given: str, names: Sequence[str], wanted: int) -> list[str]:
    """The columns whose names begin so; where these are too many, those in which a number or a sign comes next."""
    begun = [name for name in names if given and name.startswith(given)]
    numbered = [name for name in begun if not name[len(given) :][:1].isalpha()]
    return next((each for each in (begun, numbered) if len(each) == wanted), [])


def _one(role: Role, given: object, names: Sequence[str], file: str) -> str:
    if isinstance(given, str) and (given in names or not given.isdigit()):
        if given not in names:
            # of files side by side, names that stand in several of them have that of the file before them
            ended = [name for name in names if name.endswith(f".{given}")]
            if len(ended) == 1:
                return ended[0]
            raise InputError(f"columns[{role!r}]: {file}: {unknown_name('column', given, names)}")
        return given
    is_number = isinstance(given, (int, str)) and not isinstance(given, bool)
    number = int(str(given)) if is_number else 0
    if not 1 <= number <= len(names):
        raise InputError(
            f"columns[{role!r}]: {given!r} was given; a column is a name or a number from 1 to {len(names)}: "
            f"{', '.join(names[:40])}."
        )
    return names[number - 1]
