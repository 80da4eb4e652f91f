"""What a rival hands back, and a state to try it at."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import leverarm as la


@dataclass(frozen=True, slots=True)
class State:
    """A random motion of an arm with random parameters, and the forces that it needs by leverarm's floats."""

    arm: la.Arm
    values: Mapping[str, float]
    q: list[float]
    qd: list[float]
    qdd: list[float]

    @property
    def tau(self) -> list[float]:
        return list(map(float, la.inverse_dynamics(self.arm, self.q, self.qd, self.qdd)))


@dataclass(frozen=True, slots=True)
class Answer:
    """One stage of a rival: how large its expressions are, and how far they are from the truth at a state."""

    operations: Callable[[], int]
    deviation: Callable[[State], float]


def random_state(arm: la.Arm, seed: int = 1) -> State:
    """Parameters and motion between 0.5 and 1.5."""
    draw = random.Random(seed).uniform
    values = {name: draw(0.5, 1.5) for name in arm.defaults}
    q, qd, qdd = ([draw(0.5, 1.5) for _ in range(arm.dof)] for _ in range(3))
    return State(la.with_values(arm, **values), values, q, qd, qdd)


def largest_difference(found: Iterable[Any], expected: Iterable[float]) -> float:
    return max(abs(float(a) - b) for a, b in zip(found, expected, strict=True))


def arithmetic(expressions: Iterable[Any]) -> int:
    """The + - * / of SymPy expressions, as leverarm counts its own: x^n is n - 1, signs and trig functions are free."""
    counts: dict[Any, int] = {}
    return sum(_count(x, counts) for x in expressions)


def _count(x: Any, counts: dict[Any, int]) -> int:
    if x not in counts:
        own = 0
        if x.is_Add or x.is_Mul:
            own = len([arg for arg in x.args if not (x.is_Mul and arg in (1, -1))]) - 1
        elif x.is_Pow:
            exponent = int(x.exp) if x.exp.is_Integer else 2
            own = abs(exponent) - 1 + int(exponent < 0)
        inner = x.args if x.is_Add or x.is_Mul else x.args[:1] if x.is_Pow else ()
        counts[x] = own + sum(_count(arg, counts) for arg in inner)
    return counts[x]
