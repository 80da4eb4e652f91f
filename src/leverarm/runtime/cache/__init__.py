"""Compiled functions cached on disk, fully verified before use: `la.cache.status()`, `la.cache.clear()`."""

from leverarm.runtime.cache.disk_cache import Cache as Cache
from leverarm.runtime.cache.disk_cache import CacheStatus as CacheStatus
from leverarm.runtime.cache.disk_cache import clear as clear
from leverarm.runtime.cache.disk_cache import entries as entries
from leverarm.runtime.cache.disk_cache import folder as folder
from leverarm.runtime.cache.disk_cache import status as status
from leverarm.runtime.cache.disk_cache import user_cache as user_cache
from leverarm.runtime.cache.file_format import About as About
from leverarm.runtime.cache.file_format import CacheEntry as CacheEntry
from leverarm.runtime.cache.file_format import key_of as key_of
from leverarm.runtime.cache.trust import CacheWarning as CacheWarning
