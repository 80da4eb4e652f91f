"""The arm's drawing attached to its bodies: laid out once, then moved with them, so that nothing flickers.

A drawing decides anew for every pose where links run and joints are shown. In a motion those decisions would flicker
(two links that pass each other, a slide that retracts), and the markers would grow and shrink with the arm's extent.
Here they are made once, for one pose; every point of that drawing then moves with the body in whose frame it is fixed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.model import Arm
from leverarm.model.units import Units
from leverarm.pictures.pose import posed
from leverarm.pictures.scene import MARK, Scene, links_and_joints, scene_of
from leverarm.quantities import forward_kinematics
from leverarm.spatial import Vec3

if TYPE_CHECKING:
    from leverarm.simulation.trajectories.trajectory import Trajectory

MOST_FRAMES = 20_000
BETWEEN = 6
"""Poses computed per frame, so that the paths of fast tips are round; fewer in long animations."""
MANY_POSES = 6000


@dataclass(frozen=True, slots=True, eq=False)
class Frames:
    """States at equal distances in time, F of them, and where every body and named frame of the arm is.

    `t` [s], `kinetic` and `potential` [J] are (F,), `q` is (F, n). `rate` frames are shown in a second. The poses of
    `names` in the world are `fine_poses` (K, B, 4, 4), one for each frame and some between frames.
    """

    rate: float
    t: Array
    q: Array
    kinetic: Array
    potential: Array
    names: tuple[str, ...]
    between: int
    fine_poses: Array

    def __len__(self) -> int:
        return len(self.t)

    @property
    def poses(self) -> Array:
        """Where everything is in each frame, (F, B, 4, 4)."""
        return self.fine_poses[:: self.between]


def frames_of(trajectory: Trajectory, fps: float, speed: float) -> Frames:
    """The whole run, both ends included, as `fps` frames per second at `speed` times real time.

    Raises InputError where that would be too many frames.
    """
    start, end = float(trajectory.t[0]), float(trajectory.t[-1])
    count = max(round((end - start) * fps / speed), 1) + 1 if end > start else 1
    if count > MOST_FRAMES:
        raise InputError(
            f"animate: {end - start:g} s at fps={fps:g} and speed={speed:g} are {count} frames; at most {MOST_FRAMES} "
            f"are drawn. Give speed={1.05 * speed * count / MOST_FRAMES:.2g} or more, or traj.between(t0, t1)."
        )
    between = min(max(MANY_POSES // count, 1), BETWEEN)
    fine = trajectory.resample(times=np.linspace(start, end, (count - 1) * between + 1))
    names = trajectory.arm.frames
    poses = np.empty((len(fine), len(names), 4, 4))
    for k, q in enumerate(fine.q):
        found = forward_kinematics(trajectory.arm, q)
        poses[k] = [found[name] for name in names]
    shown = fine.records[::between]
    return Frames(fps, shown.t, shown.q, shown.kinetic, shown.potential, names, between, poses)


NUDGES = (1e-3, -1e-3, 3e-4, -2e-3, 5e-3)
"""Small motions [rad or m] that show which body carries which point."""
LARGER = 1.25
"""Markers grow at most by this factor where the motion is much larger than the arm."""
STILL = 1e-9
"""A point that moves by less than this fraction of the arm's extent counts as fixed."""


@dataclass(frozen=True, slots=True, eq=False)
class Rig:
    """A scene and what carries each of its points.

    Point p is the mean of two points that ride on the frames `homes[p]`, at `local[p]` in their coordinates: (P, 2) and
    (P, 2, 3). Both are the same but for a slide that is shown in the middle of its rod. `axes` (J, 3) are the joints'
    axes in the frames `joint_homes`; `triad_homes` are the frames that the triads show.
    """

    scene: Scene
    homes: NDArray[np.intp]
    local: Array
    joint_homes: tuple[int, ...]
    axes: Array
    triad_homes: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """A rig in every frame of an animation: `points` (F, P, 3) and the joints' axes (F, J, 3) in the world [m]."""

    rig: Rig
    frames: Frames
    points: Array
    axes: Array

    def scene(self, k: int) -> Scene:
        """The scene to draw in frame k."""
        rig, poses = self.rig, self.frames.poses[k]
        points = (Vec3(*point) for point in self.points[k].tolist())
        old = rig.scene
        return replace(
            old,
            q=tuple(self.frames.q[k].tolist()),
            links=tuple(replace(link, points=tuple(next(points) for _ in link.points)) for link in old.links),
            joints=tuple(
                replace(joint, at=next(points), axis=Vec3(*axis))
                for joint, axis in zip(old.joints, self.axes[k].tolist(), strict=True)
            ),
            masses=tuple(replace(dot, at=next(points), origin=next(points)) for dot in old.masses),
            triads=tuple(
                replace(triad, origin=Vec3(*poses[home][:3, 3].tolist()), axes=_columns(poses[home]))
                for triad, home in zip(old.triads, rig.triad_homes, strict=True)
            ),
        )


