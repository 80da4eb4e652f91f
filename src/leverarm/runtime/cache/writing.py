"""A file appears whole or not at all, whoever else writes, reads or removes it, and whenever this process is killed."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

TEMPORARY = ".tmp"


def make_folder(folder: Path) -> None:
    """The folder, for the user's eyes only."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def write_and_move(content: bytes, path: Path) -> None:
    """Writes a file beside `path` and moves it there; a reader sees the old file or the new one.

    Nothing is forced to the disk: a file that a power failure cuts short fails its checksum. Raises OSError.
    """
    temporary = path.with_name(f"{path.stem}.{os.urandom(8).hex()}{TEMPORARY}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        try:
            remaining = memoryview(content)
            while remaining:
                remaining = remaining[os.write(descriptor, remaining) :]
        finally:
            os.close(descriptor)
        _move(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _move(temporary: Path, path: Path) -> None:
    try:
        temporary.replace(path)
    except FileNotFoundError:
        if temporary.exists():
            raise
        # somebody cleared the cache in the meantime: so be it
    except PermissionError:
        if os.name != "nt" or not path.is_file():
            raise
        temporary.unlink()  # on Windows an open file stays; it holds the same function
