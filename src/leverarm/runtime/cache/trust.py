"""Who could have written a file: what anybody but the user can write is not run.

Root's files are as good as the user's own, as for ssh (sshd_config, StrictModes): root can do anything anyway.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

ROOT = 0
BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class Untrusted(Exception):
    """Somebody else could have written this file; the message completes "FILE ..."."""


def folder_trouble(folder: Path) -> str:
    """Why the files in a folder are not to be used; empty where they may be. Raises FileNotFoundError."""
    status = folder.stat()
    if not stat.S_ISDIR(status.st_mode):
        return "is not a folder"
    return _writer_trouble(status)


def read_trusted(path: Path) -> tuple[bytes, float]:
    """All of a file and the time it was last written [s], from one descriptor: what is checked is what is read.

    Raises Untrusted, and OSError where it cannot be read.
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
    # a link could lead anywhere, and opening a pipe would wait for ever
    only_files = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        return os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | only_files)
    except OSError as problem:
        if problem.errno == errno.ELOOP:
            raise Untrusted("is a link") from None
        raise


def _writer_trouble(status: os.stat_result) -> str:
    if os.name != "posix":  # elsewhere the mode says nothing; the user's own folder is protected by default
        return ""
    if status.st_uid not in (os.geteuid(), ROOT):
        return f"belongs to user {status.st_uid} and not to you (user {os.geteuid()})"
    if status.st_mode & BY_OTHERS:
        return "can be written by others (chmod go-w would end that)"
    return ""
