"""An arm from screws, as in the product of exponentials: home poses, screw axes and spatial inertias."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from leverarm.errors import ArmError, require_known
from leverarm.formats.plain_parts import gravity as read_gravity
from leverarm.formats.plain_parts import matrix, parts_of, placement, read_fields
from leverarm.formats.plain_parts import symbols as read_symbols
from leverarm.formats.rigid import compose, moved, pose_from_matrix, rpy_from_rotation
from leverarm.formats.screws.table import (
    FORMS,
    Form,
    ScrewAxis,
    ScrewLink,
    ScrewTable,
    link_mass_properties,
    read_screws,
    screw_axis,
)
from leverarm.formats.serial_table import JOINT_READERS, RowFrame, arm_settings, joint_of
from leverarm.model import Arm, Body, Frame, JointKind, Placement
from leverarm.model.arm import STANDARD_GRAVITY
from leverarm.scalars import Number
from leverarm.spatial import HERE, ORIGIN, Pose, Vec3

POSES = ("absolute", "relative")


def from_screws(
    home: Any,
    screws: Any,
    inertias: Sequence[Any],
    form: Form = "space",
    *,
    poses: Literal["absolute", "relative"] = "absolute",
    joints: Sequence[str | Mapping[str, Any]] | None = None,
    name: str = "arm",
    gravity: Vec3 | Sequence[Any] = (0, 0, -STANDARD_GRAVITY),
    base: Any = None,
    symbols: Mapping[str, Number] | None = None,
) -> Arm:
    """A serial arm from screws, as in Lynch and Park 2017, Modern Robotics, chapters 4 and 8.

    `home`: the poses of the link frames with all joints at zero, 4 x 4, n of them or n + 1 (the last is the tool), each
    in the base frame or, with poses="relative", in the one before it (the book's Mlist). Or one 4 x 4, the tool's; then
    every link frame is the base frame at home. `screws`: n screws (w, v), angular part first, in the base frame (the
    book's Slist) or, with form="body", in the tool frame (Blist): n lists of 6, or the book's 6 x n matrix. `inertias`:
    per link the 6 x 6 spatial inertia in its frame (Glist), or a mapping with mass, com, inertia, about and rpy.

    A screw with w = 0 slides; one with w . v != 0 is helical with that pitch. `joints` gives names, or mappings with
    name, link, kind, limits, friction, motor, spring, force. Positions and v may hold `symbols`, with default values.
    Body i has its origin on the axis of joint i and, at home, the orientation of the base; the link frames are kept as
    the named frames frame1, frame2, ... and "tool". Raises ArmError where a screw is not normalised or a pose not
    rigid.
    """
    for what, given, valid in (("form", form, FORMS), ("poses", poses, POSES)):
        require_known("choice", given, valid, what, error=ArmError)
    n = len(parts_of(inertias))
    if n == 0:
        raise ArmError(f"inertias: {inertias!r} was given; it must be a list with one for each link, None for none.")
    values = read_symbols(symbols)
    frames = _home(home, n, poses)
    links = []
    for i, (screw, joint) in enumerate(zip(read_screws(screws, n), _joints(joints, n), strict=True)):
        mp = link_mass_properties(inertias[i], f"inertia {i + 1}", dict(values))
        links.append(ScrewLink(screw, frames[i], mp, **joint))
    return arm_from_screws(
        ScrewTable(
            links=tuple(links),
            tool=frames[-1],
            form=form,
            name=name,
            gravity=read_gravity(gravity),
            base=placement(base, "base"),
            symbols=values,
        )
    )


def arm_from_screws(table: ScrewTable) -> Arm:
    """The arm of a complete table."""
    names = [link.link or f"link{i}" for i, link in enumerate(table.links, 1)]
    bodies: list[Body] = []
    placements = [Placement()]
    origin = ORIGIN
    for i, link in enumerate(table.links):
        screw = table.tool.motion_into_parent(link.screw) if table.form == "body" else link.screw
        axis = screw_axis(screw, f"screw {i + 1}", dict(table.symbols))
        at = axis.point_nearest(link.home.position)
        kind = _kind(link, axis, f"screw {i + 1}")
        placement = Placement(at - origin)
        joint = joint_of(link, i + 1, kind, placement, axis=axis.direction, pitch=kind.pitch(axis.pitch))
        placements.append(Placement(link.home.position - at, rpy_from_rotation(link.home.rotation)))
        parent = names[i - 1] if i else table.base_name
        bodies.append(Body(names[i], parent, joint, moved(link.mass_properties, placements[-1])))
        origin = at
    tool = Frame("tool", names[-1], Placement(table.tool.position - origin, rpy_from_rotation(table.tool.rotation)))
    frames = _frames(table, names, placements, tool)
    return Arm(bodies=tuple(bodies), named_frames=frames, **arm_settings(table))


def _frames(table: ScrewTable, names: list[str], placements: list[Placement], tool: Frame) -> tuple[Frame, ...]:
    """The link frames, the named ones and the tool; `placements` are body_from_frame of the link frames."""
    n = len(names)
    for frame in table.frames:
        if not 0 <= frame.row <= n:
            raise ArmError(f"frame {frame.name!r} is on link {frame.row}; links are 1 to {n}, and 0 is the base.")
    taken = {table.base_name, *names, *(frame.name for frame in table.frames)}
    own = [RowFrame(f"frame{i}", i) for i in range(1, n + 1) if f"frame{i}" not in taken]
    carriers = [table.base_name, *names]
    frames = [
        Frame(frame.name, carriers[frame.row], compose(placements[frame.row], frame.placement))
        for frame in (*own, *table.frames)
    ]
    return (*frames, *(() if "tool" in taken else (tool,)))


def _kind(link: ScrewLink, axis: ScrewAxis, where: str) -> JointKind:
    """The screw's own kind, or the one given where it is a closer word for the same motion."""
    if link.kind is None:
        return axis.kind
    if link.kind.turns == axis.kind.turns and link.kind.moves and (link.kind.has_pitch or not axis.kind.has_pitch):
        return link.kind
    raise ArmError(f"{where} is {axis.kind} (pitch {axis.pitch}), but its joint was called {link.kind}; correct one.")


def _home(given: Any, n: int, poses: str) -> list[Pose]:
    """n + 1 home poses in the base frame: the link frames and the tool."""
    parts = parts_of(given)
    if parts and not any(parts_of(part) for part in parts_of(parts[0])):
        return [HERE] * n + [pose_from_matrix(matrix(given, 4, "home"), "home")]
    if len(parts) not in (n, n + 1):
        raise ArmError(
            f"home: {len(parts)} poses were given for {n} inertias; give {n} (link frames), {n + 1} (and the tool) or "
            "one 4 x 4 matrix (the tool)."
        )
    frames = [pose_from_matrix(matrix(part, 4, f"home {i}"), f"home {i}") for i, part in enumerate(parts, 1)]
    if poses == "relative":
        for i in range(1, len(frames)):
            frames[i] = frames[i - 1] * frames[i]
    return frames if len(frames) > n else [*frames, frames[-1]]


def _joints(given: Sequence[Any] | None, n: int) -> list[dict[str, Any]]:
    if given is None:
        return [{}] * n
    if len(given) != n:
        raise ArmError(f"joints: {len(given)} were given for {n} inertias; give one for each.")
    return [
        {"name": joint} if isinstance(joint, str) else read_fields(joint, READERS, f"joint {i}")
        for i, joint in enumerate(given, 1)
    ]


def _read_kind(value: Any, where: str) -> JointKind:
    valid = [str(kind) for kind in JointKind if kind.moves]
    require_known("joint kind", value, valid, where, error=ArmError)
    return JointKind(value)


READERS = {**JOINT_READERS, "kind": _read_kind}
"""What a screw does not say about its joint."""
