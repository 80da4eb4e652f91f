"""This user's cache: its folder and size limit, from environment variables or the platform's convention."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from leverarm.runtime.cache.disk_cache import Cache
from leverarm.runtime.cache.listing import CacheEntry
from leverarm.runtime.cache.trust import warn_once

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
