"""A folder of compiled functions, safe for concurrent use by any number of processes; and that of this user.

Its folder and its size limit come from environment variables, or from the platform's convention.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from leverarm.errors import LeverarmError
from leverarm.runtime.cache.file_format import (
    ENDING,
    About,
    CacheEntry,
    Contents,
    Damaged,
    code_packed,
    code_unpacked,
    entry_of,
    kept_files,
    key_of,
    packed,
    read_contents,
    unfinished_files,
)
from leverarm.runtime.cache.trust import Untrusted, folder_trouble, make_folder, warn, warn_once, write_and_move

T = TypeVar("T")

DAY = 86_400.0
ABANDONED = 600.0
"""A temporary file older than this [s] was left by a killed process: writing takes milliseconds."""

ROOM = 0.9
"""Fraction of the limit kept after trimming, so that not every store has to trim."""


@dataclass(frozen=True, slots=True)
class Cache:
    """Machine code in a folder (None: cache off), at most `limit` bytes in total."""

    folder: Path | None
    limit: int

    def load(self, parts: Mapping[str, str]) -> bytes | None:
        """The payload stored for exactly this key, or None. A file that fails a check is removed with a warning."""
        if self.folder is None:
            return None
        path = self.folder / f"{key_of(parts)}{ENDING}"
        try:
            if self._is_refused():
                return None
            contents, used = read_contents(path)
            if contents.parts != dict(parts):
                raise Damaged("holds another function than its name says")
        except FileNotFoundError:
            return None
        except Untrusted as problem:  # stays until the next store replaces it
            warn(f"{path} {problem}, so it is not used and the function is compiled again.")
            return None
        except Damaged as problem:
            self._discard(parts, str(problem))
            return None
        except OSError as problem:
            self._warn_of(problem, "read")
            return None
        if abs(time.time() - used) > DAY:
            with suppress(OSError):
                os.utime(path)
        return contents.payload

    def store(self, parts: Mapping[str, str], payload: bytes, about: About) -> None:
        """Stores machine code for later processes; a full or read-only disk gives one warning."""
        if self.folder is None or not self.limit:
            return
        content = packed(Contents(parts, about, datetime.now(UTC), payload))
        if len(content) > self.limit:
            warn_once(
                f"{self.limit} bytes",
                f"a compiled function of {len(content)} bytes is over the limit of the cache ({self.limit} bytes), so "
                f"it is compiled in every process; set LEVERARM_CACHE_SIZE to more, such as 1 GB.",
            )
            return
        try:
            make_folder(self.folder)
            if not self._is_refused():
                write_and_move(content, self.folder / f"{key_of(parts)}{ENDING}")
                self.trim()
        except OSError as problem:
            self._warn_of(problem, "written")

    def load_code(self, parts: Mapping[str, str], read: Callable[[dict[str, Any]], T]) -> tuple[T, bytes] | None:
        """The notes stored by `store_code`, parsed by `read`, and the machine code; None as for `load`."""
        payload = self.load(parts)
        if payload is None:
            return None
        try:
            notes, code = code_unpacked(payload)
            return read(notes), code
        except Damaged as problem:
            self._discard(parts, str(problem))
        except (ValueError, TypeError, KeyError, AttributeError):
            self._discard(parts, "holds another function than its name says")
        return None

    def store_code(self, parts: Mapping[str, str], notes: Mapping[str, object], code: bytes, about: About) -> None:
        """Stores machine code with notes (any JSON value) for `load_code`."""
        self.store(parts, code_packed(notes, code), about)

    def entries(self) -> tuple[CacheEntry, ...]:
        """Every file, fully checked, most recently used first; a file that fails a check reports why."""
        found = [] if self.folder is None else [entry_of(file) for file in reversed(kept_files(self.folder))]
        return tuple(entry for entry in found if entry is not None)

    def size(self) -> int:
        """Total size of all files [bytes]."""
        return 0 if self.folder is None else sum(file.size for file in kept_files(self.folder))

    def trim(self) -> None:
        """Removes the least recently used files if over the limit, and leftovers of killed processes."""
        if self.folder is None:
            return
        for left in unfinished_files(self.folder):
            if abs(time.time() - left.used) > ABANDONED:
                _remove(left.path)
        files = kept_files(self.folder)
        total = sum(file.size for file in files)
        if total > self.limit:
            for file in files:
                if total <= ROOM * self.limit:
                    break
                _remove(file.path)
                total -= file.size

    def clear(self, arm: str | None = None, unused_for: timedelta = timedelta(0)) -> tuple[CacheEntry, ...]:
        """Removes the files of one arm (or of all) that were last used at least this long ago; returns them.

        Raises LeverarmError if a file cannot be removed.
        """
        now = datetime.now(UTC)
        chosen = [entry for entry in self.entries() if now - entry.used >= unused_for or not unused_for]
        if arm is not None:
            chosen = [entry for entry in chosen if entry.about is not None and entry.about.arm == arm]
        kept = [(entry, problem) for entry in chosen if (problem := _remove(entry.path))]
        if self.folder is not None and arm is None:
            for left in unfinished_files(self.folder):
                if now - datetime.fromtimestamp(left.used, UTC) >= unused_for or not unused_for:
                    _remove(left.path)
        if kept:
            entry, problem = kept[0]
            raise LeverarmError(
                f"{len(kept)} of {len(chosen)} files of the cache cannot be removed, the first is {entry.path}: "
                f"{problem}. Remove them as a user who may write to that folder."
            )
        return tuple(chosen)

    def trouble(self) -> str:
        """Why the folder cannot be used; empty if it can, or does not exist yet."""
        try:
            return "" if self.folder is None else folder_trouble(self.folder)
        except FileNotFoundError:
            return ""
        except OSError as problem:
            return f"cannot be read ({problem.strerror})"

    def _discard(self, parts: Mapping[str, str], why: str) -> None:
        assert self.folder is not None
        path = self.folder / f"{key_of(parts)}{ENDING}"
        _remove(path)
        warn(f"{path} {why}, so it is removed and the function is compiled again.")

    def _is_refused(self) -> bool:
        assert self.folder is not None
        trouble = folder_trouble(self.folder)
        if trouble:
            warn_once(
                str(self.folder),
                f"the cache folder {self.folder} {trouble}, so it is not used and functions are compiled in every "
                f"process; set LEVERARM_CACHE to a folder of your own, or to off.",
            )
        return bool(trouble)

    def _warn_of(self, problem: OSError, doing: str) -> None:
        warn_once(
            str(self.folder),
            f"the cache folder {self.folder} cannot be {doing} ({problem.strerror}), so functions are compiled in "
            f"every process; set LEVERARM_CACHE to a folder that you may write to, or to off.",
        )


def _remove(path: Path) -> str:
    """Removes a file; returns the error if that failed. A file already gone is no error."""
    try:
        path.unlink()
    except FileNotFoundError:
        pass
    except OSError as problem:
        return problem.strerror or str(problem)
    return ""


FOLDER = "LEVERARM_CACHE"
SIZE = "LEVERARM_CACHE_SIZE"
OFF = "off"
DEFAULT_LIMIT = 512_000_000
"""[bytes]"""
LARGEST_LIMIT = 2**63 - 1
"""[bytes], more than any disk has."""

UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}


def folder_from_environment() -> Path | None:
    """The cache folder; None if the cache is off or no home folder is known."""
    given = os.environ.get(FOLDER, "").strip()
    if given.lower() == OFF:
        return None
    try:
        return Path(given).expanduser().absolute() if given else _by_convention()
    except (RuntimeError, OSError):  # no home folder, or the working directory was deleted
        warn_once(
            FOLDER,
            f"there is no home folder for the cache of compiled functions, so they are compiled in every process; "
            f"set {FOLDER} to a folder, or to {OFF}.",
        )
        return None


def _by_convention() -> Path:
    """XDG Base Directory Specification 0.8 for Unix; Apple's File System Programming Guide; Windows known folders."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "leverarm" / "cache"
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if base.is_absolute():  # the specification: a relative path is to be ignored
        return base / "leverarm"
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "leverarm"


