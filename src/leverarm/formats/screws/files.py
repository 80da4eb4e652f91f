"""Tables of screws as TOML files: settings on top, then one [[link]] each with its screw, home pose and inertia."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from leverarm.errors import ArmError, LeverarmError
from leverarm.formats.plain_parts import FieldError, matrix, read_fields, vector
from leverarm.formats.rigid import pose_from_matrix
from leverarm.formats.screws.axes import read_screw, screw_axis
from leverarm.formats.screws.builder import JOINT_READERS, arm_from_screws
from leverarm.formats.screws.export import to_screws
from leverarm.formats.screws.spatial_inertia import link_mass_properties, spatial_inertia
from leverarm.formats.screws.table import FORMS, Form, ScrewFrame, ScrewLink, ScrewTable, matrix_of
from leverarm.formats.table_settings import (
    SCHEMA_VERSION,
    check_version,
    pose_in,
    pose_of,
    symbols_in,
    texts_in,
    texts_of,
)
from leverarm.formats.toml_table import TomlTable, read_toml
from leverarm.formats.toml_text import joint_settings, placement_fields, toml_lines
from leverarm.model import Arm
from leverarm.scalars import Number
from leverarm.spatial import Pose


def arm_from_screws_toml(text: str, file: str | None = None) -> Arm:
    """The arm a TOML table of screws describes."""
    table = table_from_toml(text, file)
    try:
        return arm_from_screws(table)
    except ArmError as problem:
        top = read_toml(text, file)
        for i, link in enumerate(table.links):
            names = {"joint": link.name or f"joint{i + 1}", "body": link.link or f"link{i + 1}"}
            if problem.part is not None and names.get(problem.part[0]) == problem.part[1]:
                raise top.tables("link")[i].fail(str(problem)) from None
        raise top.fail(str(problem)) from None


def screws_toml_from_arm(arm: Arm, form: Form = "space") -> str:
    """The arm as a TOML table of screws."""
    return toml_from_table(to_screws(arm, form))


def table_from_toml(text: str, file: str | None = None) -> ScrewTable:
    """Reads a table."""
    top = read_toml(text, file)
    check_version(top, "screws")
    form: Form = "body" if top.choice("form", FORMS, "space") == "body" else "space"
    symbols = symbols_in(top)
    links = tuple(_link(table, i, dict(symbols)) for i, table in enumerate(top.tables("link"), 1))
    if not links:
        raise top.fail("there is no [[link]]; give one for each joint, with a screw, a home pose and an inertia.")
    tool = top.take("tool")
    table = ScrewTable(
        links=links,
        tool=links[-1].home if tool is None else _tool(top, tool),
        form=form,
        gravity=top.read("gravity", vector, ScrewTable((), links[-1].home).gravity),
        base=pose_in(top, "base"),
        frames=tuple(_frame(frame) for frame in top.tables("frame")),
        symbols=symbols,
        coordinates=top.texts("coordinates"),
        **texts_in(top),
    )
    top.finish("the table of screws")
    return table


def _tool(top: TomlTable, given: Any) -> Pose:
    try:
        return _pose(given, "tool")
    except LeverarmError as problem:
        raise top.fail(str(problem), "tool") from None


def _link(table: TomlTable, number: int, values: dict[str, Number]) -> ScrewLink:
    readers = {
        "screw": read_screw,
        "home": _pose,
        "inertia": lambda value, where: link_mass_properties(value, where, values),
        **JOINT_READERS,
    }
    where = f"link {number}"
    try:
        fields = read_fields({key: table.take(key) for key in list(table.keys())}, readers, where)
    except FieldError as problem:
        raise table.fail(str(problem), problem.field) from None
    if "screw" not in fields:
        raise table.fail(f"{where}: 'screw' is missing; it must be six numbers, angular part first.")
    try:
        screw_axis(fields["screw"], f"{where}, screw", values)
    except LeverarmError as problem:
        raise table.fail(str(problem), "screw") from None
    if "inertia" in fields:
        fields["mass_properties"] = fields.pop("inertia")
    return ScrewLink(**fields)


def _pose(value: Any, where: str) -> Pose:
    return pose_from_matrix(matrix(value, 4, where), where)


def _frame(table: TomlTable) -> ScrewFrame:
    name, link = table.text("name"), table.take("link")
    if not isinstance(link, int) or isinstance(link, bool):
        raise table.fail(f"frame {name!r}: link = {link!r} was given; it is a link's number, 0 for the base.", "link")
    frame = ScrewFrame(name, link, pose_of(table))
    table.finish(f"frame {name!r}")
    return frame


def toml_from_table(table: ScrewTable) -> str:
    """The table as text; `table_from_toml` reads the same numbers back."""
    return "\n".join(_lines(table)) + "\n"


def _lines(table: ScrewTable) -> Iterator[str]:
    yield f"screws = {SCHEMA_VERSION}"
    yield from toml_lines({"form": table.form, **texts_of(table), "gravity": table.gravity})
    yield from toml_lines({"base": pose} if (pose := placement_fields(table.base)) else {})
    yield from toml_lines({"tool": matrix_of(table.tool)})
    if table.coordinates:
        yield from toml_lines({"coordinates": table.coordinates})
    if table.symbols:
        yield "\n[symbols]"
        yield from toml_lines(dict(table.symbols))
    for link, screw in zip(table.links, table.screws, strict=True):
        yield "\n[[link]]"
        texts = {"name": link.name, "link": link.link, "kind": link.kind and str(link.kind), "force": link.force}
        yield from toml_lines({key: text for key, text in texts.items() if text is not None})
        yield from toml_lines({"screw": screw, "home": matrix_of(link.home)})
        yield from toml_lines({"inertia": spatial_inertia(link.mass_properties)})
        yield from toml_lines(joint_settings(link.limits, link.friction, link.motor))
    for frame in table.frames:
        yield "\n[[frame]]"
        yield from toml_lines({"name": frame.name, "link": frame.link, **placement_fields(frame.placement)})
