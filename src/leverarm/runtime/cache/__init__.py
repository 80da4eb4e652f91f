"""Compiled functions cached on disk, fully verified before use: `la.cache.status()`, `la.cache.clear()`."""

from leverarm.runtime.cache.disk_cache import Cache, CacheStatus, clear, entries, folder, status, user_cache
from leverarm.runtime.cache.file_format import About, CacheEntry, key_of
from leverarm.runtime.cache.trust import CacheWarning