def motion_of(arm: Arm, frames: Frames) -> Motion:
    """The arm's picture in every frame."""
    rig = rig_of(arm, frames)
    turned = frames.poses[:, rig.homes]  # (F, P, 2, 4, 4)
    ends = np.einsum("fpeij,pej->fpei", turned[..., :3, :3], rig.local) + turned[..., :3, 3]
    axes = np.einsum("fjab,jb->fja", frames.poses[:, list(rig.joint_homes), :3, :3], rig.axes)
    return Motion(rig, frames, ends.mean(axis=2), axes)


def rig_of(arm: Arm, frames: Frames) -> Rig:
    """Attaches the drawing of the first frame's pose, with every slide at its largest extension."""
    q = frames.q[0].copy()
    for k, is_angle in enumerate(Units.of(arm).is_angle):
        if not is_angle:
            q[k] = frames.q[np.abs(frames.q[:, k]).argmax(), k]
    mark = MARK * _shown_extent(posed(arm, q.tolist()).extent, frames)
    here, places = _scene(arm, q, mark), _places(arm, q, frames.names)
    for nudge in NUDGES:
        nudged = q + nudge * (1 + 0.37 * np.arange(arm.dof) % 1)
        there = _scene(arm, nudged, mark)
        if _shape(there) == _shape(here):
            break
    else:
        raise InputError(
            f"animate: the links of arm {arm.name!r} coincide in this pose and cannot be followed. "
            "Start the run from another pose."
        )
    points, moved = np.array(list(_points(here))), np.array(list(_points(there)))
    homes, local = _bound(points, moved, places, _places(arm, nudged, frames.names), STILL * mark / MARK)
    _bind_to_rods(here, points, homes, local)
    joint_homes = tuple(frames.names.index(body.name) for body in arm.bodies)
    world = np.array([tuple(map(float, joint.axis)) for joint in here.joints])
    axes = np.einsum("jba,jb->ja", places[list(joint_homes), :3, :3], world)
    triads = tuple(frames.names.index(triad.names[0]) for triad in here.triads)
    return Rig(here, homes, local, joint_homes, axes, triads)


def _shown_extent(extent: float, frames: Frames) -> float:
    """The length that scales the markers [m]: between the arm's own extent and that of its motion."""
    at = frames.poses[..., :3, 3].reshape(-1, 3)
    return min(math.sqrt(extent * float(np.linalg.norm(np.ptp(at, axis=0)))), LARGER * extent) or extent


def _scene(arm: Arm, q: Array, mark: float) -> Scene:
    values = q.tolist()
    links, joints = links_and_joints(posed(arm, values), arm.base, mark)
    return replace(scene_of(arm, values), links=links, joints=joints, mark=mark)


def _places(arm: Arm, q: Array, names: tuple[str, ...]) -> Array:
    poses = forward_kinematics(arm, q)
    return np.array([poses[name] for name in names])


def _points(scene: Scene) -> Iterator[tuple[float, ...]]:
    """Every point of a scene, in the order in which `Motion.scene` puts them back."""
    found = [point for link in scene.links for point in link.points]
    found += [joint.at for joint in scene.joints]
    found += [point for dot in scene.masses for point in (dot.at, dot.origin)]
    return (tuple(map(float, point)) for point in found)


def _shape(scene: Scene) -> list[Any]:
    """The same for scenes that differ only in where things are."""
    return [(link.body, link.is_rod, len(link.points)) for link in scene.links]


def _bound(
    points: Array, moved: Array, places: Array, moved_places: Array, still: float
) -> tuple[NDArray[np.intp], Array]:
    """For each point the frame in which it stays where it is, or else moves least, and where in it that is."""

    def seen_from(poses: Array, seen: Array) -> Array:
        return np.asarray(np.einsum("bji,bpj->bpi", poses[:, :3, :3], seen[None] - poses[:, None, :3, 3]))

    local = seen_from(places, points)
    shift = np.linalg.norm(local - seen_from(moved_places, moved), axis=2)
    homes = np.where(shift.min(axis=0) < still, (shift < still).argmax(axis=0), shift.argmin(axis=0))
    at = local[homes, np.arange(len(points))]
    return np.stack([homes, homes], axis=1), np.stack([at, at], axis=1)


def _bind_to_rods(scene: Scene, points: Array, homes: NDArray[np.intp], local: Array) -> None:
    """A slide that is shown in the middle of its rod rides on both ends of it."""
    ends: list[tuple[int, int]] = []
    first = 0
    for link in scene.links:
        if link.is_rod:
            ends.append((first, first + 1))
        first += len(link.points)
    for k in range(first, first + len(scene.joints)):
        for a, b in ends:
            if np.abs(points[k] - (points[a] + points[b]) / 2).max() < 1e-9 * scene.mark:
                homes[k] = homes[a, 0], homes[b, 0]
                local[k] = local[a, 0], local[b, 0]


def _columns(pose: Array) -> tuple[Vec3, Vec3, Vec3]:
    x, y, z = (Vec3(*column) for column in pose[:3, :3].T.tolist())
    return x, y, z
