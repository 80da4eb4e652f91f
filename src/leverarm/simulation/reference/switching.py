"""Where a sign that the program takes changes. A power series knows nothing of what comes after."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.errors import SimulationError
from leverarm.simulation.reference.long_numbers import LongNumber, long_number
from leverarm.simulation.reference.recurrences import Powers

FINEST = 2.0**-50
"""Of a step: a change is told from a near miss down to this part of it."""


class SwitchError(SimulationError):
    """What a force takes the sign of passes through zero during a Taylor step; `t` is the time of it [s]."""

    def __init__(self, t: float) -> None:
        super().__init__(
            f"the Taylor method met a number that changes its sign at t = {t:.9g} s, where a force is not smooth: dry "
            "friction, or a control at its limits of effort. It can follow a motion up to there: end the run before "
            "that time, or use smooth friction and no limits.",
            t,
        )


def value_at(powers: Sequence[LongNumber], s: LongNumber) -> LongNumber:
    """The sum of c_k s^k (Horner's rule)."""
    total = powers[-1]
    for c in powers[-2::-1]:
        total = total * s + c
    return total


def first_change(powers: Powers, length: LongNumber) -> LongNumber | None:
    """How far from 0 towards `length` a series first has no certain sign; None if it keeps one, or is zero all along.

    Halves the way until balls that hold every value of the series exclude zero.
    """
    middles = [long_number(c) for c in powers]
    if not any(float(c) for c in middles):
        return None
    reach = sum(abs(c * length**k) for k, c in enumerate(middles[1:], start=1))
    if abs(middles[0]) > reach:
        return None
    waiting = [(0.0, 1.0)]
    while waiting:
        low, high = waiting.pop()
        if not value_at(middles, (length * low).union(length * high)).contains(0):
            continue
        if high - low <= FINEST:
            return long_number(length * low)
        middle = (low + high) / 2
        waiting += [(middle, high), (low, middle)]
    return None
