"""The cache of this user, as the environment says now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from leverarm.runtime.cache.disk_cache import Cache
from leverarm.runtime.cache.listing import CacheEntry
from leverarm.runtime.cache.location import folder_from_environment, limit_from_environment


@dataclass(frozen=True, slots=True)
class CacheStatus:
    """The folder of compiled functions (None where the cache is off), how much it holds and may hold [bytes].

    `trouble` says why the folder is not used; it is empty where all is well.
    """

    folder: Path | None
    size: int
    limit: int
    trouble: str


def user_cache() -> Cache:
    """The cache that LEVERARM_CACHE and LEVERARM_CACHE_SIZE, or else the platform's convention, describe."""
    return Cache(folder_from_environment(), limit_from_environment())


def cache_folder() -> Path | None:
    """The folder that compiled functions are kept in; None where LEVERARM_CACHE=off. It need not exist yet."""
    return user_cache().folder


def cache_status() -> CacheStatus:
    """Where compiled functions are kept, how much is there, and whether it can be used."""
    cache = user_cache()
    return CacheStatus(cache.folder, cache.size(), cache.limit, cache.trouble())


def cache_entries() -> tuple[CacheEntry, ...]:
    """Every compiled function that is kept, the last used first, checked in full as before it is used."""
    return user_cache().entries()


def clear_cache(arm: str | None = None, unused_for: timedelta = timedelta(0)) -> tuple[CacheEntry, ...]:
    """Removes compiled functions of an arm (or of all) that were not used for that long; returns what was removed."""
    return user_cache().clear(arm, unused_for)
