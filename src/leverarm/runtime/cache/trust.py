"""Trust and file safety of the cache: ownership checks, warnings and atomic writes.

A file that anyone but the user or root could have written is never run (as for ssh: sshd_config, StrictModes). A cache
that does not work gives warnings, never errors: it costs time, not results. Files are replaced atomically, so that
other processes, or a kill at any moment, never leave a partial one.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import warnings
from contextlib import suppress
from pathlib import Path

ROOT = 0
BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class Untrusted(Exception):
    """Somebody else could have written this file; the message completes "FILE ..."."""


def folder_trouble(folder: Path) -> str:
    """Why the files in a folder must not be used; empty if they may be. Raises FileNotFoundError."""
    status = folder.stat()
    if not stat.S_ISDIR(status.st_mode):
        return "is not a folder"
    return _writer_trouble(status)


def read_trusted(path: Path) -> tuple[bytes, float]:
    """A file's content and modification time [s], through one descriptor: what is checked is what is read.

    Raises Untrusted, and OSError if it cannot be read.
    """
    descriptor = _open(path)
    try:
        status = os.fstat(descriptor)
        trouble = _writer_trouble(status) if stat.S_ISREG(status.st_mode) else "is not a plain file"
        if trouble:
            raise Untrusted(trouble)
        pieces = []
        while piece := os.read(descriptor, status.st_size + 1):
            pieces.append(piece)
        return b"".join(pieces), status.st_mtime
    finally:
        os.close(descriptor)


def _open(path: Path) -> int:
    # a link could lead anywhere, and opening a pipe would block forever
    only_files = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        return os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | only_files)
    except OSError as problem:
        if problem.errno == errno.ELOOP:
            raise Untrusted("is a link") from None
        raise


def _writer_trouble(status: os.stat_result) -> str:
    if os.name != "posix":  # elsewhere the mode means nothing; the user's own folder is protected by default
        return ""
    if status.st_uid not in (os.geteuid(), ROOT):
        return f"belongs to user {status.st_uid} and not to you (user {os.geteuid()})"
    if status.st_mode & BY_OTHERS:
        return "can be written by others (chmod go-w would end that)"
    return ""


_said: set[str] = set()
"""Topics already warned about in this process, to avoid a warning at every call."""


class CacheWarning(UserWarning):
    """A file or folder of the cache cannot be used; the function is compiled instead."""


def warn(message: str) -> None:
    """Warns at the line of the user's program that led here."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "leverarm":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, CacheWarning, stacklevel=level)


def warn_once(topic: str, message: str) -> None:
    """Warns about a topic once per process."""
    if topic not in _said:
        _said.add(topic)
        warn(message)


TEMPORARY = ".tmp"


def make_folder(folder: Path) -> None:
    """Creates the folder, private to the user."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def write_and_move(content: bytes, path: Path) -> None:
    """Writes a file atomically (temporary file and rename): a reader sees the old file or the new one.

    No fsync: a file truncated by a power failure fails its checksum. Raises OSError.
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
        # the cache was cleared meanwhile: fine
    except PermissionError:
        if os.name != "nt" or not path.is_file():
            raise
        temporary.unlink()  # Windows does not replace an open file; it holds the same function
