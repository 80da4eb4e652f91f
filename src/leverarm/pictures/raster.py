"""Shapes as pixels, drawn by Pillow (the extra `plot`) larger than they are shown, so that edges are smooth."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path as FilePath
from typing import Any

from leverarm.late_import import installed
from leverarm.pictures import palette
from leverarm.pictures.shapes import Disc, Group, Path, Picture, Point, Role, Shape, TextLine

PIXELS = 2
"""Pixels of a PNG drawing per page unit."""
FINER = 3
"""Pixels drawn per pixel of it, in each direction."""
ANCHORS = {"start": "lm", "middle": "mm", "end": "rm"}

Image = Any
"""A picture of Pillow."""


def to_png(picture: Picture) -> bytes:
    """The bytes of a PNG file, two pixels per page unit. Raises MissingExtraError without Pillow and matplotlib."""
    need_pillow("PNG pictures need", "write an .svg, which needs nothing")
    brush = Brush((picture.width, picture.height), PIXELS * FINER)
    brush.draw(picture.shapes)
    stream = BytesIO()
    brush.image.reduce(FINER).save(stream, format="PNG", optimize=True)
    return stream.getvalue()


def need_pillow(use: str, otherwise: str) -> None:
    """Raises MissingExtraError without Pillow, or without matplotlib, whose fonts are used."""
    remedy = f"Run: pip install 'leverarm[plot]'; or {otherwise}."
    installed("matplotlib", use, remedy)
    installed("PIL", use, remedy)


class Brush:
    """Draws shapes on an image that has `scale` pixels per page unit; keeps the fonts it has loaded."""

    def __init__(self, size: tuple[float, float], scale: int) -> None:
        from PIL import Image as image_of

        self.scale = scale
        self.image: Image = image_of.new("RGB", (round(size[0] * scale), round(size[1] * scale)), palette.PAPER)
        self.fonts: dict[tuple[int, bool], Any] = {}

    def draw(self, shapes: Iterable[Shape]) -> None:
        from PIL import ImageDraw

        plain, glazing = ImageDraw.Draw(self.image), ImageDraw.Draw(self.image, "RGBA")
        for shape in shapes:
            for part in shape.shapes if isinstance(shape, Group) else (shape,):
                match part:
                    case Path():
                        self._path(part, plain if part.opacity == 1 else glazing)
                    case Disc():
                        self._disc(part, plain)
                    case TextLine():
                        self._text(part, plain)

    def _path(self, path: Path, draw: Any) -> None:
        points = [self._at(point) for point in path.points]
        if path.fill is not None:
            draw.polygon(points, fill=path.fill)
            points.append(points[0])
        if path.stroke is None:
            return
        width = max(round(path.width * self.scale), 1)
        colour = path.stroke if path.opacity == 1 else path.stroke + f"{round(255 * path.opacity):02x}"
        draw.line(points, fill=colour, width=width, joint="curve" if width > 4 else None)
        if width > 4 and path.fill is None and path.opacity == 1:
            for end in (points[0], points[-1]):
                draw.ellipse(_around(end, (width - 1) / 2), fill=colour)

    def _disc(self, disc: Disc, draw: Any) -> None:
        outline = {} if disc.stroke is None else {"outline": disc.stroke, "width": round(disc.width * self.scale)}
        draw.ellipse(_around(self._at(disc.centre), disc.radius * self.scale), fill=disc.fill, **outline)

    def _text(self, line: TextLine, draw: Any) -> None:
        rim = {"stroke_width": round(0.14 * line.size * self.scale), "stroke_fill": palette.PAPER}
        font = self._font(round(0.92 * line.size * self.scale), line.is_bold)
        draw.text(
            self._at(line.at), line.text, fill=line.colour, font=font, anchor=ANCHORS[line.anchor],
            **(rim if line.role is Role.LABEL else {}),
        )  # fmt: skip

    def _at(self, point: Point) -> Point:
        return point[0] * self.scale, point[1] * self.scale

    def _font(self, size: int, is_bold: bool) -> Any:
        if (size, is_bold) not in self.fonts:
            import matplotlib
            from PIL import ImageFont

            name = "DejaVuSans-Bold.ttf" if is_bold else "DejaVuSans.ttf"
            file = FilePath(matplotlib.get_data_path()) / "fonts" / "ttf" / name
            self.fonts[size, is_bold] = ImageFont.truetype(str(file), size)
        return self.fonts[size, is_bold]


def _around(centre: Point, radius: float) -> tuple[float, float, float, float]:
    """The box around a circle."""
    x, y = centre
    return x - radius, y - radius, x + radius, y + radius
