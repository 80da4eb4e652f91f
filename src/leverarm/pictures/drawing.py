"""Drawings of arms: as a scene, as a file, as text; how a scene is laid out on a page, and where names go.

Names stand beside what they name, clear of each other and of the arm.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from leverarm.atomic_write import atomic_write
from leverarm.errors import InputError, path_text
from leverarm.model import Arm
from leverarm.pictures import palette
from leverarm.pictures.arm_shapes import arm_shapes, gravity_shapes, link_width, masses_on_levers
from leverarm.pictures.camera import Camera, Sheet, camera_for, fit
from leverarm.pictures.raster import to_png
from leverarm.pictures.scene import AXIS, Scene, scene_of
from leverarm.pictures.shapes import Page, Path, Picture, Point, Role, TextLine
from leverarm.pictures.solids import floor_of, floor_shapes, stand_shapes
from leverarm.pictures.svg import PAGE, to_svg
from leverarm.pictures.terminal import page_for, to_text
from leverarm.spatial import Vec3

if TYPE_CHECKING:
    from rich.text import Text

MOST_NAMES = 60
"""Joints that get their name in the picture; more could not be read."""
DIRECTIONS = tuple(
    (math.cos(math.radians(d)), -math.sin(math.radians(d))) for d in (0, 180, 35, 145, -35, -145, 90, -90)
)
"""To the right first, then left, then the diagonals, then above and below."""
REACHES = (1.0, 1.6, 2.4, 3.6)
MOST_NUMBERS = 12
"""Coordinates that fit in the line under the title."""


def save_picture(
    arm: Arm, path: str | os.PathLike[str], q: Sequence[float] | None = None, frames: Sequence[str] = ()
) -> None:
    """Writes a picture of the arm as .svg or .png, by the ending; an old file is replaced atomically.

    PNG needs the extra `plot`: raises MissingExtraError without it.
    """
    target = FilePath(path_text(path, "arm.svg"))
    ending = target.suffix.lower()
    if ending not in (".svg", ".png"):
        raise InputError(
            f"{os.fspath(path)!r}: a picture is written as .svg or .png. Give a file name with such an ending."
        )
    picture = lay_out(scene_of(arm, q, frames), PAGE)
    atomic_write(to_png(picture) if ending == ".png" else to_svg(picture), target)


def terminal_picture(arm: Arm, columns: int, q: Sequence[float] | None = None, frames: Sequence[str] = ()) -> Text:
    """The picture as rich text for a terminal this many characters wide."""
    return to_text(lay_out(scene_of(arm, q, frames), page_for(columns)))


def lay_out(scene: Scene, page: Page) -> Picture:
    """The scene as shapes on a page, as large as fits, back to front: ground, arm, gravity, names, heading."""
    camera = camera_for(scene)
    sheet = fit(camera, _outline(scene, camera), page)
    ground = _ground(scene, sheet)
    shapes = (
        *ground,
        *arm_shapes(scene, sheet, masses_on_levers(scene)),
        *gravity_shapes(scene, camera, page),
        *_name_shapes(scene, sheet, page, ground if camera.is_head_on else ()),
        *_heading(scene, page),
    )
    return Picture(scene.title or scene.name, page.width, sheet.height, shapes)


def _outline(scene: Scene, camera: Camera) -> list[Vec3]:
    """Points that must be on the page."""
    m = scene.mark
    points = [p + d * (s * m) for p in scene.points for d in (camera.right, camera.up) for s in (-1.2, 1.2)]
    points += [triad.origin + axis * (AXIS * m) for triad in scene.triads for axis in triad.axes]
    if camera.is_head_on:
        return [*points, scene.base.origin - camera.up * (3.5 * m)]
    return [*points, *floor_of(scene).corners()]


def _ground(scene: Scene, sheet: Sheet) -> list[Path]:
    if sheet.camera.is_head_on:
        return stand_shapes(scene, sheet)
    return floor_shapes(scene, floor_of(scene), sheet, link_width(scene, sheet))


def _heading(scene: Scene, page: Page) -> list[TextLine]:
    """The arm's title and the pose, where the page keeps room for them."""
    if not page.headroom:
        return []
    h, x = page.letter_height, 2 * page.letter_height
    pose = ", ".join(f"{value:.3g}" for value in scene.q[:MOST_NUMBERS])
    pose += ", ..." if len(scene.q) > MOST_NUMBERS else ""
    return [
        TextLine(
            Role.TITLE, (x, 0.42 * page.headroom), scene.title or scene.name, 1.35 * h, palette.INK, "start", True
        ),
        TextLine(Role.TITLE, (x, 0.8 * page.headroom), f"{scene.name} at q = ({pose})", h, palette.SOFT_INK, "start"),
    ]


