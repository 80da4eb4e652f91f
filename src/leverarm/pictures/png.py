"""A picture as PNG, drawn by matplotlib (the extra `plot`) from the same shapes as the SVG."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from leverarm.errors import MissingExtraError
from leverarm.pictures import palette
from leverarm.pictures.shapes import Disc, Group, Path, Picture, Role, Shape, Words

DPI = 200
UNITS_PER_INCH = 100
POINTS = 72 / UNITS_PER_INCH
"""Typographic points per page unit."""


def to_png(picture: Picture) -> bytes:
    """The bytes of a PNG file, two pixels per page unit. Raises MissingExtraError without matplotlib."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError(
            "PNG pictures need matplotlib, which is not installed. Run: pip install 'leverarm[plot]'; "
            "or write an .svg, which needs nothing."
        ) from None
    size = (picture.width / UNITS_PER_INCH, picture.height / UNITS_PER_INCH)
    figure = Figure(figsize=size, dpi=DPI, facecolor=palette.PAPER)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, picture.width)
    axes.set_ylim(picture.height, 0)
    axes.axis("off")
    for order, shape in enumerate(_flattened(picture.shapes)):
        axes.add_artist(_artist(shape, order))
    stream = BytesIO()
    figure.savefig(stream, format="png")
    return stream.getvalue()


def _flattened(shapes: tuple[Shape, ...]) -> list[Path | Disc | Words]:
    flat: list[Path | Disc | Words] = []
    for shape in shapes:
        flat.extend(shape.shapes if isinstance(shape, Group) else (shape,))
    return flat


def _artist(shape: Path | Disc | Words, order: int) -> Any:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle, Polygon

    match shape:
        case Path(fill=None):
            xs, ys = zip(*shape.points, strict=True)
            return Line2D(
                xs, ys, color=shape.stroke, linewidth=shape.width * POINTS, alpha=shape.opacity, zorder=order,
                solid_capstyle="round", solid_joinstyle="round",
            )  # fmt: skip
        case Path():
            return Polygon(
                shape.points, closed=True, facecolor=shape.fill, edgecolor=shape.stroke or "none",
                linewidth=shape.width * POINTS if shape.stroke else 0, joinstyle="round", zorder=order,
            )  # fmt: skip
        case Disc():
            return Circle(
                shape.centre, shape.radius, facecolor=shape.fill, edgecolor=shape.stroke or "none",
                linewidth=shape.width * POINTS if shape.stroke else 0, zorder=order,
            )  # fmt: skip
        case Words():
            return _text(shape, order)


def _text(words: Words, order: int) -> Any:
    from matplotlib.patheffects import withStroke
    from matplotlib.text import Text

    anchors = {"start": "left", "middle": "center", "end": "right"}
    text = Text(
        words.at[0], words.at[1], words.text, fontsize=words.size * POINTS * 0.92, color=words.colour, zorder=order,
        ha=anchors[words.anchor], va="center_baseline" if words.role is Role.TITLE else "center",
        fontweight="bold" if words.is_bold else "normal", parse_math=False,
    )  # fmt: skip
    if words.role is Role.LABEL:
        text.set_path_effects([withStroke(linewidth=0.28 * words.size * POINTS, foreground=palette.PAPER)])
    return text
