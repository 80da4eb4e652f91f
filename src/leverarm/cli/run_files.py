"""The files of a run: refused before it begins rather than after it, and written with a bar where someone watches."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import click

import leverarm as la
from leverarm.errors import FormatError, InputError, MissingExtraError

ENDINGS = {
    "-o": ("run", (".parquet", ".csv", ".npz")),
    "--plot": ("plot", (".png", ".svg", ".pdf")),
    "--animate": ("animation", (".gif", ".html", ".mp4")),
}
NEEDS = {
    ".parquet": "pyarrow",
    ".png": "matplotlib",
    ".svg": "matplotlib",
    ".pdf": "matplotlib",
    ".gif": "PIL",
    ".mp4": "PIL",
}
LONGEST_FILM = 30.0
"""A longer run is shown faster than it happened, in this time [s]."""
EXTRAS = {"pyarrow": "parquet", "matplotlib": "plot", "PIL": "plot"}


def check_file(option: str, path: str) -> None:
    """Raises FormatError for a name that nothing can be written to, MissingExtraError where the means are missing."""
    kind, valid = ENDINGS[option]
    ending = Path(path).suffix.lower()
    if ending not in valid:
        raise FormatError(f"{option}: the ending of {Path(path).name!r} names no {kind}. Valid: {', '.join(valid)}.")
    folder = Path(path).parent
    if not folder.is_dir():
        raise FormatError(f"{option}: there is no folder {str(folder)!r} for {Path(path).name!r}. Make it first.")
    if option != "-o" and Path(path).is_dir():
        raise FormatError(f"{option}: {path!r} is a folder. Give the name of a file.")
    module = NEEDS.get(ending)
    if module is not None and find_spec(module) is None:
        raise MissingExtraError(f"{option}: {ending} needs {module}. Run: pip install 'leverarm[{EXTRAS[module]}]'.")
    if ending == ".mp4" and shutil.which("ffmpeg") is None and find_spec("imageio_ffmpeg") is None:
        raise MissingExtraError(
            f"{option}: .mp4 needs ffmpeg, which is not on the PATH. Install it, or write a .gif or an .html."
        )


def check_is_free(path: str) -> None:
    """Raises InputError where a run is there already and nothing was said about it."""
    if Path(path).is_dir():
        raise InputError(
            f"-o: {path} is there already, as a run in parts. Go on with it by --resume, or begin anew by --replace."
        )
    if Path(path).exists():
        raise InputError(f"-o: {path} is there already. Give another name, or replace it by --replace.")


def write_animation(trajectory: la.Trajectory, path: str) -> None:
    """Writes the moving picture, a long run faster than it happened, and says so; shows a bar in a terminal."""
    speed = max(1.0, trajectory.duration / LONGEST_FILM)
    with _bar(f"drawing {path}") as progress:
        trajectory.animate(path, speed=speed, progress=progress)
    if speed > 1:
        click.echo(f"note: {path} shows {trajectory.duration:g} s in {LONGEST_FILM:g} s.", err=True)


@contextmanager
def _bar(doing: str) -> Iterator[Callable[[int, int], None] | None]:
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
