"""Denavit-Hartenberg parameters of any serial arm, from its joint axes at q = 0."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from leverarm.errors import FormatError
from leverarm.formats.dh.rows import Convention, DHRow, DHTable, check_convention
from leverarm.formats.rigid import placement_from_pose
from leverarm.formats.serial import SerialChain, SerialLink, about_com, serial_chain, tidy
from leverarm.formats.serial_table import RowFrame, row_of, table_settings
from leverarm.model import PI, Arm, Placement, Quantity
from leverarm.model.expression import divide, multiply
from leverarm.scalars import SNAP, quarter_turn
from leverarm.spatial import HERE, ORIGIN, Matrix3, Pose, Vec3

_TOUCHING = 1e-12
"""Axes nearer to each other than this, in units of the arm's size, meet."""
_FAR = 1e4
"""Feet of a common normal farther away than this, in units of the arm's size, would cost the numbers their digits."""
_X, _Y, _Z = Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)


@dataclass(frozen=True, slots=True)
class _Normal:
    """The common normal of two neighbouring axes: its direction x, its feet, and the directions of the axes."""

    x: Vec3
    start: Vec3
    end: Vec3
    z_start: Vec3
    z_end: Vec3

    @property
    def a(self) -> float:
        return float((self.end - self.start) @ self.x)

    @property
    def alpha(self) -> float:
        return _angle(self.x, self.z_start, self.z_end)

    def frame(self, convention: Convention) -> Pose:
        """The DH frame on this normal: on its far axis (standard) or on its near one (modified)."""
        z, origin = (self.z_end, self.end) if convention == "standard" else (self.z_start, self.start)
        return Pose(Matrix3(self.x, z.cross(self.x), z).transposed(), origin)


def to_dh(arm: Arm, convention: Convention = "standard") -> DHTable:
    """The DH table of a serial arm with revolute and prismatic joints; `arm_from_dh` makes the same arm of it again.

    Every z points along its joint's axis, so that each coordinate keeps its sign and zero. x along the common normal,
    pointing the way that makes |theta| least (Siciliano et al. 2009, section 2.8.2); where axes are parallel, the
    normal that makes d zero; where they coincide, theta and d zero. The base and the tool stay apart where the table
    cannot hold them. Numeric: symbols take their defaults. Raises FormatError for branches, couplings and helical
    joints.
    """
    check_convention(convention)
    chain = serial_chain(arm, "a DH table")
    for link in chain.links:
        if not link.joint.kind.traits.dh:
            raise FormatError(
                f"arm {arm.name!r}: joint {link.joint.name!r} is {link.joint.kind}; DH tables hold only R and P "
                "joints. Write it as screws (.screws.toml) or TOML instead."
            )
    normals = _normals(arm, chain, convention)
    frames = [normal.frame(convention) for normal in normals]
    rows = tuple(
        _row(link, normals[i], normals[i + 1], frames[i + 1], convention, chain.size)
        for i, link in enumerate(chain.links)
    )
    n = len(rows)
    named = [
        RowFrame(frame.name, frame.link, _placement(frames[frame.link].inverse() * frame.base_from_frame, chain.size))
        for frame in (chain.tool, *chain.frames)
    ]
    automatic = {f"dh{i}" for i in range(1, n + 1)} | ({"tool"} if chain.tool.link == n else set())
    settings = table_settings(arm, chain)
    if frames[0] != HERE:
        settings["base"] = placement_from_pose(chain.world_from_base * frames[0])
    return DHTable(
        rows=rows,
        convention=convention,
        tool=named[0].placement if chain.tool.link == n else Placement(),
        frames=tuple(frame for frame in named if frame.name not in automatic),
        **settings,
    )


def _row(link: SerialLink, before: _Normal, after: _Normal, frame: Pose, convention: Convention, size: float) -> DHRow:
    """theta and d lead along the joint's axis from the normal before it to the one after it."""
    beside = after if convention == "standard" else before
    mp = about_com(link.inertia, frame.inverse() * link.base_from_link)
    return DHRow(
        theta=_turn(_angle(link.axis, before.x, after.x)),
        d=tidy((after.start - before.end) @ link.axis, size),
        a=tidy(beside.a, size),
        alpha=_turn(beside.alpha),
        mass=mp.mass,
        com=mp.com,
        inertia=mp.inertia,
        **row_of(link),
    )


