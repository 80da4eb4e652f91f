"""Drawings and sheets of plots as SVG text, written without a dependency.

In a drawing every joint is a group that carries its name. In a sheet of plots text stays text, and a style sheet at its
head has every colour and stroke.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr
from zlib import crc32

import numpy as np

from leverarm.arrays import Array
from leverarm.pictures import palette
from leverarm.pictures.panels import Axis, Panel, axis_around, axis_over, log_axis
from leverarm.pictures.plot_sheet import BOUND, COLOURS, Pen, Plot, PlotSheet
from leverarm.pictures.shapes import Anchor, Disc, Group, Page, Path, Picture, Point, Role, Shape, TextLine

PAGE = Page(
    width=760, least_height=400, greatest_height=640, margin=34, side_margin=80,
    letter_width=7.0, letter_height=14, headroom=64,
)  # fmt: skip
FONT = "Inter, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"

PER_INCH = 96
POINT = PER_INCH / 72
"""A typographic point in units of the drawing."""
FINER = 4
"""Steps of a curve's points per unit."""
LETTER = 0.56
"""Width of a letter in letter heights, roughly."""
LEFT, RIGHT, TOP, BOTTOM = 72, 16, 30, 42
"""Room around a panel for its numbers and labels."""
NARROW = 14
"""The same where there are none."""
HEADING, LEGEND_LINE, KEY_LINE = 40, 24, 15
DASHES = {"--": (3.7, 1.6), ":": (1.0, 1.65), "-.": (6.4, 1.6, 1.0, 1.6)}
"""Dashes and gaps in line widths, as matplotlib has them."""
GRID = Pen(palette.GROUND_LINE, width=0.7)
MARKS = Pen(palette.SOFT_INK, width=0.6)
FRAME = Pen(palette.GROUND_EDGE, width=0.8)
PAGE_COLOURS = {
    palette.INK: "--ink", palette.SOFT_INK: "--soft", palette.GROUND_EDGE: "--soft", palette.GROUND_LINE: "--faint",
    COLOURS[0]: "--blue", COLOURS[1]: "--orange", COLOURS[2]: "--green", BOUND: "--bad",
}  # fmt: skip
"""What the style sheet of a page calls these colours, which it changes where the page is dark."""
_COLOUR = re.compile(f'(?<=[:"])({"|".join(PAGE_COLOURS)})(?=[;"}}])')


def to_svg(picture: Picture) -> str:
    """The text of an SVG file."""
    return _svg_file(picture.title, picture.width, picture.height, [_element(shape) for shape in picture.shapes])


def _svg_file(title: str, width: float, height: float, elements: Sequence[str]) -> str:
    """The text of an SVG file with these elements on a sheet of paper."""
    paper = f'<rect width="{_number(width)}" height="{_number(height)}" rx="10" fill="{palette.PAPER}"/>'
    return _svg(title, width, height, (paper, *elements))


def _svg(title: str, width: float, height: float, elements: Sequence[str]) -> str:
    across, down = _number(width), _number(height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}" viewBox="0 0 {across} {down}" '
        f'font-family="{FONT}" stroke-linecap="round" stroke-linejoin="round" role="img">'
    )
    return "\n".join((head, f"<title>{escape(title)}</title>", *elements, "</svg>", ""))


def _element(shape: Shape) -> str:
    """The SVG element of a shape."""
    match shape:
        case Path():
            return _path(shape)
        case Disc():
            x, y = shape.centre
            paint = _paint(shape.fill, shape.stroke, shape.width)
            return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(shape.radius)}"{paint}/>'
        case TextLine():
            return _text(shape)
        case Group():
            inside = "".join(_element(part) for part in shape.shapes)
            return f"<g class={quoteattr(shape.role)}><title>{escape(shape.name)}</title>{inside}</g>"


def _path(path: Path) -> str:
    points = "L".join(f"{_number(x)} {_number(y)}" for x, y in path.points)
    close = "Z" if path.fill else ""
    opacity = f' opacity="{_number(path.opacity)}"' if path.opacity < 1 else ""
    return f'<path d="M{points}{close}"{_paint(path.fill, path.stroke, path.width)}{opacity}/>'


def _text(line: TextLine) -> str:
    x, y = line.at
    place = f'x="{_number(x)}" y="{_number(y + 0.35 * line.size)}" font-size="{_number(line.size)}"'
    weight = ' font-weight="600"' if line.is_bold else ""
    text = f'{place} text-anchor="{line.anchor}"{weight}'
    own = f'<text {text} fill="{line.colour}">{escape(line.text)}</text>'
    if line.role is not Role.LABEL:
        return own
    # A pale rim keeps names legible where they cross a line; a text of its own, as few viewers know paint-order.
    rim = f'stroke="{palette.PAPER}" stroke-width="{_number(0.28 * line.size)}" aria-hidden="true"'
    return f'<text {text} fill="{palette.PAPER}" {rim}>{escape(line.text)}</text>{own}'


