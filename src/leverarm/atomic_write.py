"""Files that are replaced as a whole or stay as they were, whatever goes wrong while they are written.

The new content goes into a temporary file in the same folder, which is renamed when it is complete: a rename within a
folder is atomic (POSIX rename, Windows MoveFileEx), so that nobody ever sees half a file.
"""

from __future__ import annotations

import os
import signal
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from leverarm.errors import FormatError, path_text

_WRITABLE = "a path in a folder that you may write to"


def atomic_write(content: str | bytes, path: str | os.PathLike[str]) -> None:
    """Writes a file as a whole or not at all. A link stays, and the file that it points to is replaced.

    Raises FormatError.
    """
    given = path_text(path, "result.txt")
    try:
        target = Path(given).resolve()
        temporary = _temporary_file(target, _bytes(content))
        try:
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except (OSError, ValueError, RuntimeError) as problem:
        raise _cannot_write(problem, _WRITABLE, given) from None


@contextmanager
def atomic_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write a lot into. It replaces `path` when the block ends without an error; otherwise nothing changes.

    The content is on the disk before the rename, so that a power failure cannot leave an empty file. Raises
    FormatError.
    """
    given = path_text(path, "result.txt")
    try:
        target = Path(given).resolve()
        temporary = _temporary_file(target, b"")
    except (OSError, ValueError, RuntimeError) as problem:
        raise _cannot_write(problem, _WRITABLE, given) from None
    try:
        with temporary.open("r+b") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
        _sync_folder(target.parent)
    except OSError as problem:
        raise _cannot_write(problem, _WRITABLE, given) from None
    finally:
        temporary.unlink(missing_ok=True)


def atomic_write_all(files: Mapping[str, str | bytes], folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Writes files into a folder, all or none; the folder is made if it does not exist.

    A Ctrl-C while the files are renamed takes effect when all are: the KeyboardInterrupt then says that they were
    written. Raises FormatError.
    """
    given = path_text(folder, "results")
    target = Path(given)
    staged: dict[Path, Path] = {}
    new_folders: list[Path] = []
    try:
        new_folders = [path for path in (target, *target.parents) if not path.exists()]
        target.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            if (target / name).is_dir():
                raise IsADirectoryError(None, f"{name} is a folder")
            staged[_temporary_file(target / name, _bytes(content))] = target / name
        with _interrupt_deferred(f"all {len(files)} files in {given} were written."):
            for temporary, final in staged.items():
                temporary.replace(final)
    except (OSError, ValueError) as problem:
        _remove(staged, new_folders)
        raise _cannot_write(problem, "a folder that you may write to", given) from None
    except BaseException:
        _remove(staged, new_folders)
        raise
    return tuple(target / name for name in files)


@contextmanager
def _interrupt_deferred(done: str) -> Iterator[None]:
    """Holds a Ctrl-C back until the block has ended, then raises KeyboardInterrupt(done).

    Python runs signal handlers in the main thread only, so that other threads need no such care.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    interrupts: list[Any] = []
    signal.signal(signal.SIGINT, lambda *given: interrupts.append(given))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if interrupts:
        raise KeyboardInterrupt(done)


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def _temporary_file(target: Path, content: bytes) -> Path:
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


def _sync_folder(folder: Path) -> None:
    """Puts the file names of a folder on the disk, where the operating system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _remove(files: Iterable[Path], folders: Iterable[Path]) -> None:
    """Removes temporary files, and the folders that were made for them, the innermost first."""
    for path in files:
        path.unlink(missing_ok=True)
    for folder in folders:
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def _cannot_write(problem: Exception, advice: str, given: str) -> FormatError:
    reason = getattr(problem, "strerror", None) or problem
    return FormatError(f"cannot be written: {reason}. Give {advice}.", given)


def _umask() -> int:
    """The permissions that new files do not get; the only way to read it is to set it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
