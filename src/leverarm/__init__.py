"""leverarm: equations of motion of robot arms that you can read, trust and run.

An arm comes from the catalog, a file or a builder; every quantity of the robot equation

    M(q) qdd + C(q, qd) qd + F(qd) + g(q) + tau_d = tau + J^T w

is one plain function of it.

>>> import leverarm as la
>>> arm = la.load("elbow")
>>> la.mass_matrix(arm, [0, 0])
array([[5., 2.],
       [2., 1.]])
"""

from leverarm import mechanics
from leverarm._version import __version__
from leverarm.errors import LeverarmError
from leverarm.evaluate import (
    acceleration,
    bias,
    christoffel,
    coriolis_matrix,
    forward_dynamics,
    forward_kinematics,
    friction,
    gravity,
    hamiltonian,
    inverse_dynamics,
    jacobian,
    jacobian_dot,
    kinetic_energy,
    kinetic_energy_regressor,
    lagrangian,
    link_energies,
    mass_matrix,
    mobility,
    momentum,
    operational_bias,
    operational_gravity,
    operational_inertia,
    parameter_names,
    parameters,
    potential_energy,
    potential_energy_regressor,
    regressor,
    static_torque,
    task_axes,
    velocity,
    velocity_forces,
)
from leverarm.formats import catalog_names, load, planar, save
from leverarm.model import Arm, bind, lock, with_values

__all__ = [
    "Arm",
    "LeverarmError",
    "__version__",
    "acceleration",
    "bias",
    "bind",
    "catalog_names",
    "christoffel",
    "coriolis_matrix",
    "forward_dynamics",
    "forward_kinematics",
    "friction",
    "gravity",
    "hamiltonian",
    "inverse_dynamics",
    "jacobian",
    "jacobian_dot",
    "kinetic_energy",
    "kinetic_energy_regressor",
    "lagrangian",
    "link_energies",
    "load",
    "lock",
    "mass_matrix",
    "mechanics",
    "mobility",
    "momentum",
    "operational_bias",
    "operational_gravity",
    "operational_inertia",
    "parameter_names",
    "parameters",
    "planar",
    "potential_energy",
    "potential_energy_regressor",
    "regressor",
    "save",
    "static_torque",
    "task_axes",
    "velocity",
    "velocity_forces",
    "with_values",
]
