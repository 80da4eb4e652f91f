"""The usual conventions by which a right equation of an arm can look wrong, tried in numbers.

Other coordinates p with q = A p + b (another sense, another zero, absolute angles), gravity the other way, the other
side's sign, another zero of the potential energy.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mutate_arms import Left, Machine, machine, named, near
from mutate_tree import Name, State, Sum, value


@dataclass(frozen=True, slots=True)
class Convention:
    """Coordinates q = A p + b, a sense of g and a sign of the left side."""

    words: tuple[str, ...]
    A: np.ndarray
    b: np.ndarray
    weight: int
    sign: int


def convention(arm: Machine, left: Left, right: Sum) -> str | None:
    """The simplest usual convention under which an equation holds by itself, or None."""
    chance = random.Random(1)
    states = [arm.state(chance) for _ in range(4)]
    found = [value(right, each) for each in states]
    for each in _conventions(arm.title):
        if all(near(a, _elsewhere(arm, left, state, each)) for a, state in zip(found, states, strict=True)):
            return ", ".join(each.words)
    return _height(arm, left, right) if left.quantity in ("P", "L") else None


@lru_cache
def _conventions(title: str) -> list[Convention]:
    arm = machine(title)
    n = len(arm.coordinates)
    absolute = np.eye(n)
    for before, after in itertools.pairwise(arm.angles):
        absolute[arm.coordinates.index(after), arm.coordinates.index(before)] = -1
    quarters = [range(4 if each in arm.angles else 1) for each in arm.coordinates]
    found = []
    for A, signs, offsets in itertools.product(
        (np.eye(n), absolute), itertools.product((1, -1), repeat=n), itertools.product(*quarters)
    ):
        for sign, weight in itertools.product((1, -1), repeat=2):
            words = (
                *(["the other side's sign"] if sign < 0 else []),
                *(["g the other way"] if weight < 0 else []),
                *(["absolute angles"] if A is absolute else []),
                *(f"{name} reversed" for name, sense in zip(arm.coordinates, signs, strict=True) if sense < 0),
                *(f"{name} + {k * 90} deg" for name, k in zip(arm.coordinates, offsets, strict=True) if k),
            )
            found.append(Convention(words, A @ np.diag(signs), np.array(offsets) * math.pi / 2, weight, sign))
    return sorted(found, key=lambda each: len(each.words))


def _elsewhere(arm: Machine, left: Left, state: State, other: Convention) -> float:
    """A quantity in the other coordinates: energies and places as they are, forces by A^T, M by A^T M A."""
    there = dict(state)
    n = len(arm.coordinates)
    for dots in range(3):
        names = arm.moving[dots::3]
        moved = other.A @ [state[each] for each in names] + (other.b if dots == 0 else 0)
        there |= dict(zip(names, moved, strict=True))
    if Name("g") in there:
        there[Name("g")] *= other.weight
    columns = [other.A[:, i - 1] for i in left.indices]
    weights = ((at, math.prod(row[k] for row, k in zip(columns, at, strict=True))) for at in _indices(n, len(columns)))
    parts = (
        weight * value(arm.truths[Left(left.quantity, tuple(k + 1 for k in at))], there)
        for at, weight in weights
        if weight
    )
    return other.sign * float(sum(parts))


def _indices(n: int, many: int) -> itertools.product[tuple[int, ...]]:
    return itertools.product(range(n), repeat=many)


def _height(arm: Machine, left: Left, right: Sum) -> str | None:
    """Another zero of potential energy: the sides differ by m g h with constant h, of one mass or of all."""
    chance = random.Random(2)
    first, *others = (arm.state(chance) for _ in range(4))

    def apart(changed: Callable[[Name], float]) -> float:
        state = {each: changed(each) for each in first}
        return value(right, state) - value(arm.truths[left], state)

    def half_of_double(chosen: Callable[[Name], bool]) -> float:
        return apart(lambda each: first[each] * (2 if chosen(each) else 1)) / 2

    masses, weight, moving = {named(body.mass) for body in arm.masses}, Name("g"), set(arm.moving)
    constant = apart(first.__getitem__)
    same = [apart(lambda each, row=row: (row if each in moving else first)[each]) for row in others]
    same += [half_of_double(lambda each: each == weight), half_of_double(masses.__contains__)]
    same += [half_of_double(lambda each: each not in masses | moving | {weight})]
    if not all(near(each, constant) for each in same):
        return None
    heights = [
        apart(lambda each, row=row: (row if each in masses else first)[each]) / sum(row[each] for each in masses)
        for row in (first, *others)
    ]
    return "another height" if all(near(each, heights[0]) for each in heights) else "another height of one mass"