def _normals(arm: Arm, chain: SerialChain, convention: Convention) -> list[_Normal]:
    """One normal before the first axis (from the base), one between each two, one after the last (to the tool)."""
    links = chain.links
    normals = [_first(links[0], convention, chain.size)]
    for near, far in pairwise(links):
        normal = _between(near, far, normals[-1], chain.size)
        if max(_distance(normal.start, near), _distance(normal.end, far)) > _FAR * chain.size:
            raise FormatError(
                f"arm {arm.name!r}: the axes of joints {near.joint.name!r} and {far.joint.name!r} are almost parallel "
                f"({_length(near.axis.cross(far.axis)):.3g} rad apart), so their common normal is "
                f"{_distance(normal.start, near):.3g} m away and a DH table would lose its digits. Make them parallel "
                "(lint shows angles such as 1.5708 that were meant as pi/2), or write screws (.screws.toml) instead."
            )
        normals.append(normal)
    normals.append(_last(chain, normals[-1], convention))
    return normals


def _first(link: SerialLink, convention: Convention, size: float) -> _Normal:
    """From the base: frame 0 is the base itself where the convention allows it, else the nearest point of the axis."""
    p, z = link.base_from_link.position, link.axis
    is_on_z = abs(z.x) + abs(z.y) <= SNAP and z.z > 0 and math.hypot(p.x, p.y) <= _TOUCHING * size
    if convention == "standard" and is_on_z:
        return _Normal(_X, ORIGIN, ORIGIN, _Z, _Z)
    if convention == "modified" and abs(z.x) <= SNAP and abs(p @ _X.cross(z)) <= _TOUCHING * size:
        return _Normal(_X, ORIGIN, Vec3(p.x, 0, 0), _Z, z)
    foot = p - z * (p @ z)
    across = _X if abs(z.x) < 0.9 else _Y
    return _Normal(_unit(across - z * (across @ z)), foot, foot, z, z)


def _between(near: SerialLink, far: SerialLink, before: _Normal, size: float) -> _Normal:
    p, z, q, u = near.base_from_link.position, near.axis, far.base_from_link.position, far.axis
    normal, gap = z.cross(u), q - p
    sine = _length(normal)
    if sine > SNAP:
        start = p + z * (gap.cross(u) @ normal / (sine * sine))
        end = q + u * (gap.cross(z) @ normal / (sine * sine))
        x = normal * (1 / sine)
    else:
        start = before.end
        end = q + u * ((start - q) @ u)
        apart = gap - z * (gap @ z)
        x = _unit(apart) if _length(apart) > _TOUCHING * size else before.x
    towards = x @ before.x
    if abs(towards) <= SNAP:  # a quarter turn either way: let a be positive
        towards = (end - start) @ x if abs((end - start) @ x) > _TOUCHING * size else 1
    return _Normal(x if towards > 0 else -x, start, end, z, u)


def _last(chain: SerialChain, before: _Normal, convention: Convention) -> _Normal:
    """To the tool: the last frame is the tool itself where the convention allows it, else theta and d are zero."""
    link, tool = chain.links[-1], chain.tool.base_from_frame
    p, z, o = link.base_from_link.position, link.axis, tool.position
    x, _, z_tool = (tool.rotation @ axis for axis in (_X, _Y, _Z))
    if chain.tool.link == len(chain.links):
        gap = o - p
        if convention == "standard" and abs(x @ z) <= SNAP and abs(gap @ x.cross(z)) <= _TOUCHING * chain.size:
            return _Normal(x, o - x * (gap @ x), o, z, z_tool)
        is_on_axis = _length(gap.cross(z)) <= _TOUCHING * chain.size
        if convention == "modified" and z_tool @ z > 0 and _length(z_tool.cross(z)) <= SNAP and is_on_axis:
            return _Normal(x, o, o, z, z)
    return _Normal(before.x, before.end, before.end, z, z)


def _placement(pose: Pose, size: float) -> Placement:
    found = placement_from_pose(pose)
    return Placement(Vec3(*(tidy(x, size) for x in found.xyz)), Vec3(*(_turn(float(part)) for part in found.rpy)))


def _turn(angle: float) -> Quantity:
    """The angle; where it is read as a multiple of pi/2, that multiple."""
    if quarter_turn(angle) is None:
        return angle
    quarters = round(angle / (math.pi / 2))
    if quarters % 2:
        return divide(multiply(quarters, PI) if quarters != -1 else -PI, 2)
    return multiply(quarters // 2, PI) if quarters != -2 else -PI


def _angle(about: Vec3, start: Vec3, end: Vec3) -> float:
    return math.atan2(about @ start.cross(end), start @ end)


def _distance(point: Vec3, link: SerialLink) -> float:
    return _length(point - link.base_from_link.position)


def _length(v: Vec3) -> float:
    return math.hypot(*v)


def _unit(v: Vec3) -> Vec3:
    return v * (1 / _length(v))
