"""Tables of screws: those of any serial arm, from its joint axes at q = 0, and as TOML files.

A file has settings on top, then one [[link]] for each joint, with its screw, home pose and inertia.
"""

from __future__ import annotations

from typing import Any

from leverarm.errors import ArmError, LeverarmError, require_known
from leverarm.formats.plain_parts import matrix, read_fields
from leverarm.formats.rigid import placement_from_pose, pose_from_matrix
from leverarm.formats.screws.builder import READERS, arm_from_screws
from leverarm.formats.screws.table import (
    FORMS,
    Form,
    ScrewLink,
    ScrewTable,
    link_mass_properties,
    matrix_of,
    read_screw,
    screw_axis,
    spatial_inertia,
)
from leverarm.formats.serial import SerialLink, about_com, serial_chain
from leverarm.formats.serial_table import (
    SCHEMA_VERSION,
    RowFrame,
    arm_in_toml,
    frames_in,
    read_settings,
    row_in,
    row_lines,
    row_of,
    table_lines,
    table_settings,
)
from leverarm.formats.toml import TomlTable, placement_fields, read_toml
from leverarm.model import Arm, Quantity
from leverarm.scalars import Number
from leverarm.spatial import HERE, ORIGIN, Motion, Pose


def to_screws(arm: Arm, form: Form = "space") -> ScrewTable:
    """The screws, home poses and inertias of a serial arm; `arm_from_screws` makes the same arm of them again.

    S_i = (w, -w x q + pitch w) for an axis w through q, (0, w) where the joint slides, all in the base frame; in body
    form B_i = Ad(M^-1) S_i. The link frames are the arm's body frames. Numeric: symbols take their defaults. Raises
    FormatError for branches and couplings.
    """
    require_known("choice", form, FORMS, "form", error=ArmError)
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
        frames=tuple(
            RowFrame(frame.name, frame.link, placement_from_pose(homes[frame.link].inverse() * frame.base_from_frame))
            for frame in frames
        ),
        **table_settings(arm, chain),
    )


def _exported_link(link: SerialLink, tool: Pose, form: Form) -> ScrewLink:
    w = link.axis
    turning = w if link.joint.kind.turns else ORIGIN
    screw = Motion(turning, link.base_from_link.position.cross(turning) + w * link.slide)
    return ScrewLink(
        screw=screw if form == "space" else tool.motion_into_child(screw),
        home=link.base_from_link,
        mass_properties=about_com(link.inertia, HERE),
        **row_of(link),
    )


def arm_from_screws_toml(text: str, file: str | None = None) -> Arm:
    """The arm a TOML table of screws describes."""
    table = table_from_toml(text, file)
    return arm_in_toml(lambda: arm_from_screws(table), table.links, "link", text, file)


def screws_toml_from_arm(arm: Arm, form: Form = "space") -> str:
    """The arm as a TOML table of screws."""
    return toml_from_table(to_screws(arm, form))


def table_from_toml(text: str, file: str | None = None) -> ScrewTable:
    """Reads a table."""
    top = read_toml(text, file)
    settings = read_settings(top, "screws")
    form: Form = "body" if top.choice("form", FORMS, "space") == "body" else "space"
    links = tuple(_link(table, i, dict(settings["symbols"])) for i, table in enumerate(top.tables("link"), 1))
    if not links:
        raise top.fail("there is no [[link]]; give one for each joint, with a screw, a home pose and an inertia.")
    tool = top.take("tool")
    pose, frames = links[-1].home if tool is None else _tool(top, tool), frames_in(top, "link")
    top.finish("the table of screws")
    return ScrewTable(links, pose, form, frames=frames, **settings)


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
        **READERS,
    }
    where = f"link {number}"
    fields = row_in(table, lambda given: read_fields(given, readers, where))
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


def toml_from_table(table: ScrewTable) -> str:
    """The table as text; `table_from_toml` reads the same numbers back."""
    poses = {"base": base} if (base := placement_fields(table.base)) else {}
    head = {"screws": SCHEMA_VERSION, "form": table.form}
    rows = map(_link_fields, table.links, table.screws)
    return "\n".join(table_lines(table, head, "link", rows, {**poses, "tool": matrix_of(table.tool)})) + "\n"


def _link_fields(link: ScrewLink, screw: tuple[Quantity, ...]) -> dict[str, Any]:
    inertia = spatial_inertia(link.mass_properties)
    return row_lines(link, {"screw": screw, "home": matrix_of(link.home), "inertia": inertia})
