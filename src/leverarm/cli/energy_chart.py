"""The energies of a run over time, drawn in characters."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import leverarm as la
from leverarm.draw.terminal import BITS, DOTS_ACROSS, DOTS_DOWN

if TYPE_CHECKING:
    from rich.text import Text

ROWS = 12
WIDEST, NARROWEST = 80, 32
"""Columns of the whole chart."""
LOOKS = 8
"""Looks at a curve per column of dots, so that fast swings fill the column they happen in."""

STYLES = {"K": "yellow", "P": "bright_blue", "E": "green"}
NAMED_AT = {"K": (0.16, 0.58), "P": (0.30, 0.72), "E": (0.44, 0.86)}
"""Where along the time each curve is interrupted by its letter, so that they can be told apart without colours."""
DOTTED = {"K": 1, "P": 1, "E": 6}
"""Every how many columns of dots a curve has one: the total is often level, and a row of dots is enough."""

Cell = tuple[int, int]
"""Row and column of a character."""


def energy_chart(energy: la.EnergyLedger, columns: int) -> Text:
    """K, P and K + P [J] over time [s], one line of text per row, no wider than the columns; P is 0 at the start."""
    first = float(energy.potential[0])
    curves = {"K": energy.kinetic, "P": energy.potential - first, "E": energy.total - first}
    low, high = _range([float(end) for curve in curves.values() for end in (curve.min(), curve.max())])
    labels = {_row(y, low, high): f"{y:.10g}" for y in _ticks(low, high, _nice((high - low) / 4))}
    margin = max(map(len, labels.values())) + 1
    width = max(min(columns, WIDEST), NARROWEST) - margin - 4
    cells = _drawn(curves, energy.t, width, low, high)
    ends = _ends({letter: _row(float(curve[-1]), low, high) for letter, curve in curves.items()})
    text = _legend(first)
    for row in range(ROWS):
        text.append(labels.get(row, "").rjust(margin - 1))
        text.append(" ┤" if row in labels else " │", "bright_black")
        for column in range(width):
            text.append(*cells.get((row, column), (" ", "")))
        if row in ends:
            text.append(f" {ends[row]}", f"bold {STYLES[ends[row]]}")
        text.append("\n")
    return text.append(_time_axis(float(energy.t[0]), float(energy.t[-1]), margin, width))


def _legend(first: float) -> Text:
    from rich.text import Text

    text = Text(no_wrap=True).append("energy [J]", "bold")
    start = f" less {first:.6g}" if first else ""
    for letter, meaning in (("K", "kinetic"), ("P", f"potential{start}"), ("E", "total")):
        text.append(f"   {letter}", f"bold {STYLES[letter]}").append(f" {meaning}")
    return text.append("\n")


def _drawn(curves: dict[str, Any], t: Any, width: int, low: float, high: float) -> dict[Cell, tuple[str, str]]:
    """The characters that are not blank, each with its style; where curves meet, the first one gives the colour."""
    import numpy as np

    dots: dict[Cell, int] = {}
    styles: dict[Cell, str] = {}
    letters: dict[Cell, tuple[str, str]] = {}
    across = width * DOTS_ACROSS
    times = np.linspace(t[0], t[-1], across * LOOKS + 1)
    for letter, curve in curves.items():
        down = ((high - np.interp(times, t, curve)) / (high - low) * (ROWS * DOTS_DOWN - 1)).round().astype(int)
        for x in range(0, across, DOTTED[letter]):
            part = down[x * LOOKS : (x + 1) * LOOKS + 1]
            for y in range(int(part.min()), int(part.max()) + 1):
                cell = y // DOTS_DOWN, x // DOTS_ACROSS
                dots[cell] = dots.get(cell, 0) | BITS[y % DOTS_DOWN][x % DOTS_ACROSS]
                styles.setdefault(cell, STYLES[letter])
        for place in NAMED_AT[letter]:
            x = int(place * across)
            letters[int(down[x * LOOKS]) // DOTS_DOWN, x // DOTS_ACROSS] = (letter, f"bold {STYLES[letter]}")
    return {cell: (chr(0x2800 + bits), styles[cell]) for cell, bits in dots.items()} | letters


def _range(values: list[float]) -> tuple[float, float]:
    """From the least to the greatest; something around them where they are the same."""
    low, high = min(values), max(values)
    around = max(abs(low), abs(high))
    if high - low <= 1e-9 * around or high == low:
        return low - (around or 1.0), high + (around or 1.0)
    return low, high


def _nice(step: float) -> float:
    """1, 2 or 5 times a power of ten, at least as much."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(k * power for k in (1, 2, 5, 10) if k * power >= step * (1 - 1e-9))


def _ticks(low: float, high: float, step: float) -> list[float]:
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [k * step for k in range(first, last + 1)]


def _row(y: float, low: float, high: float) -> int:
    """The row of characters in which a value lies, the highest first."""
    return min(ROWS - 1, max(0, round((high - y) / (high - low) * (ROWS * DOTS_DOWN - 1)) // DOTS_DOWN))


def _ends(rows: dict[str, int]) -> dict[int, str]:
    """Letters by row, each at the end of its curve or as near as another letter lets it."""
    placed: dict[int, str] = {}
    for letter, row in rows.items():
        free = [k for k in range(ROWS) if k not in placed]
        placed[min(free, key=lambda k: abs(k - row))] = letter
    return placed


def _time_axis(begin: float, end: float, margin: int, width: int) -> Text:
    """The axis below, with times under their places."""
    from rich.text import Text

    span = end - begin or 1.0
    marks = {round((t - begin) / span * (width - 1)): f"{t:.10g}" for t in _ticks(begin, end, _nice(span / 6))}
    line = "".join("┬" if k in marks else "─" for k in range(width))
    words = [" "] * (width + 3)
    free = 0
    for place, label in marks.items():
        at = max(0, min(place - len(label) // 2, width - len(label)))
        if at >= free:
            words[at : at + len(label)] = label
            free = at + len(label) + 1
    end_label = "".join(words[:width]).rstrip()
    text = Text(" " * margin + "└" + line + "\n", style="bright_black", no_wrap=True)
    return text.append(" " * (margin + 1) + f"{end_label} s", "default")
