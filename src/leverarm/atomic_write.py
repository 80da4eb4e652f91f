"""Writing a file whole or not at all, and several files all together or none."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from leverarm.errors import FormatError


def atomic_write(content: str | bytes, path: str | os.PathLike[str]) -> None:
    """Writes a file: a file beside it takes its place when it is complete, so nothing is ever half-written."""
    given = os.fspath(path)
    try:
        target = Path(given).resolve()  # a link stays, what it points at is replaced
        temporary = _written_beside(target, content.encode() if isinstance(content, str) else content)
        try:
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except (OSError, ValueError, RuntimeError) as problem:
        raise _refusal(problem, "a path in a folder that you may write to", given) from None


@contextmanager
def atomic_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write much into; it takes its place when the block ends well, and otherwise nothing has changed.

    What was written is on the disk before it takes its place, so that a power failure leaves no empty file there.
    """
    given, advice = os.fspath(path), "a path in a folder that you may write to"
    try:
        target = Path(given).resolve()
        temporary = _written_beside(target, b"")
    except (OSError, ValueError, RuntimeError) as problem:
        raise _refusal(problem, advice, given) from None
    try:
        with temporary.open("r+b") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
        _keep_names(target.parent)
    except OSError as problem:
        raise _refusal(problem, advice, given) from None
    finally:
        temporary.unlink(missing_ok=True)


def atomic_write_all(files: Mapping[str, str | bytes], folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Writes files into a folder, which is made if it is not there. What is replaced stays until all are complete."""
    target = Path(folder)
    staged: dict[Path, Path] = {}
    missing: list[Path] = []
    try:
        missing = [path for path in (target, *target.parents) if not path.exists()]
        target.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            if (target / name).is_dir():
                raise IsADirectoryError(None, f"{name} is a folder")
            written = _written_beside(target / name, content.encode() if isinstance(content, str) else content)
            staged[written] = target / name
        for path, final in staged.items():
            path.replace(final)
    except (OSError, ValueError) as problem:
        _take_back(staged, missing)
        raise _refusal(problem, "a folder that you may write to", os.fspath(folder)) from None
    except BaseException:
        _take_back(staged, missing)
        raise
    return tuple(target / name for name in files)


def _written_beside(target: Path, content: bytes) -> Path:
    """A new file in the target's folder, with the permissions that the target has or would have."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        temporary.chmod(target.stat().st_mode if target.exists() else 0o666 & ~_umask())
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _keep_names(folder: Path) -> None:
    """Puts the names in a folder on the disk, where the system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _take_back(files: Iterable[Path], folders: Iterable[Path]) -> None:
    """Removes what was begun: temporary files, and folders that were made for them, the innermost first."""
    for path in files:
        path.unlink(missing_ok=True)
    for folder in folders:
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def _refusal(problem: Exception, advice: str, given: str) -> FormatError:
    reason = getattr(problem, "strerror", None) or problem
    return FormatError(f"cannot be written: {reason}. Give {advice}.", given)


def _umask() -> int:
    """The permissions that new files are not given here; can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
