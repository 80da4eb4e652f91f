"""The mechanics never look at a value: they run over a scalar that cannot be compared, hashed, rounded or tested.

Such a scalar stands for what a tape, a polynomial or an interval will be. It absorbs structural zeros and ones, so the
count of its operations also shows that zeros are not lost.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.model import bind, parse_quantity
from leverarm.scalars import FLOAT, NumberSystem, Turn, quarter_turn
from leverarm.scalars.turn import coordinate_axis
from tests.support.algorithms import ALGORITHMS, numbers, state
from tests.support.levels import at_level
from tests.support.opaque_numbers import Opaque
from tests.support.random_arms import random_arm


def _literal(parts):
    return tuple(x if type(x) is int else Opaque(x) for x in parts)


OPAQUE = NumberSystem(
    "opaque",
    lambda number: Opaque(number) if number else 0,
    lambda angle: quarter_turn(angle) or _literal((math.cos(angle), math.sin(angle))),
    lambda x, y, z: coordinate_axis(x, y, z) or _literal(FLOAT.direction(x, y, z)),
    lambda t: Opaque(FLOAT.angle(t)),
    Opaque.of,
)


def agree(arm: la.Arm, values: dict, leave_out: str = "nothing") -> None:
    reference, other = bind(arm, FLOAT), bind(arm, OPAQUE, values)
    at, hidden = state(arm, FLOAT), state(arm, OPAQUE)
    conditioning = np.linalg.cond(np.array(me.mass_matrix(reference, at[0]), float))
    for name, run in ALGORITHMS.items():
        if name.startswith(leave_out):
            continue
        expected, got = numbers(run(reference, *at), float), numbers(run(other, *hidden), Opaque.of)
        within = max(1e-12, 1e-14 * conditioning)
        assert np.abs(expected - got).max(initial=0) <= within * np.abs(expected).max(initial=0) + 1e-12, name


@pytest.mark.parametrize("name", la.catalog_names())
def test_catalog_arms_with_every_symbol_free(name):
    arm = la.load(name)
    agree(arm, {symbol: Opaque(value) for symbol, value in arm.symbols})


@pytest.mark.parametrize("seed", range(at_level(3, 8, 20)))
def test_random_trees(seed):
    """Couplings, rotors on several joints, friction of every form, helical joints, fixed bodies."""
    arm = random_arm(seed, joints=6)
    coupled = {name for b in arm.bodies for name, _ in b.joint.coupling or ()}
    if any(b.joint.name in coupled and not b.joint.kind.turns for b in arm.bodies):
        arm = replace(
            arm,
            bodies=tuple(replace(b, joint=replace(b.joint, coupling=None, offset=0)) for b in arm.bodies),
            coordinates=(),
        )
    agree(arm, {}, leave_out="operational")  # the tool of a tree may not move along the axis asked for


def test_every_kind_of_number_may_be_a_free_symbol():
    text = """leverarm = 1
name = "free"
gravity = ["gx", 0, "-g"]
[symbols]
gx = 0.3
g = 9.81
m = 2.0
L = 0.7
al = 0.4
be = 0.9
I = 0.2
fv = 0.1
fc = 0.2
w = 0.5
off = 0.3
J = 0.01
N = 20.0
k = -2.0
p = 0.1
[[body]]
name = "one"
mass = "m"
com = ["L/2", 0, "L"]
inertia = { xx = "I", yy = "I*2", zz = "I", xy = "I/9", rpy = ["al", 0, 0] }
[body.joint]
name = "a"
kind = "revolute"
axis = ["cos(be)", "sin(be)", 0]
friction = { viscous = "fv", coulomb = "fc", smoothing = "w", offset = "off" }
motor = { inertia = "J", gear = "N" }
[[body]]
name = "two"
parent = "one"
mass = "m"
com = ["L/2", 0, 0]
inertia = { xx = "I", yy = "I", zz = "I", about = "origin" }
[body.joint]
name = "b"
kind = "helical"
pitch = "p"
xyz = ["L", 0, 0]
rpy = ["pi/2 + al", 0, "-al"]
motor = { inertia = "J", gear = "N", also = { a = "k" } }
[[body]]
name = "three"
parent = "two"
mass = "m"
inertia = { xx = "I", yy = "I", zz = "I" }
[body.joint]
name = "c"
kind = "prismatic"
coupling = { b = "k" }
offset = "L"
[[body]]
name = "four"
parent = "three"
mass = "m"
[body.joint]
name = "d"
kind = "revolute"
locked = "al - be"
xyz = [0, "L", 0]
[[frame]]
name = "tool"
body = "four"
xyz = ["L", 0, "sqrt(2)"]
"""
    from leverarm.formats.native import arm_from_toml

    arm = arm_from_toml(text)
    agree(arm, {symbol: Opaque(value) for symbol, value in arm.symbols})
    agree(arm, {})
    same = bind(arm, FLOAT, dict(arm.symbols))
    q, qd, qdd = state(arm, FLOAT)
    assert np.allclose(me.inverse_dynamics(same, q, qd, qdd), la.inverse_dynamics(arm, q, qd, qdd), rtol=1e-13)


def test_quarter_turns_beside_a_free_angle_stay_literal():
    arm = la.from_dh(
        [("t0 + pi/2", 0, 0, "al")], symbols={"t0": 0.2, "al": 0.3}, inertias=[{"mass": 1, "com": [1, 0, 0]}]
    )
    turn = Turn.from_half_tangent(Fraction(1, 3))
    from leverarm.scalars import RATIONAL

    exact = bind(arm, RATIONAL, {"t0": turn, "al": turn})
    q = [Turn.from_half_tangent(Fraction(1, 2))]
    assert all(isinstance(x, Fraction | int) for x in me.gravity_forces(exact, q))


def test_structural_zeros_survive():
    """Inverse dynamics of the elbow arm takes few operations, because most of its numbers are literal zeros."""
    arm = la.load("elbow")
    mechanism = bind(arm, OPAQUE, {symbol: Opaque(value) for symbol, value in arm.symbols})
    q, qd, qdd = ([Opaque(0.1), Opaque(0.2)] for _ in range(3))
    Opaque.operations = 0
    me.inverse_dynamics(mechanism, q, qd, qdd)
    assert Opaque.operations < 120


def test_an_axis_with_free_symbols_must_have_length_one():
    from leverarm.formats.native import arm_from_toml

    text = (
        'leverarm = 1\nname = "a"\n[symbols]\nx = 1.0\n[[body]]\nname = "b"\nmass = 1\ncom = [1, 2, 3]\n'
        '[body.joint]\nname = "j"\nkind = "revolute"\naxis = ["x", 0, 1]\n'
    )
    arm = arm_from_toml(text)
    assert la.mass_matrix(arm, [0])[0, 0] > 0
    with pytest.raises(la.LeverarmError, match="not of length one"):
        bind(arm, OPAQUE, {"x": Opaque(2.0)})
    as_plain = me.mass_matrix(bind(arm, FLOAT, {"x": 2.0}), [0.3])
    assert as_plain == me.mass_matrix(bind(la.with_values(arm, x=2.0)), [0.3])
    assert parse_quantity("x") == arm.bodies[0].joint.axis.x
