"""Settings of the tests: the same examples everywhere, no clock, so that a slow machine fails nothing, and no user's cache."""

import os
import tempfile

from hypothesis import settings

settings.register_profile("leverarm", deadline=None, derandomize=True)
settings.load_profile("leverarm")

_cache = tempfile.TemporaryDirectory(prefix="leverarm-tests-")
os.environ["LEVERARM_CACHE"] = _cache.name
for _name in ("LEVERARM_CACHE_SIZE", "LEVERARM_CPU", "LEVERARM_THREADS"):
    os.environ.pop(_name, None)
