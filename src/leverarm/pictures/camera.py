"""Where the viewer stands, and how that view lies on the page. Orthographic.

Planar arms are seen head on, all others from the side and a little above.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from leverarm.pictures.pose import level, unit
from leverarm.pictures.scene import Scene
from leverarm.pictures.shapes import Page, Point
from leverarm.spatial import Vec3

ELEVATION = 22.0
"""Height of the viewer above the horizon [deg]."""
AZIMUTHS = (-55.0, -40.0, -70.0, -25.0, -118.0, 20.0)
"""Directions in which the viewer may stand, the most usual first [deg from the world's x]."""
MANY = 40
"""Joints that are considered for the best view."""


@dataclass(frozen=True, slots=True)
class Camera:
    """The page's right and up in the world, and the direction towards the viewer: a right-handed triad."""

    right: Vec3
    up: Vec3
    toward: Vec3
    is_head_on: bool

    def flat(self, v: Vec3) -> tuple[float, float]:
        """A point or direction on the page [m], y up."""
        return float(v @ self.right), float(v @ self.up)

    def depth(self, v: Vec3) -> float:
        """How near to the viewer a point is [m]."""
        return float(v @ self.toward)


def camera_for(scene: Scene) -> Camera:
    """The view in which the arm shows best; gravity points down the page unless the arm moves in a level plane."""
    normal = plane_normal(scene)
    if normal is not None:
        return _head_on(scene, normal)
    views = [_from_side(scene, azimuth) for azimuth in AZIMUTHS]
    return max(views, key=lambda view: _clearness(scene, view) - 0.01 * views.index(view))


def plane_normal(scene: Scene) -> Vec3 | None:
    """The normal of the plane in which a planar arm lies and moves; None for a spatial arm."""
    turning = [joint.axis for joint in scene.joints if joint.kind.turns]
    sliding = [joint.axis for joint in scene.joints if joint.kind.slides]
    n = turning[0] if turning else Vec3(0, 0, 1)
    first = scene.points[0]
    is_planar = (
        all(1 - abs(axis @ n) < 1e-6 for axis in turning)
        and all(abs(axis @ n) < 1e-6 for axis in sliding)
        and all(abs((point - first) @ n) < 0.02 * scene.mark for point in scene.points)
    )
    return n if is_planar else None


def _head_on(scene: Scene, normal: Vec3) -> Camera:
    if abs(normal.z) > 1 - 1e-9:
        return Camera(Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), True)
    up = scene.up
    if abs(up @ normal) > 0.9:
        up = Vec3(0, 0, 1)
    up = unit(up - normal * (up @ normal))
    toward = normal if normal.y < 0 or (normal.y == 0 and normal.x > 0) else -normal
    return Camera(up.cross(toward), up, toward, True)


def _from_side(scene: Scene, azimuth: float) -> Camera:
    up = scene.up
    x, y = level(up)
    a, e = math.radians(azimuth), math.radians(ELEVATION)
    toward = (x * math.cos(a) + y * math.sin(a)) * math.cos(e) + up * math.sin(e)
    right = unit(up.cross(toward))
    return Camera(right, toward.cross(right), toward, False)


def _clearness(scene: Scene, view: Camera) -> float:
    """How well joints and tips stand apart on the page: 1 where all do."""
    points = (*(joint.at for joint in scene.joints[:MANY]), *(triad.origin for triad in scene.triads[:MANY]))
    spots = [view.flat(point) for point in points]
    gaps = [min(math.dist(a, b) / (4 * scene.mark), 1.0) for a, b in combinations(spots, 2)]
    return sum(gaps) / len(gaps) if gaps else 1.0


@dataclass(frozen=True, slots=True)
class Sheet:
    """A camera's view on a page: page units per metre, where the world's origin lies, and the width of a fine line."""

    camera: Camera
    scale: float
    left: float
    top: float
    height: float
    line: float

    def to_page(self, v: Vec3) -> Point:
        x, y = self.camera.flat(v)
        return self.left + self.scale * x, self.top - self.scale * y


def fit(camera: Camera, points: Iterable[Vec3], page: Page) -> Sheet:
    """The largest view that has all these points on the page."""
    flat = [camera.flat(point) for point in points]
    xs, ys = [x for x, _ in flat], [y for _, y in flat]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    room = page.greatest_height - page.headroom - 2 * page.margin
    scale = min((page.width - 2 * page.side_margin) / wide, room / high)
    height = max(page.least_height, page.headroom + 2 * page.margin + scale * high)
    spare = height - page.headroom - scale * high
    left = (page.width - scale * wide) / 2 - scale * min(xs)
    top = page.headroom + spare / 2 + scale * max(ys)
    return Sheet(camera, scale, left, top, height, page.letter_height / 11)
