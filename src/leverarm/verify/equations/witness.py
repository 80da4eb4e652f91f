"""A state in readable numbers at which two sides of an equation visibly differ."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import cycle, islice

from leverarm.notation.names import dotted
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Application, Generator, Polynomial, Quotient
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.letters import letters_of
from leverarm.verify.equations.values import Value, aligned, entries, shape_of
from leverarm.verify.equations.verdict import Witness

VISIBLE = 0.01
"""The least difference that is shown, relative to the larger side."""
POSITIONS = ((0.5, 1.2, -0.8, 0.3), (0.3, 0.7, 1.1, -0.4), (1.0, -0.6, 0.4, 0.9), (-1.1, 2.0, 0.6, -1.7))
SPEEDS = ((0.8, 1.5, -1.0, 2.0), (1.0, -2.0, 0.5, 1.5), (2.0, 1.0, 3.0, -1.0), (-1.5, 0.7, 2.5, 1.0))
ACCELERATIONS = ((2.0, 1.0, 3.0, -1.0), (1.0, -3.0, 2.0, 4.0), (-2.0, 5.0, 1.0, 3.0), (4.0, -1.0, -2.0, 1.5))


def witness(written: Value, true: Value, values: ArmValues) -> Witness | None:
    """A state at which a written value and the true one differ visibly; None where no such state was found."""
    best: tuple[float, Witness] | None = None
    rows, columns = shape_of(true) if not _is_scalar(true) else shape_of(written)
    pairs = list(zip(_spread(written, rows * columns, true), _spread(true, rows * columns, written), strict=True))
    for k in range(2 * len(POSITIONS)):
        state = _state(values, k)
        for place, (ours, theirs) in enumerate(pairs):
            try:
                a, b = _number(ours, state), _number(theirs, state)
            except (ZeroDivisionError, OverflowError):
                continue
            gap = abs(a - b) / max(abs(a), abs(b), 1e-12)
            if min(abs(a), abs(b)) < 1e-9:
                gap *= 0.5  # a zero looks like a missing number
            if best is None or gap > best[0] * 1.5:
                entry = None if rows * columns == 1 else (place // columns + 1, place % columns + 1)
                best = (gap, Witness(_shown([ours, theirs], state, values), a, b, entry))
        if best is not None and best[0] > 10 * VISIBLE:
            break
    return best[1] if best is not None and best[0] > VISIBLE else None


def _spread(value: Value, count: int, other: Value) -> list[Scalar]:
    found = list(entries(aligned(value, other)))
    return found if len(found) == count else found * count


def _is_scalar(value: Value) -> bool:
    return shape_of(value) == (1, 1)


def _state(values: ArmValues, k: int) -> dict[str, float]:
    """The k-th state to try, by the letters of the ring; symbols at their defaults, then at different numbers."""
    n, turn = values.n, k % len(POSITIONS)
    state: dict[str, float] = {}
    for name, value in values.eq.notation.defaults.items():
        state[name] = value
        state |= {f"cos({name})": math.cos(value), f"sin({name})": math.sin(value)}
    if k >= len(POSITIONS):
        state |= {name: 1 + 0.5 * i for i, name in enumerate(values.eq.notation.defaults, 1)}
    series = (POSITIONS[turn], SPEEDS[turn], ACCELERATIONS[turn])
    for suffix, numbers in zip(("", ".d", ".dd"), series, strict=True):
        for name, number in zip(values.exact.coordinates, islice(cycle(numbers), n), strict=True):
            state[f"{name}{suffix}"] = number
            if not suffix:
                state |= {f"cos({name})": math.cos(number), f"sin({name})": math.sin(number)}
    return state


def _shown(sides: list[Scalar], state: Mapping[str, float], values: ArmValues) -> dict[str, float]:
    """The part of a state that the two sides depend on, by printed names."""
    used = {name for side in sides for name in letters_of(side)}
    shown: dict[str, float] = {}
    for dots, suffix in enumerate(("", ".d", ".dd")):
        for i, name in enumerate(values.exact.coordinates):
            if f"{name}{suffix}" in used:
                shown[dotted(values.printed(i), dots)] = state[f"{name}{suffix}"]
    rest = [name for name in values.eq.arm.defaults if name in used]
    others = sorted(name for name in used if name not in state)
    return shown | {name: state[name] for name in rest} | dict.fromkeys(others, 1.0)


def _number(x: Scalar, state: Mapping[str, float]) -> float:
    if isinstance(x, Quotient):
        return _number(x.numerator, state) / _number(x.denominator, state)
    if not isinstance(x, Polynomial):
        return float(x)
    letters = {generator: _letter(generator, state) for generator in x.generators()}
    total = 0.0
    for factors, c in x.terms():
        total += float(c) * math.prod(letters[generator] ** power for generator, power in factors)
    return total


def _letter(generator: Generator, state: Mapping[str, float]) -> float:
    if generator.value is not None:
        return generator.value
    if isinstance(generator, Application):
        inside = _number(generator.argument, state)
        return math.tanh(inside) if generator.function == "tanh" else float((inside > 0) - (inside < 0))
    return state.get(generator.name, 1.0)
