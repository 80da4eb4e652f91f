"""When something must change: the guard of a step looked at inside it, and the moment at which it turns negative."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from leverarm.simulation.acting.feeds import Floats

Found = TypeVar("Found")

LOOKS: Floats = np.array([0.0, 0.137, 1 / 3, 2 / 3, 0.774, 1.0])
"""Where in a step the guard is looked at: at no simple fractions only, so that a periodic load is not seen in step."""

_FIT, _CHECK = [0, 2, 3, 5], [1, 4]


def _less_the_cubic() -> Floats:
    """What two of the looks differ by from the cubic through the other four, as weights of all looks."""
    weights = np.zeros((len(_CHECK), len(LOOKS)))
    for row, look in zip(weights, _CHECK, strict=True):
        row[look] = 1.0
        for k in _FIT:
            row[k] = -np.prod([(LOOKS[look] - LOOKS[j]) / (LOOKS[k] - LOOKS[j]) for j in _FIT if j != k])
    return weights


_MISSED = _less_the_cubic()

DOUBT = 1e-3
"""How far a load may be from the cubic, as a part of itself, to be followed from look to look."""


def are_doubtful(loads: Floats) -> Any:
    """Which loads, (6, N) at the looks into a step, change too fast to be known in between, (N,).

    The tolerances of the motion do not see this: where joints are held, a load may come and go while nothing moves.
    """
    missed = np.abs(_MISSED @ loads).max(axis=0)
    return missed > DOUBT * np.abs(loads).max(axis=0) + 1e-9


def first_negative(
    guard: Callable[[float], tuple[float, Found]],
    quiet: tuple[float, float],
    violated: tuple[float, float, Found],
    closest: float,
) -> tuple[float, Found]:
    """The end at which the guard is negative of a bracket no longer than `closest`, and what the guard gave with it.

    False position in Illinois form, halving every third time.
    """
    (a, at_a), (b, at_b, found) = quiet, violated
    side, turn = 0, 0
    while b - a > closest:
        turn += 1
        x = 0.5 * (a + b)
        if turn % 3:
            x = min(max(b - at_b * (b - a) / (at_b - at_a), a + 0.5 * closest), b - 0.5 * closest)
        if not a < x < b:
            break
        value, candidate = guard(x)
        if value < 0:
            b, at_b, found = x, value, candidate
            at_a = at_a / 2 if side < 0 else at_a
            side = -1
        else:
            a, at_a = x, value
            at_b = at_b / 2 if side > 0 else at_b
            side = 1
    return b, found
