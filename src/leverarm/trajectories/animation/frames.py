"""The moments of a run that an animation shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.evaluate import forward_kinematics

if TYPE_CHECKING:
    from leverarm.trajectories.trajectory import Trajectory

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
    """The whole run, first and last moment included, as `fps` pictures a second of what is shown `speed` times as fast.

    Raises InputError where that would be more frames than anyone would wait for.
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
