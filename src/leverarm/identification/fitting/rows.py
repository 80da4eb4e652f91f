"""Which samples of which joints are fitted, the blocks of time left out in turn, and undetermined parameters."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from leverarm.arrays import Array, BoolArray, IntArray
from leverarm.identification.fitting.weighted_fit import unit_columns
from leverarm.identification.modelling.modelled_arm import DriveModel
from leverarm.identification.motions import Motion

BLOCKS = 10
"""Blocks of time, each predicted from the others."""
STILL = 1e-4
"""Slower than this [rad/s or m/s] is rounding: a joint that never moves has an empty dead zone."""
PASSING = 0.25
"""A joint slower than its dead zone for longer than this [s] rests; for less it reverses."""


def resting(motion: Motion, dead_zone: Array) -> BoolArray:
    """Whether each joint rests (k, n): inside its dead zone for long. Its friction is then whatever holds it."""
    slow = np.abs(motion.qd) <= np.maximum(dead_zone, STILL)
    rests = np.zeros_like(slow)
    breaks = np.flatnonzero(np.diff(motion.piece)) + 1
    for j in range(slow.shape[1]):
        edges = np.unique(np.concatenate([[0], np.flatnonzero(np.diff(slow[:, j])) + 1, breaks, [len(slow)]]))
        for start, stop in pairwise(edges):
            if slow[start, j] and stop - start > PASSING * motion.rate:
                rests[start:stop, j] = True
    return rests


def blocks_of(motion: Motion, count: int = BLOCKS) -> IntArray:
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


@dataclass(frozen=True, slots=True)
class Samples:
    """A motion, each joint's dead zone (n,), whether it rests (k, n), and the block of time of each sample (k,)."""

    motion: Motion
    zone: Array
    rests: BoolArray
    block: IntArray

    @staticmethod
    def of(motion: Motion, zone: Array) -> Samples:
        return Samples(motion, zone, resting(motion, zone), blocks_of(motion))

    def fitted(self, drives: DriveModel) -> BoolArray:
        """The samples that are fitted: joints that move, and reversals where their friction is smooth enough."""
        each = zip(drives.joints, self.zone, strict=True)
        smooth = np.array([model.smoothing is not None and model.smoothing >= zone for model, zone in each])
        return np.asarray(~self.rests & (smooth | (np.abs(self.motion.qd) > self.zone)))


NOTHING = 1e-10
"""Of the largest singular value: a combination of columns below it changes no torque."""
PART = 1e-6
"""Of such a combination: a parameter with a smaller part in it is determined by the data."""


def left_open(W: Array, roots: Array, singular: Array) -> BoolArray:
    """Whether each of the columns W (k, n, b), weighted by `roots`^2 (k, n), is part of a combination without effect.

    `singular` are the singular values of the weighted columns at unit length. Least squares gives such parameters
    the smallest possible values without uncertainty; they mean nothing.
    """
    b = W.shape[2]
    if singular[-1] > NOTHING * singular[0]:
        return np.zeros(b, dtype=bool)
    R = np.linalg.qr(unit_columns((W * roots[:, :, None]).reshape(-1, b))[0], mode="r")
    _, sizes, Vt = np.linalg.svd(R)
    without_effect = np.concatenate([Vt[: len(sizes)][sizes <= NOTHING * sizes[0]], Vt[len(sizes) :]])
    return np.asarray(np.abs(without_effect).max(axis=0, initial=0.0) > PART)
