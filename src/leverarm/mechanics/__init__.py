"""The algorithms of robot dynamics over any scalar, one per file. They take a `Mechanism` (see `leverarm.bind`)."""

from leverarm.mechanics.accelerations import Acceleration, acceleration
from leverarm.mechanics.adjugate import adjugate, determinant
from leverarm.mechanics.articulated_body import articulated_body, classical_articulated_body, is_separable
from leverarm.mechanics.canonical_momentum import kinetic_energy_slope, momenta_and_slopes
from leverarm.mechanics.christoffel import (
    FACTORISATIONS,
    christoffel,
    christoffel_of,
    coriolis_matrix_from_christoffel,
    factorisation_lagrange,
    factorisation_upper,
    mass_matrix_partials,
    mass_matrix_rate,
)
from leverarm.mechanics.classical_coriolis import classical_coriolis_matrix
from leverarm.mechanics.classical_newton_euler import (
    classical_bias,
    classical_forces,
    classical_inverse_dynamics,
    classical_joint_loads,
)
from leverarm.mechanics.composite_body import mass_matrix
from leverarm.mechanics.composite_moments import classical_mass_matrix
from leverarm.mechanics.coriolis import coriolis_matrix
from leverarm.mechanics.derivatives import forward_dynamics_derivatives, inverse_dynamics_derivatives
from leverarm.mechanics.dissipation import friction, with_shafts_at_joints, without_friction
from leverarm.mechanics.energy import (
    first_moment,
    generalised_momentum,
    hamiltonian,
    kinetic_energy,
    lagrangian,
    link_kinetic_energies,
    link_potential_energies,
    momentum,
    potential_energy,
    rotor_kinetic_energies,
)
from leverarm.mechanics.energy_parts import (
    rotational_kinetic_energy,
    rotational_mass_matrix,
    translational_kinetic_energy,
    translational_mass_matrix,
)
from leverarm.mechanics.forward_dynamics import (
    classical_forward_dynamics,
    forward_dynamics,
    forward_dynamics_by_mass_matrix,
    forward_dynamics_from_rest,
    mass_matrix_inverse,
)
from leverarm.mechanics.jacobian_sum import link_mass_matrix, mass_matrix_by_jacobians
from leverarm.mechanics.jacobians import (
    jacobian,
    jacobian_by_differentiation,
    jacobian_dot,
    point_jacobian,
    point_jacobian_dot,
    split,
)
from leverarm.mechanics.kinematics import (
    ancestors,
    angular_velocities,
    forward_kinematics,
    outward_motion,
    world_from_links,
)
from leverarm.mechanics.ldlt import factorise
from leverarm.mechanics.matrices import Matrix, apply, transposed
from leverarm.mechanics.newton_euler import (
    bias,
    coriolis_torques,
    gravity_forces,
    inverse_dynamics,
    joint_loads,
    mass_matrix_by_unit_accelerations,
    rigid_body_forces,
    static_forces,
)
from leverarm.mechanics.operational_space import (
    ROWS,
    Task,
    operational_bias,
    operational_gravity,
    operational_inertia,
    operational_inertia_as_quotient,
)
from leverarm.mechanics.operational_space import (
    operational_inertia_by_inverse_jacobian as operational_inertia_by_inverse_jacobian,
)
from leverarm.mechanics.regressor import (
    INERTIAL_NAMES,
    KINDS,
    Parameter,
    kinds_of,
    kinetic_energy_regressor,
    parameters,
    potential_energy_regressor,
    regressor,
)
from leverarm.mechanics.rigid_body import (
    angular_velocity,
    angular_velocity_shares,
    kinetic_energy_of_body,
    point_velocity,
    rotation_rate,
    skew_of_rate,
    vector_of_skew,
)
from leverarm.mechanics.rotors import rotor_forces, rotor_mass_matrix, rotor_speed
from leverarm.mechanics.screw_form import (
    ScrewChain,
    ScrewRecursion,
    exponential,
    screw_chain,
    screw_inverse_dynamics,
    screw_recursion,
)
from leverarm.mechanics.springs import (
    plus_springs,
    spring_energies,
    spring_forces,
    stiffnesses,
    with_stiffnesses,
    without_springs,
)
