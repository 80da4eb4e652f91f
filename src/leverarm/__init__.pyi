# The public names of leverarm, each listed once. Editors and type checkers read this file, and so does __init__.py,
# which imports a name when it is first used.

# Arms, in and out
# Groups
from leverarm import control as control
from leverarm import errors as errors
from leverarm import inertia as inertia
from leverarm import mechanics as mechanics
from leverarm import model as model
from leverarm import quantities as quantities
from leverarm import rigid_body as rigid_body
from leverarm import simulation as simulation
from leverarm import trajectories as trajectories
from leverarm import types as types
from leverarm._version import __version__ as __version__

# What can be done with an arm
from leverarm.closed_form import equations as equations
from leverarm.closed_form.lagrangian import lagrange as lagrange
from leverarm.control import signals as signals
from leverarm.derivation import derive as derive
from leverarm.derivation import theory as theory
from leverarm.errors import LeverarmError as LeverarmError
from leverarm.formats import catalog_names as catalog_names
from leverarm.formats import from_dh as from_dh
from leverarm.formats import from_screws as from_screws
from leverarm.formats import load as load
from leverarm.formats import planar as planar
from leverarm.formats import save as save
from leverarm.formats import to_dh as to_dh
from leverarm.formats import to_screws as to_screws
from leverarm.formats.lint import lint as lint
from leverarm.identification import identify as identify
from leverarm.identification.excitation import excite as excite
from leverarm.identification.loads import identify_gains as identify_gains
from leverarm.identification.loads import identify_payload as identify_payload
from leverarm.identification.logs import read_log as read_log
from leverarm.model import Arm as Arm
from leverarm.model import Body as Body
from leverarm.model import Frame as Frame
from leverarm.model import Friction as Friction
from leverarm.model import Joint as Joint
from leverarm.model import JointKind as JointKind
from leverarm.model import Limits as Limits
from leverarm.model import MassProperties as MassProperties
from leverarm.model import Motor as Motor
from leverarm.model import Placement as Placement
from leverarm.model import Spring as Spring
from leverarm.model import bind as bind
from leverarm.model import lock as lock
from leverarm.model import symbol as symbol
from leverarm.model import symbolic as symbolic
from leverarm.model import with_values as with_values

# Quantities of the equations of motion, as functions of an arm and a state
from leverarm.quantities import acceleration as acceleration
from leverarm.quantities import bias as bias
from leverarm.quantities import christoffel as christoffel
from leverarm.quantities import coriolis_matrix as coriolis_matrix
from leverarm.quantities import coriolis_torques as coriolis_torques
from leverarm.quantities import forward_dynamics as forward_dynamics
from leverarm.quantities import forward_kinematics as forward_kinematics
from leverarm.quantities import friction as friction
from leverarm.quantities import gravity as gravity
from leverarm.quantities import hamiltonian as hamiltonian
from leverarm.quantities import inverse_dynamics as inverse_dynamics
from leverarm.quantities import jacobian as jacobian
from leverarm.quantities import jacobian_dot as jacobian_dot
from leverarm.quantities import kinetic_energy as kinetic_energy
from leverarm.quantities import lagrangian as lagrangian
from leverarm.quantities import mass_matrix as mass_matrix
from leverarm.quantities import mobility as mobility
from leverarm.quantities import momentum as momentum
from leverarm.quantities import operational_bias as operational_bias
from leverarm.quantities import operational_gravity as operational_gravity
from leverarm.quantities import operational_inertia as operational_inertia
from leverarm.quantities import parameters as parameters
from leverarm.quantities import potential_energy as potential_energy
from leverarm.quantities import regressor as regressor
from leverarm.quantities import static_torque as static_torque
from leverarm.quantities import velocity as velocity
from leverarm.quantities.newton_euler_steps import newton_euler_steps as newton_euler_steps
from leverarm.runtime import cache as cache
from leverarm.runtime.bridges import to_casadi as to_casadi
from leverarm.runtime.bridges import to_jax as to_jax
from leverarm.runtime.bridges import to_numpy as to_numpy
from leverarm.runtime.bridges import to_torch as to_torch
from leverarm.runtime.calls.threads import set_threads as set_threads
from leverarm.runtime.compiled import compile as compile
from leverarm.runtime.export import export as export
from leverarm.runtime.export import export_targets as export_targets
from leverarm.simulation import payload as payload
from leverarm.simulation import rollout as rollout
from leverarm.simulation import simulate as simulate
from leverarm.verify.equations.judge import check as check
from leverarm.verify.equations.which import which_arm as which_arm
from leverarm.verify.table import properties as properties
