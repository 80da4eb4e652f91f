"""The public way in: a run as a moving picture."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING

from leverarm.errors import InputError
from leverarm.trajectories.animation.film import film_of
from leverarm.trajectories.animation.gif import write_gif
from leverarm.trajectories.animation.mp4 import ffmpeg, write_mp4
from leverarm.trajectories.animation.progress import Progress, unwatched
from leverarm.trajectories.animation.raster import need_pillow
from leverarm.trajectories.animation.web_page import write_page
from leverarm.whole_file import new_file

if TYPE_CHECKING:
    from leverarm.trajectories.trajectory import Trajectory

WRITERS = {".gif": write_gif, ".mp4": write_mp4, ".html": write_page}
SIZE = (720, 540)
SMALLEST, LARGEST = 120, 4096
FASTEST_GIF = 50
"""Viewers show a GIF of more frames a second slowly."""


def animate(
    trajectory: Trajectory,
    path: str | os.PathLike[str],
    fps: float = 30,
    speed: float = 1.0,
    size: tuple[int, int] = SIZE,
    progress: Progress | None = None,
) -> None:
    """Writes a moving picture of a run: the arm, the path of its tips, time [s] and energies [J].

    The ending of the path says what is written: .gif; .mp4, which needs ffmpeg; .html, one page with a player in which
    spatial arms can be turned. `fps` frames are shown a second, `speed` times as fast as they happened, `size` pixels
    wide and high. `progress(done, total)` is called after each frame. Nothing is left behind if this is interrupted.
    GIF and MP4 need the extra `plot`. Raises InputError, MissingExtraError, FormatError where it cannot be written.
    """
    ending = _checked_ending(path)
    width, height = _checked_size(size)
    _check_positive("fps", fps)
    _check_positive("speed", speed)
    if ending == ".gif" and fps > FASTEST_GIF:
        raise InputError(f"animate: fps={fps:g}; a GIF shows at most {FASTEST_GIF} frames a second. Give fps=30.")
    if ending != ".html":
        need_pillow()
    if ending == ".mp4":
        ffmpeg()
    with new_file(path) as stream:
        WRITERS[ending](film_of(trajectory, fps, speed, width, height), stream, progress or unwatched)


def _checked_ending(path: str | os.PathLike[str]) -> str:
    target = Path(path)
    ending = target.suffix.lower()
    if ending not in WRITERS:
        raise InputError(
            f"{os.fspath(path)!r}: an animation is written as .gif, .mp4 or .html. Give a name with such an ending."
        )
    return ending


def _check_positive(name: str, value: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise InputError(f"animate: {name}={value!r}; it must be a positive number.")


def _checked_size(size: tuple[int, int]) -> tuple[int, int]:
    """Both even, as videos need them."""
    try:
        width, height = (int(side) + int(side) % 2 for side in size)
    except (TypeError, ValueError):
        width = height = 0
    if not (SMALLEST <= width <= LARGEST and SMALLEST <= height <= LARGEST):
        raise InputError(
            f"animate: size={size!r}; give a width and a height of {SMALLEST} to {LARGEST} pixels, such as {SIZE}."
        )
    return width, height
