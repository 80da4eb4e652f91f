"""Solids seen from the camera: joint markers (cylinders, boxes, screws, cubes) and what the arm stands on.

Planar arms stand on a hatched stand, spatial ones on a floor with the arm's shadow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.pictures import palette
from leverarm.pictures.camera import Sheet
from leverarm.pictures.pose import level, unit
from leverarm.pictures.scene import JointMark, Scene
from leverarm.pictures.shapes import Disc, Path, Point, Role
from leverarm.spatial import Vec3

ROUND = 28
"""Corners of the polygon that stands for a circle."""
BOXES = {"cube": (0.45, 0.45, 0.45), "box": (0.8, 0.8, 1.3)}
"""Half the width, depth and length along the axis of the solids that are boxes, in markers."""


def joint_shapes(joint: JointMark, size: float, sheet: Sheet) -> tuple[Path | Disc, ...]:
    """A revolute joint as a cylinder about its axis, a slide as a box along it, a screw as a threaded cylinder."""
    if (sizes := BOXES.get(joint.kind.traits.picture.solid)) is not None:
        x, y, z = sizes
        return _box(joint, (x * size, y * size, z * size), sheet)
    return _cylinder(joint, 0.92 * size, 0.95 * size, sheet)


def _cylinder(joint: JointMark, radius: float, half: float, sheet: Sheet) -> tuple[Path | Disc, ...]:
    picture = joint.kind.traits.picture
    edge, side, top = picture.edge, picture.side, picture.cap
    axis = joint.axis if sheet.camera.depth(joint.axis) >= 0 else -joint.axis
    u, v = _across(axis, sheet.camera.toward)

    def at(along: float, turn: float) -> Point:
        return sheet.to_page(joint.at + axis * along + (u * math.cos(turn) + v * math.sin(turn)) * radius)

    turns = [2 * math.pi * k / ROUND for k in range(ROUND)]
    near, far = tuple(at(half, turn) for turn in turns), tuple(at(-half, turn) for turn in turns)
    shapes: list[Path | Disc] = [Path(Role.JOINT, hull((*near, *far)), edge, sheet.line, side)]
    if picture.solid == "screw":
        front = [math.pi * (k / 12 - 0.5) for k in range(13)]
        for along in (-0.6, -0.2, 0.2, 0.6):
            thread = tuple(at(half * (along + 0.15 * math.sin(turn)), turn) for turn in front)
            shapes.append(Path(Role.JOINT, thread, edge, sheet.line))
    shapes.append(Path(Role.JOINT, near, edge, sheet.line, top))
    if sheet.camera.depth(axis) > 0.9:  # seen along its axis, a joint shows its pin
        shapes.append(Disc(Role.JOINT, sheet.to_page(joint.at), math.dist(near[0], near[ROUND // 2]) * 0.14, edge))
    return tuple(shapes)


def _box(joint: JointMark, half: tuple[float, float, float], sheet: Sheet) -> tuple[Path | Disc, ...]:
    picture = joint.kind.traits.picture
    edge, side, top = picture.edge, picture.side, picture.cap
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


CELL = 4.0
"""Width of a cell of the floor's grid, in joint markers."""


@dataclass(frozen=True, slots=True)
class Floor:
    """A rectangle of whole cells under the arm: the point below the base, its two directions, one cell long each, and
    from where to where it reaches in each of them, counted in cells from that point.
    """

    centre: Vec3
    along: Vec3
    across: Vec3
    up: Vec3
    columns: tuple[int, int]
    rows: tuple[int, int]

    def at(self, column: float, row: float) -> Vec3:
        return self.centre + self.along * column + self.across * row

    def corners(self) -> tuple[Vec3, Vec3, Vec3, Vec3]:
        (a, b), (c, d) = self.columns, self.rows
        return self.at(a, c), self.at(b, c), self.at(b, d), self.at(a, d)


def floor_of(scene: Scene) -> Floor:
    """The floor at the base, or below the arm's lowest point where the arm reaches under its base."""
    base, up = scene.base.origin, scene.up
    lowest = min(float(point @ up) for point in scene.points) - float(base @ up)
    is_hanging = scene.base.axes[2] @ up < -0.5
    drop = 0.0 if is_hanging or lowest > -0.5 * scene.mark else lowest - scene.mark
    along, across = level(up)
    cell = CELL * scene.mark

    def span(direction: Vec3) -> tuple[int, int]:
        reach = [float((point - base) @ direction) / cell for point in scene.points]
        return math.floor(min(*reach, -1.0) - 0.6), math.ceil(max(*reach, 1.0) + 0.6)

    return Floor(base + up * drop, along * cell, across * cell, up, span(along), span(across))


def floor_shapes(scene: Scene, floor: Floor, sheet: Sheet, link_width: float) -> list[Path]:
    """The floor with its grid, the arm's shadow on it, and the post under a base that stands above it."""
    to_page, line = sheet.to_page, sheet.line
    (left, right), (near, far) = floor.columns, floor.rows
    outline = tuple(to_page(corner) for corner in (*floor.corners(), floor.corners()[0]))
    shapes = [Path(Role.GROUND, outline, palette.GROUND_EDGE, line, palette.GROUND)]
    grid = [(floor.at(k, near), floor.at(k, far)) for k in range(left + 1, right)]
    grid += [(floor.at(left, k), floor.at(right, k)) for k in range(near + 1, far)]
    for start, end in grid:
        shapes.append(Path(Role.GROUND_DETAIL, (to_page(start), to_page(end)), palette.GROUND_LINE, line))
    if all((point - floor.centre) @ floor.up > -1e-9 for point in scene.points):
        for link in scene.links:
            flat = tuple(to_page(p - floor.up * ((p - floor.centre) @ floor.up)) for p in link.points)
            shapes.append(Path(Role.SHADOW, flat, palette.SHADOW, 0.8 * link_width))
    if (scene.base.origin - floor.centre) @ floor.up > 1e-9:
        post = (to_page(floor.centre), to_page(scene.base.origin))
        shapes.append(Path(Role.GROUND, post, palette.GROUND_EDGE, 1.2 * link_width))
        shapes.append(Path(Role.GROUND_DETAIL, post, palette.GROUND, 1.2 * link_width - 2 * line))
    return shapes


def stand_shapes(scene: Scene, sheet: Sheet) -> list[Path]:
    """The textbook sign for a fixed base: a triangle on a hatched line."""
    m, base, x, y, line = scene.mark, scene.base.origin, sheet.camera.right, sheet.camera.up, sheet.line

    def at(across: float, above: float) -> Point:
        return sheet.to_page(base + x * (across * m) + y * (above * m))

    triangle = (at(0, 0), at(-1.5, -2.6), at(1.5, -2.6), at(0, 0))
    shapes = [Path(Role.GROUND, triangle, palette.GROUND_EDGE, line, palette.GROUND)]
    shapes += [
        Path(Role.GROUND_DETAIL, (at(k, -2.6), at(k - 0.8, -3.5)), palette.GROUND_EDGE, line)
        for k in (-1.8, -0.9, 0.0, 0.9, 1.8, 2.7)
    ]
    shapes.append(Path(Role.GROUND, (at(-2.8, -2.6), at(2.8, -2.6)), palette.SOFT_INK, 1.6 * line))
    return shapes
