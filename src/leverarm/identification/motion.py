"""What the joints did and which torques were measured, at the instants that are fitted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array


@dataclass(frozen=True, slots=True)
class Motion:
    """Smooth motion and torques: t (k,), the rest (k, n), in SI units on the joints' side.

    `tau` is smoothed like the motion, `raw` is as it was measured. `piece` numbers the unbroken stretches, in which
    samples are 1/rate apart. `rows` says which row of the log a sample is.
    """

    t: Array
    q: Array
    qd: Array
    qdd: Array
    tau: Array
    raw: Array
    piece: NDArray[np.int64]
    rows: NDArray[np.int64]
    rate: float

    def __len__(self) -> int:
        return len(self.t)


def joined(motions: list[Motion]) -> Motion:
    """Several motions one after the other, their pieces numbered through."""
    counts = np.cumsum([0, *(int(m.piece[-1]) + 1 for m in motions)])
    pieces = np.concatenate([m.piece + before for m, before in zip(motions, counts[:-1], strict=True)])
    t, q, qd, qdd, tau, raw = (
        np.concatenate([getattr(m, name) for m in motions]) for name in ("t", "q", "qd", "qdd", "tau", "raw")
    )
    return Motion(t, q, qd, qdd, tau, raw, pieces, np.concatenate([m.rows for m in motions]), motions[0].rate)
