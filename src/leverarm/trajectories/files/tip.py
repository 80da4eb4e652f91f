"""Where the tool is, as columns for other programs: position [m] and unit quaternion, real part first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.model import Arm
from leverarm.trajectories.trajectory import tool_poses

ROWS_AT_ONCE = 2048
"""As many as the cache holds."""
TIP = {"tip.x": "m", "tip.y": "m", "tip.z": "m", "tip.qw": "1", "tip.qx": "1", "tip.qy": "1", "tip.qz": "1"}


def tip_columns(arm: Arm, q: Array) -> dict[str, Array]:
    """The columns tip.x ... tip.qz of the tool in the world, (N,) each."""
    seven = np.empty((len(TIP), len(q)))
    for start in range(0, len(q), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        poses = tool_poses(arm, q[rows])
        seven[:3, rows] = poses[:, :3, 3].T
        seven[3:, rows] = quaternions(poses[:, :3, :3]).T
    return dict(zip(TIP, seven, strict=True))


def quaternions(rotations: NDArray[np.float64]) -> Array:
    """(w, x, y, z) of each rotation matrix (N, 3, 3), with w >= 0.

    The four products 4 q_k q come from the matrix without cancellation; the one with the largest q_k is normalised
    (Shepperd 1978, Quaternion from rotation matrix, J. Guidance and Control 1(3)).
    """
    (a, b, c), (d, e, f), (g, h, i) = np.ascontiguousarray(np.moveaxis(rotations, 0, -1))
    products = np.array(
        [
            [1 + a + e + i, h - f, c - g, d - b],
            [h - f, 1 + a - e - i, b + d, c + g],
            [c - g, b + d, 1 - a + e - i, f + h],
            [d - b, c + g, f + h, 1 - a - e + i],
        ]
    )
    largest = np.argmax(products[range(4), range(4)], axis=0)
    picked = products[largest, :, np.arange(len(largest))]
    picked = picked / np.linalg.norm(picked, axis=1, keepdims=True)
    return np.asarray(np.where(picked[:, :1] < 0, -picked, picked))