def _paint(fill: str | None, stroke: str | None, width: float) -> str:
    line = f' stroke="{stroke}" stroke-width="{_number(width)}"' if stroke else ""
    return f' fill="{fill or "none"}"{line}'


def _number(x: float) -> str:
    return f"{x:.2f}".rstrip("0").rstrip(".")


def plots_to_svg(sheet: PlotSheet) -> str:
    """The text of the file."""
    width, height = _sides(sheet)
    heading = _label((width / 2, 22), sheet.heading, 13, palette.INK, "middle", is_bold=True)
    return _svg_file(sheet.heading, width, height, [heading, *_below(sheet, HEADING)])


def figure_to_svg(sheet: PlotSheet) -> str:
    """The sheet as a figure of a web page: no paper, in the light or dark colours of the page.

    The heading is for screen readers only.
    """
    text = _svg(sheet.heading, *_sides(sheet), _below(sheet, 0))
    return _COLOUR.sub(lambda colour: f"var({PAGE_COLOURS[colour[0]]},{colour[0]})", text)


def _sides(sheet: PlotSheet) -> tuple[int, int]:
    width, height = sheet.size
    return round(width * PER_INCH), round(height * PER_INCH)


def _below(sheet: PlotSheet, start: float) -> list[str]:
    """All plots and the legend, from this height down, after their style sheet."""
    width, height = _sides(sheet)
    styles = Styles()
    body: list[str] = []
    legend = _rows_of_legend(sheet.legend, width - 2 * NARROW)
    cells = [[_fitted(cell, width / len(row)) for cell in row] for row in sheet.rows]
    spare = [max(cell.spare for cell in row) for row in cells]
    room = height - start - LEGEND_LINE * len(legend) - 8 - sum(spare)
    top = start
    for row, share, margins in zip(cells, sheet.heights, spare, strict=True):
        tall = room * share / sum(sheet.heights)
        for k, cell in enumerate(row):
            body += _cell(cell, (k * width / len(row), top), tall, styles)
        top += tall + margins
    for k, pens in enumerate(legend):
        y = height - LEGEND_LINE * (len(legend) - k - 0.5) - 8
        body += _legend(pens, (width + sum(map(_key_width, pens))) / 2, y, styles)
    return [f"<style>{styles.sheet()}</style>", *body]


@dataclass(frozen=True, slots=True)
class Styles:
    """The rules of a sheet's pens by the names of their CSS classes, which are the same on every sheet of a page."""

    rules: dict[str, str] = field(default_factory=dict)

    def name(self, pen: Pen) -> str:
        rule = self._rule(pen)
        name = f"pen{crc32(rule.encode())}"
        self.rules[name] = rule
        return name

    def sheet(self) -> str:
        shared = "[class^=pen]{fill:none;stroke-linecap:butt}[class^=pen].dot{stroke-linecap:round}"
        return shared + "".join(f".{name}{{{rule}}}" for name, rule in self.rules.items())

    @staticmethod
    def _rule(pen: Pen) -> str:
        width = pen.width * POINT * FINER
        lengths = DASHES.get(pen.stroke, ()) if isinstance(pen.stroke, str) else pen.stroke[1]
        dashes = f";stroke-dasharray:{' '.join(f'{length * width:.4g}' for length in lengths)}" if lengths else ""
        opacity = f";opacity:{pen.opacity:g}" if pen.opacity < 1 else ""
        return f"stroke:{pen.colour};stroke-width:{width:.4g}{dashes}{opacity}"


@dataclass(frozen=True, slots=True)
class FittedCell:
    """Plots one above the other, the lines of their legends, and the room above and below each of them."""

    plots: tuple[Plot, ...]
    width: float
    legends: list[list[list[Pen]]]
    above: list[int]
    below: list[int]

    @property
    def spare(self) -> int:
        return sum(self.above) + sum(self.below)


def _fitted(cell: tuple[Plot, ...], width: float) -> FittedCell:
    wide = width - LEFT - RIGHT
    legends = [_rows_of_legend(plot.legend, wide - LETTER * 11 * POINT * len(plot.title)) for plot in cell]
    above = [
        (TOP if plot.title else NARROW) + KEY_LINE * max(len(legend) - 1, 0)
        for plot, legend in zip(cell, legends, strict=True)
    ]
    return FittedCell(cell, wide, legends, above, [BOTTOM if plot.x_label else NARROW for plot in cell])


def _cell(cell: FittedCell, corner: Point, height: float, styles: Styles) -> list[str]:
    """Plots of the same height, which is that of all panels of the cell together."""
    tall = height / len(cell.plots)
    drawn: list[str] = []
    left, top = corner[0] + LEFT, corner[1]
    for k, plot in enumerate(cell.plots):
        top += cell.above[k]
        drawn += _plot(plot, (left, top), cell.width, tall, styles)
        for i, pens in enumerate(reversed(cell.legends[k])):
            drawn += _legend(pens, left + cell.width, top - 12 - KEY_LINE * i, styles)
        top += tall + cell.below[k]
    return drawn


