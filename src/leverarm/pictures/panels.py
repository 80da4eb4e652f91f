"""The panel kit: axes with round numbers, and curves, dots and rules as SVG paths in the plane of two axes.

Sheets of plots are drawn with it (`svg.py`), in files and in reports; style sheets give the colours. Long signals are
thinned without losing a peak.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array

Integers = NDArray[np.int64]

MINUS = "−"
POWERS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
MARGIN = 0.06
"""Free space beyond the values, as a part of their range."""
LARGEST_PLAIN = 6
"""Powers of ten that are written out."""
MOST_BUCKETS = 1500
"""Columns of a panel in which the lowest and highest value are kept: more than the pixels that it has."""


@dataclass(frozen=True, slots=True)
class Axis:
    """From `low` to `high`, with ticks at round numbers."""

    low: float
    high: float
    ticks: tuple[float, ...]
    step: float
    is_log: bool = False

    def share(self, values: Any) -> Array:
        """Where values are along the axis: 0 at its low end, 1 at its high end."""
        at, low, high = np.asarray(values, dtype=np.float64), self.low, self.high
        if self.is_log:
            at, low, high = np.log10(at), math.log10(low), math.log10(high)
        return np.asarray((at - low) / (high - low))

    def inside(self, values: Sequence[float]) -> list[float]:
        return [value for value in values if self.low <= value <= self.high]

    def label(self, tick: float) -> str:
        """The number at a tick, with as many decimals as all ticks of the axis need."""
        if not tick:
            return "0"
        if self.is_log:
            return "10" + str(round(math.log10(tick))).translate(POWERS)
        power = math.floor(math.log10(self.step) + 1e-9)
        largest = max(abs(self.low), abs(self.high))
        if largest >= 10**LARGEST_PLAIN or power < -LARGEST_PLAIN + 2:
            return f"{tick:.{max(0, math.floor(math.log10(abs(tick)) + 1e-9) - power)}e}".replace("-", MINUS)
        return f"{tick:.{max(0, -power)}f}".replace("-", MINUS)


def axis_over(low: float, high: float, most: int = 5) -> Axis:
    """An axis that ends where the values do, with at most so many ticks."""
    if not high > low:
        high = low + max(abs(low), 1.0) * 1e-3
    step = round_step((high - low) / most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return Axis(low, high, tuple(k * step for k in range(first, last + 1)), step)


def axis_around(*signals: Array, most: int = 5) -> Axis:
    """An axis with free space around all of these values; around zero where there are none."""
    finite = [signal[np.isfinite(signal)] for signal in map(np.asarray, signals)]
    ends = [end for signal in finite if signal.size for end in (float(signal.min()), float(signal.max()))]
    ends = ends or [0.0]
    low, high = min(ends), max(ends)
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        half = MARGIN * abs(high) or 1.0
        low, high = low - half, high + half
    room = MARGIN * (high - low)
    return axis_over(low - room, high + room, most)


def log_axis(low: float, high: float, most: int = 8) -> Axis:
    """A logarithmic axis with ticks at powers of ten."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    step = max(1, -(-(last - first) // most))
    return Axis(low, high, tuple(10.0**k for k in range(first, last + 1) if k % step == 0), step, is_log=True)


def round_step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, ... times a power of ten that is not below this."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))


def rows_to_draw(*signals: Array, buckets: int = MOST_BUCKETS) -> NDArray[np.intp]:
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


@dataclass(frozen=True, slots=True)
class Panel:
    """The plane of two axes in units of a drawing. What is drawn in it are SVG paths, each of a CSS class `kind`."""

    x: Axis
    y: Axis
    width: int
    height: int

    def line(self, at: Array, values: Array, kind: str) -> str:
        """A line through all of these points."""
        return f'<path class="{kind}" d="{_path(*self._places(at, values))}"/>'

    def dots(self, at: Array, values: Array, kind: str) -> str:
        """A round mark at each value: a line of no length, whose round ends do not stretch."""
        across, down = self._places(at, values)
        marks = "".join(f"M{a} {b}h0" for a, b in zip(across.tolist(), down.tolist(), strict=True))
        return f'<path class="{kind}" d="{marks}"/>'

    def level_lines(self, values: Sequence[float], kind: str) -> str:
        """Lines from edge to edge at these heights, where they are inside."""
        down = np.rint((1 - self.y.share(self.y.inside(values))) * self.height).astype(np.int64).tolist()
        return f'<path class="{kind}" d="{"".join(f"M0 {b}h{self.width}" for b in down)}"/>' if down else ""

    def upright_lines(self, values: Sequence[float], kind: str, part: float = 1.0) -> str:
        """Lines from the bottom to the top, or up to a part of the height, at these places, where they are inside."""
        across = np.rint(self.x.share(self.x.inside(values)) * self.width).astype(np.int64).tolist()
        length = round(part * self.height)
        drawn = "".join(f"M{a} {self.height - length}v{length}" for a in across)
        return f'<path class="{kind}" d="{drawn}"/>' if across else ""

    def _places(self, at: Array, values: Array) -> tuple[Integers, Integers]:
        """In the units of the drawing, rounded: half a pixel or less."""
        across, down = self.x.share(at) * self.width, (1 - self.y.share(values)) * self.height
        return np.rint(across).astype(np.int64), np.rint(down).astype(np.int64)


def _path(across: Integers, down: Integers) -> str:
    """The path through points, each by its distance from the one before: a third of the characters."""
    steps = np.stack((np.diff(across), np.diff(down)), axis=1)
    steps = steps[steps.any(axis=1)]
    text = " ".join(map(str, steps.ravel().tolist())).replace(" -", "-")
    return f"M{across[0]} {down[0]}" + (f"l{text}" if text else "h0")
