"""Compiled functions kept on disk, checked in full before they are used."""

from leverarm.runtime.cache.disk_cache import Cache
from leverarm.runtime.cache.file_format import About, key_of
from leverarm.runtime.cache.listing import CacheEntry
from leverarm.runtime.cache.of_user import (
    CacheStatus,
    cache_entries,
    cache_folder,
    cache_status,
    clear_cache,
    user_cache,
)
from leverarm.runtime.cache.trust import CacheWarning

__all__ = [
    "About",
    "Cache",
    "CacheEntry",
    "CacheStatus",
    "CacheWarning",
    "cache_entries",
    "cache_folder",
    "cache_status",
    "clear_cache",
    "key_of",
    "user_cache",
]
