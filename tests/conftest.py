"""Settings of the tests: the same examples everywhere, and no clock, so that a slow machine fails nothing."""

from hypothesis import settings

settings.register_profile("leverarm", deadline=None, derandomize=True)
settings.load_profile("leverarm")
