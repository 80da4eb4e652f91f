"""A film as MP4, made by ffmpeg from the frames it is sent."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from importlib import import_module
from pathlib import Path
from typing import BinaryIO

from leverarm.errors import InputError, MissingExtraError
from leverarm.trajectories.animation.film import Film
from leverarm.trajectories.animation.progress import Progress
from leverarm.trajectories.animation.raster import pictures


def write_mp4(film: Film, stream: BinaryIO, progress: Progress) -> None:
    """Writes an MP4. Raises MissingExtraError without ffmpeg, InputError with ffmpeg's own words where it fails."""
    program = ffmpeg()
    page, count = film.stage.page, len(film.frames)
    with tempfile.TemporaryDirectory(prefix="leverarm-") as folder:
        made = Path(folder) / "film.mp4"
        command = [
            program, "-loglevel", "error", "-nostdin", "-f", "rawvideo", "-pix_fmt", "rgb24",
            "-s", f"{round(page.width)}x{round(page.greatest_height)}", "-r", f"{film.frames.rate:g}", "-i", "pipe:0",
            "-an", "-pix_fmt", "yuv420p", "-b:v", "4M", "-movflags", "+faststart", "-y", str(made),
        ]  # fmt: skip
        with (Path(folder) / "complaints").open("w+b") as complaints:
            _send(film, command, complaints, progress, count)
            complaints.seek(0)
            words = complaints.read().decode(errors="replace").strip()
        if not made.exists():
            raise InputError(
                f"ffmpeg ({program}) made no video: {words or 'it gave no reason'}. Write a .gif or an .html."
            )
        with made.open("rb") as source:
            shutil.copyfileobj(source, stream)


def ffmpeg() -> str:
    """The program that encodes videos: on the PATH, or that of the package imageio-ffmpeg."""
    found = shutil.which("ffmpeg")
    if found is not None:
        return found
    try:
        package = import_module("imageio_ffmpeg")
    except ImportError:
        raise MissingExtraError(
            "MP4 animations need ffmpeg, which is not on the PATH. Install it, or run: pip install imageio-ffmpeg; "
            "or write a .gif or an .html, which need neither."
        ) from None
    return str(package.get_ffmpeg_exe())


def _send(film: Film, command: list[str], complaints: BinaryIO, progress: Progress, count: int) -> None:
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=complaints) as encoder:
        assert encoder.stdin is not None
        try:
            for k, picture in enumerate(pictures(film, range(count))):
                encoder.stdin.write(picture.tobytes())
                progress(k + 1, count)
            encoder.stdin.close()
        except BrokenPipeError:
            pass  # it ended early, and said why
        except BaseException:
            encoder.kill()
            raise
