"""Writing a file whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from leverarm.errors import FormatError


def write_whole(text: str, path: str | os.PathLike[str]) -> None:
    """Writes a text file: a file beside it takes its place when it is complete, so nothing is ever half-written."""
    given = os.fspath(path)
    try:
        target = Path(given).resolve()  # a link stays, what it points at is replaced
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.")
        temporary = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(text)
            temporary.chmod(target.stat().st_mode if target.exists() else 0o666 & ~_umask())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except (OSError, ValueError, RuntimeError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise FormatError(
            f"cannot be written: {reason}. Give a path in a folder that you may write to.", given
        ) from None


def _umask() -> int:
    """The permissions that new files are not given here; can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
