"""Animations as files: GIF with Pillow, MP4 with ffmpeg, or a web page with a player."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from leverarm.atomic_write import atomic_file
from leverarm.control.signals.checked import positive
from leverarm.errors import InputError, path_text
from leverarm.late_import import installed
from leverarm.model import JointKind
from leverarm.pictures import palette
from leverarm.pictures.raster import Image, need_pillow
from leverarm.simulation.trajectories.animation.film import TRACE, Film, Progress, film_of
from leverarm.simulation.trajectories.animation.web_page import write_page

if TYPE_CHECKING:
    from leverarm.simulation.trajectories.trajectory import Trajectory

SIZE = (720, 540)
SMALLEST, LARGEST = 120, 4096
FASTEST_GIF = 50
"""Most frames per second of a GIF: viewers slow down faster ones."""
LARGEST_GIF = 2e9
"""Most pixels of all frames together, a byte each: Pillow holds them all in memory."""
SAME = 255
"""The colour index that means unchanged since the previous frame."""
SAMPLES = 6
"""Frames sampled to choose the colours."""
APART = 12
"""A blend nearer to a colour that fills areas would be taken for it: Pillow compares colours coarsely."""
NO_DITHER: Any = 0
"""Pillow's number for it: areas stay plain, and what does not move does not change."""
LAST = 1.0
"""How long the last frame is shown before the animation repeats [s]."""


def animate(
    trajectory: Trajectory,
    path: str | os.PathLike[str],
    fps: float = 30,
    speed: float = 1.0,
    size: tuple[int, int] = SIZE,
    progress: Progress | None = None,
) -> None:
    """Writes an animation of a run: the arm, the path of its tips, time [s] and energies [J].

    The ending of the path chooses the format: .gif; .mp4, which needs ffmpeg; .html, one page with a player in which
    spatial arms can be turned. `fps` frames per second are shown at `speed` times real time; `size` is width and
    height [pixel]. `progress(done, total)` is called after each frame. An interrupted call leaves no file.
    GIF and MP4 need the extra `plot`; all frames of a GIF must fit in memory. Raises InputError, MissingExtraError, and
    FormatError where the file cannot be written.
    """
    ending = _checked_ending(path)
    width, height = _checked_size(size)
    fps, speed = positive("animate: fps", fps), positive("animate: speed", speed)
    if ending == ".gif" and fps > FASTEST_GIF:
        raise InputError(f"animate: fps={fps:g}; a GIF shows at most {FASTEST_GIF} frames a second. Give fps=30.")
    if ending != ".html":
        need_pillow("GIF and MP4 animations need", "write an .html, which needs nothing")
    if ending == ".mp4":
        ffmpeg()
    with atomic_file(path) as stream:
        WRITERS[ending](film_of(trajectory, fps, speed, width, height), stream, progress or (lambda done, total: None))


def write_gif(film: Film, stream: BinaryIO, progress: Progress) -> None:
    """Writes a GIF that repeats. Its clock ticks in hundredths of a second; frames take turns so that none drifts.

    Raises InputError for a film that is too large to keep in memory.
    """
    count, page = len(film.frames), film.stage.page
    if count * page.width * page.greatest_height > LARGEST_GIF:
        raise InputError(
            f"animate: a GIF of {count} frames of {page.width:g} x {page.greatest_height:g} pixels is too large. "
            "Give a smaller size= or fps=, or write an .mp4 or an .html."
        )
    ticks = [round(100 * k / film.frames.rate) for k in range(count)]
    frames = _quantised(film, progress)
    next(frames).save(
        stream, format="GIF", save_all=True, append_images=frames, loop=0, optimize=True, transparency=SAME, disposal=1,
        duration=[10 * int(step) for step in (*np.diff(ticks), 100 * LAST)],
    )  # fmt: skip


def _quantised(film: Film, progress: Progress) -> Iterator[Image]:
    """The frames in colours chosen once for all of them."""
    colours, count = _colours(film), len(film.frames)
    for k, image in enumerate(film.images(range(count))):
        yield image.quantize(palette=colours, dither=NO_DITHER)
        progress(k + 1, count)


