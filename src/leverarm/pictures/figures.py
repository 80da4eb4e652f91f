"""A sheet of plots as a matplotlib figure, and as PNG and PDF. Imports matplotlib: loaded when a figure is asked for.

The figure needs no window and no pyplot, and a notebook shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D

from leverarm.pictures import palette
from leverarm.pictures.plot_sheet import Pen, Plot, PlotSheet

MOST_IN_LINE = 5
"""Names of curves that fit beside a panel's title."""


class SheetFigure(Figure):
    """A matplotlib figure that a notebook shows by itself, whether pyplot was imported or not."""

    def _repr_png_(self) -> bytes:
        return file_bytes(self, "png")


def file_bytes(figure: Figure, kind: str) -> bytes:
    """The bytes of a .png or .pdf file; the same figure gives the same file."""
    undated = {"CreationDate": None} if kind == "pdf" else None
    stream = BytesIO()
    figure.savefig(stream, format=kind, dpi=150, metadata=undated)
    return stream.getvalue()


def figure_of(sheet: PlotSheet) -> Figure:
    """The sheet as a figure that keeps its labels apart from each other."""
    layout = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.08)
    figure = SheetFigure(figsize=sheet.size, dpi=110, facecolor=palette.PAPER, layout=layout)
    FigureCanvasAgg(figure)
    grid = figure.add_gridspec(len(sheet.rows), sheet.columns, height_ratios=sheet.heights)
    for i, row in enumerate(sheet.rows):
        for k, cell in enumerate(row):
            _draw_cell(figure, grid[i, :] if len(row) == 1 else grid[i, k], cell)
    figure.suptitle(plain(sheet.heading), color=palette.INK, fontsize=13, fontweight="bold")
    if sheet.legend:
        handles = [Line2D([], [], label=plain(pen.label), **_line(pen)) for pen in sheet.legend]
        wide = max(len(pen.label) for pen in sheet.legend)
        columns = max(1, int(figure.get_figwidth() * 9 / (wide + 7)))
        figure.legend(
            handles=handles, loc="outside lower center", ncols=min(columns, len(handles)), frameon=False, fontsize=9
        )
    return figure


def plain(name: str) -> str:
    """A name as matplotlib shows it letter by letter: no mathematics between dollars, no hidden legend entry."""
    shown = name.replace("$", r"\$")
    return f" {shown}" if shown.startswith("_") else shown


def _draw_cell(figure: Figure, place: Any, cell: Sequence[Plot]) -> None:
    """Plots one above the other; those without numbers below share them with the last, also when a user zooms."""
    if len(cell) == 1:
        _draw(figure.add_subplot(place), cell[0])
        return
    stack, first = place.subgridspec(len(cell), 1), None
    for k, plot in enumerate(cell):
        axes = figure.add_subplot(stack[k], sharex=None if cell[0].x_label else first)
        _draw(axes, plot)
        first = first or axes


def _line(pen: Pen) -> dict[str, Any]:
    return {"color": pen.colour, "linestyle": pen.stroke, "linewidth": pen.width, "alpha": pen.opacity}


def _named(pen: Pen) -> dict[str, Any]:
    return _line(pen) | ({"label": plain(pen.label)} if pen.label else {})


def _draw(axes: Any, plot: Plot) -> None:
    """A panel in a quiet frame with a light grid."""
    axes.set_title(plot.title, loc="left", color=palette.INK, fontsize=11, fontweight="bold")
    axes.grid(True, color=palette.GROUND_LINE, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(palette.GROUND_EDGE)
    axes.tick_params(color=palette.GROUND_EDGE, labelcolor=palette.INK, labelbottom=bool(plot.x_label))
    if plot.is_log:
        axes.set_yscale("log")
    for curve in plot.curves:
        dot = {"marker": "o", "markersize": 4, "markevery": [0]} if curve.has_dot else {}
        axes.plot(curve.x, curve.y, **_named(curve.pen), **dot)
    for at, pen in plot.levels:
        axes.axhline(at, **_named(pen))
    for at, pen in plot.uprights:
        axes.axvline(at, zorder=1, **_line(pen))
    if plot.marks:
        axes.vlines(
            list(plot.marks), 0, 0.03, transform=axes.get_xaxis_transform(), colors=palette.SOFT_INK, linewidth=0.6
        )
    if plot.x_range is not None:
        axes.set_xlim(plot.x_range)
    if plot.y_range is not None:
        axes.set_ylim(plot.y_range)
    axes.set_xlabel(plot.x_label)
    axes.set_ylabel(plain(plot.y_label))
    if plot.legend:
        lines = -(-len(plot.legend) // MOST_IN_LINE)
        axes.legend(
            fontsize=8.5, ncols=-(-len(plot.legend) // lines), frameon=False, columnspacing=1.2, handlelength=1.6,
            loc="lower right", bbox_to_anchor=(1.01, 0.985), borderaxespad=0,
        )  # fmt: skip