def _name_shapes(scene: Scene, sheet: Sheet, page: Page, around: Sequence[Path]) -> list[TextLine]:
    """The names of the joints that move and of the frames, clear of the arm and of the lines around it."""
    clear = 1.25 * scene.mark * sheet.scale + 0.5 * page.letter_width
    moving = [joint for joint in scene.joints if joint.kind.moves][:MOST_NAMES]
    wider = 0.5 * scene.mark * sheet.scale
    requests = [
        _Request(joint.name, sheet.to_page(joint.at), clear + wider * joint.kind.only_slides) for joint in moving
    ]
    requests += [_Request(", ".join(triad.names), sheet.to_page(triad.origin), clear) for triad in scene.triads]
    chains = [tuple(sheet.to_page(point) for point in link.points) for link in scene.links]
    for triad in scene.triads:
        tips = [sheet.to_page(triad.origin + axis * (1.3 * AXIS * scene.mark)) for axis in triad.axes]
        chains += [(sheet.to_page(triad.origin), tip) for tip in tips]
    chains += [(spot, spot) for spot in (sheet.to_page(dot.at) for dot in scene.masses)]
    chains += [path.points for path in around]
    colours = [palette.INK] * len(moving) + [palette.SOFT_INK] * len(scene.triads)
    centres = _place(requests, chains, page, sheet.height)
    size = page.letter_height
    return [
        TextLine(Role.LABEL, centre, request.text, size, colour)
        for request, centre, colour in zip(requests, centres, colours, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Request:
    """A text wanted beside a point, this far from it."""

    text: str
    at: Point
    clearance: float


@dataclass(frozen=True, slots=True)
class _Box:
    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: _Box) -> float:
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(across, 0.0) * max(down, 0.0)

    def holds(self, point: Point) -> bool:
        return self.left <= point[0] <= self.right and self.top <= point[1] <= self.bottom


def _place(requests: Sequence[_Request], chains: Iterable[Sequence[Point]], page: Page, height: float) -> list[Point]:
    """The centre of each text. `chains` are the lines that texts should not cover."""
    sheet = _Box(0, page.headroom, page.width, height)
    obstacles = [point for chain in chains for point in _sampled(chain, page.letter_height / 2)]
    spots = [request.at for request in requests]
    taken: list[_Box] = []
    centres = []
    for request in requests:
        candidates = [_candidate(request, d, reach, page) for reach in REACHES for d in DIRECTIONS]
        costs = [_cost(found, request, taken, obstacles, spots, sheet) for found in candidates]
        best = min(range(len(costs)), key=lambda k: costs[k] + 0.03 * k)
        taken.append(candidates[best][0])
        centres.append(candidates[best][1])
    return centres


def _candidate(request: _Request, direction: Point, reach: float, page: Page) -> tuple[_Box, Point]:
    half_width, half_height = len(request.text) * page.letter_width / 2, page.letter_height / 2
    away = request.clearance * reach
    x = request.at[0] + direction[0] * away + _sign(direction[0]) * half_width
    y = request.at[1] + direction[1] * away + _sign(direction[1]) * half_height
    return _Box(x - half_width, y - half_height, x + half_width, y + half_height), (x, y)


def _cost(
    found: tuple[_Box, Point],
    request: _Request,
    taken: Sequence[_Box],
    obstacles: Sequence[Point],
    spots: Sequence[Point],
    sheet: _Box,
) -> float:
    """Covered texts cost most, then leaving the page, then being nearer to something else, then covered lines."""
    box, _ = found
    area = (box.right - box.left) * (box.bottom - box.top)
    covered = sum(box.overlap(other) for other in taken) / area
    inside = box.overlap(sheet) / area
    pad = 0.35 * request.clearance
    wide = _Box(box.left - pad, box.top - pad, box.right + pad, box.bottom + pad)
    crossed = sum(wide.holds(point) for point in obstacles) / 4
    hidden = sum(box.holds(spot) for spot in spots)
    nearer = sum(_gap(box, spot) < _gap(box, request.at) - 0.5 for spot in spots if spot != request.at)
    return 40 * covered + 30 * (1 - inside) + 6 * crossed + 8 * hidden + 10 * nearer


def _gap(box: _Box, spot: Point) -> float:
    across = max(box.left - spot[0], spot[0] - box.right, 0.0)
    down = max(box.top - spot[1], spot[1] - box.bottom, 0.0)
    return math.hypot(across, down)


def _sampled(chain: Sequence[Point], step: float) -> Iterable[Point]:
    for a, b in pairwise(chain):
        count = max(1, math.ceil(math.dist(a, b) / step))
        for k in range(count + 1):
            yield a[0] + (b[0] - a[0]) * k / count, a[1] + (b[1] - a[1]) * k / count


def _sign(x: float) -> int:
    return 0 if abs(x) < 1e-9 else 1 if x > 0 else -1