def _colours(film: Film) -> Image:
    """255 colours: those that fill areas, exactly, and those that blend them along edges."""
    from PIL import Image as image_of
    from PIL import ImageColor

    fixed = dict.fromkeys(
        (palette.PAPER, palette.INK, palette.SOFT_INK, palette.GROUND, palette.GROUND_LINE, palette.GROUND_EDGE,
         palette.SHADOW, palette.LINK_EDGE, *palette.LINKS, palette.ROD, TRACE,
         *(getattr(kind.traits.picture, part) for part in ("side", "cap", "edge") for kind in JointKind),
         *(colour for _, _, colour in palette.AXES))
    )  # fmt: skip
    exact = [band for name in fixed for band in ImageColor.getrgb(name)]
    sampled = np.unique(np.linspace(0, len(film.frames) - 1, SAMPLES, dtype=int))
    sample = np.concatenate([np.asarray(image) for image in film.images(sampled.tolist())])
    found = image_of.fromarray(sample).quantize(255 - len(fixed), method=image_of.Quantize.MEDIANCUT)
    blends = np.array(found.getpalette()).reshape(-1, 3)
    own = np.array(exact).reshape(-1, 3)
    is_apart = np.abs(blends[:, None] - own[None]).sum(axis=2).min(axis=1) > APART
    bands = exact + blends[is_apart].ravel().tolist()
    chosen = image_of.new("P", (1, 1))
    chosen.putpalette(bands + bands[:3] * (256 - len(bands) // 3))
    return chosen


def write_mp4(film: Film, stream: BinaryIO, progress: Progress) -> None:
    """Writes an MP4. Raises MissingExtraError without ffmpeg, InputError with ffmpeg's own message where it fails."""
    program = ffmpeg()
    page, count = film.stage.page, len(film.frames)
    with tempfile.TemporaryDirectory(prefix="leverarm-") as folder:
        made = Path(folder) / "film.mp4"
        command = [
            program, "-loglevel", "error", "-nostdin", "-f", "rawvideo", "-pix_fmt", "rgb24",
            "-s", f"{round(page.width)}x{round(page.greatest_height)}", "-r", f"{film.frames.rate:g}", "-i", "pipe:0",
            "-an", "-pix_fmt", "yuv420p", "-b:v", "4M", "-movflags", "+faststart", "-y", str(made),
        ]  # fmt: skip
        with (Path(folder) / "errors").open("w+b") as errors:
            _send(film, command, errors, progress, count)
            errors.seek(0)
            message = errors.read().decode(errors="replace").strip()
        if not made.exists():
            raise InputError(
                f"ffmpeg ({program}) made no video: {message or 'it gave no reason'}. Write a .gif or an .html."
            )
        with made.open("rb") as source:
            shutil.copyfileobj(source, stream)


def ffmpeg() -> str:
    """The program that encodes videos: on the PATH, or that of the package imageio-ffmpeg."""
    found = shutil.which("ffmpeg")
    if found is not None:
        return found
    package = installed(
        "imageio_ffmpeg", "MP4 animations need ffmpeg, which is not on the PATH, or",
        "Install ffmpeg, or run: pip install imageio-ffmpeg; or write a .gif or an .html, which need neither.",
    )  # fmt: skip
    return str(package.get_ffmpeg_exe())


def _send(film: Film, command: list[str], errors: BinaryIO, progress: Progress, count: int) -> None:
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors) as encoder:
        assert encoder.stdin is not None
        try:
            for k, picture in enumerate(film.images(range(count))):
                encoder.stdin.write(picture.tobytes())
                progress(k + 1, count)
            encoder.stdin.close()
        except BrokenPipeError:
            pass  # it ended early; its message is read below
        except BaseException:
            encoder.kill()
            raise


WRITERS = {".gif": write_gif, ".mp4": write_mp4, ".html": write_page}


def _checked_ending(path: str | os.PathLike[str]) -> str:
    target = Path(path_text(path, "run.gif"))
    ending = target.suffix.lower()
    if ending not in WRITERS:
        raise InputError(
            f"{os.fspath(path)!r}: an animation is written as .gif, .mp4 or .html. Give a name with such an ending."
        )
    return ending


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
