"""TOML in and out: values are asked for by type, unknown keys are refused, and every error has its line.

Written are quantities, texts, vectors, and the parts of an arm as inline tables.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from leverarm.errors import FormatError, LeverarmError, unknown_name
from leverarm.formats.plain_parts import AngleUnit, FieldError, Reader, literal, placement, vector
from leverarm.model import (
    SHAFT_LAWS,
    Expression,
    Friction,
    Limits,
    MassProperties,
    Motor,
    Placement,
    Spring,
    format_quantity,
)
from leverarm.model.arm import STANDARD_GRAVITY
from leverarm.spatial import NO_SYMMETRIC3, Symmetric3, Vec3

CREDITS = ("title", "source", "licence")
Path = tuple[str | int, ...]
SHAFT = tuple(law.name for law in SHAFT_LAWS)
_HEADER = re.compile(r"^\s*(\[\[|\[)\s*([^\]#]+?)\s*(\]\]|\])")
_KEY = re.compile(r"^\s*([A-Za-z0-9_\-\"'.]+)\s*=")


def read_toml(text: str, file: str | None) -> TomlTable:
    """The document as a table."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        found = re.search(r"\(at line (\d+), column \d+\)", str(problem))
        message = re.sub(r" \(at .*\)$", "", str(problem))
        raise FormatError(f"not valid TOML: {message}.", file, int(found[1]) if found else None) from None
    except RecursionError:
        raise FormatError("not valid TOML: it is nested too deeply. Flatten it.", file) from None
    except ValueError:
        raise FormatError("not valid TOML: it has a number with thousands of digits. Shorten it.", file) from None
    return TomlTable(data, (), _lines(text), file)


def _lines(text: str) -> dict[Path, int]:
    """The line on which each table and key of the document starts."""
    lines: dict[Path, int] = {}
    counts: dict[Path, int] = {}
    table: Path = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = ()
            parts = [part.strip().strip("\"'") for part in header[2].split(".")]
            for depth, part in enumerate(parts):
                table = (*table, part)
                if header[1] == "[[" and depth == len(parts) - 1:
                    counts[table] = counts.get(table, -1) + 1
                if table in counts:
                    table = (*table, counts[table])
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            lines.setdefault((*table, key[1].strip("\"'")), number)
    return lines


class TomlTable:
    """One table of the document. Values are read by type; `finish` refuses keys that were never read."""

    def __init__(self, data: dict[str, Any], path: Path, lines: dict[Path, int], file: str | None) -> None:
        self._data, self._path, self._lines, self._file = data, path, lines, file
        self._asked: list[str] = []

    def fail(self, message: str, key: str | None = None) -> FormatError:
        """An error at a key of this table (or at the table itself)."""
        path = self._path if key is None else (*self._path, key)
        while path and path not in self._lines:
            path = path[:-1]
        return FormatError(message, self._file, self._lines.get(path))

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def keys(self) -> Iterator[str]:
        return iter(self._data)

    def take(self, key: str) -> Any:
        """The raw value, or None where the key is absent."""
        self._asked.append(key)
        return self._data.get(key)

    def text(self, key: str, default: str | None = None) -> str:
        return str(self._checked(key, "text in quotes", lambda value: isinstance(value, str), default))

    def read(self, key: str, reader: Reader, default: Any = None) -> Any:
        """The value as a reader of `plain_parts` takes it; the default where the key is absent."""
        value = self.take(key)
        if value is None:
            return default
        try:
            return reader(value, key)
        except FieldError as problem:
            inner = TomlTable({}, (*self._path, key), self._lines, self._file)
            raise inner.fail(str(problem), problem.field) from None
        except LeverarmError as problem:
            raise self.fail(str(problem), key) from None

    def fields(self, readers: Mapping[str, Reader]) -> dict[str, Any]:
        """The values of those keys that are present, each read by its reader."""
        values = {key: self.read(key, reader) for key, reader in readers.items()}
        return {key: value for key, value in values.items() if value is not None}

    def texts(self, key: str) -> tuple[str, ...]:
        return tuple(self._checked(key, "a list of names", lambda value: _is_list_of(str, value), ()))

    def table(self, key: str) -> TomlTable | None:
        if self.take(key) is None:
            return None
        value = self._checked(key, "a table", lambda value: isinstance(value, dict))
        return TomlTable(value, (*self._path, key), self._lines, self._file)

    def tables(self, key: str) -> list[TomlTable]:
        wanted = f"a list of tables, each headed [[{key}]]"
        value = self._checked(key, wanted, lambda value: _is_list_of(dict, value), ())
        return [TomlTable(part, (*self._path, key, i), self._lines, self._file) for i, part in enumerate(value)]

    def one_or_more(self, key: str) -> list[TomlTable]:
        """A table or a list of tables, as a list; empty where the key is absent."""
        if isinstance(self._data.get(key), list):
            if not self._data[key]:
                raise self.fail(f"{key} = [] is empty; leave it out, or give at least one.", key)
            return self.tables(key)
        table = self.table(key)
        return [] if table is None else [table]

    def choice(self, key: str, valid: Sequence[str], default: str | None = None) -> str:
        value = self.text(key, default)
        if value not in valid:
            raise self.fail(f"{key}: " + unknown_name("choice", value, valid), key)
        return value

    def finish(self, what: str) -> None:
        """Refuses keys that were never read."""
        for key in self._data:
            if key not in self._asked:
                raise self.fail(f"{what}: " + unknown_name("key", key, sorted(set(self._asked))), key)

    def _checked(self, key: str, wanted: str, is_valid: Callable[[Any], bool], default: Any = None) -> Any:
        """The value, checked; the default, if there is one, where the key is absent."""
        value = self.take(key)
        if value is None and default is not None:
            return default
        if not is_valid(value):
            state = f"{key!r} is missing" if value is None else f"{key} = {value!r} was given"
            raise self.fail(f"{state}; it must be {wanted}.", key)
        return value


