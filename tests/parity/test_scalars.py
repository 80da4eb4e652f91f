"""One matrix: every algorithm, over every number system, on every arm of the catalog, gives the same numbers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.model import bind
from leverarm.scalars import FLOAT, SYSTEMS, Dual, Turn, as_length, cos_sin
from tests.support.algorithms import ALGORITHMS, SOLVES, TOO_SLOW, numbers, state
from tests.support.levels import at_level

ARMS = [
    (name, free)
    for name in la.catalog_names()
    for free in ("constants", "free")
    if free == "constants" or la.load(name).symbols
]


ALIKE = at_level(*[("xarm7", "iiwa14", "lwr", "kinova")] * 2, ())
"""Arms of seven joints beside the Panda, which only a thorough run tries over every number system."""
CASES = [
    (*arm, s) for arm in ARMS for s in SYSTEMS if s not in ("float", *(["exact", "tape"] if arm[0] in ALIKE else []))
]


@pytest.mark.parametrize(("name", "free", "system"), CASES)
def test_every_algorithm_over_every_number_system(name, free, system):
    """With symbols at their defaults, and with every symbol given as a scalar of the system."""
    arm, other_system = la.load(name), SYSTEMS[system]
    values = {s: other_system.lift(v) for s, v in arm.symbols} if free == "free" else {}
    reference, other = bind(arm, FLOAT), bind(arm, other_system, values)
    at, elsewhere = state(arm, FLOAT), state(arm, other_system)
    conditioning = np.linalg.cond(np.array(me.mass_matrix(reference, at[0]), float))
    for algorithm, run in ALGORITHMS.items():
        if algorithm in TOO_SLOW.get(system, ()) and arm.dof > 4:
            continue
        expected = numbers(run(reference, *at), FLOAT.approximate)
        got = numbers(run(other, *elsewhere), other_system.approximate)
        solves = algorithm in SOLVES
        within = max(1e-12, 1e-15 * conditioning) if solves else 1e-12
        assert np.abs(expected - got).max(initial=0) <= within * np.abs(expected).max(initial=0) + 1e-12, algorithm


def test_every_system_knows_the_circle():
    for system in SYSTEMS.values():
        assert system.turn(math.pi / 2) == (0, 1)
        assert system.turn(-math.pi / 2 + 9e-10) == (0, -1)
        c, s = system.turn(0.7)
        assert float(c) == pytest.approx(math.cos(0.7), abs=3e-16)
        assert float(s) == pytest.approx(math.sin(0.7), abs=3e-16)
        assert system.direction(0, -3, 0) == (0, -1, 0)
        direction = system.direction(0.2, -0.5, 0.1)
        assert sum(float(x) ** 2 for x in direction) == pytest.approx(1, abs=1e-15)
        assert [float(x) * math.sqrt(0.3) for x in direction] == pytest.approx([0.2, -0.5, 0.1], abs=1e-15)
        assert type(system.lift(0.0)) is int


def test_rational_rotations_and_directions_are_exactly_that():
    system = SYSTEMS["rational"]
    for angle in (0.7, -2.9, 1.5708, 3.1, 100.3, math.pi / 2 + 1.4e-9):
        c, s = system.turn(angle)
        assert c * c + s * s == 1
        assert float(s) == pytest.approx(math.sin(angle), abs=3e-16)
        assert float(c) == pytest.approx(math.cos(angle), abs=3e-16)
    for direction in ((0.2, -0.5, 0.1), (0.3, 0.1, -0.9), (1, 1, 1), (1.5e-9, 0, 1)):
        unit = system.direction(*direction)
        assert sum(x * x for x in unit) == 1
        length = math.hypot(*direction)
        assert [float(x) for x in unit] == pytest.approx([x / length for x in direction], abs=3e-16)


def test_turns_add_and_multiply():
    t = Turn.from_half_tangent(Fraction(1, 2), Fraction(3))
    assert 3 * t == t + t + t
    assert -1 * t + t == Turn(Fraction(1), Fraction(0))
    assert cos_sin(t) == (Fraction(3, 5), Fraction(4, 5))
    assert as_length(t) == 3
    with pytest.raises(ValueError, match="whole numbers"):
        Fraction(1, 2) * t


def test_dual_numbers_differentiate_quotients():
    x = Dual(2.0, 1.0)
    y = (x * x + 1) / (3 - x)
    assert (y.value, y.slope) == (5.0, 9.0)
    assert (1 / x).slope == -0.25
