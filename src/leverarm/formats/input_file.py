"""The bytes of a file that describes an arm: never more than such a description has."""

from __future__ import annotations

from pathlib import Path

from leverarm.errors import FormatError

MAX_BYTES = 20_000_000


def read_bytes(path: str | Path) -> bytes:
    """All bytes of a file; at most MAX_BYTES are ever read."""
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as problem:  # a ValueError is a path that no system has, such as one with a null byte
        reason = getattr(problem, "strerror", None) or str(problem)
        raise FormatError(f"cannot be read: {reason}. Check the path and its permissions.", str(path)) from None
    check_size(len(data), str(path))
    return data


def check_size(size: int, file: str | None) -> None:
    if size > MAX_BYTES:
        raise FormatError(
            f"has more than {MAX_BYTES // 1_000_000} MB; that is not the description of an arm. Give another file; "
            "meshes belong in files of their own.",
            file,
        )
