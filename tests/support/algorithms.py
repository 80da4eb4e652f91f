"""Every algorithm of the mechanics by name, the state it is tried at, and its results as an array."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np

from leverarm import mechanics as me
from leverarm.model import regrouped
from leverarm.scalars import is_zero
from leverarm.spatial import Force, Vec3

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
    "coriolis_torques": lambda a, q, qd, qdd: me.coriolis_torques(a, q, qd),
    "friction": lambda a, q, qd, qdd: me.friction(a, qd),
    "kinetic_energy": lambda a, q, qd, qdd: me.kinetic_energy(a, q, qd),
    "energy_parts": lambda a, q, qd, qdd: [me.translational_kinetic_energy(a, q, qd), me.rotational_kinetic_energy(a, q, qd)],
    "translational_mass_matrix": lambda a, q, qd, qdd: me.translational_mass_matrix(a, q),
    "rotational_mass_matrix": lambda a, q, qd, qdd: me.rotational_mass_matrix(a, q),
    "potential_energy": lambda a, q, qd, qdd: me.potential_energy(a, q),
    "momentum": lambda a, q, qd, qdd: [*me.momentum(a, q, qd).moment, *me.momentum(a, q, qd).force],
    "regressor": lambda a, q, qd, qdd: me.regressor(a, q, qd, qdd),
    "energy_regressors": lambda a, q, qd, qdd: me.kinetic_energy_regressor(a, q, qd) + me.potential_energy_regressor(a, q),
    "forward_dynamics": lambda a, q, qd, qdd: me.forward_dynamics(a, q, qd, qdd),
    "forward_dynamics_by_mass_matrix": lambda a, q, qd, qdd: me.forward_dynamics_by_mass_matrix(a, q, qd, qdd),
    "mobility": lambda a, q, qd, qdd: me.Task.of(a, q, a.tool, [3, 4, 5]).mobility(),
    "operational_inertia": lambda a, q, qd, qdd: me.operational_inertia(a, q, a.tool, rows_of(a)),
    "operational_bias": lambda a, q, qd, qdd: me.operational_bias(a, q, qd, a.tool, rows_of(a)),
    "operational_gravity": lambda a, q, qd, qdd: me.operational_gravity(a, q, a.tool, rows_of(a)),
    "static_forces": lambda a, q, qd, qdd: me.static_forces(a, q, {a.tool: WRENCH}),
    "inverse_dynamics_with_loads": lambda a, q, qd, qdd: me.inverse_dynamics(a, q, qd, qdd, {a.tool: WRENCH}, qd),
    "mass_matrix_rate": lambda a, q, qd, qdd: me.mass_matrix_rate(a, q, qd),
    "generalised_momentum": lambda a, q, qd, qdd: me.generalised_momentum(a, q, qd),
    "classical_inverse_dynamics": lambda a, q, qd, qdd: me.classical_inverse_dynamics(a, q, qd, qdd, {a.tool: WRENCH}, qd),
    "classical_mass_matrix": lambda a, q, qd, qdd: me.classical_mass_matrix(a, q),
    "classical_coriolis_matrix": lambda a, q, qd, qdd: me.classical_coriolis_matrix(a, q, qd),
    "classical_forward_dynamics": lambda a, q, qd, qdd: me.classical_forward_dynamics(a, q, qd, qdd, {a.tool: WRENCH}, qd),
    "forward_dynamics_from_rest": lambda a, q, qd, qdd: me.forward_dynamics_from_rest(a, q, qd, qdd, {a.tool: WRENCH}, qd),
    "classical_articulated_body": lambda a, q, qd, qdd: me.classical_articulated_body(a, q, qd, qdd) if me.is_separable(a) else [],
    "mass_matrix_inverse": lambda a, q, qd, qdd: me.mass_matrix_inverse(a, q),
    "inverse_dynamics_derivatives": lambda a, q, qd, qdd: me.inverse_dynamics_derivatives(a, q, qd, qdd, {a.tool: WRENCH}),
    "forward_dynamics_derivatives": lambda a, q, qd, qdd: me.forward_dynamics_derivatives(a, q, qd, qdd, {a.tool: WRENCH}),
    "regrouped": lambda a, q, qd, qdd: me.classical_inverse_dynamics(regrouped(a), q, qd, qdd),
    "screws": lambda a, q, qd, qdd: [[*s.angular, *s.linear] for s in me.screw_chain(a).screws],
}  # fmt: skip


WRENCH = Force(Vec3(1, -2, 3), Vec3(0, 4, -1))


SOLVES = {
    "forward_dynamics", "forward_dynamics_by_mass_matrix", "mobility", "operational_inertia", "operational_bias",
    "operational_gravity", "classical_forward_dynamics", "classical_articulated_body", "mass_matrix_inverse",
    "forward_dynamics_from_rest",
    "forward_dynamics_derivatives",
}  # fmt: skip


def rows_of(arm):
    """One direction in which the tool moves: y for planar arms, z otherwise (z is what a point on a column has)."""
    return [5] if is_zero(arm.gravity.y) else [4]


SLOW_OVER_RATIONALS = {
    "christoffel", "factorisation_upper", "factorisation_lagrange", "regressor", "mass_matrix_by_jacobians",
    "forward_dynamics", "forward_dynamics_by_mass_matrix", "mobility", "jacobian_by_differentiation",
    "operational_inertia", "operational_bias", "operational_gravity", "classical_forward_dynamics",
    "classical_articulated_body", "mass_matrix_inverse", "forward_dynamics_derivatives", "forward_dynamics_from_rest",
}  # fmt: skip


TOO_SLOW = {"rational": SLOW_OVER_RATIONALS, "exact": SOLVES}
"""On arms with more than four joints: rationals with long digits, and quotients of polynomials, grow."""


def _poses(poses):
    return [[*row, p] for pose in poses.values() for row, p in zip(pose.rotation.rows(), pose.position, strict=True)]


HALF_TANGENTS = [Fraction(1, 2), Fraction(-1, 3), Fraction(3, 4), Fraction(-2, 3), Fraction(2)]


def state(arm, system):
    """The same state in any number system: joint angles by the tangent of their half, the rest lifted."""
    rng = random.Random(arm.name)
    turning = {body.joint.name: body.joint.kind.turns for body in arm.bodies}
    q = [(system.angle if turning[n] else system.lift)(rng.choice(HALF_TANGENTS)) for n in arm.joint_names]
    return q, *([system.lift(rng.choice(HALF_TANGENTS)) for _ in q] for _ in range(2))


def numbers(result, approximate):
    """Nested results as a flat array of floats."""
    if isinstance(result, list | tuple):
        return np.concatenate([numbers(part, approximate) for part in result]) if result else np.zeros(0)
    return np.array([approximate(result)])
