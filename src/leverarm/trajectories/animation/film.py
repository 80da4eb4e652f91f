"""A motion as pictures, one list of shapes after another."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from leverarm.draw import palette
from leverarm.draw.shapes import Path, Point, Role, Shape, Words
from leverarm.trajectories.animation.arm_shapes import arm_shapes, masses_on_levers, shadow_shapes
from leverarm.trajectories.animation.frames import Frames, frames_of
from leverarm.trajectories.animation.rig import Motion, motion_of
from leverarm.trajectories.animation.stage import Stage, page_of, stage_of
from leverarm.trajectories.plots.heading import heading

if TYPE_CHECKING:
    from leverarm.trajectories.trajectory import Trajectory

TRACE = "#c2255c"
FADED_TRACE = "#edb7cb"
RECENT = 1.0
"""The part of a tip's path that is drawn strongly: what it came along in this time [s], as shown."""


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
