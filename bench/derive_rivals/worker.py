"""One rival on one arm in a process of its own, a line of JSON per stage: python -m derive_rivals.worker kane elbow"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable, Iterator

from derive_rivals import RIVALS
from derive_rivals.answer import Answer, random_state
from derive_rivals.arms import arm_named
from derive_rivals.chain import chain_of

REPEATS, SHORT = 7, 0.5
"""How often a first stage is run if it takes fewer seconds than this; the least time counts."""


def main(rival: str, arm_name: str) -> None:
    arm = arm_named(arm_name)
    chain, state = chain_of(arm), random_state(arm)
    try:
        module = importlib.import_module(f"derive_rivals.{RIVALS[rival][0]}")
    except ImportError as missing:
        say(skipped=str(missing))
        return
    say(ready=rival)
    begin = getattr(module, rival)
    seconds, stages, answer = first_stage(lambda: begin(chain))
    while answer is not None:
        say(seconds=seconds)
        say(operations=answer.operations(), deviation=answer.deviation(state))
        seconds, answer = timed(stages)


def first_stage(begin: Callable[[], Iterator[Answer]]) -> tuple[float, Iterator[Answer], Answer | None]:
    stages = begin()
    seconds, answer = timed(stages)
    for _ in range(REPEATS - 1 if seconds < SHORT else 0):
        forget()
        stages = begin()
        again, answer = timed(stages)
        seconds = min(seconds, again)
    return seconds, stages, answer


def timed(stages: Iterator[Answer]) -> tuple[float, Answer | None]:
    """CPU seconds of the next stage."""
    start = time.process_time()
    answer = next(stages, None)
    return time.process_time() - start, answer


def forget() -> None:
    """Empties SymPy's cache, so that a repeat does all of its work again."""
    if "sympy" in sys.modules:
        sys.modules["sympy"].core.cache.clear_cache()


def say(**found: object) -> None:
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