def _is_list_of(kind: type, value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(part, kind) for part in value)


def pose_in(top: TomlTable, key: str, unit: AngleUnit = "rad") -> Placement:
    """A pose as { xyz, rpy } or a 4 x 4 matrix."""
    pose: Placement = top.read(key, lambda value, where: placement(value, where, unit), Placement())
    return pose


def pose_of(table: TomlTable, unit: AngleUnit = "rad") -> Placement:
    """A pose whose xyz and rpy are keys of the table itself."""
    return Placement(**table.fields({"xyz": vector, "rpy": lambda value, where: vector(value, where, unit)}))


def settings_in(top: TomlTable) -> dict[str, Any]:
    """What native files and tables of serial arms have above their rows: credits, gravity, symbols, coordinates."""
    table = top.table("symbols")
    given = () if table is None else tuple((name, table.read(name, literal)) for name in list(table.keys()))
    credits = {key: top.text(key, "") for key in CREDITS}
    gravity = top.read("gravity", vector, Vec3(0, 0, -STANDARD_GRAVITY))
    return {**credits, "gravity": gravity, "symbols": given, "coordinates": top.texts("coordinates")}


def settings_lines(
    head: Mapping[str, Any], of: Any, coordinates: Sequence[str], poses: Mapping[str, Any] = MappingProxyType({})
) -> Iterator[str]:
    """The same as text, below `head`; of an arm or a table. Coordinates only where there are any."""
    credits = {key: text for key in CREDITS if (text := getattr(of, key))}
    yield from toml_lines({**head, **credits, "gravity": of.gravity, **poses})
    if coordinates:
        yield from toml_lines({"coordinates": coordinates})
    if of.symbols:
        yield "\n[symbols]"
        yield from toml_lines(dict(of.symbols))


def toml_lines(values: Mapping[str, Any]) -> list[str]:
    """One `key = value` line for each."""
    return [f"{_key(key)} = {toml_value(value)}" for key, value in values.items()]


def toml_value(value: Any) -> str:
    """One value: a text, a quantity (a literal where TOML has one), a list, or a mapping as an inline table."""
    match value:
        case str():
            return quoted(value)
        case Expression() | Fraction():
            return quoted(format_quantity(value))
        case float():
            return repr(float(value))
        case Mapping():
            inside = ", ".join(f"{_key(key)} = {toml_value(part)}" for key, part in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case Iterable():
            return f"[{', '.join(toml_value(part) for part in value)}]"
    return repr(value)


def quoted(text: str) -> str:
    """A TOML basic string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'


def _key(key: str) -> str:
    return key if key.isascii() and key.replace("_", "").replace("-", "").isalnum() else quoted(key)


def settings(part: Limits | Friction | Symmetric3 | Placement, default: Any) -> dict[str, Any]:
    """The fields of a part that differ from the default one, by name."""
    values = {name: getattr(part, name) for name in part.__dataclass_fields__}
    return {name: value for name, value in values.items() if value != getattr(default, name)}


def placement_fields(pose: Placement) -> dict[str, Any]:
    """xyz and rpy where they are not zero."""
    return settings(pose, Placement())


def joint_settings(
    limits: Limits, friction: Friction | None, motor: Motor | None, spring: Spring | None
) -> dict[str, Any]:
    """The tables limits, friction, motor and spring of a joint, each only where it differs from the default."""
    tables: dict[str, Any] = {}
    if limits != Limits():
        tables["limits"] = settings(limits, Limits())
    if friction is not None:
        tables["friction"] = settings(friction, Friction())
    if motor is not None:
        tables["motor"] = {"inertia": motor.inertia, "gear": motor.gear}
        tables["motor"] |= {"also": dict(motor.also)} if motor.also else {}
        tables["motor"] |= {name: x for name in SHAFT if (x := getattr(motor, name)) != 0}
    if spring is not None:
        tables["spring"] = {"stiffness": spring.stiffness} | ({"rest": spring.rest} if spring.rest != 0 else {})
    return tables


def mass_fields(mp: MassProperties) -> dict[str, Any]:
    """mass, com, inertia, about and rpy where they differ from the default."""
    default = MassProperties()
    names = [name for name in default.__dataclass_fields__ if getattr(mp, name) != getattr(default, name)]
    return {name: getattr(mp, name) if name != "inertia" else settings(mp.inertia, NO_SYMMETRIC3) for name in names}
