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

from typing import TYPE_CHECKING, Any

from leverarm import mechanics
from leverarm._version import __version__
from leverarm.errors import LeverarmError, SimulationError
from leverarm.formats import catalog_names, from_dh, from_screws, inertia_of_mesh, load, planar, save, to_dh, to_screws
from leverarm.formats.lint import Finding, lint
from leverarm.model import (
    Arm,
    Body,
    Frame,
    Friction,
    Joint,
    JointKind,
    Limits,
    MassProperties,
    Motor,
    Placement,
    Quantity,
    bind,
    format_quantity,
    inertias,
    lock,
    parse_quantity,
    symbol,
    symbols_of,
    to_float,
    with_values,
)
from leverarm.model.inertias import (
    inertia_of_box,
    inertia_of_capsule,
    inertia_of_cone,
    inertia_of_cylinder,
    inertia_of_density,
    inertia_of_hollow_cylinder,
    inertia_of_hollow_sphere,
    inertia_of_point,
    inertia_of_rod,
    inertia_of_sphere,
)
from leverarm.model.symbolic import symbolic
from leverarm.quantities import (
    acceleration,
    bias,
    christoffel,
    coriolis_matrix,
    coriolis_torques,
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
)
from leverarm.spatial import Inertia, Symmetric3, Vec3

if TYPE_CHECKING:
    from leverarm.closed_form import Equations, Formula, Formulas, equations
    from leverarm.closed_form.sheet import closed_forms, save_equations, write_equations
    from leverarm.control.by_name import by_name as control_by_name
    from leverarm.control.computed_torque import computed_torque
    from leverarm.control.control import Control
    from leverarm.control.operational_space import operational_space
    from leverarm.control.proportional_derivative import pd, pd_gravity
    from leverarm.control.signals import (
        Noise,
        Signal,
        constant,
        cubic,
        fourier,
        noise,
        quintic,
        scaled_in_time,
        shifted,
        table,
        trapezoid,
    )
    from leverarm.control.slotine_li import slotine_li
    from leverarm.derivation import Derivation, derive
    from leverarm.derivation.documents import save_derivation, terminal_derivation
    from leverarm.identification import Estimate, Estimates, Identified, JointFriction, Validation, identify
    from leverarm.identification.excitation import Excitation, excite
    from leverarm.identification.loads import Gains, PayloadEstimate, identify_gains, identify_payload, payload_json
    from leverarm.identification.logs import Log, read_log
    from leverarm.runtime.bridges import to_casadi, to_jax, to_numpy, to_torch
    from leverarm.runtime.cache import (
        CacheEntry,
        CacheStatus,
        CacheWarning,
        cache_entries,
        cache_folder,
        cache_status,
        clear_cache,
    )
    from leverarm.runtime.calls.threads import set_threads
    from leverarm.runtime.compiled import CompiledArm, compile
    from leverarm.runtime.export import Bundle, compilable, export, export_targets, export_text, save_export
    from leverarm.simulation.acting.payloads import Payload, payload
    from leverarm.simulation.methods import METHODS
    from leverarm.simulation.rollout import Rollout, rollout
    from leverarm.simulation.running import EnergyWarning
    from leverarm.simulation.simulate import simulate
    from leverarm.simulation.trajectories import EnergyLedger, Event, Trajectory, load_trajectory
    from leverarm.simulation.trajectories.limits import LimitReport, LimitUse, check_limits
    from leverarm.simulation.trajectories.minimum_time import fastest_along
    from leverarm.simulation.trajectories.time_scaling import Fit, fit_to_limits
    from leverarm.simulation.trajectories.torques import torques_along
    from leverarm.verify.equations.judge import check
    from leverarm.verify.equations.verdict import Correction, Verdict, Verdicts, Witness
    from leverarm.verify.equations.which import Candidate
    from leverarm.verify.equations.which import which as which_arm
    from leverarm.verify.table import Bound, Properties, Property, properties, save_properties

