"""One panel of a plot: a drawing in SVG that stretches with the page, and numbers in HTML around it that do not.

The drawing has its own units, WIDTH x HEIGHT, stretched to the space there is. Strokes keep their thickness and text
its size at every width, so that the same panel is read on a telephone, on a wide screen and on paper.

An axis of a plot: its range, and round numbers along it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leverarm.notation.unicode_names import MINUS
from leverarm.simulation.trajectories.plots.joint_panels import rows_to_draw

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


WIDTH, HEIGHT = 1400, 600
PIXEL = 3
"""Units of the width that are about one pixel."""
BUCKETS = 560
"""Columns of a panel in which the lowest and highest value are kept: about its pixels."""


def curve(x: Axis, y: Axis, at: Array, values: Array, kind: str, piece: Array | None = None) -> str:
    """A line through values, thinned without losing a peak, broken where `piece` changes."""
    good = np.isfinite(values)
    if not good.all():
        at, values, piece = at[good], values[good], None if piece is None else piece[good]
    if not len(at):
        return ""
    rows = rows_to_draw(values, buckets=BUCKETS)
    part = np.zeros(len(rows), dtype=np.int64) if piece is None else piece[rows]
    return f'<path class="{kind}" d="{_line(*_places(x, y, at[rows], values[rows]), part)}"/>'


def dots(x: Axis, y: Axis, at: Array, values: Array, kind: str) -> str:
    """A round mark at each value: a line of no length, whose round ends do not stretch."""
    across, down = _places(x, y, at, values)
    marks = "".join(f"M{a} {b}h0" for a, b in zip(across.tolist(), down.tolist(), strict=True))
    return f'<path class="{kind}" d="{marks}"/>'


def bars(x: Axis, y: Axis, at: Array, low: Array, high: Array, kind: str) -> str:
    """Upright lines from `low` to `high`."""
    across, bottom = _places(x, y, at, np.maximum(low, y.low))
    _, top = _places(x, y, at, np.minimum(high, y.high))
    ends = zip(across.tolist(), bottom.tolist(), top.tolist(), strict=True)
    return f'<path class="{kind}" d="{"".join(f"M{a} {b}V{c}" for a, b, c in ends)}"/>'


def strip(x: Axis, at: Array, chosen: Array, kind: str) -> str:
    """A strip along the lower edge where rows are chosen; stretches nearer than a pixel are one."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], chosen, [False])).astype(np.int8)))
    begins = np.rint(x.share(at[edges[::2]]) * WIDTH).astype(np.int64)
    ends = np.rint(x.share(at[edges[1::2] - 1]) * WIDTH).astype(np.int64)
    if not len(begins):
        return ""
    is_apart = begins[1:] - ends[:-1] > PIXEL
    begins, ends = begins[np.concatenate(([True], is_apart))], ends[np.concatenate((is_apart, [True]))]
    runs = zip(begins.tolist(), np.maximum(ends, begins + 1).tolist(), strict=True)
    return f'<path class="{kind}" d="{"".join(f"M{a} {HEIGHT}H{b}" for a, b in runs)}"/>'


def level_lines(y: Axis, values: Sequence[float], kind: str) -> str:
    """Lines from edge to edge at these heights, where they are inside."""
    inside = [value for value in values if y.low <= value <= y.high]
    down = [round((1 - float(y.share(np.array(value)))) * HEIGHT) for value in inside]
    return f'<path class="{kind}" d="{"".join(f"M0 {b}h{WIDTH}" for b in down)}"/>' if down else ""


def upright_lines(x: Axis, values: Sequence[float], kind: str) -> str:
    """Lines from top to bottom at these places, where they are inside."""
    inside = [value for value in values if x.low <= value <= x.high]
    across = [round(float(x.share(np.array(value))) * WIDTH) for value in inside]
    return f'<path class="{kind}" d="{"".join(f"M{a} 0v{HEIGHT}" for a in across)}"/>' if across else ""


def panel(x: Axis, y: Axis, drawn: Sequence[str], *, over: str, under: str, title: str, kind: str) -> str:
    """A panel with its grid and its numbers. `over` and `under` say what goes up and across, with units.

    Without words under it a panel has no numbers there: it stands on another one. `title` is what a screen reader says.
    """
    marks = level_lines(y, y.ticks, "rule") + upright_lines(x, x.ticks, "rule") + level_lines(y, (0.0,), "zero")
    left = "".join(
        f'<span class="y" style="top:{100 * (1 - float(y.share(np.array(tick)))):.4g}%">{y.label(tick)}</span>'
        for tick in y.ticks
    )
    below = "".join(
        f'<span class="x" style="left:{100 * float(x.share(np.array(tick))):.4g}%">{x.label(tick)}</span>'
        for tick in x.ticks
    )
    return (
        f'<div class="over">{escape(over)}</div><div class="panel {kind}">'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img"><title>{escape(title)}</title>'
        f"{marks}{''.join(drawn)}</svg>"
        f'<div aria-hidden="true">{left}{below if under else ""}</div></div>'
        + (f'<div class="under">{escape(under)}</div>' if under else "")
    )


def _places(x: Axis, y: Axis, at: Array, values: Array) -> tuple[Array, Array]:
    """In the units of the drawing, rounded: half a pixel or less."""
    across, down = x.share(at) * WIDTH, (1 - y.share(values)) * HEIGHT
    return np.rint(across).astype(np.int64), np.rint(down).astype(np.int64)


def _line(across: Array, down: Array, part: Array) -> str:
    """The path through points, each told by its distance from the one before: a third of the characters."""
    starts = np.concatenate(([0], np.flatnonzero(np.diff(part)) + 1, [len(part)]))
    steps = np.stack((np.diff(across, prepend=0), np.diff(down, prepend=0)), axis=1)
    pieces = []
    for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        inner = steps[begin + 1 : end]
        inner = inner[inner.any(axis=1)]
        text = " ".join(map(str, inner.ravel().tolist())).replace(" -", "-")
        pieces.append(f"M{across[begin]} {down[begin]}" + (f"l{text}" if text else "h0"))
    return "".join(pieces)
