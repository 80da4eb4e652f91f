"""A Denavit-Hartenberg table: its rows, and how they are read from plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from leverarm.errors import ArmError, unknown_name
from leverarm.formats.plain_parts import (
    AngleUnit,
    Reader,
    angle,
    limits,
    mass_readers,
    parts_of,
    quantity,
    read_fields,
    spring,
)
from leverarm.formats.serial_table import JOINT_READERS, SerialTable
from leverarm.model import Friction, JointKind, Limits, MassProperties, Motor, Placement, Quantity, Spring
from leverarm.spatial import NO_SYMMETRIC3, ORIGIN, Symmetric3, Vec3

Convention = Literal["standard", "modified"]
CONVENTIONS: tuple[Convention, ...] = get_args(Convention)
_KINDS = {word: kind for kind in JointKind for word in kind.traits.dh}


@dataclass(frozen=True, slots=True)
class DHRow:
    """One link: four parameters [rad, m], its joint, and its mass in the link's DH frame.

    The joint variable is added to theta where the joint turns and to d where it slides, so these two hold the offsets.
    The tensor is about the centre of mass ("com") or the DH frame's origin ("origin"), in axes turned by `rpy`.
    """

    theta: Quantity = 0
    d: Quantity = 0
    a: Quantity = 0
    alpha: Quantity = 0
    kind: JointKind = JointKind.REVOLUTE
    name: str | None = None
    link: str | None = None
    mass: Quantity = 0
    com: Vec3 = ORIGIN
    inertia: Symmetric3 = NO_SYMMETRIC3
    about: Literal["com", "origin"] = "com"
    rpy: Vec3 = ORIGIN
    limits: Limits = Limits()
    friction: Friction | None = None
    motor: Motor | None = None
    force: str | None = None
    spring: Spring | None = None

    @property
    def mass_properties(self) -> MassProperties:
        """In the DH frame of this row."""
        return MassProperties(self.mass, self.com, self.inertia, self.about, self.rpy)


@dataclass(frozen=True, slots=True)
class DHTable(SerialTable):
    """A serial arm as a Denavit-Hartenberg table.

    standard: A_i = Rz(theta) Tz(d) Tx(a) Rx(alpha); modified (Craig): A_i = Rx(alpha) Tx(a) Rz(theta) Tz(d).
    `base` is world_from_frame0 and `tool` is frameN_from_tool.
    """

    rows: tuple[DHRow, ...]
    convention: Convention = "standard"
    tool: Placement = Placement()


def check_convention(given: str) -> Convention:
    for convention in CONVENTIONS:
        if given == convention:
            return convention
    raise ArmError(
        unknown_name("DH convention", str(given), CONVENTIONS)
        + " (standard: Rz(theta) Tz(d) Tx(a) Rx(alpha); modified, after Craig: Rx(alpha) Tx(a) Rz(theta) Tz(d))."
    )


def read_row(given: Any, where: str, unit: AngleUnit = "rad") -> DHRow:
    """A row from a mapping with the fields of DHRow, or from (theta, d, a, alpha) and, fifth, the kind.

    "offset" is a synonym of theta, "sigma" of kind. `unit` is the unit of angles that are plain numbers.
    """
    if isinstance(given, DHRow):
        return given
    if not isinstance(given, Mapping):
        given = _by_position(given, where)
    given = dict(given)
    for other, own in (("offset", "theta"), ("sigma", "kind")):
        if other in given and own in given:
            raise ArmError(f"{where}: both {own!r} and {other!r} were given; they mean the same, give one.")
        if other in given:
            given[own] = given.pop(other)
    kind = _kind(given.get("kind", "R"), f"{where}, kind")
    return DHRow(**read_fields(given, _readers(unit, unit if kind.turns else "rad"), where))


def _by_position(given: Any, where: str) -> dict[str, Any]:
    parts = parts_of(given)
    if len(parts) not in (4, 5):
        raise ArmError(
            f"{where}: {given!r} was given; a row is (theta, d, a, alpha), optionally with a fifth 'R' or 'P', "
            f"or a mapping with keys among {', '.join(f.name for f in fields(DHRow))}."
        )
    return dict(zip(("theta", "d", "a", "alpha", "kind"), parts, strict=False))


def _readers(unit: AngleUnit, limits_unit: AngleUnit) -> dict[str, Reader]:
    def turned(value: Any, where: str) -> Quantity:
        return angle(value, where, unit)

    def bounds(value: Any, where: str) -> Limits:
        return limits(value, where, limits_unit)

    def sprung(value: Any, where: str) -> Spring | None:
        return spring(value, where, limits_unit)

    return {
        "theta": turned,
        "d": quantity,
        "a": quantity,
        "alpha": turned,
        "kind": _kind,
        **mass_readers(unit),
        **JOINT_READERS,
        "limits": bounds,
        "spring": sprung,
    }


def _kind(value: Any, where: str) -> JointKind:
    found = kind_named(str(value))
    if found is None:
        valid = sorted((word for word in _KINDS if not word.isdigit()), key=len)
        raise ArmError(f"{where}: " + unknown_name("joint kind of a DH table", str(value), valid))
    return found


def kind_named(word: str) -> JointKind | None:
    """The kind that a DH table calls by this word, in capitals or not."""
    return _KINDS.get(word.upper()) or _KINDS.get(word.lower())