__all__ = [
    "METHODS",
    "Arm",
    "Body",
    "Bound",
    "Bundle",
    "CacheEntry",
    "CacheStatus",
    "CacheWarning",
    "Candidate",
    "CompiledArm",
    "Control",
    "Correction",
    "Derivation",
    "EnergyLedger",
    "EnergyWarning",
    "Equations",
    "Estimate",
    "Estimates",
    "Event",
    "Excitation",
    "Finding",
    "Fit",
    "Formula",
    "Formulas",
    "Frame",
    "Friction",
    "Gains",
    "Identified",
    "Inertia",
    "Joint",
    "JointFriction",
    "JointKind",
    "LeverarmError",
    "LimitReport",
    "LimitUse",
    "Limits",
    "Log",
    "MassProperties",
    "Motor",
    "Noise",
    "Payload",
    "PayloadEstimate",
    "Placement",
    "Properties",
    "Property",
    "Quantity",
    "Rollout",
    "Signal",
    "SimulationError",
    "Symmetric3",
    "Trajectory",
    "Validation",
    "Vec3",
    "Verdict",
    "Verdicts",
    "Witness",
    "__version__",
    "acceleration",
    "bias",
    "bind",
    "cache_entries",
    "cache_folder",
    "cache_status",
    "catalog_names",
    "check",
    "check_limits",
    "christoffel",
    "clear_cache",
    "closed_forms",
    "compilable",
    "compile",
    "computed_torque",
    "constant",
    "control_by_name",
    "coriolis_matrix",
    "coriolis_torques",
    "cubic",
    "derive",
    "equations",
    "excite",
    "export",
    "export_targets",
    "export_text",
    "fastest_along",
    "fit_to_limits",
    "format_quantity",
    "forward_dynamics",
    "forward_kinematics",
    "fourier",
    "friction",
    "from_dh",
    "from_screws",
    "gravity",
    "hamiltonian",
    "identify",
    "identify_gains",
    "identify_payload",
    "inertia_of_box",
    "inertia_of_capsule",
    "inertia_of_cone",
    "inertia_of_cylinder",
    "inertia_of_density",
    "inertia_of_hollow_cylinder",
    "inertia_of_hollow_sphere",
    "inertia_of_mesh",
    "inertia_of_point",
    "inertia_of_rod",
    "inertia_of_sphere",
    "inertias",
    "inverse_dynamics",
    "jacobian",
    "jacobian_dot",
    "kinetic_energy",
    "kinetic_energy_regressor",
    "lagrangian",
    "link_energies",
    "lint",
    "load",
    "load_trajectory",
    "lock",
    "mass_matrix",
    "mechanics",
    "mobility",
    "momentum",
    "noise",
    "operational_bias",
    "operational_gravity",
    "operational_inertia",
    "operational_space",
    "parameter_names",
    "parameters",
    "parse_quantity",
    "payload",
    "payload_json",
    "pd",
    "pd_gravity",
    "planar",
    "potential_energy",
    "potential_energy_regressor",
    "properties",
    "quintic",
    "read_log",
    "regressor",
    "rollout",
    "save",
    "save_derivation",
    "save_equations",
    "save_export",
    "save_properties",
    "scaled_in_time",
    "set_threads",
    "shifted",
    "simulate",
    "slotine_li",
    "static_torque",
    "symbol",
    "symbolic",
    "symbols_of",
    "table",
    "task_axes",
    "terminal_derivation",
    "to_casadi",
    "to_dh",
    "to_float",
    "to_jax",
    "to_numpy",
    "to_screws",
    "to_torch",
    "torques_along",
    "trapezoid",
    "velocity",
    "which_arm",
    "with_values",
    "write_equations",
]

