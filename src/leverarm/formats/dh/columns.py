"""The columns of a DH table in CSV: what each means, which units its name may give, and how it fills a row."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from leverarm.errors import ArmError, unknown_name
from leverarm.formats.dh.rows import DHRow, kind_named
from leverarm.formats.plain_parts import angle, quantity
from leverarm.model import SHAFT_LAWS, Expression, JointKind, Quantity, format_quantity
from leverarm.model.friction import COLUMNS as FRICTION_COLUMNS
from leverarm.scalars import exact

_COM = ("com_x", "com_y", "com_z")
_TENSOR = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
_RPY = ("inertia_roll", "inertia_pitch", "inertia_yaw")
_LIMITS = {"qmin": "lower", "qmax": "upper", "velocity": "velocity", "effort": "effort"}
_FRICTION = {column: name for name, column in FRICTION_COLUMNS.items()}
_MOTOR = {
    "rotor_inertia": "inertia",
    "gear_ratio": "gear",
    "motor_also": "also",
    **{f"motor_{law.name}": law.name for law in SHAFT_LAWS},
}
_SPRING = {"spring_stiffness": "stiffness", "spring_rest": "rest"}

COLUMNS = {
    **dict.fromkeys(("joint", "link", "kind"), "text"),
    "theta": "angle",
    "d": "length",
    "a": "length",
    "alpha": "angle",
    "mass": "mass",
    **dict.fromkeys(_COM, "length"),
    **dict.fromkeys(_TENSOR, "inertia"),
    "about": "text",
    **dict.fromkeys(_RPY, "angle"),
    "qmin": "position",
    "qmax": "position",
    "velocity": "position",
    "effort": "number",
    **dict.fromkeys(_FRICTION, "number"),
    "rotor_inertia": "inertia",
    "gear_ratio": "number",
    "motor_also": "text",
    **{f"motor_{law.name}": "number" for law in SHAFT_LAWS},
    "spring_stiffness": "number",
    "spring_rest": "position",
    "force": "text",
}
"""Every column and what its cells measure. A position is an angle where the joint turns, a length where it slides."""

_OTHER_NAMES = {
    "offset": "theta",
    "sigma": "kind",
    "gear": "gear_ratio",
    "lower": "qmin",
    "upper": "qmax",
    "name": "joint",
}
_UNITS = {
    "deg": ("angle", None),
    "rad": ("angle", Fraction(1)),
    "m": ("length", Fraction(1)),
    "cm": ("length", Fraction(1, 100)),
    "mm": ("length", Fraction(1, 1000)),
    "kg": ("mass", Fraction(1)),
    "kgm2": ("inertia", Fraction(1)),
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a file: the field it fills and the unit its name carries, if any."""

    field: str
    unit: str | None
    heading: str


def column_named(heading: str) -> Column:
    """From a heading such as "alpha", "alpha_deg", "d [mm]" or "offset_deg"."""
    name = re.sub(r"\s*[\[(]\s*(\w+)\s*[\])]$", r"_\1", heading.strip().lower())
    stem, _, unit = name.rpartition("_")
    for field, suffix in ((name, None), (stem, unit)):
        field = _OTHER_NAMES.get(field, field)
        if field in COLUMNS and (suffix is None or _fits(suffix, COLUMNS[field])):
            return Column(field, suffix, heading)
    raise ArmError(
        unknown_name("column", heading, (*COLUMNS, *_OTHER_NAMES))
        + f" A unit may follow: {', '.join(f'_{unit}' for unit in _UNITS)}, as in alpha_deg."
    )


def _fits(unit: str, measure: str) -> bool:
    found = _UNITS[unit][0] if unit in _UNITS else None
    return found == measure or (measure == "position" and found in ("angle", "length"))


def row_fields(cells: Mapping[Column, str], where: str) -> dict[str, Any]:
    """The cells of a line as the fields of a row; empty cells are left out beforehand."""
    by_field = {column.field: (column, cell) for column, cell in cells.items()}
    kind = by_field["kind"][1] if "kind" in by_field else "R"
    slides = (kind_named(kind) or JointKind.REVOLUTE).only_slides
    values: dict[str, Any] = {
        field: cell if COLUMNS[field] == "text" else _number(cell, column, slides, where)
        for field, (column, cell) in by_field.items()
    }
    plain = ("link", "kind", "theta", "d", "a", "alpha", "mass", "about", "force")
    row: dict[str, Any] = {key: values[key] for key in plain if key in values}
    if "joint" in values:
        row["name"] = f"joint{values['joint']}" if values["joint"].isdigit() else values["joint"]
    if "motor_also" in values:
        values["motor_also"] = [pair.rsplit(":", 1) for pair in values["motor_also"].split(";")]
        if any(len(pair) != 2 for pair in values["motor_also"]):
            raise ArmError(f"{where}, motor_also: give `joint: ratio`, several separated by semicolons.")
    for key, columns in (("com", _COM), ("rpy", _RPY)):
        if any(column in values for column in columns):
            row[key] = [values.get(column, 0) for column in columns]
    groups = {"limits": _LIMITS, "friction": _FRICTION, "motor": _MOTOR, "spring": _SPRING}
    groups["inertia"] = {key: key[1:] for key in _TENSOR}
    for key, names in groups.items():
        if group := {name: values[column] for column, name in names.items() if column in values}:
            row[key] = group
    return row


def _number(cell: str, column: Column, slides: bool, where: str) -> Quantity:
    """The cell in SI units; an expression that holds symbols or pi has none of its own and is taken as it is."""
    where = f"{where}, {column.heading}"
    if column.unit is None:
        return quantity(cell, where)
    measure, factor = _UNITS[column.unit]
    if COLUMNS[column.field] == "position" and measure != ("length" if slides else "angle"):
        raise ArmError(
            f"{where}: the joint {'slides' if slides else 'turns'}, so {cell!r} cannot be in {column.unit}. "
            f"Call the column {column.field!r} and give m and rad."
        )
    if factor is None:
        return angle(cell, where, "deg")
    value = quantity(cell, where)
    return value if factor == 1 or isinstance(value, Expression) else exact(value) * factor


def row_values(row: DHRow) -> dict[str, str]:
    """The text of every cell of a row, by column, in SI units; empty where there is nothing."""
    values: dict[str, Any] = {key: getattr(row, key) for key in ("theta", "d", "a", "alpha", "mass")}
    values |= dict(zip(_COM, row.com, strict=True)) | dict(zip(_RPY, row.rpy, strict=True))
    values |= {key: getattr(row.inertia, key[1:]) for key in _TENSOR}
    for names, part in ((_LIMITS, row.limits), (_FRICTION, row.friction), (_MOTOR, row.motor), (_SPRING, row.spring)):
        values |= {column: None if part is None else getattr(part, name) for column, name in names.items()}
    also = values.pop("motor_also") or ()
    texts = {key: "" if value is None else format_quantity(value) for key, value in values.items()}
    return texts | {
        "joint": row.name or "",
        "link": row.link or "",
        "kind": row.kind.traits.dh[0],
        "about": row.about,
        "force": row.force or "",
        "motor_also": ";".join(f"{name}:{format_quantity(ratio)}" for name, ratio in also),
    }
