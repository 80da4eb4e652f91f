"""Joint markers as small solids seen from the camera: cylinders, boxes, screws, cubes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from leverarm.draw.palette import JOINT_CAP, JOINT_EDGE, JOINT_SIDE
from leverarm.draw.posed import unit
from leverarm.draw.scene import JointMark
from leverarm.draw.shapes import Disc, Path, Point, Role
from leverarm.draw.sheet import Sheet
from leverarm.model import JointKind
from leverarm.spatial import Vec3

ROUND = 28
"""Corners of the polygon that stands for a circle."""


def joint_shapes(joint: JointMark, size: float, sheet: Sheet) -> tuple[Path | Disc, ...]:
    """A revolute joint as a cylinder about its axis, a slide as a box along it, a screw as a threaded cylinder."""
    if joint.kind is JointKind.FIXED:
        return _box(joint, (0.45 * size, 0.45 * size, 0.45 * size), sheet)
    if joint.kind is JointKind.PRISMATIC:
        return _box(joint, (0.8 * size, 0.8 * size, 1.3 * size), sheet)
    return _cylinder(joint, 0.92 * size, 0.95 * size, sheet)


def _cylinder(joint: JointMark, radius: float, half: float, sheet: Sheet) -> tuple[Path | Disc, ...]:
    edge, side, top = JOINT_EDGE[joint.kind], JOINT_SIDE[joint.kind], JOINT_CAP[joint.kind]
    axis = joint.axis if sheet.camera.depth(joint.axis) >= 0 else -joint.axis
    u, v = _across(axis, sheet.camera.toward)

    def at(along: float, turn: float) -> Point:
        return sheet.to_page(joint.at + axis * along + (u * math.cos(turn) + v * math.sin(turn)) * radius)

    turns = [2 * math.pi * k / ROUND for k in range(ROUND)]
    near, far = tuple(at(half, turn) for turn in turns), tuple(at(-half, turn) for turn in turns)
    shapes: list[Path | Disc] = [Path(Role.JOINT, hull((*near, *far)), edge, sheet.line, side)]
    if joint.kind is JointKind.HELICAL:
        front = [math.pi * (k / 12 - 0.5) for k in range(13)]
        for along in (-0.6, -0.2, 0.2, 0.6):
            thread = tuple(at(half * (along + 0.15 * math.sin(turn)), turn) for turn in front)
            shapes.append(Path(Role.JOINT, thread, edge, sheet.line))
    shapes.append(Path(Role.JOINT, near, edge, sheet.line, top))
    if sheet.camera.depth(axis) > 0.9:  # seen along its axis, a joint shows its pin
        shapes.append(Disc(Role.JOINT, sheet.to_page(joint.at), math.dist(near[0], near[ROUND // 2]) * 0.14, edge))
    return tuple(shapes)


def _box(joint: JointMark, half: tuple[float, float, float], sheet: Sheet) -> tuple[Path | Disc, ...]:
    edge, side, top = JOINT_EDGE[joint.kind], JOINT_SIDE[joint.kind], JOINT_CAP[joint.kind]
    u, v = _across(joint.axis, None)
    axes = [d * h for d, h in zip((u, v, joint.axis), half, strict=True)]
    shapes = []
    for i in range(3):
        facing = sheet.camera.depth(axes[i])
        if abs(facing) < 1e-6 * half[i]:
            continue
        out = axes[i] if facing > 0 else -axes[i]
        a, b = axes[(i + 1) % 3], axes[(i + 2) % 3]
        corners = (out + a + b, out + a - b, out - a - b, out - a + b)
        is_bright = i == 2 or abs(facing) > 0.6 * half[i]
        face = tuple(sheet.to_page(joint.at + corner) for corner in corners)
        shapes.append(Path(Role.JOINT, face, edge, sheet.line, top if is_bright else side))
    return tuple(shapes)


def _across(axis: Vec3, toward: Vec3 | None) -> tuple[Vec3, Vec3]:
    """Two unit vectors across an axis; the first faces the viewer, if there is one and not looking along the axis."""
    near = Vec3(0, 0, 0) if toward is None else toward - axis * (toward @ axis)
    if math.hypot(*near) > 1e-6:
        u = unit(near)
    else:
        least = min((Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)), key=lambda e: abs(e @ axis))
        u = unit(axis.cross(least))
    return u, axis.cross(u)


def hull(points: Sequence[Point]) -> tuple[Point, ...]:
    """The convex hull (Andrew's monotone chain)."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return tuple(ordered)

    def chain(sequence: Sequence[Point]) -> list[Point]:
        kept: list[Point] = []
        for p in sequence:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], p) <= 0:
                kept.pop()
            kept.append(p)
        return kept[:-1]

    return tuple(chain(ordered) + chain(ordered[::-1]))


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