def _plot(plot: Plot, corner: Point, width: float, height: float, styles: Styles) -> list[str]:
    x, y = _axes(plot, width, height)
    left, top = corner
    panel = Panel(x, y, round(width * FINER), round(height * FINER))
    grid = styles.name(GRID)
    paths = [panel.level_lines(panel.y.ticks, grid), panel.upright_lines(panel.x.ticks, grid)]
    paths += [panel.upright_lines((at,), styles.name(pen)) for at, pen in plot.uprights]
    paths.append(panel.upright_lines(plot.marks, styles.name(MARKS), part=0.03) if plot.marks else "")
    for curve in plot.curves:
        paths.append(panel.line(curve.x, curve.y, styles.name(curve.pen)))
        if curve.has_dot:
            dot = Pen(curve.pen.colour, width=4)
            paths.append(panel.dots(curve.x[:1], curve.y[:1], f"{styles.name(dot)} dot"))
    paths += [panel.level_lines((at,), styles.name(pen)) for at, pen in plot.levels]
    paths.append(f'<path class="{styles.name(FRAME)}" d="M0 0V{panel.height}H{panel.width}"/>')
    inside = "".join(paths)
    drawn = [f'<g transform="translate({left:g} {top:g}) scale({1 / FINER:g})">{inside}</g>']
    drawn += _numbers(plot, panel, corner, width, height)
    drawn.append(_label((left, top - 14), plot.title, 11, palette.INK, is_bold=True))
    lines = plot.y_label.split("\n")
    for k, line in enumerate(lines):
        label = _label((0, 0), line, 9.5, palette.INK, "middle")
        at = f"translate({left - 48 - 13 * (len(lines) - 1 - k):g} {top + height / 2:g}) rotate(-90)"
        drawn.append(f'<g transform="{at}">{label}</g>')
    return drawn


def _axes(plot: Plot, width: float, height: float) -> tuple[Axis, Axis]:
    across, down = max(2, round(width / 70)), max(3, round(height / 28))
    xs, ys = [curve.x for curve in plot.curves], [curve.y for curve in plot.curves]
    ys.append(np.array([at for at, _ in plot.levels]))
    x = _axis(xs, across) if plot.x_range is None else axis_over(*plot.x_range, across)
    return x, _axis(ys, down) if plot.y_range is None else (log_axis if plot.is_log else axis_over)(*plot.y_range, down)


def _axis(signals: Sequence[Array], most: int) -> Axis:
    """With at least two numbers along it, so that it can be read."""
    axis = axis_around(*signals, most=most)
    return axis if len(axis.ticks) > 1 else axis_around(*signals, most=2 * most)


def _numbers(plot: Plot, panel: Panel, corner: Point, width: float, height: float) -> list[str]:
    (left, top), bottom = corner, corner[1] + height
    drawn = [
        _label((left - 7, top + height * (1 - float(panel.y.share(tick)))), panel.y.label(tick), 9, palette.INK, "end")
        for tick in panel.y.ticks
    ]
    if plot.x_label:
        for tick in panel.x.ticks:
            at = left + width * float(panel.x.share(tick)), bottom + 12
            drawn.append(_label(at, panel.x.label(tick), 9, palette.INK, "middle"))
        drawn.append(_label((left + width / 2, bottom + 30), plot.x_label, 9.5, palette.INK, "middle"))
    return drawn


def _key_width(pen: Pen) -> float:
    return 36 + LETTER * 8.5 * POINT * len(pen.label)


def _rows_of_legend(pens: Sequence[Pen], width: float) -> list[list[Pen]]:
    """As many names in a line as fit."""
    rows: list[list[Pen]] = []
    for pen in pens:
        if not rows or sum(map(_key_width, rows[-1])) + _key_width(pen) > width:
            rows.append([])
        rows[-1].append(pen)
    return rows


def _legend(pens: Sequence[Pen], right: float, y: float, styles: Styles) -> list[str]:
    """Names with their lines, the last of which ends here."""
    drawn = []
    x = right - sum(map(_key_width, pens))
    for pen in pens:
        line = f'<path class="{styles.name(pen)}" d="M0 0h{22 * FINER}"/>'
        drawn.append(f'<g transform="translate({x + 6:g} {y:g}) scale({1 / FINER:g})">{line}</g>')
        drawn.append(_label((x + 33, y), pen.label, 8.5, palette.INK))
        x += _key_width(pen)
    return drawn


def _label(at: Point, text: str, points: float, colour: str, anchor: Anchor = "start", *, is_bold: bool = False) -> str:
    return _element(TextLine(Role.TITLE, at, text, points * POINT, colour, anchor, is_bold)) if text else ""
