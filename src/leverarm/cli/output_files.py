"""Checks of output files and folders before the work rather than after it."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile

from leverarm.errors import FormatError, InputError, MissingExtraError
from leverarm.late_import import late

ENDINGS = {
    "-o": ("run", (".parquet", ".csv", ".npz")),
    "--plot": ("plot", (".png", ".svg", ".pdf")),
    "--animate": ("animation", (".gif", ".html", ".mp4")),
}
"""What a motion is written as."""
PACKAGES = {".parquet": ("pyarrow", "parquet"), ".gif": ("PIL", "plot"), ".mp4": ("PIL", "plot")} | dict.fromkeys(
    (".png", ".pdf"), ("matplotlib", "plot")
)
"""The optional package that an ending needs, and the extra that installs it."""


def check_ending(output: str, kind: str, valid: Sequence[str], option: str = "-o") -> None:
    """The ending of a file's name is one of a form that can be written."""
    if not output.strip() or output.endswith("/"):
        given = f"{output!r} is a folder" if output.strip() else f"{option} is empty"
        raise FormatError(f"{given}. Give the name of a file that ends in {', '.join(valid)}.")
    if Path(output).suffix.lower() not in valid:
        raise FormatError(f"{option}: the ending of {Path(output).name!r} names no {kind}. Valid: {', '.join(valid)}.")


def check_place(output: str, option: str = "-o") -> None:
    """The file can be written."""
    path = Path(output)
    if not path.parent.is_dir():
        raise FormatError(f"{option}: there is no folder {str(path.parent)!r} for {path.name!r}. Make it first.")
    if path.is_dir():
        raise FormatError(f"{option}: {output!r} is a folder. Give the name of a file.")
    _check_writable(path.parent, option)


def check_result(output: str) -> None:
    """-o of a result: a folder that can be written to or created, or a file with the ending of one of its parts."""
    path = Path(output)
    if not output.strip():
        raise InputError("-o is empty. Give the name of a folder.")
    if path.suffix[1:].isalpha() and not path.is_dir():
        check_ending(output, "result", (*late("identification.report.saving:ENDINGS"), "or a folder"))
        check_place(output)
        return
    there = next(place for place in (path, *path.absolute().parents) if place.exists())
    if not there.is_dir():
        raise FormatError(f"-o: {str(there)!r} is a file; a result is written into a folder. Give another name.")
    _check_writable(there)


def _check_writable(folder: Path, option: str = "-o") -> None:
    try:
        with TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        raise FormatError(
            f"{option}: no file can be written in {str(folder)!r}: {problem.strerror}. Give another folder."
        ) from None


def check_file(option: str, path: str) -> None:
    """The file of a motion, plot or animation can be written. Raises MissingExtraError where a package is missing."""
    check_ending(path, *ENDINGS[option], option)
    if option != "-o" or not Path(path).is_dir():  # a run in parts is a folder
        check_place(path, option)
    ending = Path(path).suffix.lower()
    module, extra = PACKAGES.get(ending, (None, ""))
    if module is not None and find_spec(module) is None:
        raise MissingExtraError(f"{option}: {ending} needs {module}. Run: pip install 'leverarm[{extra}]'.")
    if ending == ".mp4" and shutil.which("ffmpeg") is None and find_spec("imageio_ffmpeg") is None:
        raise MissingExtraError(
            f"{option}: .mp4 needs ffmpeg, which is not on the PATH. Install it, or write a .gif or an .html."
        )


def check_is_free(path: str) -> None:
    """There is no earlier run where neither --resume nor --replace is given."""
    if Path(path).is_dir():
        raise InputError(
            f"-o: {path} is there already, as a run in parts. Resume it by --resume, or begin anew by --replace."
        )
    if Path(path).exists():
        raise InputError(f"-o: {path} is there already. Give another name, or replace it by --replace.")
