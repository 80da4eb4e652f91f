"""What a filter does to torques that jump: friction at a turn, seen through the filter that smooths the torques."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from leverarm.arrays import Array
from leverarm.identification.motion import Motion
from leverarm.identification.motions.local_polynomial import LocalPolynomial, smoothed
from leverarm.identification.motions.smooth_motion import Filtering, smooth_motion
from leverarm.logs.log import Log


@dataclass(frozen=True, slots=True)
class EverySample:
    """The motions of logs at every sample, and the filterings by which some of them are kept."""

    motions: tuple[Motion, ...]
    filterings: tuple[Filtering, ...]

    @staticmethod
    def of(logs: Sequence[Log], filterings: Sequence[Filtering]) -> EverySample:
        motions = [smooth_motion(log, replace(each, stride=1)) for log, each in zip(logs, filterings, strict=True)]
        return EverySample(tuple(motions), tuple(filterings))

    def spread(self, made: Callable[[Motion], Array]) -> Array:
        """Torques (k, ...) made of the motion, filtered like measured ones, minus themselves, at the samples kept.

        A smooth torque passes the filter as it is. Coulomb friction jumps where a joint turns round, and the filter
        spreads the jump over its window: to compare it with filtered torques it has to go through the same filter, at
        every sample of the log.
        """
        parts = []
        for motion, filtering in zip(self.motions, self.filterings, strict=True):
            torques = made(motion)
            pieces = (torques[motion.piece == piece] for piece in range(int(motion.piece[-1]) + 1))
            parts += [_spread(each, filtering.filter, filtering.stride) for each in pieces]
        return np.concatenate(parts)


def _spread(torques: Array, filter_: LocalPolynomial, stride: int) -> Array:
    flat = torques.reshape(len(torques), -1)
    spread = np.zeros((-(-len(flat) // stride), flat.shape[1]))
    changing = np.flatnonzero(np.ptp(flat, axis=0) > 0)
    if len(changing) and not filter_.keeps_samples:
        # Before the first and after the last sample the torque is taken to stay.
        padded = np.pad(flat[:, changing], ((filter_.half, filter_.half), (0, 0)), mode="edge")
        spread[:, changing] = smoothed(filter_, padded, stride) - flat[::stride, changing]
    return spread.reshape(-1, *torques.shape[1:])
