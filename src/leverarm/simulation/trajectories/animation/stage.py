"""Where the viewer stands and what stands still: the same for every frame of an animation.

The moments of a run that an animation shows.

Shapes as pixels, fast: drawn by Pillow at twice the size, then halved, so that edges are smooth.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from leverarm.arrays import Array
from leverarm.pictures import palette
from leverarm.pictures.annotations import AXIS, gravity_shapes
from leverarm.pictures.picture import LINK
from leverarm.pictures.scene import LinkPath, Scene
from leverarm.pictures.shapes import Page, Role, Shape, Words
from leverarm.pictures.sheet import Camera, Sheet, camera_for, fit
from leverarm.pictures.solids import Floor, floor_of, floor_shapes, stand_shapes
from leverarm.simulation.trajectories.animation.rig import Motion
from leverarm.spatial import Vec3

if TYPE_CHECKING:
    pass


WORTH_IT = 0.85
"""How much smaller the arm may be shown so that no corner of the floor is cut off."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A fixed view of a motion on a page, and the floor under it; planar arms have a stand instead."""

    page: Page
    sheet: Sheet
    floor: Floor | None
    link_width: float
    background: tuple[Shape, ...]


def page_of(width: int, height: int) -> Page:
    """A page of this many pixels."""
    letter = 14 * min(width / 760, height / 560)
    return Page(
        width=width, least_height=height, greatest_height=height, margin=2.0 * letter, side_margin=2.5 * letter,
        letter_width=0.5 * letter, letter_height=letter, headroom=4.6 * letter,
    )  # fmt: skip


def stage_of(motion: Motion, page: Page, title: str) -> Stage:
    """The largest view in which the whole motion stays on the page, from where the first frame shows best."""
    first = motion.scene(0)
    camera = camera_for(first)
    floor = None if camera.is_head_on else floor_of(whole_scene(motion))
    sheet = _fitted(motion, camera, floor, page)
    link_width = LINK * first.mark * sheet.scale
    empty = replace(first, links=(), joints=(), masses=())
    ground = stand_shapes(empty, sheet) if floor is None else floor_shapes(empty, floor, sheet, link_width)
    h = page.letter_height
    words = Words(Role.TITLE, (1.6 * h, 0.36 * page.headroom), title, 1.25 * h, palette.INK, "start", True)
    background = (*ground, *gravity_shapes(first, camera, page), words)
    return Stage(page, sheet, floor, link_width, background)


def _fitted(motion: Motion, camera: Camera, floor: Floor | None, page: Page) -> Sheet:
    """The motion as large as fits; the whole floor too, unless the arm would become much smaller for it."""
    outline = _outline(motion, camera, floor)
    closest = fit(camera, outline, page)
    if floor is None:
        return closest
    whole = fit(camera, [*outline, *floor.corners()], page)
    return whole if whole.scale > WORTH_IT * closest.scale else closest


def whole_scene(motion: Motion) -> Scene:
    """A scene that reaches as far as the whole motion does: the corners of the box around it."""
    low, high = motion.points.min(axis=(0, 1)), motion.points.max(axis=(0, 1))
    corners = [Vec3(*(high[i] if k >> i & 1 else low[i] for i in range(3))) for k in range(8)]
    return replace(motion.scene(0), links=(LinkPath("", tuple(corners)),))


def _outline(motion: Motion, camera: Camera, floor: Floor | None) -> list[Vec3]:
    """Points of the page's plane around all that must be on the page: the motion, its shadow, the base's frame."""
    m, tips = motion.rig.scene.mark, list(motion.rig.triad_homes)
    poses = motion.frames.poses[:, tips]
    arrows = poses[..., :3, 3][..., None, :] + AXIS * m * np.swapaxes(poses[..., :3, :3], -1, -2)
    shown = [motion.points, arrows]
    if floor is not None:
        up, height = _array(floor.up), motion.points @ _array(floor.up) - float(floor.centre @ floor.up)
        shown.append(motion.points - height[..., None] * up)

    def span(direction: Vec3) -> tuple[float, float]:
        along = [points @ _array(direction) for points in shown]
        return min(float(part.min()) for part in along) - 1.2 * m, max(float(part.max()) for part in along) + 1.2 * m

    (left, beyond), (low, high) = span(camera.right), span(camera.up)
    corners = [camera.right * x + camera.up * y for x in (left, beyond) for y in (low, high)]
    return corners if floor is not None else [*corners, motion.rig.scene.base.origin - camera.up * (3.5 * m)]


def _array(v: Vec3) -> Array:
    return np.array([float(part) for part in v])
