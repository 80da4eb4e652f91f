"""A motion as pictures, one list of shapes after another.

What `draw` shows of an arm, in one frame of a motion, from a camera that stays where it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from leverarm.pictures import palette
from leverarm.pictures.annotations import triad_shapes
from leverarm.pictures.picture import IN_FRONT, levers, link_colours, link_depth, link_shapes, mass_group
from leverarm.pictures.scene import Scene
from leverarm.pictures.shapes import Path, Point, Role, Shape, Words
from leverarm.pictures.sheet import Sheet
from leverarm.pictures.solids import floor_shapes, joint_shapes
from leverarm.simulation.trajectories.animation.rig import Frames, Motion, frames_of, motion_of
from leverarm.simulation.trajectories.animation.stage import Stage, page_of, stage_of
from leverarm.simulation.trajectories.plots.plotting import heading

if TYPE_CHECKING:
    from leverarm.simulation.trajectories.trajectory import Trajectory


def arm_shapes(scene: Scene, sheet: Sheet, on_levers: Sequence[int]) -> list[Shape]:
    """Links and joints, the farthest first, then centres of mass, some of them on levers, and frames."""
    camera, colours = sheet.camera, link_colours(scene)
    solids: list[tuple[float, Sequence[Shape]]] = [
        *((link_depth(link, camera), link_shapes(link, colours[link.body], scene, sheet)) for link in scene.links),
        *((camera.depth(j.at) + IN_FRONT * scene.mark, joint_shapes(j, scene.mark, sheet)) for j in scene.joints),
    ]
    heaviest = max((dot.mass for dot in scene.masses), default=1.0)
    return [
        *(shape for _, found in sorted(solids, key=lambda item: item[0]) for shape in found),
        *(_lever(scene, k, sheet) for k in on_levers),
        *(mass_group(dot, heaviest, scene, sheet) for dot in scene.masses),
        *(shape for triad in scene.triads for shape in triad_shapes(triad, scene, sheet)),
    ]


def shadow_shapes(scene: Scene, stage: Stage) -> list[Path]:
    """The arm's shadow on the floor; a planar arm has none."""
    if stage.floor is None:
        return []
    ground = floor_shapes(scene, stage.floor, stage.sheet, stage.link_width)
    return [path for path in ground if path.role is Role.SHADOW]


def masses_on_levers(scene: Scene, sheet: Sheet) -> tuple[int, ...]:
    """The centres of mass that lie off the links. Asked once per run: a link that comes near later takes none away."""
    return tuple(k for k, dot in enumerate(scene.masses) if levers(replace(scene, masses=(dot,)), sheet))


def _lever(scene: Scene, k: int, sheet: Sheet) -> Path:
    dot = scene.masses[k]
    ends = sheet.to_page(dot.origin), sheet.to_page(dot.at)
    return Path(Role.LEVER, ends, palette.LINK_EDGE, 1.6 * sheet.line, opacity=0.5)


TRACE = "#c2255c"
FADED_TRACE = "#edb7cb"
RECENT = 1.0
"""The part of a tip's path that is drawn strongly: what it came along in this time [s], as shown."""

Progress = Callable[[int, int], None]
"""Told after each frame: how many are done, and how many there are."""


def unwatched(done: int, total: int) -> None:
    """The progress nobody asked for."""


@dataclass(frozen=True, slots=True, eq=False)
class Film:
    """A run, ready to be drawn: what stands still, and what moves. It is shown `speed` times as fast as it happened."""

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
        """What moves, in frame k, back to front."""
        scene, sheet = self.motion.scene(k), self.stage.sheet
        yield from shadow_shapes(scene, self.stage)
        now = k * self.frames.between
        recent = max(0, now - round(RECENT * self.frames.rate * self.frames.between))
        for trail in self.trails:
            if recent > 0:
                yield Path(Role.SHADOW, trail[: recent + 1], FADED_TRACE, 1.2 * sheet.line)
            if now > recent:
                yield Path(Role.SHADOW, trail[recent : now + 1], TRACE, 1.6 * sheet.line)
        yield from arm_shapes(scene, sheet, self.on_levers)
        yield from _readings(self.frames, k, self.stage)


def film_of(trajectory: Trajectory, fps: float, speed: float, width: int, height: int) -> Film:
    """A run as pictures of this size [pixel], `fps` a second, `speed` times as fast as it happened."""
    frames = frames_of(trajectory, fps, speed)
    motion = motion_of(trajectory.arm, frames)
    title = trajectory.arm.title or trajectory.arm.name
    stage = stage_of(motion, page_of(width, height), title)
    levers = masses_on_levers(motion.rig.scene, stage.sheet)
    return Film(title, heading(trajectory), speed, frames, motion, stage, levers, _trails(motion, stage))


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


def _readings(frames: Frames, k: int, stage: Stage) -> Iterator[Words]:
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
        yield Words(Role.TITLE, (x * h, y), text, h, palette.SOFT_INK, "start")
