"""A sheet of plots as plain data: what is drawn in which panel, in which colours and strokes.

`svg.py` writes it as an SVG file, which needs nothing; `figures.py` makes it a matplotlib figure, and with it a
PNG or a PDF. Colours and strokes are safe for colour-blind readers.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from leverarm.arrays import Array
from leverarm.atomic_write import atomic_write
from leverarm.errors import InputError, MissingExtraError, path_text
from leverarm.late_import import installed, late
from leverarm.pictures import palette
from leverarm.pictures.panels import rows_to_draw

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Stroke = Any
"""A stroke as matplotlib takes it: "--", or an offset and lengths of dashes and gaps in line widths."""

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", palette.INK)
"""Okabe and Ito, Color Universal Design (2008), without the yellow, which is hard to see on white."""
STROKES: tuple[Stroke, ...] = ("-", "--", ":", "-.")
"""Curves beyond the colours there are repeat them with another stroke."""
KINETIC, POTENTIAL, TOTAL = COLOURS[1], COLOURS[0], palette.INK
BOUND = "#b42318"
"""A limit that a curve should not cross."""

MANY_TURNS = 400
"""A curve with more turns than this fills an area of the panel."""
ENDINGS = (".png", ".svg", ".pdf")
REMEDY = "Run: pip install 'leverarm[plot]'; or write an .svg, which needs nothing."


def joint_style(k: int) -> tuple[str, Stroke]:
    """Colour and stroke of the curve of joint k."""
    return COLOURS[k % len(COLOURS)], STROKES[k // len(COLOURS) % len(STROKES)]


@dataclass(frozen=True, slots=True)
class Pen:
    """How a line looks; `width` in points. A label puts it into a legend."""

    colour: str
    stroke: Stroke = "-"
    width: float = 1.4
    opacity: float = 1.0
    label: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A line through points, with a dot at the first of them where `has_dot`."""

    x: Array
    y: Array
    pen: Pen
    has_dot: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Plot:
    """One panel: curves over the same axes. Without an `x_label` it stands on another one that has the numbers.

    `levels` and `uprights` are straight lines at a height and at a place, with their pens; `marks` are short lines at
    the lower edge. Ranges that are not given go by the curves.
    """

    title: str
    x_label: str
    y_label: str
    curves: tuple[Curve, ...]
    levels: tuple[tuple[float, Pen], ...] = ()
    uprights: tuple[tuple[float, Pen], ...] = ()
    marks: tuple[float, ...] = ()
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None
    is_log: bool = False

    @property
    def legend(self) -> list[Pen]:
        """The lines that are named beside the title."""
        pens = [*(curve.pen for curve in self.curves), *(pen for _, pen in self.levels)]
        return [pen for pen in pens if pen.label]


@dataclass(frozen=True, slots=True, eq=False)
class PlotSheet:
    """Plots in rows of cells; a cell is one plot, or several one above the other. A cell alone in a row is wide.

    `heights` are those of the rows, `size` the width and height of the sheet [in]; `legend` stands below all plots.
    """

    heading: str
    rows: tuple[tuple[tuple[Plot, ...], ...], ...]
    heights: tuple[float, ...]
    size: tuple[float, float]
    legend: tuple[Pen, ...] = ()

    @property
    def columns(self) -> int:
        return max(len(row) for row in self.rows)


def over_time(t: Array, values: Array, pen: Pen) -> Curve:
    """A curve over time, thinned where there are more rows than pixels; a dot where there is only one row.

    A curve with so many turns that it fills an area is drawn thin and translucent.
    """
    rows = rows_to_draw(values)
    turns = np.count_nonzero(np.diff(np.sign(np.diff(values[rows]))))
    if turns > MANY_TURNS:
        pen = Pen(pen.colour, pen.stroke, 0.6, 0.5, pen.label)
    return Curve(t[rows], values[rows], pen, has_dot=len(t) == 1)


def show(sheet: PlotSheet, path: Path | None) -> Figure | None:
    """The sheet as a matplotlib figure, also written where there is a path; see `plot_file`.

    An .svg is written without matplotlib too: where that is not installed there is no figure, and None is returned.
    Raises MissingExtraError for a figure, a .png or a .pdf without matplotlib.
    """
    is_svg = path is not None and path.suffix.lower() == ".svg"
    if path is not None and is_svg:
        atomic_write(late("pictures.svg:plots_to_svg")(sheet), path)
    try:
        installed("matplotlib", "plots need", REMEDY)
    except MissingExtraError:
        if is_svg:
            return None
        raise
    figure: Figure = late("pictures.figures:figure_of")(sheet)
    if path is not None and not is_svg:
        atomic_write(late("pictures.figures:file_bytes")(figure, path.suffix[1:].lower()), path)
    return figure


def plot_file(path: str | os.PathLike[str] | None) -> Path | None:
    """The file that a plot goes to. Raises InputError for a name that is not a .png, .svg or .pdf in a folder."""
    if path is None:
        return None
    target = Path(path_text(path, "run.png"))
    if target.suffix.lower() not in ENDINGS:
        raise InputError(
            f"{os.fspath(path)!r}: a plot is written as .png, .svg or .pdf. Give a name with such an ending."
        )
    if not target.parent.is_dir():
        raise InputError(f"{os.fspath(path)!r}: there is no folder {str(target.parent)!r}. Make it first.")
    return target
