"""Drawings of arms: an arm as a scene, as a file or as text, and how a scene is laid out on a page."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from leverarm.atomic_write import write_whole
from leverarm.errors import InputError
from leverarm.model import Arm
from leverarm.pictures import palette
from leverarm.pictures.arm_shapes import arm_shapes, gravity_shapes, link_width, masses_on_levers
from leverarm.pictures.camera import Camera, Sheet, camera_for, fit
from leverarm.pictures.labels import name_shapes
from leverarm.pictures.raster import to_png
from leverarm.pictures.scene import AXIS, Scene, scene_of
from leverarm.pictures.shapes import Page, Path, Picture, Role, TextLine
from leverarm.pictures.solids import floor_of, floor_shapes, stand_shapes
from leverarm.pictures.svg import PAGE, to_svg
from leverarm.pictures.terminal import page_for, to_text
from leverarm.spatial import Vec3

if TYPE_CHECKING:
    from rich.text import Text

MOST_NUMBERS = 12
"""Coordinates that fit in the line under the title."""


def draw_arm(arm: Arm, q: Sequence[float] | None = None, frames: Sequence[str] = ()) -> Scene:
    """Links, joints, frames and centres of mass of an arm in the world [m], at q or in a presentable pose.

    `frames` names frames to show besides the base, the tool and the tips. Raises InputError.
    """
    return scene_of(arm, q, frames)


def save_picture(
    arm: Arm, path: str | os.PathLike[str], q: Sequence[float] | None = None, frames: Sequence[str] = ()
) -> None:
    """Writes a picture of the arm as .svg or .png, by the ending; an old file is replaced atomically.

    PNG needs the extra `plot`: raises MissingExtraError without it.
    """
    target = FilePath(path)
    ending = target.suffix.lower()
    if ending not in (".svg", ".png"):
        raise InputError(
            f"{os.fspath(path)!r}: a picture is written as .svg or .png. Give a file name with such an ending."
        )
    picture = lay_out(draw_arm(arm, q, frames), PAGE)
    write_whole(to_png(picture) if ending == ".png" else to_svg(picture), target)


def terminal_picture(arm: Arm, columns: int, q: Sequence[float] | None = None, frames: Sequence[str] = ()) -> Text:
    """The picture as rich text for a terminal this many characters wide."""
    return to_text(lay_out(draw_arm(arm, q, frames), page_for(columns)))


def lay_out(scene: Scene, page: Page) -> Picture:
    """The scene as shapes on a page, as large as fits, back to front: ground, arm, gravity, names, heading."""
    camera = camera_for(scene)
    sheet = fit(camera, _outline(scene, camera), page)
    ground = _ground(scene, sheet)
    shapes = (
        *ground,
        *arm_shapes(scene, sheet, masses_on_levers(scene)),
        *gravity_shapes(scene, camera, page),
        *name_shapes(scene, sheet, page, ground if camera.is_head_on else ()),
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
