"""The lectures' general formulas, each proven on an arm with tolerance zero. A misprinted one is shown to fail."""

from __future__ import annotations

from collections.abc import Callable

from tests.sources.identities import energy, motion, newton_euler, robot_equation
from tests.sources.identities.case import Case

IDENTITIES: dict[str, Callable[[Case], bool]] = {
    function.__name__: function
    for function in (
        motion.rotations,
        motion.derivative_of_rotation,
        motion.angular_velocity,
        motion.adding_angular_velocities,
        motion.velocity_of_a_point,
        motion.jacobians,
        motion.tip_jacobian,
        energy.energies,
        energy.potential_energy,
        energy.potential_energy_sign,
        energy.kinetic_energy,
        energy.mass_matrix_by_jacobians,
        energy.kinetic_energy_without_a_half,
        energy.inertia_integrals,
        robot_equation.momentum,
        robot_equation.lagrange,
        robot_equation.lagrange_with_the_wrong_derivative,
        robot_equation.christoffel,
        robot_equation.quadratic_velocity_terms,
        robot_equation.symmetric_mass_matrix,
        robot_equation.skew_symmetry,
        robot_equation.robot_equation,
        robot_equation.friction,
        robot_equation.linear_in_parameters,
        robot_equation.forward_dynamics,
        robot_equation.end_effector_mass,
        newton_euler.parts_by_newton_euler,
        newton_euler.screw_constants,
        newton_euler.screw_recursion,
        newton_euler.screw_rotation,
        newton_euler.screw_angular_part,
    )
}

__all__ = ["IDENTITIES", "Case"]
