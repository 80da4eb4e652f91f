"""How large a link's variables can be, whatever the pose: what an error of a form at a link comes to at the base.

Turns change no length, so the lengths of the parts of a motion are enough: they go from the base to the tips, and a
shift adds its own length times an angular velocity's.
"""

from __future__ import annotations

import numpy as np

from leverarm.verify.enclosures.rigid_chain import Array

ROUNDED_UP = 1 + 1e-9


def lengths(X: Array, rows: list[int], columns: list[int]) -> Array:
    """The spectral norms of the blocks of a matrix: the lengths of the parts of X v, at most, by those of v."""
    found = np.zeros((len(rows), len(columns)))
    for i, band in enumerate(np.split(X, np.cumsum(rows)[:-1])):
        for j, block in enumerate(np.split(band, np.cumsum(columns)[:-1], axis=1)):
            if block.any():
                found[i, j] = np.linalg.norm(block, 2) * ROUNDED_UP
    return found
