"""An axis of a plot: its range, and round numbers along it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leverarm.notation.unicode_names import MINUS

Array = NDArray[Any]

MARGIN = 0.06
"""Free space beyond the values, as a part of their range."""
LARGEST_PLAIN = 6
"""Powers of ten that are written out."""


@dataclass(frozen=True, slots=True)
class Axis:
    """From `low` to `high`, with marks at round numbers."""

    low: float
    high: float
    ticks: tuple[float, ...]
    step: float

    def share(self, values: Array) -> Array:
        """Where values are along the axis: 0 at its low end, 1 at its high end."""
        return (np.asarray(values, dtype=np.float64) - self.low) / (self.high - self.low)

    def label(self, tick: float) -> str:
        """The number at a mark, with as many decimals as all marks of the axis need."""
        if not tick:
            return "0"
        power = math.floor(math.log10(self.step) + 1e-9)
        largest = max(abs(self.low), abs(self.high))
        if largest >= 10**LARGEST_PLAIN or power < -LARGEST_PLAIN + 2:
            return f"{tick:.{max(0, math.floor(math.log10(abs(tick)) + 1e-9) - power)}e}".replace("-", MINUS)
        return f"{tick:.{max(0, -power)}f}".replace("-", MINUS)


def axis_over(low: float, high: float, most: int = 5) -> Axis:
    """An axis that ends where the values do, with at most so many marks."""
    if not high > low:
        high = low + max(abs(low), 1.0) * 1e-3
    step = round_step((high - low) / most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return Axis(low, high, tuple(k * step for k in range(first, last + 1)), step)


def axis_around(*signals: Array, most: int = 5) -> Axis:
    """An axis with free space around all of these values, zero among them."""
    finite = [signal[np.isfinite(signal)] for signal in map(np.asarray, signals)]
    low = min((float(signal.min()) for signal in finite if signal.size), default=0.0)
    high = max((float(signal.max()) for signal in finite if signal.size), default=0.0)
    low, high = min(low, 0.0), max(high, 0.0)
    if low == high:
        low, high = -1.0, 1.0
    room = MARGIN * (high - low)
    return axis_over(low - room, high + room, most)


def round_step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, ... times a power of ten that is not below this."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))
