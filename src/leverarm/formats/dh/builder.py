"""An arm from Denavit-Hartenberg parameters, standard or modified, numbers and symbols alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from leverarm.errors import ArmError, require_known
from leverarm.formats.dh.rows import Convention, DHRow, DHTable, check_convention, read_row
from leverarm.formats.plain_parts import AngleUnit, mass_properties, parts_of, placement
from leverarm.formats.plain_parts import gravity as read_gravity
from leverarm.formats.plain_parts import symbols as read_symbols
from leverarm.formats.rigid import compose, has_symbols, moved, value_of
from leverarm.formats.serial_table import RowFrame, arm_settings, joint_of
from leverarm.model import Arm, Body, Frame, Joint, JointKind, MassProperties, Placement
from leverarm.model.arm import STANDARD_GRAVITY
from leverarm.model.parts import turn
from leverarm.scalars import Number
from leverarm.spatial import ORIGIN, Vec3


def from_dh(
    rows: Sequence[DHRow | Mapping[str, Any] | Sequence[Any]],
    convention: Convention = "standard",
    *,
    name: str = "arm",
    angles: AngleUnit = "rad",
    inertias: Sequence[MassProperties | Mapping[str, Any] | None] | None = None,
    gravity: Vec3 | Sequence[Any] = (0, 0, -STANDARD_GRAVITY),
    base: Any = None,
    tool: Any = None,
    symbols: Mapping[str, Number] | None = None,
) -> Arm:
    """A serial arm from a Denavit-Hartenberg table.

    standard: A_i = Rz(theta) Tz(d) Tx(a) Rx(alpha). modified (Craig 2005, ch. 3): A_i = Rx(alpha) Tx(a) Rz(theta) Tz(d)
    A row is (theta, d, a, alpha) and, fifth, "R" or "P"; or a mapping with the fields of `DHRow`, among them mass, com,
    inertia, about, limits, friction and motor. A number may be a text: "pi/2", "90 deg", or an expression in `symbols`,
    which gives their default values. With angles="deg" plain numbers that are angles are in degrees: theta, alpha, rpy,
    and the limits of joints that turn. `inertias` (one per row) may stand apart from the rows.

    Mass properties are meant in the row's DH frame. Poses `base` (of frame 0 in the world) and `tool` (in the last
    frame) are 4 x 4 matrices or mappings with xyz and rpy. Body i lies on the axis of joint i; the DH frames are kept
    as the named frames dh1, dh2, ..., the last with the tool as "tool".

    >>> from_dh([("0", 0, "a1", 0), ("0", 0, "a2", 0)], symbols={"a1": 1.0, "a2": 0.5}).frames
    ('base', 'link1', 'link2', 'dh1', 'dh2', 'tool')
    """
    require_known("unit", angles, get_args(AngleUnit), "angles", error=ArmError)
    if not parts_of(rows):
        raise ArmError(f"rows: {rows!r} was given; it must be a list with one row for each joint.")
    read = [read_row(row, f"row {i}", angles) for i, row in enumerate(parts_of(rows), 1)]
    table = DHTable(
        rows=tuple(read if inertias is None else _with_inertias(read, inertias, angles)),
        convention=check_convention(convention),
        name=name,
        gravity=read_gravity(gravity),
        base=placement(base, "base", angles),
        tool=placement(tool, "tool", angles),
        symbols=read_symbols(symbols),
    )
    return arm_from_dh(table)


def arm_from_dh(table: DHTable) -> Arm:
    """The arm of a complete table."""
    rows = table.rows
    for i, row in enumerate(rows, 1):
        for key in ("theta", "d", "a", "alpha"):
            try:
                value_of(getattr(row, key), dict(table.symbols), f"row {i}, {key}")
            except ArmError as problem:
                raise ArmError(str(problem), ("joint", row.name or f"joint{i}")) from None
    links = [row.link or f"link{i}" for i, row in enumerate(rows, 1)]
    tails = [_after_joint(row, table.convention) for row in rows]
    bodies = []
    for i, row in enumerate(rows):
        before = _before_joint(row, tails[i - 1] if i else Placement(), table.convention)
        joint = joint_of(row, i + 1, row.kind, before)
        parent = links[i - 1] if i else table.base_name
        bodies.append(Body(links[i], parent, joint, moved(row.mass_properties, tails[i])))
    frames, carriers = _frames(table, links, tails)
    return Arm(bodies=(*bodies, *carriers), named_frames=frames, **arm_settings(table))


def _after_joint(row: DHRow, convention: Convention) -> Placement:
    """The DH frame in the body frame. Joint motions along z commute with Rz(theta) and Tz(d), so these may follow them.

    standard: Rz(theta) Tz(d) Tx(a) Rx(alpha); modified: Rz(theta). As roll, pitch, yaw that is (alpha, 0, theta)
    without any computation, whatever symbols they hold.
    """
    if convention == "modified":
        return Placement(rpy=Vec3(0, 0, row.theta))
    cos, sin = turn(row.theta)
    return Placement(Vec3(row.a * cos, row.a * sin, row.d), Vec3(row.alpha, 0, row.theta))


def _before_joint(row: DHRow, previous: Placement, convention: Convention) -> Placement:
    """The joint in the body before it. modified: Rz(previous theta) and then Rx(alpha) Tx(a) Tz(d)."""
    if convention == "standard":
        return previous
    cos, sin = turn(row.alpha)
    at = compose(previous, Placement(Vec3(row.a, -sin * row.d, cos * row.d)))
    return Placement(at.xyz, Vec3(row.alpha, 0, previous.rpy.z))


def _frames(table: DHTable, links: list[str], tails: list[Placement]) -> tuple[tuple[Frame, ...], tuple[Body, ...]]:
    """Named frames, and a fixed body for each DH frame that is turned by a symbol and carries turned frames itself."""
    n = len(links)
    wanted = list(table.frames)
    if not any(frame.name == "tool" for frame in wanted):
        wanted.append(RowFrame("tool", n, table.tool))
    taken = {table.base_name, *links, *(frame.name for frame in wanted)}
    wanted[:0] = [RowFrame(f"dh{i}", i) for i in range(1, n + 1) if f"dh{i}" not in taken]
    frames: list[Frame] = []
    carriers: dict[int, Body] = {}
    for frame in wanted:
        i = frame.row - 1
        if not 0 <= frame.row <= n:
            raise ArmError(f"frame {frame.name!r} is on row {frame.row}; rows are 1 to {n}, and 0 is the base.")
        if frame.row == 0:
            frames.append(Frame(frame.name, table.base_name, frame.placement))
        elif frame.placement.rpy == ORIGIN or not has_symbols(*tails[i].rpy, *frame.placement.rpy):
            frames.append(Frame(frame.name, links[i], compose(tails[i], frame.placement)))
        else:
            name = f"{links[i]}_dh"
            carriers[i] = Body(name, links[i], Joint(name, JointKind.FIXED, tails[i]))
            frames.append(Frame(frame.name, name, frame.placement))
    return tuple(frames), tuple(carriers.values())


def _with_inertias(rows: list[DHRow], inertias: Sequence[Any], angles: AngleUnit) -> list[DHRow]:
    if len(inertias) != len(rows):
        raise ArmError(f"{len(inertias)} inertias were given for {len(rows)} rows; give one per row, None for none.")
    result = []
    for i, (row, given) in enumerate(zip(rows, inertias, strict=True), 1):
        mp = mass_properties(given, f"inertia {i}", angles)
        if row.mass_properties != MassProperties():
            raise ArmError(f"row {i} has a mass or inertia of its own and one among `inertias`; give one of them.")
        result.append(replace(row, mass=mp.mass, com=mp.com, inertia=mp.inertia, about=mp.about, rpy=mp.rpy))
    return result
