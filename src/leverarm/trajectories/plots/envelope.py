"""Thinning a long record for a picture: what is left looks the same, with every peak in it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

MOST_BUCKETS = 1500
"""More than the columns of pixels that a panel has."""


def rows_to_draw(*signals: Array, buckets: int = MOST_BUCKETS) -> Array:
    """The rows of a record that a picture of these signals needs, increasing: N of them where the record is short.

    The record is cut into buckets of equally many rows; of each, the rows where a signal is lowest and highest are
    kept, and of all the first and the last.
    """
    count = len(signals[0])
    width = -(-count // buckets)
    if width <= 2 * len(signals):
        return np.arange(count)
    whole = count - count % width
    starts = np.arange(0, whole, width)
    kept = [np.array([0, count - 1])]
    for signal in signals:
        blocks = signal[:whole].reshape(-1, width)
        kept += [starts + blocks.argmin(axis=1), starts + blocks.argmax(axis=1)]
        if whole < count:
            kept.append(whole + np.array([signal[whole:].argmin(), signal[whole:].argmax()]))
    return np.unique(np.concatenate(kept))
