"""Tables of screws as TOML files: settings on top, then one [[link]] each with its screw, home pose and inertia.

The screws of any serial arm, from its joint axes at q = 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from leverarm.errors import ArmError, LeverarmError, unknown_name
from leverarm.formats.plain_parts import FieldError, matrix, read_fields, vector
from leverarm.formats.rigid import placement_from_pose, pose_from_matrix
from leverarm.formats.screws.axes import read_screw, screw_axis
from leverarm.formats.screws.builder import JOINT_READERS, arm_from_screws
from leverarm.formats.screws.table import (
    FORMS,
    Form,
    ScrewFrame,
    ScrewLink,
    ScrewTable,
    link_mass_properties,
    matrix_of,
    spatial_inertia,
)
from leverarm.formats.serial import (
    SCHEMA_VERSION,
    SerialLink,
    about_com,
    check_version,
    pose_in,
    pose_of,
    serial_chain,
    symbols_in,
    texts_in,
    texts_of,
)
from leverarm.formats.toml import TomlTable, joint_settings, placement_fields, read_toml, toml_lines
from leverarm.model import Arm, JointKind
from leverarm.scalars import Number
from leverarm.spatial import HERE, ORIGIN, Motion, Pose


def to_screws(arm: Arm, form: Form = "space") -> ScrewTable:
    """The screws, home poses and inertias of a serial arm; `arm_from_screws` makes the same arm of them again.

    S_i = (w, -w x q + pitch w) for an axis w through q, (0, w) where the joint slides, all in the base frame; in body
    form B_i = Ad(M^-1) S_i. The link frames are the arm's body frames. Numeric: symbols take their defaults. Raises
    FormatError for branches and couplings.
    """
    if form not in FORMS:
        raise ArmError("form: " + unknown_name("choice", str(form), FORMS))
    chain = serial_chain(arm, "screws")
    n = len(chain.links)
    tool = chain.tool.base_from_frame if chain.tool.link == n else chain.links[-1].base_from_link
    automatic = {f"frame{i}" for i in range(1, n + 1)}
    frames = [frame for frame in chain.frames if frame.name not in automatic]
    if chain.tool.link != n:
        frames.append(chain.tool)
    homes = [HERE, *(link.base_from_link for link in chain.links)]
    return ScrewTable(
        links=tuple(_exported_link(link, tool, form) for link in chain.links),
        tool=tool,
        form=form,
        name=arm.name,
        gravity=chain.gravity,
        base=chain.base,
        frames=tuple(
            ScrewFrame(frame.name, frame.link, placement_from_pose(homes[frame.link].inverse() * frame.base_from_frame))
            for frame in frames
        ),
        coordinates=arm.coordinates if arm.coordinates != tuple(link.joint.name for link in chain.links) else (),
        base_name=arm.base,
        title=arm.title,
        source=arm.source,
        licence=arm.licence,
    )


def _exported_link(link: SerialLink, tool: Pose, form: Form) -> ScrewLink:
    joint, w = link.joint, link.axis
    turning = ORIGIN if joint.kind is JointKind.PRISMATIC else w
    screw = Motion(turning, link.base_from_link.position.cross(turning) + w * link.slide)
    return ScrewLink(
        screw=screw if form == "space" else tool.motion_into_child(screw),
        home=link.base_from_link,
        mass_properties=about_com(link.inertia, HERE),
        name=joint.name,
        link=link.name,
        kind=joint.kind,
        limits=joint.limits,
        friction=joint.friction,
        motor=joint.motor,
        force=joint.force,
    )


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