_LOADED_WHEN_ASKED_FOR = {
    "Equations": "closed_form",
    "Formula": "closed_form",
    "Formulas": "closed_form",
    "equations": "closed_form",
    "closed_forms": "closed_form.sheet",
    "save_equations": "closed_form.sheet",
    "write_equations": "closed_form.sheet",
    "Derivation": "derivation",
    "derive": "derivation",
    "save_derivation": "derivation.documents",
    "terminal_derivation": "derivation.documents",
    "CompiledArm": "runtime.compiled",
    "compile": "runtime.compiled",
    "set_threads": "runtime.calls.threads",
    "to_torch": "runtime.bridges",
    "to_numpy": "runtime.bridges",
    "to_jax": "runtime.bridges",
    "to_casadi": "runtime.bridges",
    "save_export": "runtime.export",
    "export_text": "runtime.export",
    "export_targets": "runtime.export",
    "export": "runtime.export",
    "compilable": "runtime.export",
    "Bundle": "runtime.export",
    "CacheEntry": "runtime.cache",
    "CacheStatus": "runtime.cache",
    "CacheWarning": "runtime.cache",
    "cache_entries": "runtime.cache",
    "cache_folder": "runtime.cache",
    "cache_status": "runtime.cache",
    "clear_cache": "runtime.cache",
    "Control": "control",
    "computed_torque": "control",
    "control_by_name": "control:by_name",
    "operational_space": "control",
    "pd": "control",
    "pd_gravity": "control",
    "slotine_li": "control",
    "Noise": "control.signals",
    "Signal": "control.signals",
    "constant": "control.signals",
    "cubic": "control.signals",
    "fourier": "control.signals",
    "noise": "control.signals",
    "quintic": "control.signals",
    "scaled_in_time": "control.signals",
    "shifted": "control.signals",
    "table": "control.signals",
    "trapezoid": "control.signals",
    "METHODS": "simulation.methods",
    "EnergyWarning": "simulation",
    "Payload": "simulation",
    "Rollout": "simulation",
    "payload": "simulation",
    "rollout": "simulation",
    "simulate": "simulation",
    "EnergyLedger": "simulation.trajectories",
    "Event": "simulation.trajectories",
    "Trajectory": "simulation.trajectories",
    "load_trajectory": "simulation.trajectories",
    "torques_along": "simulation.trajectories.torques",
    "LimitReport": "simulation.trajectories.limits",
    "LimitUse": "simulation.trajectories.limits",
    "check_limits": "simulation.trajectories.limits",
    "Fit": "simulation.trajectories.time_scaling",
    "fit_to_limits": "simulation.trajectories.time_scaling",
    "fastest_along": "simulation.trajectories.minimum_time",
    "Excitation": "identification.excitation",
    "excite": "identification.excitation",
    "Estimate": "identification",
    "Estimates": "identification",
    "Identified": "identification",
    "JointFriction": "identification",
    "Validation": "identification",
    "identify": "identification",
    "Gains": "identification.loads",
    "PayloadEstimate": "identification.loads",
    "identify_gains": "identification.loads",
    "identify_payload": "identification.loads",
    "payload_json": "identification.loads",
    "Log": "identification.logs",
    "read_log": "identification.logs",
    "Bound": "verify.table",
    "Properties": "verify.table",
    "Property": "verify.table",
    "properties": "verify.table",
    "save_properties": "verify.table",
    "Candidate": "verify.equations.which",
    "which_arm": "verify.equations.which:which",
    "check": "verify.equations.judge",
    "Correction": "verify.equations.verdict",
    "Verdict": "verify.equations.verdict",
    "Witness": "verify.equations.verdict",
    "Verdicts": "verify.equations.verdict",
}


def __getattr__(name: str) -> Any:
    """Closed forms, derivations, the compiler and simulation are loaded when they are first asked for."""
    if name not in _LOADED_WHEN_ASKED_FOR:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module, _, name_there = _LOADED_WHEN_ASKED_FOR[name].partition(":")
    value = getattr(import_module(f"{__name__}.{module}"), name_there or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
