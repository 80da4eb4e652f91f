"""The contents of a cache folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from leverarm.runtime.cache.file_format import About, Contents, Damaged, key_of, unpacked
from leverarm.runtime.cache.trust import TEMPORARY, Untrusted, read_trusted

ENDING = ".compiled"
_KEPT = re.compile(rf"[0-9a-f]{{64}}{re.escape(ENDING)}")
_UNFINISHED = re.compile(rf"[0-9a-f]{{64}}\.[0-9a-f]{{16}}{re.escape(TEMPORARY)}")


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A directory entry: the time the file was last used or written [s] and its size [bytes]."""

    path: Path
    used: float
    size: int


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """A file of the cache: what it holds, when it was made and last used (to the day), its size [bytes].

    If it cannot be used, `trouble` says why and its other fields are unknown.
    """

    path: Path
    about: About | None
    created: datetime | None
    used: datetime
    size: int
    trouble: str = ""


def kept_files(folder: Path) -> list[FoundFile]:
    """The files of the cache, the least recently used first."""
    return sorted(_files(folder, _KEPT), key=lambda file: (file.used, file.path))


def unfinished_files(folder: Path) -> list[FoundFile]:
    """Temporary files: being written, or left by a killed process."""
    return list(_files(folder, _UNFINISHED))


def _files(folder: Path, name: re.Pattern[str]) -> Iterator[FoundFile]:
    """None if the folder cannot be listed; files removed meanwhile are skipped."""
    try:
        listed = os.scandir(folder)
    except OSError:
        return
    with listed:
        for entry in listed:
            if name.fullmatch(entry.name):
                try:
                    status = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                yield FoundFile(Path(entry.path), status.st_mtime, status.st_size)


def entry_of(file: FoundFile) -> CacheEntry | None:
    """What a file holds, after the same checks as before use; None if it is gone."""
    used = datetime.fromtimestamp(file.used, UTC)
    try:
        contents, _ = read_contents(file.path)
    except FileNotFoundError:
        return None
    except (Damaged, Untrusted) as problem:
        return CacheEntry(file.path, None, None, used, file.size, str(problem))
    except OSError as problem:
        return CacheEntry(file.path, None, None, used, file.size, f"cannot be read ({problem.strerror})")
    return CacheEntry(file.path, contents.about, contents.created, used, file.size)


def read_contents(path: Path) -> tuple[Contents, float]:
    """A file after every check that needs no key, and when it was last used [s].

    Raises Damaged, Untrusted, and OSError if it cannot be read.
    """
    content, used = read_trusted(path)
    contents = unpacked(content)
    if key_of(contents.parts) != path.stem:
        raise Damaged("holds another function than its name says")
    return contents, used
