"""How much is tried: `quick` while one works, `test` for what CI runs, `thorough` before a release.

`python3 dev.py quick|test|thorough` sets LEVERARM_TESTS. Tests of a mutant try as little as `quick`, slow ones included.
"""

import os

LEVELS = ("quick", "test", "thorough")
LEVEL = os.environ.get("LEVERARM_TESTS", "test")
if LEVEL not in (*LEVELS, "mutant"):
    raise SystemExit(f"LEVERARM_TESTS={LEVEL!r}; it is one of {', '.join(LEVELS)}.")


def at_level(quick, test, thorough):
    """What to use at the level of this run."""
    return {"quick": quick, "mutant": quick, "test": test, "thorough": thorough}[LEVEL]
