"""Mass properties of a body given by its shape: [body.shape] or several [[body.shape]], welded together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from leverarm.errors import LeverarmError
from leverarm.formats import plain_parts as plain
from leverarm.formats.table_settings import pose_of
from leverarm.formats.toml_table import TomlTable
from leverarm.model import MassProperties, inertias
from leverarm.spatial import Inertia

SHAPES: dict[str, tuple[Callable[..., Inertia], tuple[str, ...]]] = {
    "point": (inertias.inertia_of_point, ()),
    "rod": (inertias.inertia_of_rod, ("length",)),
    "box": (inertias.inertia_of_box, ("x", "y", "z")),
    "sphere": (inertias.inertia_of_sphere, ("radius",)),
    "hollow-sphere": (inertias.inertia_of_hollow_sphere, ("inner_radius", "outer_radius")),
    "cylinder": (inertias.inertia_of_cylinder, ("radius", "length")),
    "hollow-cylinder": (inertias.inertia_of_hollow_cylinder, ("inner_radius", "outer_radius", "length")),
    "capsule": (inertias.inertia_of_capsule, ("radius", "length")),
    "cone": (inertias.inertia_of_cone, ("radius", "height")),
}
"""The shapes by name, with the measures each takes beside mass or density."""


def mass_properties_of_shapes(tables: list[TomlTable]) -> MassProperties:
    """The shapes of a body as one, each put at its xyz and rpy in the body frame."""
    return MassProperties.from_inertia(inertias.welded(*(_shape(table) for table in tables)))


def _shape(table: TomlTable) -> Inertia:
    kind = table.choice("kind", tuple(SHAPES))
    build, measures = SHAPES[kind]
    for measure in measures:
        if measure not in table:
            raise table.fail(f"a {kind} needs {', '.join(measures)}; {measure!r} is missing.")
    amounts = ("mass",) if kind == "point" else ("mass", "density")
    if not any(amount in table for amount in amounts):
        raise table.fail(f"a {kind} needs {' or '.join(amounts)}.")
    given: dict[str, Any] = table.fields(dict.fromkeys((*measures, *amounts), plain.quantity))
    place = pose_of(table)
    table.finish(f"shape {kind!r}")
    try:
        body = build(**given)
    except LeverarmError as problem:
        raise table.fail(f"shape {kind!r}: {problem}") from None
    return inertias.placed(body, place)
