"""How high the arm's frames are, for motions that must stay above a floor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.evaluate.arrays import over_floats
from leverarm.model import WORLD, Arm
from leverarm.trajectories.torques import compiled

if TYPE_CHECKING:
    from leverarm.runtime.compiled import CompiledArm

LINEAR = slice(3, 6)
"""The rows of a Jacobian that are the velocity of a frame's origin."""
STILL = 1e-9
"""A frame that rises less than this [m per rad] at random positions does not rise."""


@dataclass(frozen=True, slots=True, eq=False)
class Heights:
    """The frames of an arm that go up and down: the heights of their origins [m], and how they change with q.

    Up is against gravity, or along z where there is none; the world's origin has height zero. Where the origins of two
    neighbouring frames are above a plane, so is the straight line between them.
    """

    fast: CompiledArm
    up: Array
    frames: tuple[str, ...]

    @staticmethod
    def of(arm: Arm) -> Heights:
        """Raises InputError for an arm of which nothing goes up and down."""
        mechanism = over_floats(arm)
        gravity = np.array(tuple(mechanism.gravity), dtype=np.float64)
        up = -gravity / np.linalg.norm(gravity) if gravity.any() else np.array([0.0, 0.0, 1.0])
        carried = tuple(name for name, at in mechanism.attachments.items() if at.link != WORLD)
        all_frames = Heights(compiled(arm), up, carried)
        q = np.random.default_rng(0).uniform(-1, 1, (8, arm.dof))
        rises = np.abs(all_frames.slopes(q)).max(axis=(0, 2)) > STILL
        if not rises.any():
            raise InputError(f"floor: no frame of arm {arm.name!r} goes up and down. Leave the floor out.")
        return Heights(all_frames.fast, up, tuple(f for f, does in zip(carried, rises, strict=True) if does))

    def at(self, q: Array) -> Array:
        """The height of each frame [m], (N, F)."""
        return np.stack([self.fast.pose(q, frame=frame)[:, :3, 3] @ self.up for frame in self.frames], axis=1)

    def slopes(self, q: Array) -> Array:
        """How heights change with q [m/rad], (N, F, n)."""
        moving = [self.fast.jacobian(q, frame=frame)[:, LINEAR] for frame in self.frames]
        return np.stack([np.einsum("c,kcn->kn", self.up, J) for J in moving], axis=1)
