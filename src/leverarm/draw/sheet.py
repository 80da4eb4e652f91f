"""How the camera's plane lies on the page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from leverarm.draw.projection import Camera
from leverarm.draw.shapes import Page, Point
from leverarm.spatial import Vec3


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
