"""Going downhill: the limited-memory BFGS method with steps that stay where the cost is finite.

Nocedal and Wright, Numerical Optimization (2006), Algorithms 7.4 and 7.5.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from leverarm.arrays import Array

MEMORY = 24
ENOUGH = 1e-4
"""Part of the decrease that the slope promises which a step must give (Armijo)."""
MOST_HALVINGS = 30
FIRST_STEP = 0.05


class Cost(NamedTuple):
    """A cost, its slope, and what it is without barriers."""

    value: float
    slope: Array
    plain: float


def downhill(cost: Callable[[Array], Cost | None], x: Array, least: float) -> Iterator[tuple[Array, Cost]]:
    """Points ever lower, each with its cost, until a step gives less than `least` or none is found.

    `cost` is None where a point is not allowed; a descent that begins at such a point has none.
    """
    at = cost(x)
    if at is None:
        return
    yield x, at
    pairs: deque[tuple[Array, Array]] = deque(maxlen=MEMORY)
    while True:
        direction = _direction(at.slope, pairs)
        if direction @ at.slope >= 0:
            pairs.clear()
            direction = _direction(at.slope, pairs)
        step, promised = 1.0, float(direction @ at.slope)
        for _ in range(MOST_HALVINGS):
            there = cost(x + step * direction)
            if there is not None and there.value <= at.value + ENOUGH * step * promised:
                break
            step /= 2
        else:
            return
        moved, turned = step * direction, there.slope - at.slope
        if moved @ turned > 1e-12 * np.linalg.norm(moved) * np.linalg.norm(turned):
            pairs.append((moved, turned))
        gained = at.value - there.value
        x, at = x + moved, there
        yield x, at
        if gained < least:
            return


def _direction(slope: Array, pairs: deque[tuple[Array, Array]]) -> Array:
    """The Newton direction by what the last steps told of the curvature; the steepest one where there were none."""
    d = -slope
    if not pairs:
        return np.asarray(d * FIRST_STEP / max(float(np.linalg.norm(d)), 1e-300))
    parts = []
    for s, y in reversed(pairs):
        part = (s @ d) / (s @ y)
        d = d - part * y
        parts.append(part)
    s, y = pairs[-1]
    d = d * ((s @ y) / (y @ y))
    for (s, y), part in zip(pairs, reversed(parts), strict=True):
        d = d + s * (part - (y @ d) / (s @ y))
    return np.asarray(d)
