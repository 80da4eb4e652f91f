"""The public way in: an arm as a scene, a file or a text."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from leverarm.errors import InputError, path_text
from leverarm.model import Arm
from leverarm.pictures import png, svg, terminal
from leverarm.pictures.picture import lay_out
from leverarm.pictures.scene import Scene
from leverarm.pictures.staging import scene_of

if TYPE_CHECKING:
    from rich.text import Text


def draw_arm(arm: Arm, q: Sequence[float] | None = None, frames: Sequence[str] = ()) -> Scene:
    """Links, joints, frames and centres of mass of an arm in the world [m], at q or in a presentable pose.

    `frames` names frames to show besides the base, the tool and the tips. Raises InputError.
    """
    return scene_of(arm, q, frames)


def save_picture(
    arm: Arm, path: str | os.PathLike[str], q: Sequence[float] | None = None, frames: Sequence[str] = ()
) -> None:
    """Writes a picture of the arm as .svg or .png, by the ending; an old file is replaced whole or not at all.

    PNG needs the extra `plot`: raises MissingExtraError without it.
    """
    target = Path(path_text(path, "arm.svg"))
    ending = target.suffix.lower()
    if ending not in (".svg", ".png"):
        raise InputError(
            f"{os.fspath(path)!r}: a picture is written as .svg or .png. Give a file name with such an ending."
        )
    picture = lay_out(draw_arm(arm, q, frames), svg.PAGE)
    data = png.to_png(picture) if ending == ".png" else svg.to_svg(picture).encode()
    _write(target, data)


def terminal_picture(arm: Arm, columns: int, q: Sequence[float] | None = None, frames: Sequence[str] = ()) -> Text:
    """The picture as rich text for a terminal this many characters wide."""
    return terminal.to_text(lay_out(draw_arm(arm, q, frames), terminal.page_for(columns)))


def _write(target: Path, data: bytes) -> None:
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            Path(temporary).chmod(0o644)
            Path(temporary).replace(target)
        finally:
            Path(temporary).unlink(missing_ok=True)
    except OSError as problem:
        raise InputError(f"{target}: cannot be written: {problem.strerror or problem}.") from None
