"""The frames of an animation: a fixed camera and floor, and the shapes of what moves.

The arm is drawn as by `leverarm.pictures`, with the paths of its tips, the time and the energies.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from leverarm.arrays import Array
from leverarm.pictures import palette
from leverarm.pictures.arm_shapes import arm_shapes, gravity_shapes, link_width, masses_on_levers
from leverarm.pictures.camera import Camera, Sheet, camera_for, fit
from leverarm.pictures.raster import Brush, Image
from leverarm.pictures.scene import AXIS, LinkPath, Scene
from leverarm.pictures.shapes import Page, Path, Point, Role, Shape, TextLine
from leverarm.pictures.solids import Floor, floor_of, floor_shapes, stand_shapes
from leverarm.simulation.trajectories.animation.rig import Frames, Motion, frames_of, motion_of
from leverarm.simulation.trajectories.run_plots import heading
from leverarm.spatial import Vec3

if TYPE_CHECKING:
    from leverarm.simulation.trajectories.trajectory import Trajectory

TRACE = "#c2255c"
FADED_TRACE = "#edb7cb"
RECENT = 1.0
"""The most recent part of a tip's path, of this duration as shown [s], is drawn strongly."""
WORTH_IT = 0.85
"""How much smaller the arm may be shown so that no corner of the floor is cut off."""
FINER = 2
"""Supersampling: pixels drawn per pixel shown, in each direction."""

Progress = Callable[[int, int], None]
"""Called after each frame with the number of frames done and the total."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A fixed view of a motion on a page, and the floor under it; planar arms have a stand instead."""

    page: Page
    sheet: Sheet
    floor: Floor | None
    link_width: float
    background: tuple[Shape, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Film:
    """A run, ready to be drawn, shown at `speed` times real time."""

    title: str
    subtitle: str
    speed: float
    frames: Frames
    motion: Motion
    stage: Stage
    on_levers: tuple[int, ...]
    trails: tuple[tuple[Point, ...], ...]
    """The paths of the tips on the page, a point for each pose that was computed."""

    def shapes(self, k: int) -> Iterator[Shape]:
        """The moving shapes in frame k, back to front."""
        scene, sheet = self.motion.scene(k), self.stage.sheet
        yield from _shadow(scene, self.stage)
        now = k * self.frames.between
        recent = max(0, now - round(RECENT * self.frames.rate * self.frames.between))
        for trail in self.trails:
            if recent > 0:
                yield Path(Role.SHADOW, trail[: recent + 1], FADED_TRACE, 1.2 * sheet.line)
            if now > recent:
                yield Path(Role.SHADOW, trail[recent : now + 1], TRACE, 1.6 * sheet.line)
        yield from arm_shapes(scene, sheet, self.on_levers)
        yield from _readings(self.frames, k, self.stage)

    def images(self, which: Iterable[int]) -> Iterator[Image]:
        """These frames as RGB images of Pillow."""
        page = self.stage.page
        brush = Brush((page.width, page.greatest_height), FINER)
        brush.draw(self.stage.background)
        background = brush.image
        for k in which:
            brush.image = background.copy()
            brush.draw(self.shapes(k))
            yield brush.image.reduce(FINER)


def film_of(trajectory: Trajectory, fps: float, speed: float, width: int, height: int) -> Film:
    """A run as pictures of this size [pixel], `fps` per second, at `speed` times real time."""
    frames = frames_of(trajectory, fps, speed)
    motion = motion_of(trajectory.arm, frames)
    title = trajectory.arm.title or trajectory.arm.name
    stage = _stage(motion, _page(width, height), title)
    levers = masses_on_levers(motion.rig.scene)  # once per run, so that none disappears when a link comes near
    return Film(title, heading(trajectory), speed, frames, motion, stage, levers, _trails(motion, stage))


def _page(width: int, height: int) -> Page:
    """A page of this many pixels."""
    letter = 14 * min(width / 760, height / 560)
    return Page(
        width=width, least_height=height, greatest_height=height, margin=2.0 * letter, side_margin=2.5 * letter,
        letter_width=0.5 * letter, letter_height=letter, headroom=4.6 * letter,
    )  # fmt: skip


def _stage(motion: Motion, page: Page, title: str) -> Stage:
    """The largest view in which the whole motion stays on the page, from where the first frame shows best."""
    first = motion.scene(0)
    camera = camera_for(first)
    floor = None if camera.is_head_on else floor_of(_whole_scene(motion))
    sheet = _fitted(motion, camera, floor, page)
    width = link_width(first, sheet)
    empty = replace(first, links=(), joints=(), masses=())
    ground = stand_shapes(empty, sheet) if floor is None else floor_shapes(empty, floor, sheet, width)
    h = page.letter_height
    heading_line = TextLine(Role.TITLE, (1.6 * h, 0.36 * page.headroom), title, 1.25 * h, palette.INK, "start", True)
    background = (*ground, *gravity_shapes(first, camera, page), heading_line)
    return Stage(page, sheet, floor, width, background)


def _fitted(motion: Motion, camera: Camera, floor: Floor | None, page: Page) -> Sheet:
    """The motion as large as fits; the whole floor too, unless the arm would become much smaller for it."""
    outline = _outline(motion, camera, floor)
    closest = fit(camera, outline, page)
    if floor is None:
        return closest
    whole = fit(camera, [*outline, *floor.corners()], page)
    return whole if whole.scale > WORTH_IT * closest.scale else closest


def _whole_scene(motion: Motion) -> Scene:
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


def _shadow(scene: Scene, stage: Stage) -> list[Path]:
    """The arm's shadow on the floor; a planar arm has none."""
    if stage.floor is None:
        return []
    ground = floor_shapes(scene, stage.floor, stage.sheet, stage.link_width)
    return [path for path in ground if path.role is Role.SHADOW]


def _trails(motion: Motion, stage: Stage) -> tuple[tuple[Point, ...], ...]:
    """The paths of all frames shown but the base."""
    sheet = stage.sheet
    right, up = (np.array(tuple(v), dtype=float) for v in (sheet.camera.right, sheet.camera.up))
    trails = []
    for home in motion.rig.triad_homes[1:]:
        at = motion.frames.fine_poses[:, home, :3, 3]
        xs, ys = sheet.left + sheet.scale * (at @ right), sheet.top - sheet.scale * (at @ up)
        trails.append(tuple(zip(xs.tolist(), ys.tolist(), strict=True)))
    return tuple(trails)


def energy_digits(frames: Frames) -> int:
    """Digits after the point with which both energies [J] can be read."""
    sizes = [float(np.abs(energy).max()) for energy in (frames.kinetic, frames.potential)]
    least = min((size for size in sizes if size > 1e-6 * max(sizes)), default=1.0)
    return min(max(2 - math.floor(math.log10(least)), 0), 6)


def _readings(frames: Frames, k: int, stage: Stage) -> Iterator[TextLine]:
    """Time and energies, in columns that do not move."""
    h, y = stage.page.letter_height, 0.74 * stage.page.headroom
    kinetic, potential = float(frames.kinetic[k]), float(frames.potential[k])
    digits = energy_digits(frames)
    columns = (
        (1.6, f"t = {frames.t[k]:.2f} s"),
        (9.0, f"K = {kinetic:z.{digits}f} J"),
        (17.0, f"P = {potential:z.{digits}f} J"),
        (25.0, f"K + P = {kinetic + potential:z.{digits}f} J"),
    )
    for x, text in columns:
        yield TextLine(Role.TITLE, (x * h, y), text, h, palette.SOFT_INK, "start")