def limit_from_environment() -> int:
    """The size limit of the cache [bytes]."""
    given = os.environ.get(SIZE, "").strip()
    if not given:
        return DEFAULT_LIMIT
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", given.lower())
    if found is None or found[2] not in UNITS:
        warn_once(
            SIZE,
            f"{SIZE}={given!r} is not a size, so the cache may grow to {DEFAULT_LIMIT // 10**6} MB; "
            f"give a number of bytes, or one with a unit: 300 MB, 2 GB, 1.5 GiB.",
        )
        return DEFAULT_LIMIT
    return int(min(float(found[1]) * UNITS[found[2]], LARGEST_LIMIT))


@dataclass(frozen=True, slots=True)
class CacheStatus:
    """The cache folder (None if the cache is off), its size and its size limit [bytes].

    `trouble` says why the folder is not used; empty if it is.
    """

    folder: Path | None
    size: int
    limit: int
    trouble: str


def user_cache() -> Cache:
    """The cache configured by LEVERARM_CACHE and LEVERARM_CACHE_SIZE, or by the platform's convention."""
    return Cache(folder_from_environment(), limit_from_environment())


def folder() -> Path | None:
    """The folder of cached compiled functions; None if LEVERARM_CACHE=off. It may not exist yet."""
    return user_cache().folder


def status() -> CacheStatus:
    """Folder, size and size limit of the cache, and whether it can be used."""
    cache = user_cache()
    return CacheStatus(cache.folder, cache.size(), cache.limit, cache.trouble())


def entries() -> tuple[CacheEntry, ...]:
    """Every cached function, most recently used first, fully verified as before use."""
    return user_cache().entries()


def clear(arm: str | None = None, unused_for: timedelta = timedelta(0)) -> tuple[CacheEntry, ...]:
    """Removes the cached functions of one arm (or of all) not used for this long; returns those removed."""
    return user_cache().clear(arm, unused_for)
