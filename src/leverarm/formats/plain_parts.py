"""Parts of an arm from the numbers, texts, lists and mappings of a script or of a TOML file.

Every function takes `where`, words for the place of the value, with which its ArmError begins.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from leverarm.errors import ArmError, ExpressionError, unknown_name
from leverarm.formats.rigid import placement_from_matrix
from leverarm.model import (
    PI,
    Expression,
    Friction,
    Limits,
    MassProperties,
    Motor,
    Placement,
    Quantity,
    Spring,
    as_quantity,
)
from leverarm.model.expression import divide, multiply, negate
from leverarm.model.friction import FRICTION_NUMBERS
from leverarm.model.parts import MOTOR_NUMBERS
from leverarm.scalars import Number, exact
from leverarm.spatial import Symmetric3, Vec3

AngleUnit = Literal["rad", "deg"]
Reader = Callable[[Any, str], Any]
_TENSOR = ("xx", "xy", "yy", "xz", "yz", "zz")


class FieldError(ArmError):
    """An ArmError with the name of the field at fault, by which a file reader finds its line."""

    def __init__(self, message: str, field: str) -> None:
        super().__init__(message)
        self.field = field


def read_fields(given: Mapping[str, Any], readers: Mapping[str, Reader], where: str) -> dict[str, Any]:
    """Each value read by the reader of its key; a key without one is refused."""
    if not isinstance(given, Mapping):
        raise ArmError(f"{where}: {given!r} was given; it must be a mapping with keys among {', '.join(readers)}.")
    read = {}
    for key, value in given.items():
        if key not in readers:
            raise FieldError(f"{where}: " + unknown_name("field", str(key), readers), str(key))
        try:
            read[key] = readers[key](value, f"{where}, {key}")
        except ArmError as problem:
            raise FieldError(str(problem), key) from None
    return read


def quantity(value: Any, where: str) -> Quantity:
    """A literal number, or an expression from text such as "pi/2", "90 deg" or "a2"."""
    try:
        return as_quantity(value)
    except ExpressionError as problem:
        raise ArmError(f"{where}: {problem}") from None


def angle(value: Any, where: str, unit: AngleUnit) -> Quantity:
    """An angle [rad]. Only plain numbers are converted from degrees: an expression states its own unit."""
    read = quantity(value, where)
    return read if unit == "rad" or isinstance(read, Expression) else degrees(read)


def degrees(number: Number) -> Quantity:
    """A number of degrees as an exact multiple of pi: 90 is pi/2."""
    turn = exact(number) / 180
    if turn == 0:
        return 0
    return divide(negate(PI) if turn.numerator == -1 else multiply(turn.numerator, PI), turn.denominator)


def parts_of(value: Any) -> list[Any]:
    """The parts of a list; none where it is something else."""
    is_list = isinstance(value, Iterable) and not isinstance(value, str | Mapping)
    return list(value) if is_list else []


def vector(value: Any, where: str, unit: AngleUnit = "rad") -> Vec3:
    parts = parts_of(value)
    if len(parts) != 3:
        raise ArmError(f"{where}: {value!r} was given; it must be three numbers, such as [0, 0, 1].")
    return Vec3(*(angle(part, where, unit) for part in parts))


def matrix(value: Any, size: int, where: str) -> tuple[tuple[Quantity, ...], ...]:
    """A square matrix, row by row."""
    rows = [parts_of(row) for row in parts_of(value)]
    if [len(row) for row in rows] != [size] * size:
        raise ArmError(f"{where}: it must be a {size} x {size} matrix, given as {size} rows of {size} numbers.")
    return tuple(
        tuple(quantity(x, f"{where}, entry {i + 1},{j + 1}") for j, x in enumerate(row)) for i, row in enumerate(rows)
    )


def tensor(value: Any, where: str) -> Symmetric3:
    """An inertia tensor: a mapping with keys xx ... zz, three numbers (the diagonal), or a symmetric 3 x 3 matrix."""
    if isinstance(value, Symmetric3):
        return value
    if isinstance(value, Mapping):
        return Symmetric3(**(dict.fromkeys(_TENSOR, 0) | read_fields(value, dict.fromkeys(_TENSOR, quantity), where)))
    parts = parts_of(value)
    if len(parts) == 3 and not any(parts_of(part) for part in parts):
        xx, yy, zz = (quantity(part, where) for part in parts)
        return Symmetric3(xx, 0, yy, 0, 0, zz)
    if len(parts) != 3:
        raise ArmError(
            f"{where}: {value!r} was given; give {{xx, yy, zz, xy, xz, yz}} by name, three numbers (the diagonal) or a "
            "3 x 3 matrix."
        )
    rows = matrix(value, 3, where)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        if not _is_close(rows[i][j], rows[j][i]):
            raise ArmError(
                f"{where}: the matrix is not symmetric, entry {i + 1},{j + 1} is {rows[i][j]} and entry "
                f"{j + 1},{i + 1} is {rows[j][i]}. Both must be the same product of inertia, with the same sign."
            )
    return Symmetric3(rows[0][0], rows[0][1], rows[1][1], rows[0][2], rows[1][2], rows[2][2])


def _is_close(a: Quantity, b: Quantity) -> bool:
    if isinstance(a, Expression) or isinstance(b, Expression):
        return a == b
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def about(value: Any, where: str) -> Literal["com", "origin"]:
    """The point a tensor is about; "frame" is a synonym of "origin"."""
    if value not in ("com", "frame", "origin"):
        raise ArmError(f"{where}: " + unknown_name("point", str(value), ("com", "origin")))
    return "com" if value == "com" else "origin"


def mass_readers(unit: AngleUnit = "rad") -> dict[str, Reader]:
    """How the fields of a body's mass properties are read."""
    return {
        "mass": quantity,
        "com": vector,
        "inertia": tensor,
        "about": about,
        "rpy": lambda value, where: vector(value, where, unit),
    }


