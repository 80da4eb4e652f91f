"""Which samples of which joints are fitted, and the blocks of time that are left out in turn."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.identification.modelling.drives import DriveModel
from leverarm.identification.motion import Motion

Mask = NDArray[np.bool_]

BLOCKS = 10
"""Stretches of time that take turns at being predicted by the others."""
STILL = 1e-4
"""Slower than this [rad/s or m/s] is rounding: a joint that never moves has a dead zone of no size."""
PASSING = 0.25
"""A joint slower than its dead zone for longer than this [s] rests; for shorter it turns round."""


def resting(motion: Motion, dead_zone: Array) -> Mask:
    """Whether each joint rests (k, n): inside its dead zone for long. Its friction is then anything that holds it."""
    slow = np.abs(motion.qd) <= np.maximum(dead_zone, STILL)
    rests = np.zeros_like(slow)
    breaks = np.flatnonzero(np.diff(motion.piece)) + 1
    for j in range(slow.shape[1]):
        edges = np.unique(np.concatenate([[0], np.flatnonzero(np.diff(slow[:, j])) + 1, breaks, [len(slow)]]))
        for start, stop in pairwise(edges):
            if slow[start, j] and stop - start > PASSING * motion.rate:
                rests[start:stop, j] = True
    return rests


def blocks_of(motion: Motion, count: int = BLOCKS) -> NDArray[np.int64]:
    """The block (k,) of each sample: stretches of equal length that do not reach over the end of a piece."""
    lengths = np.bincount(motion.piece)
    shares = np.maximum(1, np.round(lengths / lengths.sum() * count).astype(int))
    block = np.empty(len(motion), dtype=np.int64)
    first = 0
    for piece, share in enumerate(shares):
        inside = motion.piece == piece
        size = int(inside.sum())
        block[inside] = first + np.arange(size) * share // max(1, size)
        first += int(share)
    return block


def fitted_samples(motion: Motion, zone: Array, rests: Mask, drives: DriveModel) -> Mask:
    """The samples that are fitted: joints that move, and turn round where their friction is smooth enough."""
    smooth = np.array([m.smoothing is not None and m.smoothing >= z for m, z in zip(drives.joints, zone, strict=True)])
    used: Mask = ~rests & (smooth | (np.abs(motion.qd) > zone))
    return used
