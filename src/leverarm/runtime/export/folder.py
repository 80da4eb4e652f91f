"""Writing several files, all of them or none."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from leverarm.errors import FormatError


def write_together(files: Mapping[str, str | bytes], folder: str | os.PathLike[str]) -> tuple[Path, ...]:
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
            handle, temporary = tempfile.mkstemp(dir=target, prefix=f".{name[:100]}.")
            staged[Path(temporary)] = target / name
            with os.fdopen(handle, "wb") as stream:
                stream.write(content.encode() if isinstance(content, str) else content)
            Path(temporary).chmod(_permissions(target / name))
        for path, final in staged.items():
            path.replace(final)
    except (OSError, ValueError) as problem:
        _take_back(staged, missing)
        reason = getattr(problem, "strerror", None) or problem
        raise FormatError(
            f"cannot be written: {reason}. Give a folder that you may write to.", os.fspath(folder)
        ) from None
    except BaseException:
        _take_back(staged, missing)
        raise
    return tuple(target / name for name in files)


def _permissions(path: Path) -> int:
    """Those of the file that is replaced, or of a plain new one."""
    return path.stat().st_mode & 0o777 if path.exists() else 0o644


def _take_back(staged: Mapping[Path, Path], folders: Sequence[Path]) -> None:
    """Removes what was begun: temporary files, and folders that were made for them, the innermost first."""
    for path in staged:
        path.unlink(missing_ok=True)
    for folder in folders:
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