def mass_properties(value: Any, where: str, unit: AngleUnit = "rad") -> MassProperties:
    """From a mapping with mass, com, inertia, about ("com" or "frame") and rpy; None is a body without mass."""
    match value:
        case None:
            return MassProperties()
        case MassProperties():
            return value
    return MassProperties(**read_fields(value, mass_readers(unit), where))


def placement(value: Any, where: str, unit: AngleUnit = "rad") -> Placement:
    """A pose: a mapping with xyz and rpy, or a 4 x 4 matrix; None is no displacement."""
    match value:
        case None:
            return Placement()
        case Placement():
            return value
        case Mapping():
            readers: dict[str, Reader] = {"xyz": vector, "rpy": lambda v, w: vector(v, w, unit)}
            return Placement(**read_fields(value, readers, where))
    return placement_from_matrix(matrix(value, 4, where), where)


def limits(value: Any, where: str, unit: AngleUnit = "rad") -> Limits:
    """A mapping with lower, upper, velocity, effort, or the pair (lower, upper)."""
    match value:
        case None:
            return Limits()
        case Limits():
            return value
        case Mapping():

            def position(v: Any, w: str) -> Quantity:
                return angle(v, w, unit)

            readers: dict[str, Reader] = dict.fromkeys(("lower", "upper", "velocity"), position)
            return Limits(**read_fields(value, {**readers, "effort": quantity}, where))
    if len(pair := parts_of(value)) == 2:
        return Limits(*(angle(part, where, unit) for part in pair))
    raise ArmError(f"{where}: {value!r} was given; give (lower, upper) or {{lower, upper, velocity, effort}}.")


def friction(value: Any, where: str) -> Friction | None:
    if value is None or isinstance(value, Friction):
        return value
    return Friction(**read_fields(value, dict.fromkeys(FRICTION_NUMBERS, quantity), where))


def text(value: Any, where: str) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ArmError(f"{where}: {value!r} was given; it must be text.")
    return value


def motor(value: Any, where: str) -> Motor | None:
    if value is None or isinstance(value, Motor):
        return value
    readers: dict[str, Reader] = dict.fromkeys(MOTOR_NUMBERS, quantity)
    read = read_fields(value, {**readers, "also": ratios}, where)
    return Motor(**({"inertia": 0} | read))


def spring(value: Any, where: str, unit: AngleUnit = "rad") -> Spring | None:
    """A mapping with stiffness and rest; `unit` is that of a rest position that is a plain number."""
    if value is None or isinstance(value, Spring):
        return value
    read = read_fields(value, {"stiffness": quantity, "rest": lambda v, w: angle(v, w, unit)}, where)
    if "stiffness" not in read:
        raise ArmError(f"{where}: no stiffness was given; give it [N m/rad or N/m], as in {{ stiffness = 12 }}.")
    return Spring(**read)


def ratios(value: Any, where: str) -> tuple[tuple[str, Quantity], ...]:
    """Names and numbers: a mapping, or pairs."""
    pairs = [tuple(pair) for pair in (value.items() if isinstance(value, Mapping) else parts_of(value))]
    if not pairs or not all(len(pair) == 2 for pair in pairs):
        raise ArmError(f"{where}: {value!r} was given; it must map names to numbers, as in {{ joint5 = 32 }}.")
    return tuple((str(name), quantity(ratio, f"{where}, {name}")) for name, ratio in pairs)


def literal(value: Any, where: str) -> Number:
    """A number that is no expression: the default value of a symbol."""
    read = quantity(value, where)
    if isinstance(read, Expression):
        raise ArmError(f"{where}: {value!r} was given; a default value is a number.")
    return read


def symbols(value: Mapping[str, Any] | None) -> tuple[tuple[str, Number], ...]:
    """Default values of symbols: literal numbers by name."""
    return tuple((name, literal(given, f"symbol {name!r}")) for name, given in (value or {}).items())


def gravity(value: Any) -> Vec3:
    """The free-fall acceleration in the world [m/s^2]."""
    return value if isinstance(value, Vec3) else vector(value, "gravity")
