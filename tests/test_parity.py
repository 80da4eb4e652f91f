"""One matrix: every algorithm, over every number system, on every arm of the catalog, gives the same numbers."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.model import bind
from leverarm.scalars import FLOAT, SYSTEMS, Dual, Turn, as_length, cos_sin, value

ALGORITHMS = {
    "forward_kinematics": lambda a, q, qd, qdd: _poses(me.forward_kinematics(a, q)),
    "angular_velocities": lambda a, q, qd, qdd: [list(w) for w in me.angular_velocities(a, q, qd)],
    "jacobian": lambda a, q, qd, qdd: me.jacobian(a, q, a.tool),
    "jacobian_by_differentiation": lambda a, q, qd, qdd: me.jacobian_by_differentiation(a, q, a.tool),
    "jacobian_dot": lambda a, q, qd, qdd: me.jacobian_dot(a, q, qd, a.tool),
    "acceleration": lambda a, q, qd, qdd: me.acceleration(a, q, qd, qdd, a.tool).total,
    "mass_matrix": lambda a, q, qd, qdd: me.mass_matrix(a, q),
    "mass_matrix_by_jacobians": lambda a, q, qd, qdd: me.mass_matrix_by_jacobians(a, q),
    "mass_matrix_by_unit_accelerations": lambda a, q, qd, qdd: me.mass_matrix_by_unit_accelerations(a, q),
    "christoffel": lambda a, q, qd, qdd: me.christoffel(a, q),
    "coriolis_matrix": lambda a, q, qd, qdd: me.coriolis_matrix(a, q, qd),
    "factorisation_upper": lambda a, q, qd, qdd: me.factorisation_upper(a, q, qd),
    "factorisation_lagrange": lambda a, q, qd, qdd: me.factorisation_lagrange(a, q, qd),
    "inverse_dynamics": lambda a, q, qd, qdd: me.inverse_dynamics(a, q, qd, qdd),
    "screw_inverse_dynamics": lambda a, q, qd, qdd: me.screw_inverse_dynamics(a, q, qd, qdd),
    "gravity_forces": lambda a, q, qd, qdd: me.gravity_forces(a, q),
    "velocity_forces": lambda a, q, qd, qdd: me.velocity_forces(a, q, qd),
    "friction": lambda a, q, qd, qdd: me.friction(a, qd),
    "kinetic_energy": lambda a, q, qd, qdd: me.kinetic_energy(a, q, qd),
    "potential_energy": lambda a, q, qd, qdd: me.potential_energy(a, q),
    "momentum": lambda a, q, qd, qdd: [*me.momentum(a, q, qd).moment, *me.momentum(a, q, qd).force],
    "regressor": lambda a, q, qd, qdd: me.regressor(a, q, qd, qdd),
    "energy_regressors": lambda a, q, qd, qdd: me.kinetic_energy_regressor(a, q, qd) + me.potential_energy_regressor(a, q),
    "forward_dynamics": lambda a, q, qd, qdd: me.forward_dynamics(a, q, qd, qdd),
    "forward_dynamics_by_mass_matrix": lambda a, q, qd, qdd: me.forward_dynamics_by_mass_matrix(a, q, qd, qdd),
    "mobility": lambda a, q, qd, qdd: me.Task.of(a, q, a.tool, [3, 4, 5]).mobility(),
}  # fmt: skip
SLOW_OVER_RATIONALS = {
    "christoffel", "factorisation_upper", "factorisation_lagrange", "regressor", "mass_matrix_by_jacobians",
    "forward_dynamics", "forward_dynamics_by_mass_matrix", "mobility", "jacobian_by_differentiation",
}  # fmt: skip


def _poses(poses):
    return [[*row, p] for pose in poses.values() for row, p in zip(pose.rotation.rows(), pose.position, strict=True)]


def rational_state(arm, seed):
    rng = random.Random(seed)
    turning = {body.joint.name: body.joint.kind.turns for body in arm.bodies}
    small = [Fraction(1, 2), Fraction(-1, 3), Fraction(3, 4), Fraction(-2, 3), Fraction(2)]
    q = [Turn.from_half_tangent(rng.choice(small)) if turning[n] else rng.choice(small) for n in arm.joint_names]
    return q, [rng.choice(small) for _ in q], [rng.choice(small) for _ in q]


def in_system(system, state):
    """The same state in another number system."""
    if system == "rational":
        return state

    def as_float(x):
        return math.atan2(float(x.sin), float(x.cos)) if isinstance(x, Turn) else float(x)

    floats = [[as_float(x) for x in part] for part in state]
    if system == "dual":
        return [[Dual(x, 1.0) for x in part] for part in floats]
    return floats


def numbers(result):
    """Nested results as a flat array of floats."""
    if isinstance(result, list | tuple):
        return np.concatenate([numbers(part) for part in result]) if result else np.zeros(0)
    return np.array([float(value(result))])


@pytest.mark.parametrize("system", [s for s in SYSTEMS if s != "float"])
@pytest.mark.parametrize("name", la.catalog_names())
def test_every_algorithm_over_every_number_system(name, system):
    arm = la.load(name)
    state = rational_state(arm, name)
    reference = bind(arm, FLOAT)
    other = bind(arm, SYSTEMS[system])
    for algorithm, run in ALGORITHMS.items():
        if system == "rational" and algorithm in SLOW_OVER_RATIONALS and arm.dof > 4:
            continue
        expected = numbers(run(reference, *in_system("float", state)))
        got = numbers(run(other, *in_system(system, state)))
        size = np.abs(expected).max(initial=0)
        solves = algorithm.startswith(("forward", "mobility"))
        conditioning = (
            np.linalg.cond(np.array(me.mass_matrix(reference, in_system("float", state)[0]), float)) if solves else 1
        )
        assert np.abs(expected - got).max(initial=0) <= max(1e-12, 1e-15 * conditioning) * size + 1e-12, algorithm


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
    for angle in (0.7, -2.9, 1.5708, 3.1):
        c, s = system.turn(angle)
        assert c * c + s * s == 1
        assert float(s) == pytest.approx(math.sin(angle), abs=3e-16)
        assert float(c) == pytest.approx(math.cos(angle), abs=3e-16)
    for direction in ((0.2, -0.5, 0.1), (0.3, 0.1, -0.9), (1, 1, 1)):
        assert sum(x * x for x in system.direction(*direction)) == 1


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
