"""A figure that needs no window and no pyplot. Imports matplotlib: load this file when a plot is asked for."""

from __future__ import annotations

from io import BytesIO

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from leverarm.pictures import palette


class SheetFigure(Figure):
    """A matplotlib figure that a notebook shows by itself, whether pyplot was imported or not."""

    def _repr_png_(self) -> bytes:
        return picture(self, "png")


def blank(width: float, height: float) -> Figure:
    """A sheet of this size [in] that keeps its labels apart from each other."""
    layout = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.08)
    figure = SheetFigure(figsize=(width, height), dpi=110, facecolor=palette.PAPER, layout=layout)
    FigureCanvasAgg(figure)
    return figure


def picture(figure: Figure, kind: str) -> bytes:
    """The bytes of a .png, .svg or .pdf file; the same figure gives the same PNG and PDF."""
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    stream = BytesIO()
    figure.savefig(stream, format=kind, dpi=150, metadata=undated.get(kind))
    return stream.getvalue()
