"""The frames of a film as images, drawn with Pillow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path as FilePath
from typing import Any

from leverarm.errors import MissingExtraError
from leverarm.pictures import palette
from leverarm.pictures.shapes import Disc, Group, Path, Point, Role, Shape, Words
from leverarm.simulation.trajectories.animation.film import Film

FINER = 2
"""Pixels drawn per pixel shown, in each direction."""
ANCHORS = {"start": "lm", "middle": "mm", "end": "rm"}

Image = Any
"""A picture of Pillow."""


def pictures(film: Film, which: Iterable[int]) -> Iterator[Image]:
    """These frames as RGB images."""
    from PIL import Image as image_of

    page = film.stage.page
    size = round(page.width) * FINER, round(page.greatest_height) * FINER
    background = image_of.new("RGB", size, palette.PAPER)
    brush = Brush(background)
    brush.draw(film.stage.background)
    for k in which:
        brush.image = background.copy()
        brush.draw(film.shapes(k))
        yield brush.image.reduce(FINER)


def need_pillow() -> None:
    """Raises MissingExtraError without Pillow and matplotlib, whose fonts are used."""
    try:
        import matplotlib  # noqa: F401
        import PIL  # noqa: F401
    except ImportError:
        raise MissingExtraError(
            "GIF and MP4 animations need matplotlib and Pillow, which are not installed. "
            "Run: pip install 'leverarm[plot]'; or write an .html, which needs nothing."
        ) from None


class Brush:
    """Draws shapes on one image after another; keeps the fonts it has loaded."""

    def __init__(self, image: Image) -> None:
        self.image = image
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
                    case Words():
                        self._words(part, plain)

    def _path(self, path: Path, draw: Any) -> None:
        points = [(x * FINER, y * FINER) for x, y in path.points]
        if path.fill is not None:
            draw.polygon(points, fill=path.fill)
            points.append(points[0])
        if path.stroke is None:
            return
        width = max(round(path.width * FINER), 1)
        colour = path.stroke if path.opacity == 1 else path.stroke + f"{round(255 * path.opacity):02x}"
        draw.line(points, fill=colour, width=width, joint="curve" if width > 4 else None)
        if width > 4 and path.fill is None and path.opacity == 1:
            for end in (points[0], points[-1]):
                draw.ellipse(_around(end, (width - 1) / 2), fill=colour)

    def _disc(self, disc: Disc, draw: Any) -> None:
        centre = disc.centre[0] * FINER, disc.centre[1] * FINER
        outline = {} if disc.stroke is None else {"outline": disc.stroke, "width": round(disc.width * FINER)}
        draw.ellipse(_around(centre, disc.radius * FINER), fill=disc.fill, **outline)

    def _words(self, words: Words, draw: Any) -> None:
        at = words.at[0] * FINER, words.at[1] * FINER
        rim = {"stroke_width": 2 * FINER, "stroke_fill": palette.PAPER} if words.role is Role.LABEL else {}
        font = self._font(round(0.92 * words.size * FINER), words.is_bold)
        draw.text(at, words.text, fill=words.colour, font=font, anchor=ANCHORS[words.anchor], **rim)

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
