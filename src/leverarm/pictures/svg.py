"""Shapes as SVG text, written without a dependency; every joint is a group that carries its name."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from leverarm.pictures import palette
from leverarm.pictures.shapes import Disc, Group, Page, Path, Picture, Point, Role, Shape, TextLine

PAGE = Page(
    width=760, least_height=400, greatest_height=640, margin=34, side_margin=80,
    letter_width=7.0, letter_height=14, headroom=64,
)  # fmt: skip
FONT = "Inter, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"


def to_svg(picture: Picture) -> str:
    """The text of an SVG file."""
    return svg_file(picture.title, picture.width, picture.height, [element(shape) for shape in picture.shapes])


def svg_file(title: str, width: float, height: float, elements: Sequence[str]) -> str:
    """The text of an SVG file with these elements on a sheet of paper."""
    across, down = _number(width), _number(height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}" viewBox="0 0 {across} {down}" '
        f'font-family="{FONT}" stroke-linecap="round" stroke-linejoin="round" role="img">'
    )
    paper = f'<rect width="{across}" height="{down}" rx="10" fill="{palette.PAPER}"/>'
    return "\n".join((head, f"<title>{escape(title)}</title>", paper, *elements, "</svg>", ""))


def element(shape: Shape) -> str:
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
            inside = "".join(element(part) for part in shape.shapes)
            return f"<g class={quoteattr(shape.role)}><title>{escape(shape.name)}</title>{inside}</g>"


def _path(path: Path) -> str:
    points = "L".join(_point(point) for point in path.points)
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


def _point(point: Point) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


def _number(x: float) -> str:
    return f"{x:.2f}".rstrip("0").rstrip(".")
