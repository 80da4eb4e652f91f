"""What the arm stands on: a hatched stand for planar arms, a floor with the arm's shadow for spatial ones."""

from __future__ import annotations

import math
from dataclasses import dataclass

from leverarm.draw import palette
from leverarm.draw.posed import unit
from leverarm.draw.scene import Scene
from leverarm.draw.shapes import Path, Point, Role
from leverarm.draw.sheet import Sheet
from leverarm.spatial import Vec3

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
    x = Vec3(1, 0, 0) if abs(up.x) < 0.9 else Vec3(0, 1, 0)
    along = unit(x - up * (x @ up))
    across = up.cross(along)
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
