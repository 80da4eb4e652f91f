"""Reference values at a few states: what the mechanics say over plain floats, without the compiler."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from leverarm.compiler.c99 import Real
from leverarm.compiler.rounding import ROUNDOFF, error_bounds
from leverarm.runtime.export.bundle import Function
from leverarm.runtime.parameters import bound, present_values
from leverarm.runtime.quantities import QUANTITIES
from leverarm.runtime.tracing import Request, flattened, singular

STATES = 3
CANDIDATES = 6
SMALL = 1 / 16
"""For a parameter that the arm has as zero: a payload, say."""
SLACK = 4
"""Times the bound of rounding: the reference, by another algorithm, is rounded too."""
_STEP = 1 / 128
"""Of time [s], and between numbers of the states, which are therefore the same in every precision."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Numbers for the arguments, one list each; the results expected and how far off each entry may be."""

    arguments: tuple[list[float], ...]
    expected: tuple[list[float], ...]
    allowed: tuple[list[float], ...]

    @property
    def looseness(self) -> float:
        """The largest error allowed, as a part of the largest entry of its result."""
        parts = zip(self.expected, self.allowed, strict=True)
        return max(max(allowed) / (max(map(abs, expected)) or 1.0) for expected, allowed in parts)


def samples(function: Function, real: Real) -> list[Sample]:
    """A few states, the same in every run, with the values that the reference mechanics give.

    Of some candidates those are taken that say most: near a singular pose rounding may do almost anything.
    """
    stream = _numbers()
    candidates = []
    for _ in range(CANDIDATES):
        with suppress(ZeroDivisionError):  # a singular pose
            candidates.append(_sample(function, real, stream))
    if len(candidates) < STATES:
        raise singular(function.request)
    return sorted(candidates, key=lambda sample: sample.looseness)[:STATES]


def _sample(function: Function, real: Real, stream: Iterator[float]) -> Sample:
    request = function.request
    given = {a.name: _argument(request, a.name, a.size, stream) for a in request.arguments}
    parameters = {name: given[name] for name in request.parameters}
    state = {name: values for name, values in given.items() if name not in parameters}
    quantity = QUANTITIES[request.quantity]
    parts = quantity.routes[0](bound(request.arm, parameters), request.choices, state)
    flat = [float(x) for values in given.values() for x in values]
    bounds = iter(error_bounds(function.program, flat, ROUNDOFF[real]))
    expected = tuple(list(map(float, flattened(part))) for part in parts)
    own = [ROUNDOFF["double"] * max(map(abs, part), default=0.0) for part in expected]
    allowed = tuple(
        [SLACK * (next(bounds) + reference) for _ in part] for part, reference in zip(expected, own, strict=True)
    )
    return Sample(tuple(list(map(float, values)) for values in given.values()), expected, allowed)


def _argument(request: Request, name: str, size: int, stream: Iterator[float]) -> list[float]:
    """Numbers of the size that states have; a parameter near what the arm has, and exact in every precision."""
    if name == "dt":
        return [_STEP]
    if name in request.parameters:
        present = present_values(request.arm, name)
        return [struct.unpack("f", struct.pack("f", x))[0] or SMALL for x in present]
    return [next(stream) for _ in range(size)]


def _numbers() -> Iterator[float]:
    """Multiples of the step between -2 and 2, without a pattern: fractional parts of k times the golden ratio."""
    k = 0
    while True:
        k += 1
        yield round((4 * (k * 0.6180339887498949 % 1) - 2) / _STEP) * _STEP
